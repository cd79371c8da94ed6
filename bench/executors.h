/* executors.h: where the threads of an engine of this library may come from. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_EXECUTORS_H
#define BENCH_EXECUTORS_H

#include <stddef.h>

#include "mtaes.h"

struct executor {
    mtaes_executor kind;
    /* MTAES_EXECUTOR_CALLER only: `run` as in mtaes_engine_options, and its context, for so many
       threads; NULL: no memory. */
    void *(*create)(size_t threads);
    void (*run)(void *context, void (*fn)(void *arg, size_t i), void *arg, size_t count);
    void (*free)(void *context);
};

extern const struct executor executor_openmp;
extern const struct executor executor_caller; /* warm threads of this program */
extern const struct executor executor_spawn;  /* threads made for each call, and joined */

#endif
