/* report_plots.h: the curves of a report, from the JSON reports of `tables`. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_REPORT_PLOTS_H
#define BENCH_REPORT_PLOTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum report_plot_kind {
    PLOT_RUNS,   /* rate of each run, a panel for each size and direction */
    PLOT_SIZES,  /* median rate against size, a panel a direction */
    PLOT_THREADS /* median rate against threads, a panel a direction */
};

/* Draw folder/file. Complains on false. */
bool report_plot(const char *folder, const char *file, enum report_plot_kind kind,
                 const json_t *const *json, size_t count);

#endif
