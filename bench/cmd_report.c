/* cmd_report.c: `mtaes-bench report`: all published suites in one folder, with plots and a page. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "json.h"
#include "memory.h"
#include "output.h"
#include "plot.h"
#include "report_folder.h"

/* --- options --------------------------------------------------------------------------------- */

static bool take_suite(const char *item, void *context)
{
    bool *const suites = context;
    for (size_t i = 0; report_suite_name(i); i++) {
        if (strcmp(report_suite_name(i), item) == 0) {
            suites[i] = true;
            return true;
        }
    }
    return complain("--suites='%s': no such suite; there are tables, gecko, beecrypt, kernels, "
                    "scaling",
                    item);
}

static bool parse_suites(const char *name, const char *word, void *field)
{
    memset(field, 0, sizeof(bool[SUITES]));
    return each_item(name, word, take_suite, field);
}

static bool parse_largest(const char *name, const char *word, void *field)
{
    size_t bytes;
    if (!read_bytes(word, &bytes) || bytes == 0 || bytes % 4096)
        return complain("--%s='%s': a multiple of 4K is needed, with K, M or G behind a number for "
                        "powers of 1024",
                        name, word);
    *(size_t *)field = bytes;
    return true;
}

#define FIELD(member) offsetof(struct report_options, member)

static const struct option_row rows[] = {
    {"output-dir", "DIR", "the folder to make; one that is there must be empty", parse_path,
     FIELD(folder)},
    {"quick", NULL, "few runs and sizes: some minutes, not an hour", parse_flag, FIELD(quick)},
    {"suites", "NAME[,NAME...]", "tables, gecko, beecrypt, kernels, scaling (all)", parse_suites,
     FIELD(suites)},
    {"largest", "SIZE", "no message of the run tables and curves beyond it (2G)", parse_largest,
     FIELD(largest)},
    {"commit", "TEXT", "what names the source of this build, for the report", parse_path,
     FIELD(commit)},
    {"no-plots", NULL, "draw nothing, so that gnuplot is not needed", parse_flag, FIELD(no_plots)},
};

static const struct option_set set = {
    .command = "report",
    .synopsis = "report --output-dir=DIR [OPTION...]",
    .rows = rows,
    .count = sizeof rows / sizeof rows[0],
};

/* --- the folder ------------------------------------------------------------------------------ */

/* A name for a new folder beside the target, for mkdtemp. */
static char *name_beside(const char *folder)
{
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/')
        length--;
    const size_t room = length + sizeof ".XXXXXX";
    char *const name = allocate(room, 1);
    snprintf(name, room, "%.*s.XXXXXX", (int)length, folder);
    return name;
}

/* Whether the folder is not there yet, or is empty. Complains. */
static bool is_free(const char *folder)
{
    DIR *const stream = opendir(folder);
    if (!stream)
        return errno == ENOENT || complain("%s: %s", folder, strerror(errno));
    bool empty = true;
    for (const struct dirent *e = readdir(stream); e && empty; e = readdir(stream))
        empty = strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0;
    closedir(stream);
    return empty || complain("%s: the folder is not empty, and nothing in it is replaced; name "
                             "another one",
                             folder);
}

/* NULL: complained. */
static char *make_beside(const char *folder)
{
    char *const name = name_beside(folder);
    const mode_t mask = umask(0);
    umask(mask);
    if (mkdtemp(name) && chmod(name, 0777 & ~mask) == 0)
        return name;
    complain("%s: %s", name, strerror(errno));
    free(name);
    return NULL;
}

static void remove_folder(const char *folder)
{
    DIR *const stream = opendir(folder);
    for (const struct dirent *e = stream ? readdir(stream) : NULL; e; e = readdir(stream))
        unlinkat(dirfd(stream), e->d_name, 0); /* of "." and "..", this fails as it should */
    if (stream)
        closedir(stream);
    rmdir(folder);
}

/* Whether all can be written and drawn, found before an hour of work. */
static bool check_ground(const struct report_options *o)
{
    char *const probe = is_free(o->folder) ? make_beside(o->folder) : NULL;
    if (!probe)
        return false;
    char *const path = document_path(probe, "plot.svg");
    const bool good = o->no_plots || plot_check(path) || complain("--no-plots does without");
    free(path);
    remove_folder(probe);
    free(probe);
    return good;
}

/* --- files ----------------------------------------------------------------------------------- */

static bool write_file(const char *folder, const char *name, const struct report *r,
                       const struct document *d)
{
    char *const path = document_path(folder, name);
    struct output out;
    bool good = output_open(&out, path);
    free(path);
    if (!good)
        return false;
    if (strcmp(name, "report.json") == 0)
        good = json_write(report_as_json(r), out.stream) || complain("%s was not written", name);
    else if (strcmp(name, "report.html") == 0)
        good = document_html(d, folder, out.stream);
    else
        document_markdown(d, out.stream);
    if (good)
        return output_commit(&out);
    output_abandon(&out);
    return false;
}

/* Everything into a new folder, which then takes the target's name. */
static bool write_folder(const struct report *r)
{
    struct document d = {0};
    char *const folder = make_beside(r->options->folder);
    if (!folder)
        return false;
    bool good = report_compose(r, folder, &d) && write_file(folder, "report.json", r, &d) &&
                write_file(folder, "report.md", r, &d) && write_file(folder, "report.html", r, &d);
    if (good && rename(folder, r->options->folder) != 0)
        good = complain("%s: %s", r->options->folder, strerror(errno));
    if (!good)
        remove_folder(folder);
    document_free(&d);
    free(folder);
    return good;
}

static void read_load(struct report *r)
{
    double load[3];
    if (getloadavg(load, 3) == 3)
        snprintf(r->load, sizeof r->load, "%.2f, %.2f, %.2f (1, 5, 15 minutes)", load[0], load[1],
                 load[2]);
    else
        snprintf(r->load, sizeof r->load, "unknown");
}

/* What to tell who waited for it. */
static bool conclude(const struct report *r)
{
    bool good = true, any = false;
    for (size_t i = 0; i < r->count; i++) {
        const struct report_part *const part = &r->part[i];
        any |= part->outcome == OUTCOME_DONE;
        if (part->outcome != OUTCOME_DONE)
            complain("%s (%s): %s: %s", report_suite_name(part->suite), part->title,
                     part->outcome == OUTCOME_FAILED ? "failed" : "left out", part->reason);
        good &= part->outcome != OUTCOME_FAILED;
    }
    printf("%s: report.html, report.md, report.json%s\n", r->options->folder,
           r->options->no_plots ? "" : ", plots");
    return good && (any || complain("nothing was measured"));
}

int cmd_report(int argc, char **argv)
{
    struct report_options o = {.largest = (size_t)2 << 30};
    int exit_code;
    for (size_t i = 0; i < SUITES; i++)
        o.suites[i] = true;
    if (!options_parse(&set, argc, argv, &o, NULL, &exit_code))
        return exit_code;
    if (!o.folder) {
        complain("report needs --output-dir=DIR: mtaes-bench %s", set.synopsis);
        return EXIT_USAGE;
    }
    if (!check_ground(&o))
        return EXIT_FAILED;
    struct report *const report = allocate(1, sizeof *report);
    report->options = &o;
    host_read(&report->host);
    read_load(report);
    report_plan(report);
    report_run(report);
    const bool good = write_folder(report) && conclude(report);
    report_free(report);
    free(report);
    return good ? EXIT_DONE : EXIT_FAILED;
}
