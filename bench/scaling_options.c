/* scaling_options.c: what `mtaes-bench scaling` is asked to do. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "scaling_options.h"

#define FIELD(member) offsetof(struct scaling_options, member)

static const struct option_row rows[] = {
    {"cipher", "NAME", "aes-128, aes-192, aes-256, ... (aes-128)", parse_cipher, FIELD(work)},
    {"mode", "NAME", "ecb, ctr, ... (ctr)", parse_mode, FIELD(work)},
    {"sizes", "SIZE[,SIZE...]",
     "bytes; K, M, G are powers of 1024 (each power of 2 from 16 to 64M; quick: of 16, to 16M)",
     parse_size_list, FIELD(sizes)},
    {"threads", "N[,N...]", "thread counts; 1 is always among them (1 to all)", parse_thread_list,
     FIELD(threads)},
    {"engines", "NAME[,NAME...]",
     "those to compare; memcpy is always there (mtaes,mtaes-openmp,mtaes-caller,mtaes-spawn)",
     parse_engines, FIELD(engines)},
    {"kernel", "NAME", "the kernel of this library, as info lists them (the fastest)", parse_kernel,
     FIELD(work.kernel)},
    {"runs", "N", "runs of each engine, size and thread count (7; quick: 3)", parse_count,
     FIELD(runs)},
    {"quick", NULL, "fewer sizes, fewer and shorter runs: rough figures", parse_flag, FIELD(quick)},
    {"format", "FORMAT", "text, markdown, csv or json (text)", parse_format, FIELD(format)},
    {"output", "FILE", "write there, in full or not at all", parse_path, FIELD(output)},
    {"plot", "FILE.svg|FILE.png", "draw the curves with gnuplot", parse_plot, FIELD(plot)},
    {"seed", "N", "of key, IV and text (1)", parse_seed, FIELD(seed)},
};

static const struct option_set set = {
    .command = "scaling",
    .synopsis = "scaling [OPTION...]",
    .rows = rows,
    .count = sizeof rows / sizeof rows[0],
};

/* What was not given. */
static void fill_defaults(struct scaling_options *o)
{
    const size_t available = mtaes_threads_available().chosen;
    const bool threads_given = o->threads.count != 0;
    if (o->runs == 0)
        o->runs = o->quick ? 3 : 7;
    if (o->sizes.count == 0) {
        for (size_t bytes = 16; bytes <= (size_t)64 << 20; bytes *= o->quick ? 16 : 2)
            size_list_add(&o->sizes, bytes);
    }
    for (size_t n = 1; !threads_given && n <= available && n <= LIST_MAX; n++)
        size_list_add(&o->threads, n);
}

/* What must be there whatever was given. */
static bool complete(struct scaling_options *o)
{
    struct engine_list *const engines = &o->engines;
    bool copies = false;
    for (size_t i = 0; i < engines->count; i++)
        copies |= engines->at[i] == &peer_memcpy;
    if (!copies && engines->count == ENGINES_MAX)
        return complain("--engines: no room for memcpy; a list has at most %d items", ENGINES_MAX);
    if (!copies)
        engines->at[engines->count++] = &peer_memcpy;
    if (!size_list_add(&o->threads, 1))
        return complain("--threads: no room for 1; a list has at most %d items", LIST_MAX);
    return true;
}

bool scaling_options_parse(int argc, char **argv, struct scaling_options *o, int *exit_code)
{
    *o = (struct scaling_options){.seed = 1};
    const bool defaults =
        parse_cipher("cipher", "aes-128", &o->work) && parse_mode("mode", "ctr", &o->work) &&
        parse_engines("engines", "mtaes,mtaes-openmp,mtaes-caller,mtaes-spawn", &o->engines);
    *exit_code = EXIT_FAILED;
    if (!defaults || !options_parse(&set, argc, argv, o, NULL, exit_code))
        return false;
    *exit_code = EXIT_USAGE;
    if (!kernel_agrees(&o->work))
        return false;
    fill_defaults(o);
    if (!complete(o) || !sizes_agree(&o->work, &o->sizes, 0))
        return false;
    size_list_sort(&o->sizes);
    size_list_sort(&o->threads);
    workload_set_key(&o->work, o->seed);
    return true;
}
