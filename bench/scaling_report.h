/* scaling_report.h: rates against sizes and threads in each of their formats. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_SCALING_REPORT_H
#define BENCH_SCALING_REPORT_H

#include "handoff.h"
#include "report.h"
#include "scaling_options.h"

struct scaling_report {
    const struct host *host;
    const struct scaling_options *options;
    struct results results;
    struct handoff *handoffs;
    size_t handoff_count;
    bool huge;
};

/* --- findings -------------------------------------------------------------------------------- */

/* Median of a series, in bytes a second. */
double scaling_rate(const struct series *series);

/* The same engine, or for those of this library "mtaes", on one thread. NULL: not measured. */
const struct series *scaling_alone(const struct scaling_report *report, const struct series *s);

/* memcpy on as many threads; NULL: not measured. */
const struct series *scaling_memcpy(const struct scaling_report *report, const struct series *s);

/* The least size from which on threads are faster than one in all sizes measured; 0: in none. */
size_t scaling_pays_from(const struct scaling_report *report, const struct series *s);

/* Whether threads are slower than one by more than 3 % and more than the spread of the one-thread
   runs. */
bool scaling_is_slower(const struct scaling_report *report, const struct series *s);

/* Call fn for each engine with several threads, in both directions, with its series of the largest
   size that was measured; all: and for those of one thread, and for memcpy. */
void scaling_each_curve(const struct scaling_report *report, bool all,
                        void (*fn)(const struct scaling_report *, const struct series *largest,
                                   void *context),
                        void *context);

/* --- formats --------------------------------------------------------------------------------- */

/* report: a struct scaling_report; as struct delivery wants them. */
void scaling_print(const void *report, FILE *to, enum format format);
void scaling_csv(const void *report, FILE *to);
bool scaling_json(const void *report, FILE *to);
bool scaling_plot(const void *report, const char *path);

#endif
