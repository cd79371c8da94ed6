/* report_json.c: measurements in the JSON reports of all commands. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "report_json.h"

static json_t *labelled(const struct workload *work, const struct series *s)
{
    json_t *const object = json_object();
    json_set_text(object, "engine", s->peer->name);
    json_set_text(object, "cipher", work->cipher);
    json_set_text(object, "mode", work->mode_name);
    json_set_text(object, "kernel", s->kernel);
    json_set_size(object, "threads", s->threads);
    json_set_size(object, "bytes", s->bytes);
    if (work->streams > 1)
        json_set_size(object, "streams", work->streams);
    return object;
}

static void add_rows(const struct workload *work, const struct series *s, json_t *rows)
{
    for (size_t i = 0; i < s->runs; i++) {
        json_t *const row = labelled(work, s);
        json_set_size(row, "run", i + 1);
        json_set_text(row, "operation", operation_name(s->decrypt));
        json_set(row, "nanoseconds", json_number(s->ns[i]));
        json_set(row, "bytes_per_second", json_number(rate_of(s->bytes, s->ns[i])));
        json_add(rows, row);
    }
}

static json_t *summary_of(const struct workload *work, const struct series *s)
{
    const struct stats v = stats_of(s->ns, s->runs);
    json_t *const row = labelled(work, s);
    json_set_text(row, "operation", operation_name(s->decrypt));
    json_set_size(row, "runs", s->runs);
    json_set(row, "mean_ns", json_number(v.mean));
    report_json_times(row, s->ns, s->runs);
    json_set(row, "stddev_ns", json_number(v.stddev));
    json_set(row, "mean_bytes_per_second", json_number(rate_of(s->bytes, v.mean)));
    json_set(row, "median_bytes_per_second", json_number(rate_of(s->bytes, v.median)));
    return row;
}

static json_t *unsupported(const struct workload *work, const struct absence *a)
{
    json_t *const row = json_object();
    json_set_text(row, "engine", a->engine);
    json_set_text(row, "reason", a->reason);
    json_set_text(row, "cipher", work->cipher);
    json_set_text(row, "mode", work->mode_name);
    if (a->bytes)
        json_set_size(row, "bytes", a->bytes);
    if (a->operation != ABSENT_BOTH)
        json_set_text(row, "operation", operation_name(a->operation == ABSENT_DECRYPT));
    return row;
}

/* The array of that name. */
static json_t *list_in(json_t *report, const char *name)
{
    if (!json_object_get(report, name))
        json_set(report, name, json_array());
    return json_object_get(report, name);
}

void report_json_results(json_t *report, const struct workload *work, const struct results *r,
                         report_json_remark *remark, void *context)
{
    json_t *const rows = list_in(report, "rows"), *const summary = list_in(report, "summary");
    json_t *const lacking = list_in(report, "unsupported");
    for (size_t i = 0; i < r->series_count; i++) {
        json_t *const row = summary_of(work, &r->series[i]);
        if (remark)
            remark(&r->series[i], row, context);
        add_rows(work, &r->series[i], rows);
        json_add(summary, row);
    }
    for (size_t i = 0; i < r->absence_count; i++)
        json_add(lacking, unsupported(work, &r->absences[i]));
}

void report_json_times(json_t *row, const double *ns, size_t count)
{
    const struct stats v = stats_of(ns, count);
    json_set(row, "median_ns", json_number(v.median));
    json_set(row, "min_ns", json_number(v.min));
    json_set(row, "max_ns", json_number(v.max));
}
