/* report_plots.c: the curves of a report, from the JSON reports of `tables`. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "report_plots.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "plot.h"
#include "report_folder.h"

enum { LABEL_ROOM = 96 };

/* One curve of a panel; the engine, and the threads unless they are the axis. */
struct curve {
    char label[LABEL_ROOM];
    size_t count;
    double *x, *y;
};

struct panel {
    char title[LABEL_ROOM];
    struct curve *curve;
    size_t count;
};

struct canvas {
    struct panel *panel;
    size_t count;
};

static struct panel *panel_of(struct canvas *c, const char *title)
{
    for (size_t i = 0; i < c->count; i++) {
        if (strcmp(c->panel[i].title, title) == 0)
            return &c->panel[i];
    }
    c->panel = reallocate(c->panel, c->count + 1, sizeof *c->panel);
    struct panel *const p = &c->panel[c->count++];
    *p = (struct panel){0};
    snprintf(p->title, sizeof p->title, "%s", title);
    return p;
}

static struct curve *curve_of(struct panel *p, const char *label)
{
    for (size_t i = 0; i < p->count; i++) {
        if (strcmp(p->curve[i].label, label) == 0)
            return &p->curve[i];
    }
    p->curve = reallocate(p->curve, p->count + 1, sizeof *p->curve);
    struct curve *const c = &p->curve[p->count++];
    *c = (struct curve){0};
    snprintf(c->label, sizeof c->label, "%s", label);
    return c;
}

static void add_point(struct curve *c, double x, double y)
{
    c->x = reallocate(c->x, c->count + 1, sizeof *c->x);
    c->y = reallocate(c->y, c->count + 1, sizeof *c->y);
    c->x[c->count] = x;
    c->y[c->count++] = y;
}

static double x_of(const json_t *row, enum report_plot_kind kind)
{
    switch (kind) {
    case PLOT_RUNS:
        return report_number(row, "run");
    case PLOT_SIZES:
        return report_number(row, "bytes");
    case PLOT_THREADS:
        break;
    }
    return report_number(row, "threads");
}

static void add_row(struct canvas *c, const json_t *row, enum report_plot_kind kind)
{
    char title[LABEL_ROOM], label[LABEL_ROOM], size[32];
    const double threads = report_number(row, "threads");
    const bool runs = kind == PLOT_RUNS;
    size_text((size_t)report_number(row, "bytes"), size, sizeof size);
    snprintf(title, sizeof title, "%s%s%.20s", kind == PLOT_SIZES ? "" : size,
             kind == PLOT_SIZES ? "" : ", ", report_word(row, "operation"));
    if (kind == PLOT_THREADS)
        snprintf(label, sizeof label, "%.60s", report_word(row, "engine"));
    else
        snprintf(label, sizeof label, "%.60s, %.0f thread%s", report_word(row, "engine"), threads,
                 threads == 1 ? "" : "s");
    add_point(curve_of(panel_of(c, title), label), x_of(row, kind),
              report_number(row, runs ? "bytes_per_second" : "median_bytes_per_second") / 1e6);
}

static void release(struct canvas *c)
{
    for (size_t i = 0; i < c->count; i++) {
        for (size_t k = 0; k < c->panel[i].count; k++) {
            free(c->panel[i].curve[k].x);
            free(c->panel[i].curve[k].y);
        }
        free(c->panel[i].curve);
    }
    free(c->panel);
}

static bool draw(const struct canvas *c, const char *path, enum report_plot_kind kind)
{
    static const char *const titles[] = {"Rate of each run", "Median rate against message size",
                                         "Median rate against threads"},
                             *const x_labels[] = {"run", "message size", "threads"};
    struct plot_panel *const panels = allocate(c->count, sizeof *panels);
    for (size_t i = 0; i < c->count; i++) {
        const struct panel *const p = &c->panel[i];
        struct plot_series *const series = allocate(p->count, sizeof *series);
        for (size_t k = 0; k < p->count; k++)
            series[k] = (struct plot_series){p->curve[k].label, p->curve[k].count, p->curve[k].x,
                                             p->curve[k].y};
        panels[i] = (struct plot_panel){.title = p->title,
                                        .x_label = x_labels[kind],
                                        .log = kind == PLOT_SIZES,
                                        .series = series,
                                        .count = p->count};
    }
    const struct plot plot = {.title = titles[kind],
                              .y_label = "MB/s",
                              .columns = 2,
                              .panels = panels,
                              .count = c->count};
    const bool good = plot_write(path, &plot);
    for (size_t i = 0; i < c->count; i++)
        free((void *)(uintptr_t)panels[i].series);
    free(panels);
    return good;
}

bool report_plot(const char *folder, const char *file, enum report_plot_kind kind,
                 const json_t *const *json, size_t count)
{
    struct canvas canvas = {0};
    for (size_t k = 0; k < count; k++) {
        const json_t *const list = json_object_get(json[k], kind == PLOT_RUNS ? "rows" : "summary");
        for (size_t i = 0; i < json_array_size(list); i++)
            add_row(&canvas, json_array_get(list, i), kind);
    }
    char *const path = document_path(folder, file);
    const bool good = canvas.count == 0 || draw(&canvas, path, kind);
    free(path);
    release(&canvas);
    return good;
}
