/* kernels_options.h: what `mtaes-bench kernels` is asked to do. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_KERNELS_OPTIONS_H
#define BENCH_KERNELS_OPTIONS_H

#include "fields.h"

enum { CHOICES_MAX = 32 };

struct cipher_list {
    size_t count;
    struct workload at[CHOICES_MAX]; /* of which the cipher alone is set; none twice */
};

struct mode_list {
    size_t count;
    const mtaes_mode *at[CHOICES_MAX]; /* none twice */
};

struct kernel_list {
    size_t count;
    const mtaes_kernel *at[CHOICES_MAX]; /* none twice; none at all: every one that runs here */
};

struct kernels_options {
    struct cipher_list ciphers;
    struct mode_list modes;
    struct kernel_list kernels;
    struct engine_list engines; /* beside the kernels */
    struct size_list sizes;     /* ascending */
    size_t runs;
    bool quick, in_place;
    enum format format;
    const char *output; /* NULL: none */
    uint64_t seed;
};

/* As options_parse. */
bool kernels_options_parse(int argc, char **argv, struct kernels_options *options, int *exit_code);

#endif
