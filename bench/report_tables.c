/* report_tables.c: the run tables of a report, in the published layout, published ones beside. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "report_folder.h"
#include "report_plots.h"

static const double mb = 1e6;
static const char *const run_heads[] = {"Run", "Encryption Time (s)", "Encryption Rate (MB/s)",
                                        "Decryption Time (s)", "Decryption Rate (MB/s)"};

static bool same_word(const json_t *a, const json_t *b, const char *name)
{
    return strcmp(report_word(a, name), report_word(b, name)) == 0;
}

/* Whether two rows are of one engine on one message; the operation may differ. */
static bool same_engine(const json_t *a, const json_t *b)
{
    return same_word(a, b, "engine") && same_word(a, b, "kernel") &&
           report_number(a, "threads") == report_number(b, "threads") &&
           report_number(a, "bytes") == report_number(b, "bytes");
}

static bool is_operation(const json_t *row, bool decrypt)
{
    return strcmp(report_word(row, "operation"), decrypt ? "decrypt" : "encrypt") == 0;
}

/* The line of the same engine and message in that direction; NULL: it has none. */
static const json_t *line_of(const json_t *list, const json_t *like, bool decrypt)
{
    size_t i;
    json_t *row;
    json_array_foreach(list, i, row)
    {
        if (same_engine(row, like) && is_operation(row, decrypt))
            return row;
    }
    return NULL;
}

static bool begins_engine(const json_t *summary, size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if (same_engine(json_array_get(summary, i), json_array_get(summary, index)))
            return false;
    }
    return true;
}

/* --- one engine on one message --------------------------------------------------------------- */

static void time_cells(struct table *t, const json_t *line, double ns)
{
    if (!line || ns <= 0) {
        table_cell(t, "n/a");
        table_cell(t, "n/a");
        return;
    }
    table_cell(t, "%.9f", ns / 1e9);
    table_cell(t, "%.2f", report_number(line, "bytes") * 1e9 / ns / mb);
}

static double run_ns(const json_t *rows, const json_t *line, double run)
{
    size_t i;
    json_t *row;
    json_array_foreach(rows, i, row)
    {
        if (line && same_engine(row, line) && same_word(row, line, "operation") &&
            report_number(row, "run") == run)
            return report_number(row, "nanoseconds");
    }
    return 0;
}

static void add_run_table(const json_t *json, const json_t *first, struct document *d)
{
    const json_t *const rows = json_object_get(json, "rows"), *const summary =
                                                                  json_object_get(json, "summary");
    const json_t *const line[2] = {line_of(summary, first, false), line_of(summary, first, true)};
    static const char *const lines[] = {"mean", "median", "min", "max"};
    char text[256], size[32];
    snprintf(text, sizeof text, "%s, %s, kernel %s, threads: %.0f",
             size_text((size_t)report_number(first, "bytes"), size, sizeof size),
             report_word(first, "engine"), report_word(first, "kernel"),
             report_number(first, "threads"));
    document_heading(d, text);
    struct table *const t = document_table(d, run_heads, 5, 1);
    for (double run = 1; run <= report_number(first, "runs"); run++) {
        table_cell(t, "%.0f", run);
        for (int k = 0; k < 2; k++)
            time_cells(t, line[k], run_ns(rows, line[k], run));
    }
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s_ns", lines[i]);
        table_cell(t, "%s", lines[i]);
        for (int k = 0; k < 2; k++)
            time_cells(t, line[k], report_number(line[k], name));
    }
    table_cell(t, "stddev of the times");
    for (int k = 0; k < 2; k++) {
        table_cell(t, "%.9f", report_number(line[k], "stddev_ns") / 1e9);
        table_cell(t, "-");
    }
}

/* --- published ------------------------------------------------------------------------------- */

static void published_cells(struct table *t, const json_t *row)
{
    table_cell(t, "%.9g", report_number(row, "encryption_time_s"));
    table_cell(t, "%.2f", report_number(row, "encryption_rate_mib_s"));
    table_cell(t, "%.9g", report_number(row, "decryption_time_s"));
    table_cell(t, "%.2f", report_number(row, "decryption_rate_mib_s"));
}

static void recomputed_cells(struct table *t, const json_t *table, const char *what)
{
    char time[32], rate[48];
    snprintf(time, sizeof time, "%s_ns", what);
    snprintf(rate, sizeof rate, "%s_bytes_per_second", what);
    table_cell(t, "published: %s of the rows", what);
    for (size_t k = 0; k < 2; k++) {
        const json_t *const row = json_array_get(json_object_get(table, "recomputed"), k);
        table_cell(t, "%.6f", report_number(row, time) / 1e9);
        table_cell(t, "%.2f", report_number(row, rate) / 1048576);
    }
}

static void add_published(const json_t *table, struct document *d)
{
    static const char *const heads[] = {"Run", "Encryption Time (s)", "Encryption Rate (MiB/s)",
                                        "Decryption Time (s)", "Decryption Rate (MiB/s)"};
    const json_t *const rows = json_object_get(table, "rows");
    char text[512], size[32];
    snprintf(text, sizeof text, "%s, %s, AS PUBLISHED (%s; %s)",
             size_text((size_t)report_number(table, "bytes"), size, sizeof size),
             report_word(table, "system"), report_word(table, "title"),
             report_word(table, "machine"));
    document_heading(d, text);
    struct table *const t = document_table(d, heads, 5, 1);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        table_cell(t, "published: %zu", i + 1);
        published_cells(t, json_array_get(rows, i));
    }
    table_cell(t, "published: printed \"average\"");
    published_cells(t, json_object_get(table, "printed_average"));
    recomputed_cells(t, table, "mean");
    recomputed_cells(t, table, "median");
}

/* --- medians side by side -------------------------------------------------------------------- */

static const char *const median_heads[] = {
    "Size",         "Engine",        "Kernel or machine",
    "Threads",      "Encrypt MB/s",  "Encrypt MiB/s",
    "Decrypt MB/s", "Decrypt MiB/s", "of memcpy (enc / dec)"};
enum { MEDIAN_HEADS = sizeof median_heads / sizeof median_heads[0] };

static void median_cells(struct table *t, const json_t *line)
{
    const double rate = report_number(line, "median_bytes_per_second");
    if (rate <= 0) {
        table_cell(t, "n/a");
        table_cell(t, "n/a");
        return;
    }
    table_cell(t, "%.1f", rate / mb);
    table_cell(t, "%.1f", rate / 1048576);
}

/* The rate as a part of memcpy's on the same message and threads. */
static void share_text(const json_t *summary, const json_t *line, char *text, size_t room)
{
    snprintf(text, room, "n/a");
    for (size_t i = 0; line && i < json_array_size(summary); i++) {
        const json_t *const row = json_array_get(summary, i);
        const double ceiling = report_number(row, "median_bytes_per_second");
        if (strcmp(report_word(row, "engine"), "memcpy") == 0 && ceiling > 0 &&
            report_number(row, "threads") == report_number(line, "threads") &&
            report_number(row, "bytes") == report_number(line, "bytes") &&
            same_word(row, line, "operation"))
            snprintf(text, room, "%.2f", report_number(line, "median_bytes_per_second") / ceiling);
    }
}

/* A row for each engine and message of one report. */
static void add_medians(const json_t *json, struct table *t)
{
    const json_t *const summary = json_object_get(json, "summary");
    for (size_t i = 0; i < json_array_size(summary); i++) {
        const json_t *const row = json_array_get(summary, i);
        char size[32], share[2][24];
        if (!begins_engine(summary, i))
            continue;
        table_cell(t, "%s", size_text((size_t)report_number(row, "bytes"), size, sizeof size));
        table_cell(t, "%s", report_word(row, "engine"));
        table_cell(t, "%s", report_word(row, "kernel"));
        table_cell(t, "%.0f", report_number(row, "threads"));
        for (int k = 0; k < 2; k++) {
            const json_t *const line = line_of(summary, row, k);
            median_cells(t, line);
            share_text(summary, line, share[k], sizeof share[k]);
        }
        table_cell(t, "%s / %s", share[0], share[1]);
    }
}

static void add_published_medians(const json_t *json, struct table *t)
{
    const json_t *const list = json_object_get(json, "published");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *const table = json_array_get(list, i);
        char size[32];
        table_cell(t, "%s", size_text((size_t)report_number(table, "bytes"), size, sizeof size));
        table_cell(t, "%s, as published", report_word(table, "system"));
        table_cell(t, "%s", report_word(table, "machine"));
        table_cell(t, "-");
        for (size_t k = 0; k < 2; k++)
            median_cells(t, json_array_get(json_object_get(table, "recomputed"), k));
        table_cell(t, "-");
    }
}

bool report_tables(const struct report *r, const char *plots, struct document *d)
{
    for (size_t i = 0; i < r->count; i++) {
        const json_t *const json = r->part[i].json;
        if (r->part[i].suite != SUITE_TABLES || r->part[i].use != USE_RUNS || !json)
            continue;
        document_heading(d, "Medians of the runs");
        struct table *const t = document_table(d, median_heads, MEDIAN_HEADS, 3);
        add_medians(json, t);
        add_published_medians(json, t);
        if (plots && !report_plot(plots, "runs.svg", PLOT_RUNS, &json, 1))
            return false;
        if (plots)
            document_plot(d, "runs.svg", "Rate of each run, AES-128 ECB; memcpy is the ceiling");
        const json_t *const summary = json_object_get(json, "summary"), *const published =
                                                                            json_object_get(
                                                                                json, "published");
        for (size_t k = 0; k < json_array_size(summary); k++) {
            if (begins_engine(summary, k))
                add_run_table(json, json_array_get(summary, k), d);
        }
        for (size_t k = 0; k < json_array_size(published); k++)
            add_published(json_array_get(published, k), d);
        report_remarks(json, d);
    }
    return true;
}

/* --- curves ---------------------------------------------------------------------------------- */

bool report_curves(const struct report *r, const char *plots, struct document *d)
{
    static const struct {
        enum report_use use;
        enum report_plot_kind kind;
        const char *file, *heading, *caption;
    } curves[] = {
        {USE_SIZES, PLOT_SIZES, "sizes.svg", "Against the size of the message",
         "Median rate against message size, AES-128 CTR; memcpy is the ceiling"},
        {USE_THREADS, PLOT_THREADS, "threads.svg", "Against the number of threads",
         "Median rate against threads, AES-128 CTR; memcpy is the ceiling; engines that always "
         "have one thread are a single point"},
    };
    for (size_t c = 0; c < sizeof curves / sizeof curves[0]; c++) {
        const json_t *json[REPORT_PARTS];
        size_t count = 0;
        for (size_t i = 0; i < r->count; i++) {
            if (r->part[i].suite == SUITE_TABLES && r->part[i].use == curves[c].use &&
                r->part[i].json)
                json[count++] = r->part[i].json;
        }
        if (count == 0)
            continue;
        document_heading(d, curves[c].heading);
        if (plots && !report_plot(plots, curves[c].file, curves[c].kind, json, count))
            return false;
        if (plots)
            document_plot(d, curves[c].file, curves[c].caption);
        struct table *const t = document_table(d, median_heads, MEDIAN_HEADS, 3);
        for (size_t i = 0; i < count; i++)
            add_medians(json[i], t);
    }
    return true;
}
