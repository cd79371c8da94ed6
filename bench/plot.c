/* plot.c: curves in panels, drawn by gnuplot, which is run as a program, without a shell. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "plot.h"

#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "options.h"
#include "output.h"
#include "table.h"

enum { PANEL_WIDTH = 640, PANEL_HEIGHT = 400, TICS = 10 };

static const char *suffix_of(const char *path)
{
    const char *const dot = strrchr(path, '.');
    return dot && !strchr(dot, '/') && (strcmp(dot, ".svg") == 0 || strcmp(dot, ".png") == 0)
               ? dot + 1
               : NULL;
}

bool plot_name_good(const char *path)
{
    return suffix_of(path) || complain("--plot='%s': the name must end in .svg or .png", path);
}

/* Run gnuplot with these files as its standard input and output; its exit code, or -1: there is no
   gnuplot. */
static int run_gnuplot(const char *argument, int in, int out)
{
    extern char **environ;
    char *const argv[] = {(char[]){"gnuplot"}, (char *)(uintptr_t)argument, NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status = -1;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return -1;
    const bool started = posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO) == 0 &&
                         posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO) == 0 &&
                         posix_spawnp(&child, argv[0], &actions, NULL, argv, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    while (started && waitpid(child, &status, 0) < 0)
        ;
    return started && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool plot_check(const char *path)
{
    if (!output_check(path))
        return false;
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    const bool runs = nothing >= 0 && run_gnuplot("--version", nothing, nothing) == 0;
    if (nothing >= 0)
        close(nothing);
    return runs || complain("--plot needs the program gnuplot (Debian: apt-get install "
                            "gnuplot-nox), which does not run here");
}

/* Text in a gnuplot string of single quotes, where a quote is doubled. */
static void quoted(FILE *to, const char *text)
{
    fputc('\'', to);
    for (; *text; text++) {
        if (*text == '\'')
            fputc('\'', to);
        fputc(*text == '\n' ? ' ' : *text, to);
    }
    fputc('\'', to);
}

static void setting(FILE *to, const char *name, const char *text)
{
    fprintf(to, "set %s ", name);
    quoted(to, text);
    fputs(" noenhanced\n", to);
}

static void x_range(const struct plot_panel *panel, double *least, double *most)
{
    *least = INFINITY;
    *most = 0;
    for (size_t k = 0; k < panel->count; k++) {
        const struct plot_series *const s = &panel->series[k];
        for (size_t n = 0; n < s->count; n++) {
            *most = fmax(*most, s->x[n]);
            *least = fmin(*least, s->x[n]);
        }
    }
}

/* Axes: logarithmic with labels at every 16th size; or with labels at whole numbers, so that
   runs and threads get no fractions. */
static void write_axes(FILE *to, const struct plot_panel *panel)
{
    double least, most;
    x_range(panel, &least, &most);
    if (!panel->log) {
        const double slack = least < most ? 0 : 1; /* a single point has no range */
        fprintf(to, "unset logscale\nset xrange [%.9g:%.9g]\nset yrange [0:*]\nset xtics %zu\n",
                least - slack, most + slack, 1 + (size_t)most / TICS);
        return;
    }
    fprintf(to, "set logscale x 2\nset logscale y 10\nset xrange [%.9g:%.9g]\nset yrange [*:*]\n",
            least * 0.8, most * 1.25);
    fputs("set xtics (", to);
    const char *comma = "";
    for (double x = 16; x <= most; x *= 16) {
        char text[32];
        if (x < least)
            continue;
        fprintf(to, "%s'%s' %.0f", comma, size_text((size_t)x, text, sizeof text), x);
        comma = ", ";
    }
    fputs(")\n", to);
}

static void write_panel(FILE *to, const struct plot_panel *panel, size_t number)
{
    for (size_t k = 0; k < panel->count; k++) {
        fprintf(to, "$p%zus%zu << END\n", number, k);
        for (size_t i = 0; i < panel->series[k].count; i++)
            fprintf(to, "%.9g %.9g\n", panel->series[k].x[i], panel->series[k].y[i]);
        fputs("END\n", to);
    }
    setting(to, "title", panel->title);
    setting(to, "xlabel", panel->x_label);
    write_axes(to, panel);
    for (size_t k = 0; k < panel->count; k++) {
        fprintf(to, "%s $p%zus%zu using 1:2 with linespoints linewidth 2 pointsize 0.7 title ",
                k ? "," : "plot", number, k);
        quoted(to, panel->series[k].label);
        fputs(" noenhanced", to);
    }
    fputc('\n', to);
}

static void write_script(FILE *to, const char *suffix, const struct plot *plot)
{
    const size_t columns = plot->columns, rows = (plot->count + columns - 1) / columns;
    fprintf(to, "set encoding utf8\nset terminal %s size %zu,%zu %s\n",
            strcmp(suffix, "png") == 0 ? "pngcairo" : "svg", columns * PANEL_WIDTH,
            rows * PANEL_HEIGHT + 40, "background rgb 'white'");
    fprintf(to, "set multiplot layout %zu,%zu title ", rows, columns);
    quoted(to, plot->title);
    fputs(" noenhanced\n", to);
    setting(to, "ylabel", plot->y_label);
    fputs("set grid\nset key below\n", to);
    for (size_t i = 0; i < plot->count; i++)
        write_panel(to, &plot->panels[i], i);
    fputs("unset multiplot\n", to);
}

bool plot_write(const char *path, const struct plot *plot)
{
    struct output o;
    FILE *const script = tmpfile();
    if (!script)
        return complain("no temporary file for the script of --plot");
    write_script(script, suffix_of(path), plot);
    bool good = fflush(script) == 0 && fseek(script, 0, SEEK_SET) == 0 && output_open(&o, path);
    if (good) {
        good = run_gnuplot("-", fileno(script), fileno(o.stream)) == 0;
        if (good)
            good = output_commit(&o);
        else
            output_abandon(&o);
        if (!good)
            complain("%s was not drawn", path);
    }
    fclose(script);
    return good;
}
