/* kernels_csv.c: the grid of kernels as CSV: one record a cell (RFC 4180). */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernels_report.h"

static void labels(const struct kernels_group *g, FILE *to, const char *kind, const char *engine,
                   const char *kernel)
{
    fprintf(to, "%s,", kind);
    csv_field(to, engine);
    fprintf(to, ",%s,%s,%zu,", g->work.cipher, g->work.mode_name, workload_streams(&g->work));
    csv_field(to, kernel);
}

static void cell(const struct kernels_report *report, const struct kernels_group *g,
                 const struct series *s, FILE *to)
{
    const struct stats v = stats_of(s->ns, s->runs);
    const struct limit limit = kernels_limit(report, g, s);
    labels(g, to, s->peer->copies ? "ceiling" : "cell", s->peer->name, s->kernel);
    fprintf(to, ",%zu,%zu,%s,%zu,%.15g,%.15g,%.15g,%.15g,", s->threads, s->bytes,
            operation_name(s->decrypt), s->runs, v.median, v.min, v.max,
            rate_of(s->bytes, v.median));
    if (limit.rate > 0 && !s->peer->copies)
        fprintf(to, "%.4f,%.15g,%s,\n", kernels_rate(s) / limit.rate, limit.rate, limit.what);
    else
        fputs(",,,\n", to);
}

static void cost(const struct kernels_group *g, size_t i, FILE *to)
{
    for (size_t k = 0; k < COST_KINDS; k++) {
        const struct stats v = stats_of(g->costs[i].ns[k], COST_RUNS);
        labels(g, to, cost_names[k], "mtaes", mtaes_kernel_name(g->costs_kernel[i]));
        fprintf(to, ",1,%zu,encrypt,%d,%.15g,%.15g,%.15g,,,,,\n", g->costs[i].bytes[k], COST_RUNS,
                v.median, v.min, v.max);
    }
}

static void absence(const struct kernels_group *g, const struct absence *a, FILE *to)
{
    labels(g, to, "unsupported", a->engine, "");
    fputs(",,", to);
    if (a->bytes)
        fprintf(to, "%zu", a->bytes);
    fprintf(to, ",%s,,,,,,,,,",
            a->operation == ABSENT_BOTH ? "" : operation_name(a->operation == ABSENT_DECRYPT));
    csv_field(to, a->reason);
    fputs("\n", to);
}

void kernels_csv(const void *given, FILE *to)
{
    const struct kernels_report *const report = given;
    fputs("record,engine,cipher,mode,streams,kernel,threads,bytes,operation,runs,median_ns,min_ns,"
          "max_ns,median_bytes_per_second,share,limit_bytes_per_second,limited_by,remark\n",
          to);
    for (size_t i = 0; i < report->count; i++) {
        const struct kernels_group *const g = &report->groups[i];
        for (size_t k = 0; k < g->results.series_count; k++)
            cell(report, g, &g->results.series[k], to);
        for (size_t k = 0; k < g->costs_count; k++)
            cost(g, k, to);
        for (size_t k = 0; k < g->results.absence_count; k++)
            absence(g, &g->results.absences[k], to);
    }
}
