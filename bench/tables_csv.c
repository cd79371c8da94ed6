/* tables_csv.c: the run tables as CSV: one record a value (RFC 4180). */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "tables_report.h"

static void record(const struct tables_report *r, FILE *to, const char *kind, const char *engine,
                   const char *kernel, size_t threads, size_t bytes)
{
    fprintf(to, "%s,", kind);
    csv_field(to, engine);
    fprintf(to, ",%s,%s,", r->work->cipher, r->work->mode_name);
    csv_field(to, kernel);
    fprintf(to, ",%zu,%zu,", threads, bytes);
}

static void measured(const struct tables_report *r, FILE *to, const struct series *s,
                     const char *kind, size_t run, double ns, bool rate)
{
    record(r, to, kind, s->peer->name, s->kernel, s->threads, s->bytes);
    if (run)
        fprintf(to, "%zu", run);
    fprintf(to, ",%s,%.15g,", operation_name(s->decrypt), ns);
    if (rate)
        fprintf(to, "%.15g", rate_of(s->bytes, ns));
    fputs(",\n", to);
}

static void summary(const struct tables_report *r, FILE *to, const struct series *s)
{
    const struct stats v = stats_of(s->ns, s->runs);
    measured(r, to, s, "mean", 0, v.mean, true);
    measured(r, to, s, "median", 0, v.median, true);
    measured(r, to, s, "min", 0, v.min, true);
    measured(r, to, s, "max", 0, v.max, true);
    measured(r, to, s, "stddev", 0, v.stddev, false);
}

/* The rate is the size over the printed time, in the same unit as the others. */
static void published(FILE *to, const struct published_table *p)
{
    for (size_t i = 0; i < PUBLISHED_RUNS; i++) {
        for (int d = 0; d < 2; d++) {
            double ns[PUBLISHED_RUNS];
            published_ns(p, d, ns);
            fprintf(to, "published,%s,%s,%s,,,%zu,%zu,%s,%.9g,%.9g,", p->system,
                    published_tables_cipher, published_tables_mode, p->mib << 20, i + 1,
                    operation_name(d), ns[i], rate_of(p->mib << 20, ns[i]));
            csv_field(to, published_tables_machine);
            fputs("\n", to);
        }
    }
}

void tables_csv(const void *given, FILE *to)
{
    const struct tables_report *const report = given;
    const struct results *const r = report->results;
    fputs("record,engine,cipher,mode,kernel,threads,bytes,run,operation,nanoseconds,"
          "bytes_per_second,remark\n",
          to);
    for (size_t i = 0; i < r->series_count; i++) {
        const struct series *const s = &r->series[i];
        for (size_t k = 0; k < s->runs; k++)
            measured(report, to, s, "run", k + 1, s->ns[k], true);
    }
    for (size_t i = 0; i < r->series_count; i++)
        summary(report, to, &r->series[i]);
    for (size_t k = 0; report->reference && k < report->sizes->count; k++) {
        for (size_t i = 0; i < published_tables_count; i++) {
            if (published_tables[i].mib << 20 == report->sizes->at[k])
                published(to, &published_tables[i]);
        }
    }
    for (size_t i = 0; i < r->absence_count; i++) {
        const struct absence *const a = &r->absences[i];
        fprintf(to, "unsupported,%s,%s,%s,,,", a->engine, report->work->cipher,
                report->work->mode_name);
        if (a->bytes)
            fprintf(to, "%zu", a->bytes);
        fprintf(to, ",,%s,,,",
                a->operation == ABSENT_BOTH ? "" : operation_name(a->operation == ABSENT_DECRYPT));
        csv_field(to, a->reason);
        fputs("\n", to);
    }
}
