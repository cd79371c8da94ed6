/* kernels_report.h: the grid of kernels in each of its formats. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_KERNELS_REPORT_H
#define BENCH_KERNELS_REPORT_H

#include "costs.h"
#include "kernels_options.h"
#include "limits.h"
#include "report.h"

/* One cipher in one mode, as one message or as a batch. */
struct kernels_group {
    struct workload work; /* of any size */
    struct results results;
    struct cost *costs; /* [costs_count], one a kernel; none of batches */
    const mtaes_kernel **costs_kernel;
    size_t costs_count;
    double call_ns; /* of the fastest kernel's call with nothing to do; 0: unknown */
};

struct kernels_report {
    const struct host *host;
    const struct kernels_options *options;
    struct limits limits;
    struct kernels_group *groups; /* by cipher, then mode; a batch behind its mode */
    size_t count;
    struct results memory[2]; /* memcpy; in place: rmw */
    bool huge;
};

/* The engine that shows what the memory can do. */
const struct peer *kernels_ceiling(bool in_place);

/* Median of a series, in bytes a second. */
double kernels_rate(const struct series *series);

/* What bounds a series of the group. */
struct limit kernels_limit(const struct kernels_report *report, const struct kernels_group *group,
                           const struct series *series);

/* report: a struct kernels_report; as struct delivery wants them. */
void kernels_print(const void *report, FILE *to, enum format format);
void kernels_csv(const void *report, FILE *to);
bool kernels_json(const void *report, FILE *to);

#endif
