/* tables_options.c: what `mtaes-bench tables` is asked to do. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "tables_options.h"

#include <stdio.h>
#include <string.h>

#include "plot.h"

static bool parse_cipher(const char *name, const char *word, void *field)
{
    char names[256];
    if (workload_set_cipher(field, word))
        return true;
    workload_cipher_names(names, sizeof names);
    return complain("--%s='%s': no such cipher; there are %s", name, word, names);
}

static bool parse_mode(const char *name, const char *word, void *field)
{
    const mtaes_mode *mode = mtaes_mode_find(word);
    if (mode) {
        workload_set_mode(field, mode);
        return true;
    }
    char names[256] = "";
    size_t used = 0;
    while ((mode = mtaes_mode_next(mode)) && used < sizeof names)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
                                 mtaes_mode_name(mode));
    return complain("--%s='%s': no such mode; there are %s", name, word, names);
}

/* mtaes_kernel_find knows only those that run here; one that does not is named in the report. */
static bool parse_kernel(const char *name, const char *word, void *field)
{
    const mtaes_kernel *kernel = NULL;
    char names[512] = "";
    size_t used = 0;
    while ((kernel = mtaes_kernel_next(kernel))) {
        if (strcmp(mtaes_kernel_name(kernel), word) == 0) {
            *(const mtaes_kernel **)field = kernel;
            return true;
        }
        if (used < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
                                     mtaes_kernel_name(kernel));
    }
    return complain("--%s='%s': no such kernel; there are %s", name, word, names);
}

struct engine_context {
    const char *name;
    struct engine_list *list;
};

static bool take_engine(const char *item, void *context)
{
    const struct engine_context *const c = context;
    const struct peer *const peer = peer_find(item);
    if (!peer) {
        char names[256];
        peer_names(names, sizeof names);
        return complain("--%s='%s': no such engine; there are %s", c->name, item, names);
    }
    for (size_t i = 0; i < c->list->count; i++) {
        if (c->list->at[i] == peer)
            return true;
    }
    if (c->list->count == ENGINES_MAX)
        return complain("--%s: '%s' is one too many", c->name, item);
    c->list->at[c->list->count++] = peer;
    return true;
}

static bool parse_engines(const char *name, const char *word, void *field)
{
    struct engine_context c = {name, field};
    c.list->count = 0;
    return each_item(name, word, take_engine, &c);
}

static bool parse_unit(const char *name, const char *word, void *field)
{
    const size_t most = (size_t)16 << 20;
    size_t bytes;
    if (!read_bytes(word, &bytes) || bytes < BLOCK || bytes > most)
        return complain("--%s='%s': 16 bytes to 16M are needed", name, word);
    *(size_t *)field = bytes;
    return true;
}

static bool parse_format(const char *name, const char *word, void *field)
{
    for (size_t i = 0; format_name(i); i++) {
        if (strcmp(format_name(i), word) == 0) {
            *(enum format *)field = (enum format)i;
            return true;
        }
    }
    return complain("--%s='%s': no such format; there are text, markdown, csv, json", name, word);
}

static bool parse_plot(const char *name, const char *word, void *field)
{
    return plot_name_good(word) && parse_path(name, word, field);
}

#define FIELD(member) offsetof(struct tables_options, member)

static const struct option_row rows[] = {
    {"cipher", "NAME", "aes-128, aes-192, aes-256, ... (aes-128)", parse_cipher, FIELD(work)},
    {"mode", "NAME", "ecb, ctr, ... (ecb)", parse_mode, FIELD(work)},
    {"sizes", "SIZE[,SIZE...]", "bytes; K, M, G are powers of 1024 (512M,1G,2G)", parse_size_list,
     FIELD(sizes)},
    {"runs", "N", "runs of each engine and size (10)", parse_count, FIELD(runs)},
    {"calls", "N", "calls a run, whose mean is the run's time (1)", parse_count, FIELD(calls)},
    {"threads", "N[,N...]", "threads of those engines that have any; auto: all (auto)",
     parse_thread_list, FIELD(threads)},
    {"engines", "NAME[,NAME...]", "mtaes, openssl, openssl-mt, memcpy (mtaes,openssl)",
     parse_engines, FIELD(engines)},
    {"kernel", "NAME", "the kernel of engine mtaes, as info lists them (the fastest)", parse_kernel,
     FIELD(work.kernel)},
    {"unit", "BYTES", "data unit of xts (the smaller of size and 16M)", parse_unit,
     FIELD(unit_bytes)},
    {"in-place", NULL, "source and destination are one buffer", parse_flag, FIELD(work.in_place)},
    {"format", "FORMAT", "text, markdown, csv or json (text)", parse_format, FIELD(format)},
    {"output", "FILE", "write there, in full or not at all", parse_path, FIELD(output)},
    {"plot", "FILE.svg|FILE.png", "draw the runs with gnuplot", parse_plot, FIELD(plot)},
    {"reference", NULL, "the published rows beside", parse_flag, FIELD(reference)},
    {"seed", "N", "of key, IV and text (1)", parse_seed, FIELD(seed)},
};

static const struct option_set set = {
    .command = "tables",
    .synopsis = "[tables] [OPTION...]",
    .rows = rows,
    .count = sizeof rows / sizeof rows[0],
};

/* What options say about each other. */
static bool agree(const struct tables_options *o)
{
    const struct workload *const w = &o->work;
    if (w->kernel && strcmp(mtaes_kernel_cipher(w->kernel), w->family) != 0)
        return complain("--kernel='%s' is of cipher %s, not of --cipher='%s'",
                        mtaes_kernel_name(w->kernel), mtaes_kernel_cipher(w->kernel), w->cipher);
    if (o->unit_bytes && w->structure != STRUCTURE_UNIT)
        return complain("--unit=%zu is for --mode=xts, not for '%s'", o->unit_bytes, w->mode_name);
    for (size_t i = 0; i < o->sizes.count; i++) {
        struct workload sized = *w;
        char reason[REASON_ROOM];
        if (!workload_set_bytes(&sized, o->sizes.at[i], o->unit_bytes, reason, sizeof reason))
            return complain("--sizes: %s", reason);
    }
    return true;
}

bool tables_options_parse(int argc, char **argv, struct tables_options *o, int *exit_code)
{
    *o = (struct tables_options){.runs = 10, .calls = 1, .seed = 1};
    const bool defaults = parse_cipher("cipher", "aes-128", &o->work) &&
                          parse_mode("mode", "ecb", &o->work) &&
                          parse_size_list("sizes", "512M,1G,2G", &o->sizes) &&
                          parse_thread_list("threads", "auto", &o->threads) &&
                          parse_engines("engines", "mtaes,openssl", &o->engines);
    *exit_code = EXIT_FAILED;
    if (!defaults || !options_parse(&set, argc, argv, o, NULL, exit_code))
        return false;
    *exit_code = EXIT_USAGE;
    if (!agree(o))
        return false;
    workload_set_key(&o->work, o->seed);
    return true;
}
