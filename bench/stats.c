/* stats.c: mean, median and spread of a few measurements. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* What a share of the values is below. */
static double quantile(const double *sorted, size_t count, double share)
{
    const double place = share * (double)(count - 1);
    const size_t at = (size_t)place, next = at + 1 < count ? at + 1 : at;
    return sorted[at] + (place - (double)at) * (sorted[next] - sorted[at]);
}

struct stats stats_of(const double *values, size_t count)
{
    double *const sorted = allocate(count, sizeof *sorted);
    memcpy(sorted, values, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, ascending);

    struct stats s = {.min = sorted[0], .max = sorted[count - 1]};
    s.median = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
    s.lower = quantile(sorted, count, 0.25);
    s.upper = quantile(sorted, count, 0.75);
    for (size_t i = 0; i < count; i++)
        s.mean += sorted[i] / (double)count;
    double squares = 0;
    for (size_t i = 0; i < count; i++)
        squares += (sorted[i] - s.mean) * (sorted[i] - s.mean);
    s.stddev = count > 1 ? sqrt(squares / (double)(count - 1)) : 0;
    free(sorted);
    return s;
}
