/* parts.h: how one message is cut for peers that have no threads of their own. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_PARTS_H
#define BENCH_PARTS_H

#include <stddef.h>

enum { PARTS_MAX = 256 };

struct parts {
    size_t count;
    size_t at[PARTS_MAX + 1]; /* part i is [at[i], at[i + 1]) */
};

/* Cut `bytes` for so many threads, at multiples of `granule` bytes (0: any); one thread gets one
   part. */
void parts_make(struct parts *parts, size_t bytes, size_t threads, size_t granule);

#endif
