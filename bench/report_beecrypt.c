/* report_beecrypt.c: the BeeCrypt workloads of a report, published rows beside. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "report_folder.h"

static const char *const heads[] = {"Workload", "Library",  "Machine", "Year",
                                    "Threads",  "Time (s)", "Rate",    "Unit"};

static void measured_row(struct table *t, const struct host *host, const json_t *row)
{
    const bool bytes = json_is_number(json_object_get(row, "mib_per_second"));
    table_cell(t, "%s", report_word(row, "workload"));
    table_cell(t, "%s", host->openssl);
    table_cell(t, "%s", host->cpu);
    table_cell(t, "%.4s", host->date);
    table_cell(t, "%.0f", report_number(row, "threads"));
    table_cell(t, "%.6f", report_number(row, "nanoseconds") / 1e9);
    table_cell(t, "%.2f",
               report_number(row, bytes ? "mib_per_second" : "exponentiations_per_second"));
    table_cell(t, "%s", bytes ? "MiB/s" : "powers/s");
}

static void published_row(struct table *t, const json_t *row)
{
    const bool bytes = strcmp(report_word(row, "unit"), "MB/s") == 0;
    const double value = report_number(row, "value");
    table_cell(t, "%s, AS PUBLISHED", report_word(row, "table"));
    table_cell(t, "%s", report_word(row, "library"));
    table_cell(t, "%s, %.0f MB, %s", report_word(row, "processor"), report_number(row, "memory_mb"),
               report_word(row, "system"));
    table_cell(t, "%s", report_word(row, "year"));
    table_cell(t, "1");
    if (bytes)
        table_cell(t, "-");
    else
        table_cell(t, "%.1f", value);
    table_cell(t, "%.2f", bytes || value <= 0 ? value : 100 / value);
    table_cell(t, "%s", bytes ? "MiB/s" : "powers/s");
}

/* Ours from `from` on that share a heading, then the published rows of their kind. */
static size_t add_group(const struct host *host, const json_t *results, size_t from,
                        struct document *d)
{
    const json_t *const first = json_array_get(results, from);
    const json_t *const published = json_object_get(first, "published");
    size_t i = from;
    document_heading(d, report_word(first, "what"));
    struct table *const t = document_table(d, heads, 8, 4);
    while (i < json_array_size(results) &&
           strcmp(report_word(json_array_get(results, i), "what"), report_word(first, "what")) == 0)
        measured_row(t, host, json_array_get(results, i++));
    for (size_t k = 0; k < json_array_size(published); k++)
        published_row(t, json_array_get(published, k));
    if (json_array_size(published) == 0)
        document_text(d, "There are no published rows of this kind.");
    return i;
}

void report_beecrypt(const struct report *r, struct document *d)
{
    bool remarked = false;
    for (size_t i = 0; i < r->count; i++) {
        const json_t *const json = r->part[i].json;
        const json_t *const results = json_object_get(json, "results");
        if (r->part[i].suite != SUITE_BEECRYPT || !json)
            continue;
        if (report_number(json, "seconds") > 0)
            document_text(d,
                          "Below: units of 1 MiB (exponentiation: one) for %.0f seconds, separate "
                          "source and destination, as the library's later programs did; the time "
                          "is that of all units.",
                          report_number(json, "seconds"));
        else
            document_text(d,
                          "Below: 100 exponentiations, 8 MiB of Blowfish in place, 16 MiB of "
                          "SHA-1 a thread; the time is that of the whole, the median of %.0f "
                          "runs.",
                          report_number(json, "runs"));
        for (size_t k = 0; k < json_array_size(results);)
            k = add_group(&r->host, results, k, d);
        if (!remarked)
            report_remarks(json, d);
        remarked = true;
    }
}
