/* scaling_options.h: what `mtaes-bench scaling` is asked to do. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_SCALING_OPTIONS_H
#define BENCH_SCALING_OPTIONS_H

#include "fields.h"

struct scaling_options {
    struct workload work;       /* cipher, mode, kernel, key and IV; of any size yet */
    struct size_list sizes;     /* ascending */
    struct size_list threads;   /* ascending, 1 among them */
    struct engine_list engines; /* memcpy among them */
    size_t runs;
    bool quick;
    enum format format;
    const char *output, *plot; /* NULL: none */
    uint64_t seed;
};

/* As options_parse. */
bool scaling_options_parse(int argc, char **argv, struct scaling_options *options, int *exit_code);

#endif
