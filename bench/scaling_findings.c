/* scaling_findings.c: what the rates say about threads. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "scaling_report.h"

double scaling_rate(const struct series *s)
{
    return rate_of(s->bytes, stats_of(s->ns, s->runs).median);
}

const struct series *scaling_alone(const struct scaling_report *report, const struct series *s)
{
    const char *const engine = s->peer->executor ? peer_mtaes.name : s->peer->name;
    return results_find(&report->results, engine, 1, s->bytes, s->decrypt);
}

const struct series *scaling_memcpy(const struct scaling_report *report, const struct series *s)
{
    return results_find(&report->results, peer_memcpy.name, s->threads, s->bytes, s->decrypt);
}

size_t scaling_pays_from(const struct scaling_report *report, const struct series *s)
{
    const struct size_list *const sizes = &report->options->sizes;
    size_t from = 0;
    for (size_t i = sizes->count; i-- > 0;) {
        const struct series *const many =
            results_find(&report->results, s->peer->name, s->threads, sizes->at[i], s->decrypt);
        const struct series *const one = many ? scaling_alone(report, many) : NULL;
        if (!many || !one)
            continue;
        if (scaling_rate(many) <= scaling_rate(one))
            break;
        from = sizes->at[i];
    }
    return from;
}

bool scaling_is_slower(const struct scaling_report *report, const struct series *s)
{
    const struct series *const one = scaling_alone(report, s);
    if (!one)
        return false;
    const struct stats v = stats_of(one->ns, one->runs);
    const double spread = (v.max - v.min) / v.median, least = 0.03;
    return stats_of(s->ns, s->runs).median > v.median * (1 + (spread > least ? spread : least));
}

void scaling_each_curve(const struct scaling_report *report, bool all,
                        void (*fn)(const struct scaling_report *, const struct series *largest,
                                   void *context),
                        void *context)
{
    const struct results *const r = &report->results;
    size_t largest = 0;
    for (size_t i = 0; i < r->series_count; i++)
        largest = r->series[i].bytes > largest ? r->series[i].bytes : largest;
    for (size_t i = 0; i < r->series_count; i++) {
        const struct series *const s = &r->series[i];
        if (s->bytes == largest && (all || (s->threads > 1 && !s->peer->copies)))
            fn(report, s, context);
    }
}
