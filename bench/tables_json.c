/* tables_json.c: the run tables as JSON. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "buffers.h"
#include "report_json.h"
#include "tables_report.h"

static json_t *published_run(const struct published_run *run)
{
    json_t *const row = json_object();
    json_set(row, "encryption_time_s", json_number(run->encrypt_s));
    json_set(row, "encryption_rate_mib_s", json_number(run->encrypt_rate));
    json_set(row, "decryption_time_s", json_number(run->decrypt_s));
    json_set(row, "decryption_rate_mib_s", json_number(run->decrypt_rate));
    return row;
}

static void add_recomputed(const struct published_table *p, json_t *table)
{
    json_t *const list = json_array();
    for (int d = 0; d < 2; d++) {
        double ns[PUBLISHED_RUNS];
        published_ns(p, d, ns);
        const struct stats v = stats_of(ns, PUBLISHED_RUNS);
        json_t *const row = json_object();
        json_set_text(row, "operation", operation_name(d));
        json_set(row, "mean_ns", json_number(v.mean));
        json_set(row, "median_ns", json_number(v.median));
        json_set(row, "stddev_ns", json_number(v.stddev));
        json_set(row, "mean_bytes_per_second", json_number(rate_of(p->mib << 20, v.mean)));
        json_set(row, "median_bytes_per_second", json_number(rate_of(p->mib << 20, v.median)));
        json_add(list, row);
    }
    json_set(table, "recomputed", list);
}

static void add_published(size_t bytes, json_t *list)
{
    for (size_t i = 0; i < published_tables_count; i++) {
        const struct published_table *const p = &published_tables[i];
        if (p->mib << 20 != bytes)
            continue;
        json_t *const table = json_object(), *const rows = json_array();
        json_set_text(table, "title", published_tables_title);
        json_set_text(table, "machine", published_tables_machine);
        json_set_text(table, "system", p->system);
        json_set_text(table, "cipher", published_tables_cipher);
        json_set_text(table, "mode", published_tables_mode);
        json_set_size(table, "bytes", bytes);
        for (size_t k = 0; k < PUBLISHED_RUNS; k++)
            json_add(rows, published_run(&p->run[k]));
        json_set(table, "rows", rows);
        json_set(table, "printed_average", published_run(&p->average));
        add_recomputed(p, table);
        json_add(list, table);
    }
}

/* How it was measured. */
static void add_conditions(const struct tables_report *r, json_t *report)
{
    json_set_size(report, "runs", r->runs);
    json_set_size(report, "calls", r->calls);
    json_set(report, "in_place", json_boolean(r->work->in_place));
    json_set_size(report, "seed", r->seed);
    if (r->work->structure == STRUCTURE_UNIT)
        json_set_size(report, "unit_bytes_max", r->unit_bytes ? r->unit_bytes : (size_t)16 << 20);
    json_set_text(report, "buffers", buffers_description);
    json_set(report, "huge_page_advice_taken", json_boolean(r->huge));
    json_t *const notes = json_array();
    for (size_t i = 0; i < r->results->note_count; i++)
        json_add(notes, json_string(r->results->notes[i]));
    json_set(report, "notes", notes);
}

bool tables_json(const void *given, FILE *to)
{
    const struct tables_report *const r = given;
    json_t *const report = json_report("tables", r->host);
    /* whatever is in the results was verified; only an empty report is not */
    json_set(report, "verified", json_boolean(r->results->series_count != 0));
    add_conditions(r, report);
    report_json_results(report, r->work, r->results, NULL, NULL);
    if (r->reference) {
        json_t *const published = json_array();
        for (size_t i = 0; i < r->sizes->count; i++)
            add_published(r->sizes->at[i], published);
        json_set(report, "published", published);
    }
    return json_write(report, to);
}
