/* tables_report.h: the run tables in each of their formats. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_TABLES_REPORT_H
#define BENCH_TABLES_REPORT_H

#include <stdbool.h>

#include "host.h"
#include "options.h"
#include "published.h"
#include "report.h"
#include "results.h"
#include "table.h"

struct tables_report {
    const struct host *host;
    const struct results *results;
    const struct workload *work; /* of any size */
    const struct size_list *sizes;
    size_t runs, calls, unit_bytes; /* unit_bytes as asked for; 0: the default */
    uint64_t seed;
    bool reference; /* the published rows beside */
    bool huge;      /* the system took the advice to use huge pages */
};

/* report: a struct tables_report; as struct delivery wants them. */
void tables_print(const void *report, FILE *to, enum format format);
void tables_csv(const void *report, FILE *to);
bool tables_json(const void *report, FILE *to);
bool tables_plot(const void *report, const char *path);

/* Nanoseconds of a column of a published table, [PUBLISHED_RUNS]. */
void published_ns(const struct published_table *table, bool decrypt, double *ns);

/* The published rows of a size as a part of the printed report. */
void published_print(size_t bytes, FILE *to, enum format format);

#endif
