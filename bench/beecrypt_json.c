/* beecrypt_json.c: the BeeCrypt workloads as JSON. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "beecrypt.h"
#include "json.h"
#include "published.h"

static json_t *published_rows(const char *table)
{
    json_t *const list = json_array();
    for (size_t i = 0; table && i < published_beecrypt_count; i++) {
        const struct published_beecrypt *const p = &published_beecrypt[i];
        if (strcmp(p->table, table) != 0)
            continue;
        json_t *const row = json_object();
        json_set_text(row, "table", p->table);
        json_set_text(row, "library", p->library);
        json_set_text(row, "processor", p->processor);
        json_set_size(row, "memory_mb", p->memory_mb);
        json_set_text(row, "system", p->system);
        json_set_text(row, "year", published_beecrypt_year);
        json_set(row, "value", json_number(p->value));
        json_set_text(row, "unit", p->unit);
        json_add(list, row);
    }
    return list;
}

/* Of bytes and mib_per_second, exponentiations and exponentiations_per_second one pair is null. */
static json_t *result_row(const struct beecrypt_result *r)
{
    const bool bytes = beecrypt_counts_bytes(r->work);
    json_t *const row = json_object(), *const amount = json_integer((json_int_t)r->amount);
    json_set_text(row, "workload", r->work->name);
    json_set_text(row, "what", r->work->what);
    json_set_size(row, "threads", r->threads);
    json_set(row, "bytes", bytes ? amount : json_null());
    json_set(row, "exponentiations", bytes ? json_null() : amount);
    json_set(row, "nanoseconds", json_number(r->ns));
    json_set(row, "mib_per_second", bytes ? json_number(beecrypt_rate(r) / 1048576) : json_null());
    json_set(row, "exponentiations_per_second",
             bytes ? json_null() : json_number(beecrypt_rate(r)));
    json_set_size(row, "runs", r->runs);
    json_set_size(row, "units", r->units);
    json_set(row, "min_ns", json_number(r->min_ns));
    json_set(row, "max_ns", json_number(r->max_ns));
    json_set(row, "published", published_rows(r->work->published));
    return row;
}

bool beecrypt_json(const struct beecrypt_report *report, FILE *to)
{
    json_t *const object = json_report("beecrypt", report->host);
    json_t *const results = json_array(), *const missing = json_array(),
                  *const notes = json_array();
    json_set(object, "verified", json_true()); /* or there would be no result */
    json_set_size(object, "runs", report->runs);
    if (report->seconds)
        json_set_size(object, "seconds", report->seconds);
    json_set_size(object, "seed", report->seed);
    for (size_t i = 0; i < report->result_count; i++)
        json_add(results, result_row(&report->results[i]));
    json_set(object, "results", results);
    for (size_t i = 0; i < report->absence_count; i++) {
        json_t *const row = json_object();
        json_set_text(row, "workload", report->absences[i].work->name);
        json_set_text(row, "reason", report->absences[i].reason);
        json_add(missing, row);
    }
    json_set(object, "unsupported", missing);
    for (size_t i = 0; beecrypt_note(i); i++)
        json_add(notes, json_string(beecrypt_note(i)));
    json_set(object, "notes", notes);
    return json_write(object, to);
}
