/* clock.h: the one clock of all measurements. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_CLOCK_H
#define BENCH_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t clock_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Nanoseconds a call; at least a small part of one, so that no rate is ever infinite. */
static inline double clock_per_call(uint64_t start_ns, uint64_t end_ns, size_t calls)
{
    const uint64_t elapsed = end_ns > start_ns ? end_ns - start_ns : 1;
    return (double)elapsed / (double)calls;
}

#endif
