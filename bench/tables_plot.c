/* tables_plot.c: the run tables drawn: one row of panels a size, one column a direction. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>

#include "memory.h"
#include "plot.h"
#include "tables_report.h"

enum { LABEL_ROOM = 96 };

/* Everything that a panel points to. */
struct panel_data {
    char title[LABEL_ROOM];
    struct plot_series *series;
    size_t count;
    char (*labels)[LABEL_ROOM];
    double *values; /* x and y of each series, one after another */
};

static void fill_panel(struct panel_data *p, const struct tables_report *report, size_t bytes,
                       bool decrypt)
{
    const struct results *const r = report->results;
    char size[32];
    snprintf(p->title, sizeof p->title, "%s, %s", size_text(bytes, size, sizeof size),
             operation_name(decrypt));
    p->series = allocate(r->series_count, sizeof *p->series);
    p->labels = allocate(r->series_count, sizeof *p->labels);
    p->values = allocate(2 * r->series_count * report->runs, sizeof *p->values);
    for (size_t i = 0; i < r->series_count; i++) {
        const struct series *const s = &r->series[i];
        if (s->bytes != bytes || s->decrypt != decrypt)
            continue;
        double *const x = p->values + 2 * p->count * report->runs, *const y = x + report->runs;
        for (size_t k = 0; k < s->runs; k++) {
            x[k] = (double)(k + 1);
            y[k] = rate_of(s->bytes, s->ns[k]) / 1e6;
        }
        char *const label = p->labels[p->count];
        snprintf(label, LABEL_ROOM, "%s, %zu thread%s", s->peer->name, s->threads,
                 s->threads == 1 ? "" : "s");
        p->series[p->count++] = (struct plot_series){label, s->runs, x, y};
    }
}

bool tables_plot(const void *given, const char *path)
{
    const struct tables_report *const report = given;
    const size_t room = 2 * report->sizes->count;
    struct panel_data *const data = allocate(room, sizeof *data);
    struct plot_panel *const panels = allocate(room, sizeof *panels);
    size_t count = 0;
    for (size_t i = 0; i < room; i++) {
        fill_panel(&data[i], report, report->sizes->at[i / 2], i % 2);
        if (data[i].count)
            panels[count++] = (struct plot_panel){.title = data[i].title,
                                                  .x_label = "run",
                                                  .series = data[i].series,
                                                  .count = data[i].count};
    }
    char title[256];
    snprintf(title, sizeof title, "%s %s, rate of each run (%s)", report->work->cipher,
             report->work->mode_name, report->host->cpu);
    const struct plot plot = {
        .title = title, .y_label = "MB/s", .columns = 2, .panels = panels, .count = count};
    const bool good = plot_write(path, &plot);
    for (size_t i = 0; i < room; i++) {
        free(data[i].series);
        free(data[i].labels);
        free(data[i].values);
    }
    free(data);
    free(panels);
    return good;
}
