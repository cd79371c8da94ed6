/* scaling_json.c: rates against sizes and threads as JSON. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "buffers.h"
#include "report_json.h"
#include "scaling_report.h"

static void remark(const struct series *s, json_t *row, void *context)
{
    const struct scaling_report *const r = context;
    const struct series *const copy = scaling_memcpy(r, s), *const one = scaling_alone(r, s);
    if (copy && !s->peer->copies)
        json_set(row, "share_of_memcpy", json_number(scaling_rate(s) / scaling_rate(copy)));
    if (one && s->threads > 1) {
        json_set(row, "times_one_thread", json_number(scaling_rate(s) / scaling_rate(one)));
        json_set(row, "slower_than_one_thread", json_boolean(scaling_is_slower(r, s)));
    }
}

static void add_pays(const struct scaling_report *r, const struct series *s, void *context)
{
    json_t *const row = json_object();
    const size_t from = scaling_pays_from(r, s);
    json_set_text(row, "engine", s->peer->name);
    json_set_size(row, "threads", s->threads);
    json_set_text(row, "operation", operation_name(s->decrypt));
    json_set(row, "bytes", from ? json_integer((json_int_t)from) : json_null());
    json_add(context, row);
}

static void add_times(json_t *row, const char *name, const double *ns)
{
    json_t *const times = json_object();
    report_json_times(times, ns, HANDOFF_RUNS);
    json_set(row, name, times);
}

static json_t *handoffs(const struct scaling_report *r)
{
    json_t *const list = json_array();
    for (size_t i = 0; i < r->handoff_count; i++) {
        const struct handoff *const h = &r->handoffs[i];
        json_t *const row = json_object();
        json_set_text(row, "engine", h->peer->name);
        json_set_size(row, "threads", h->threads);
        json_set_size(row, "idle_us", HANDOFF_IDLE_US);
        add_times(row, "hot", h->hot_ns);
        add_times(row, "after_idle", h->idle_ns);
        add_times(row, "one_thread", h->alone_ns);
        json_add(list, row);
    }
    return list;
}

bool scaling_json(const void *given, FILE *to)
{
    const struct scaling_report *const r = given;
    const struct scaling_options *const o = r->options;
    json_t *const report = json_report("scaling", r->host), *const pays = json_array();
    json_set(report, "verified", json_true()); /* else there is no report */
    json_set_size(report, "runs", o->runs);
    json_set(report, "in_place", json_false());
    json_set_size(report, "seed", o->seed);
    json_set_text(report, "buffers", buffers_description);
    json_set(report, "huge_page_advice_taken", json_boolean(r->huge));
    /* the context is not written to, but the type is one for all */
    report_json_results(report, &o->work, &r->results, remark, (void *)(uintptr_t)r);
    scaling_each_curve(r, false, add_pays, pays);
    json_set(report, "threads_pay_from", pays);
    json_set(report, "handoff", handoffs(r));
    return json_write(report, to);
}
