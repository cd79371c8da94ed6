/* stats.h: mean, median and spread of a few measurements. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_STATS_H
#define BENCH_STATS_H

#include <stddef.h>

struct stats {
    double mean, median, min, max;
    double lower, upper; /* quartiles, between the two values next to them */
    double stddev;       /* of the sample (n - 1); 0 for a single value */
};

/* values[0..count), count at least 1, in any order; they stay as they are. */
struct stats stats_of(const double *values, size_t count);

#endif
