/* scaling_csv.c: rates against sizes and threads as CSV (RFC 4180). */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "scaling_report.h"

static void cell(const struct scaling_report *r, const struct series *s, FILE *to)
{
    const struct stats v = stats_of(s->ns, s->runs);
    const struct series *const copy = scaling_memcpy(r, s), *const one = scaling_alone(r, s);
    fprintf(to, "cell,%s,%s,%s,", s->peer->name, r->options->work.cipher,
            r->options->work.mode_name);
    csv_field(to, s->kernel);
    fprintf(to, ",%zu,%zu,%s,%zu,%.15g,%.15g,%.15g,%.15g,", s->threads, s->bytes,
            operation_name(s->decrypt), s->runs, v.median, v.min, v.max,
            rate_of(s->bytes, v.median));
    if (one)
        fprintf(to, "%.4f", scaling_rate(s) / scaling_rate(one));
    fputs(",", to);
    if (copy)
        fprintf(to, "%.4f", scaling_rate(s) / scaling_rate(copy));
    fputs(",\n", to);
}

static void pays(const struct scaling_report *r, const struct series *s, void *context)
{
    FILE *const to = context;
    const size_t from = scaling_pays_from(r, s);
    fprintf(to, "pays from,%s,%s,%s,,%zu,", s->peer->name, r->options->work.cipher,
            r->options->work.mode_name, s->threads);
    if (from)
        fprintf(to, "%zu", from);
    fprintf(to, ",%s,,,,,,,,\n", operation_name(s->decrypt));
}

static void handoff(const struct handoff *h, const char *kind, const double *ns, FILE *to)
{
    const struct stats v = stats_of(ns, HANDOFF_RUNS);
    fprintf(to, "%s,%s,,,,%zu,,,%d,%.15g,%.15g,%.15g,,,,\n", kind, h->peer->name, h->threads,
            HANDOFF_RUNS, v.median, v.min, v.max);
}

void scaling_csv(const void *given, FILE *to)
{
    const struct scaling_report *const r = given;
    fputs("record,engine,cipher,mode,kernel,threads,bytes,operation,runs,median_ns,min_ns,max_ns,"
          "median_bytes_per_second,times_one_thread,share_of_memcpy,remark\n",
          to);
    for (size_t i = 0; i < r->results.series_count; i++)
        cell(r, &r->results.series[i], to);
    scaling_each_curve(r, false, pays, to);
    for (size_t i = 0; i < r->handoff_count; i++) {
        const struct handoff *const h = &r->handoffs[i];
        handoff(h, "hand-off hot", h->hot_ns, to);
        handoff(h, "hand-off after idle", h->idle_ns, to);
        handoff(h, "hand-off one thread", h->alone_ns, to);
    }
    for (size_t i = 0; i < r->results.absence_count; i++) {
        const struct absence *const a = &r->results.absences[i];
        char text[REASON_ROOM + 64];
        absence_text(a, text, sizeof text);
        fprintf(to, "unsupported,%s,%s,%s,,,,,,,,,,,,", a->engine, r->options->work.cipher,
                r->options->work.mode_name);
        csv_field(to, text);
        fputs("\n", to);
    }
}
