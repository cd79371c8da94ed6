/* tables_print.c: the run tables as text and Markdown, in the published layout. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "tables_report.h"

static const char *const run_heads[] = {"Run", "Encryption Time (s)", "Encryption Rate (MB/s)",
                                        "Decryption Time (s)", "Decryption Rate (MB/s)"};
static const double mb = 1e6, mib = 1048576;

static void print_what(const struct tables_report *r, FILE *to, enum format format)
{
    char text[768], unit[32];
    const struct workload *const w = r->work;
    int used = snprintf(text, sizeof text, "%s %s, %s, %zu runs of %zu call%s", w->cipher,
                        w->mode_name, w->in_place ? "in place" : "out of place", r->runs, r->calls,
                        r->calls == 1 ? "" : "s, times are of one call");
    if (w->structure == STRUCTURE_UNIT)
        snprintf(text + used, sizeof text - (size_t)used, ", units of %s at most",
                 size_text(r->unit_bytes ? r->unit_bytes : (size_t)16 << 20, unit, sizeof unit));
    fprintf(to,
            format == FORMAT_MARKDOWN ? "## mtaes-bench tables: %s\n\n"
                                      : "mtaes-bench tables: %s\n",
            text);
}

static void print_head(const struct tables_report *r, FILE *to, enum format format)
{
    char text[768];
    print_what(r, to, format);
    if (r->work->kernel)
        snprintf(text, sizeof text, "%s: named by --kernel", mtaes_kernel_name(r->work->kernel));
    else
        host_choice_text(r->work->family, text, sizeof text);
    report_host(r->host, text, r->huge, to, format);
    report_line(to, format, "lines",
                "mean, median, min, max: the rate is bytes over that time; stddev: of the sample "
                "of the column");
}

static void time_and_rate(struct table *t, const struct series *s, double ns)
{
    if (!s) {
        table_cell(t, "n/a");
        table_cell(t, "n/a");
        return;
    }
    table_cell(t, "%.9f", ns / 1e9);
    table_cell(t, "%.2f", rate_of(s->bytes, ns) / mb);
}

static void spread(struct table *t, const struct series *s)
{
    if (!s) {
        time_and_rate(t, s, 0);
        return;
    }
    double *const rates = allocate(s->runs, sizeof *rates);
    for (size_t i = 0; i < s->runs; i++)
        rates[i] = rate_of(s->bytes, s->ns[i]) / mb;
    table_cell(t, "%.9f", stats_of(s->ns, s->runs).stddev / 1e9);
    table_cell(t, "%.2f", stats_of(rates, s->runs).stddev);
    free(rates);
}

static struct stats stats_or_none(const struct series *s)
{
    return s ? stats_of(s->ns, s->runs) : (struct stats){0};
}

/* One block: an engine on a size. */
static void print_block(const struct series *const direction[2], FILE *to, enum format format)
{
    const struct series *const any = direction[0] ? direction[0] : direction[1];
    char size[32], text[256];
    snprintf(text, sizeof text, "%s (%.1f MB), %s, kernel %s, %zu thread%s",
             size_text(any->bytes, size, sizeof size), (double)any->bytes / mb, any->peer->name,
             any->kernel, any->threads, any->threads == 1 ? "" : "s");
    report_heading(to, format, text);

    struct table t;
    table_begin(&t, run_heads, 5);
    for (size_t i = 0; i < any->runs; i++) {
        table_cell(&t, "%zu", i + 1);
        for (int d = 0; d < 2; d++)
            time_and_rate(&t, direction[d], direction[d] ? direction[d]->ns[i] : 0);
    }
    const struct stats s[2] = {stats_or_none(direction[0]), stats_or_none(direction[1])};
    const struct {
        const char *name;
        double ns[2];
    } lines[] = {{"mean", {s[0].mean, s[1].mean}},
                 {"median", {s[0].median, s[1].median}},
                 {"min", {s[0].min, s[1].min}},
                 {"max", {s[0].max, s[1].max}}};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        table_cell(&t, "%s", lines[i].name);
        for (int d = 0; d < 2; d++)
            time_and_rate(&t, direction[d], lines[i].ns[d]);
    }
    table_cell(&t, "stddev");
    for (int d = 0; d < 2; d++)
        spread(&t, direction[d]);
    table_end(&t, to, format, 1);
}

/* The series of both directions that begin at i, in the order they stand in. */
static void pair_at(const struct results *r, size_t i, const struct series *direction[2])
{
    const struct series *const s = &r->series[i];
    direction[s->decrypt] = s;
    direction[!s->decrypt] = results_partner(r, s);
}

static bool begins_pair(const struct results *r, size_t i)
{
    const struct series *const partner = results_partner(r, &r->series[i]);
    return !r->series[i].decrypt || !partner;
}

/* --- the closing summary --------------------------------------------------------------------- */

static double median_rate(const struct series *s)
{
    return rate_of(s->bytes, stats_of(s->ns, s->runs).median);
}

/* What a measured engine is set beside: the same threads; or, for one that has always one thread,
   whatever the other has. */
static const struct series *other_of(const struct results *r, const struct series *s,
                                     const struct peer *other)
{
    const struct series *const same =
        results_find(r, other->name, other->threaded ? s->threads : 1, s->bytes, s->decrypt);
    for (size_t i = 0; !same && !s->peer->threaded && i < r->series_count; i++) {
        const struct series *const any = &r->series[i];
        if (any->peer == other && any->bytes == s->bytes && any->decrypt == s->decrypt)
            return any;
    }
    return same;
}

static void ratio_cell(struct table *t, const struct results *r,
                       const struct series *const direction[2], const struct peer *other)
{
    char part[2][24] = {"n/a", "n/a"};
    for (int d = 0; d < 2; d++) {
        const struct series *const with = direction[d] ? other_of(r, direction[d], other) : NULL;
        if (with)
            snprintf(part[d], sizeof part[d], "%.2f",
                     median_rate(direction[d]) / median_rate(with));
    }
    table_cell(t, "%s / %s", part[0], part[1]);
}

static bool ran(const struct results *r, const struct peer *peer)
{
    for (size_t i = 0; i < r->series_count; i++) {
        if (r->series[i].peer == peer)
            return true;
    }
    return false;
}

static void rate_cells(struct table *t, const struct series *s)
{
    if (!s) {
        table_cell(t, "n/a");
        table_cell(t, "n/a");
        return;
    }
    table_cell(t, "%.1f", median_rate(s) / mb);
    table_cell(t, "%.1f", median_rate(s) / mib);
}

static void published_summary(struct table *t, size_t bytes, size_t ratios)
{
    for (size_t i = 0; i < published_tables_count; i++) {
        const struct published_table *const p = &published_tables[i];
        char size[32];
        if (p->mib << 20 != bytes)
            continue;
        table_cell(t, "%s", size_text(bytes, size, sizeof size));
        table_cell(t, "%s, as published", p->system);
        table_cell(t, "%s %s", published_tables_cipher, published_tables_mode);
        table_cell(t, "-");
        for (int d = 0; d < 2; d++) {
            double ns[PUBLISHED_RUNS];
            published_ns(p, d, ns);
            const double rate = rate_of(bytes, stats_of(ns, PUBLISHED_RUNS).median);
            table_cell(t, "%.1f", rate / mb);
            table_cell(t, "%.1f", rate / mib);
        }
        for (size_t k = 0; k < ratios; k++)
            table_cell(t, "-");
    }
}

/* The row of a pair: its rates, and its ratios to with[0..ratios). */
static void summary_row(struct table *t, const struct results *r,
                        const struct series *const direction[2], const struct peer *const *with,
                        size_t ratios)
{
    const struct series *const s = direction[0] ? direction[0] : direction[1];
    char size[32];
    table_cell(t, "%s", size_text(s->bytes, size, sizeof size));
    table_cell(t, "%s", s->peer->name);
    table_cell(t, "%s", s->kernel);
    table_cell(t, "%zu", s->threads);
    rate_cells(t, direction[0]);
    rate_cells(t, direction[1]);
    for (size_t k = 0; k < ratios; k++)
        ratio_cell(t, r, direction, with[k]);
}

static void print_summary(const struct tables_report *report, FILE *to, enum format format)
{
    static const char *const others[][2] = {{"openssl-mt", "x openssl-mt (enc / dec)"},
                                            {"openssl", "x openssl (enc / dec)"},
                                            {"memcpy", "x memcpy (enc / dec)"}};
    enum { OTHERS = sizeof others / sizeof others[0], FIXED = 8 };
    const char *heads[FIXED + OTHERS] = {"Size",         "Engine",       "Kernel",
                                         "Threads",      "Encrypt MB/s", "Encrypt MiB/s",
                                         "Decrypt MB/s", "Decrypt MiB/s"};
    const struct results *const r = report->results;
    const struct peer *with[OTHERS];
    size_t ratios = 0;
    for (size_t i = 0; i < OTHERS; i++) {
        const struct peer *const peer = peer_find(others[i][0]);
        if (!peer || !ran(r, peer))
            continue;
        heads[FIXED + ratios] = others[i][1];
        with[ratios++] = peer;
    }

    report_heading(to, format, "Summary: medians, and ratios of medians");
    struct table t;
    table_begin(&t, heads, FIXED + ratios);
    for (size_t i = 0; i < r->series_count; i++) {
        const struct series *direction[2];
        if (!begins_pair(r, i))
            continue;
        pair_at(r, i, direction);
        summary_row(&t, r, direction, with, ratios);
    }
    for (size_t i = 0; report->reference && i < report->sizes->count; i++)
        published_summary(&t, report->sizes->at[i], ratios);
    table_end(&t, to, format, 3);
}

void tables_print(const void *given, FILE *to, enum format format)
{
    const struct tables_report *const report = given;
    const struct results *const r = report->results;
    print_head(report, to, format);
    for (size_t i = 0; i < r->note_count; i++)
        report_line(to, format, "note", r->notes[i]);
    for (size_t k = 0; k < report->sizes->count; k++) {
        const size_t bytes = report->sizes->at[k];
        for (size_t i = 0; i < r->series_count; i++) {
            const struct series *direction[2];
            if (r->series[i].bytes != bytes || !begins_pair(r, i))
                continue;
            pair_at(r, i, direction);
            print_block(direction, to, format);
        }
        if (report->reference)
            published_print(bytes, to, format);
    }
    if (r->series_count)
        print_summary(report, to, format);
    report_absences(r, to, format);
}
