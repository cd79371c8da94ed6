/* kernels_json.c: the grid of kernels as JSON. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "buffers.h"
#include "kernels_report.h"
#include "report_json.h"

struct context {
    const struct kernels_report *report;
    const struct kernels_group *group;
};

static void remark(const struct series *s, json_t *row, void *context)
{
    const struct context *const c = context;
    const struct limit limit = kernels_limit(c->report, c->group, s);
    if (s->peer->copies || limit.rate <= 0)
        return;
    json_set(row, "share", json_number(kernels_rate(s) / limit.rate));
    json_set(row, "limit", json_number(limit.rate));
    json_set_text(row, "limited_by", limit.what);
}

static void add_limits(const struct kernels_report *report, json_t *to)
{
    json_t *const limits = json_object(), *const rates = json_array();
    const struct cipher_list *const ciphers = &report->options->ciphers;
    json_set_text(limits, "source", report->limits.source);
    for (size_t i = 0; i < ciphers->count; i++) {
        const unsigned bits = ciphers->at[i].key_bits;
        json_t *const row = json_object();
        json_set_text(row, "cipher", ciphers->at[i].cipher);
        json_set(row, "aes_bytes_per_second",
                 json_number(limits_rate(&report->limits, bits, false)));
        json_set(row, "chain_bytes_per_second",
                 json_number(limits_rate(&report->limits, bits, true)));
        json_add(rates, row);
    }
    json_set(limits, "ciphers", rates);
    json_set(to, "limits", limits);
}

static void add_memory(const struct kernels_report *report, json_t *to)
{
    json_t *const list = json_array();
    for (size_t k = 0; k < 2; k++) {
        for (size_t i = 0; i < report->memory[k].series_count; i++) {
            const struct series *const s = &report->memory[k].series[i];
            if (s->decrypt)
                continue;
            json_t *const row = json_object();
            json_set_text(row, "engine", s->peer->name);
            json_set_size(row, "bytes", s->bytes);
            report_json_times(row, s->ns, s->runs);
            json_set(row, "median_bytes_per_second", json_number(kernels_rate(s)));
            json_add(list, row);
        }
    }
    json_set(to, "memory", list);
}

static void add_cost(const struct kernels_group *g, size_t i, json_t *list)
{
    for (size_t k = 0; k < COST_KINDS; k++) {
        json_t *const row = json_object();
        json_set_text(row, "what", cost_names[k]);
        json_set_text(row, "cipher", g->work.cipher);
        json_set_text(row, "mode", g->work.mode_name);
        json_set_text(row, "kernel", mtaes_kernel_name(g->costs_kernel[i]));
        json_set_size(row, "bytes", g->costs[i].bytes[k]);
        report_json_times(row, g->costs[i].ns[k], COST_RUNS);
        json_add(list, row);
    }
}

bool kernels_json(const void *given, FILE *to)
{
    const struct kernels_report *const report = given;
    const struct kernels_options *const o = report->options;
    json_t *const object = json_report("kernels", report->host), *const costs = json_array();
    json_set(object, "verified", json_true()); /* else there is no report */
    json_set_size(object, "runs", o->runs);
    json_set(object, "in_place", json_boolean(o->in_place));
    json_set_size(object, "seed", o->seed);
    json_set_text(object, "buffers", buffers_description);
    json_set(object, "huge_page_advice_taken", json_boolean(report->huge));
    add_limits(report, object);
    add_memory(report, object);
    for (size_t i = 0; i < report->count; i++) {
        const struct kernels_group *const g = &report->groups[i];
        struct context context = {report, g};
        report_json_results(object, &g->work, &g->results, remark, &context);
        for (size_t k = 0; k < g->costs_count; k++)
            add_cost(g, k, costs);
    }
    json_set(object, "costs", costs);
    return json_write(object, to);
}
