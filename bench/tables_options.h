/* tables_options.h: what `mtaes-bench tables` is asked to do. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_TABLES_OPTIONS_H
#define BENCH_TABLES_OPTIONS_H

#include "fields.h"

struct tables_options {
    struct workload work; /* cipher, mode, kernel, key, IV and in_place; of any size yet */
    struct size_list sizes, threads;
    struct engine_list engines;
    size_t runs, calls, unit_bytes; /* unit_bytes 0: the default */
    enum format format;
    const char *output, *plot; /* NULL: none */
    bool reference;
    uint64_t seed;
};

/* As options_parse. */
bool tables_options_parse(int argc, char **argv, struct tables_options *options, int *exit_code);

#endif
