/* fanout.h: a few warm threads for peers that have none of their own. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_FANOUT_H
#define BENCH_FANOUT_H

#include <stddef.h>

enum { FANOUT_MAX = 0xffff }; /* calls of one run */

struct fanout;

/* The caller and threads - 1 others, or as many as the system gives. */
struct fanout *fanout_create(size_t threads);
void fanout_free(struct fanout *fanout); /* NULL is fine */

/* The threads there are, the caller included. */
size_t fanout_threads(const struct fanout *fanout);

/* Call fn(arg, i) for each i in [0, count), on any of the threads; returns when all are done. Only
   from the thread that made it. */
void fanout_run(struct fanout *fanout, void (*fn)(void *arg, size_t i), void *arg, size_t count);

#endif
