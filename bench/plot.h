/* plot.h: curves in panels, drawn by gnuplot. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_PLOT_H
#define BENCH_PLOT_H

#include <stdbool.h>
#include <stddef.h>

struct plot_series {
    const char *label;
    size_t count;
    const double *x, *y;
};

struct plot_panel {
    const char *title, *x_label;
    bool log; /* both axes, x in bytes; else x has labels at whole numbers, and y begins at 0 */
    const struct plot_series *series;
    size_t count;
};

struct plot {
    const char *title, *y_label;
    size_t columns; /* panels side by side */
    const struct plot_panel *panels;
    size_t count;
};

/* Whether the name ends in .svg or .png. Complains. */
bool plot_name_good(const char *path);

/* Whether gnuplot runs and the file could be written, found before the work. Complains. */
bool plot_check(const char *path);

/* Draw. False: complained, and path is as before. */
bool plot_write(const char *path, const struct plot *plot);

#endif
