/* tables_options.c: what `mtaes-bench tables` is asked to do. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "tables_options.h"

#include <string.h>

#include "fields.h"

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
    {"engines", "NAME[,NAME...]", "as info lists them (mtaes,openssl)", parse_engines,
     FIELD(engines)},
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
    if (o->unit_bytes && w->structure != STRUCTURE_UNIT)
        return complain("--unit=%zu is for --mode=xts, not for '%s'", o->unit_bytes, w->mode_name);
    return kernel_agrees(w) && sizes_agree(w, &o->sizes, o->unit_bytes);
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
