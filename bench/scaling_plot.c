/* scaling_plot.c: rates drawn: a column a direction; against size, and against threads. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>

#include "memory.h"
#include "plot.h"
#include "scaling_report.h"

enum { LABEL_ROOM = 96, PANELS = 4 };

/* Everything that a panel points to. */
struct panel_data {
    char title[LABEL_ROOM];
    struct plot_series *series;
    size_t count;
    char (*labels)[LABEL_ROOM];
    double *values;
    size_t points; /* room of each series, twice */
    bool decrypt;
};

static void begin_panel(struct panel_data *p, const struct scaling_report *r, bool decrypt,
                        size_t points)
{
    const size_t curves = r->options->engines.count * r->options->threads.count;
    *p = (struct panel_data){.decrypt = decrypt, .points = points};
    p->series = allocate(curves, sizeof *p->series);
    p->labels = allocate(curves, sizeof *p->labels);
    p->values = allocate(2 * curves * points, sizeof *p->values);
}

/* A new curve with no point yet; its label is to be written. */
static char *begin_curve(struct panel_data *p)
{
    double *const x = p->values + 2 * p->count * p->points;
    char *const label = p->labels[p->count];
    p->series[p->count++] = (struct plot_series){label, 0, x, x + p->points};
    return label;
}

static void add_point(struct panel_data *p, double x, const struct series *s)
{
    struct plot_series *const curve = &p->series[p->count - 1];
    double *const to = p->values + 2 * (p->count - 1) * p->points + curve->count;
    if (!s)
        return;
    to[0] = x;
    to[p->points] = scaling_rate(s) / 1e6;
    curve->count++;
}

static void size_curve(const struct scaling_report *r, const struct series *largest, void *context)
{
    struct panel_data *const p = context;
    const struct size_list *const sizes = &r->options->sizes;
    if (largest->decrypt != p->decrypt)
        return;
    snprintf(begin_curve(p), LABEL_ROOM, "%s, %zu thread%s", largest->peer->name, largest->threads,
             largest->threads == 1 ? "" : "s");
    for (size_t i = 0; i < sizes->count; i++)
        add_point(p, (double)sizes->at[i],
                  results_find(&r->results, largest->peer->name, largest->threads, sizes->at[i],
                               p->decrypt));
}

/* The curve of an engine against threads, begun by its first series; the one-thread point of all
   executors is that of mtaes. */
static void thread_curve(const struct scaling_report *r, const struct series *s, void *context)
{
    struct panel_data *const p = context;
    const struct size_list *const threads = &r->options->threads;
    if (s->decrypt != p->decrypt)
        return;
    for (size_t i = 0; i < threads->count && threads->at[i] < s->threads; i++) {
        if (results_find(&r->results, s->peer->name, threads->at[i], s->bytes, s->decrypt))
            return; /* not the first */
    }
    snprintf(begin_curve(p), LABEL_ROOM, "%s", s->peer->name);
    if (s->threads > 1)
        add_point(p, 1, scaling_alone(r, s));
    for (size_t i = 0; i < threads->count; i++)
        add_point(p, (double)threads->at[i],
                  results_find(&r->results, s->peer->name, threads->at[i], s->bytes, s->decrypt));
}

static void fill_panels(struct panel_data *data, const struct scaling_report *r)
{
    const struct size_list *const sizes = &r->options->sizes;
    char size[32];
    for (size_t d = 0; d < 2; d++) {
        struct panel_data *const against_size = &data[d], *const against_threads = &data[2 + d];
        begin_panel(against_size, r, d, sizes->count);
        snprintf(against_size->title, LABEL_ROOM, "%s, against size", operation_name(d));
        scaling_each_curve(r, true, size_curve, against_size);
        begin_panel(against_threads, r, d, r->options->threads.count + 1);
        snprintf(against_threads->title, LABEL_ROOM, "%s, %s, against threads", operation_name(d),
                 size_text(sizes->at[sizes->count - 1], size, sizeof size));
        scaling_each_curve(r, true, thread_curve, against_threads);
    }
}

bool scaling_plot(const void *given, const char *path)
{
    const struct scaling_report *const r = given;
    struct panel_data data[PANELS];
    struct plot_panel panels[PANELS];
    size_t count = 0;
    char title[256];
    fill_panels(data, r);
    for (size_t i = 0; i < PANELS; i++) {
        if (data[i].count)
            panels[count++] = (struct plot_panel){.title = data[i].title,
                                                  .x_label = i < 2 ? "bytes" : "threads",
                                                  .log = i < 2,
                                                  .series = data[i].series,
                                                  .count = data[i].count};
    }
    snprintf(title, sizeof title, "%s %s, median rates (%s)", r->options->work.cipher,
             r->options->work.mode_name, r->host->cpu);
    const struct plot plot = {
        .title = title, .y_label = "MB/s", .columns = 2, .panels = panels, .count = count};
    const bool good = plot_write(path, &plot);
    for (size_t i = 0; i < PANELS; i++) {
        free(data[i].series);
        free(data[i].labels);
        free(data[i].values);
    }
    return good;
}
