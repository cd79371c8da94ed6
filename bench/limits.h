/* limits.h: what bounds the rate of one thread, measured on this machine. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_LIMITS_H
#define BENCH_LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host.h"
#include "workload.h"

struct limits {
    double rounds, chained; /* 16-byte AES rounds a nanosecond; 0: unknown */
    size_t cache_bytes;     /* up to here a core's own caches hold the texts: memory is no limit */
    char source[160];       /* how the rounds were found */
};

/* What bounds one measurement. */
struct limit {
    double rate;      /* bytes a second; 0: unknown */
    const char *what; /* "aes", "chain", "memory", "call"; "-": unknown */
};

/* Measure the AES unit; where there is none, the fastest kernel in the first cache stands for
   it. */
void limits_measure(struct limits *limits, const struct host *host, uint64_t seed);

/* Bytes a second of a cipher with such a key if nothing but its rounds counted; of ciphers other
   than AES, those of AES. */
double limits_rate(const struct limits *limits, unsigned key_bits, bool chain);

/* The limit of a workload in one direction. memory_ns: what its bytes take the memory; call_ns:
   what a call takes that has nothing to do; 0 each: unknown. */
struct limit limits_of(const struct limits *limits, const struct workload *work, bool decrypt,
                       double memory_ns, double call_ns);

#endif
