/* report_json.h: measurements in the JSON reports of all commands. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_REPORT_JSON_H
#define BENCH_REPORT_JSON_H

#include "json.h"
#include "report.h"

/* Add what the command knows of a series to its row of the summary. */
typedef void report_json_remark(const struct series *series, json_t *row, void *context);

/* Add to the members "rows", "summary" and "unsupported" of a report, which are made where they are
   not there; remark may be NULL. */
void report_json_results(json_t *report, const struct workload *work, const struct results *results,
                         report_json_remark *remark, void *context);

/* Median, least and greatest of some times, as median_ns, min_ns, max_ns. */
void report_json_times(json_t *row, const double *ns, size_t count);

#endif
