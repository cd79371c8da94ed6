/* random.h: the same numbers for the same seed, on every machine. Not for secrets. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_RANDOM_H
#define BENCH_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* Independent sequences under one seed. */
enum random_use { RANDOM_TEXT = 1, RANDOM_KEY, RANDOM_IV, RANDOM_PROBES };

uint64_t random_word(uint64_t seed, enum random_use use, uint64_t index);

/* Fill p[0..bytes). */
void random_fill(uint64_t seed, enum random_use use, void *p, size_t bytes);

#endif
