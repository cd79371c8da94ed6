/* mt19937.h: the Mersenne Twister (M. Matsumoto, T. Nishimura, 1998), seeded as in 2002. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_MT19937_H
#define BENCH_MT19937_H

#include <stddef.h>
#include <stdint.h>

enum { MT19937_WORDS = 624 };

/* Not for secrets. From seed 5489 the 10000th output is 4123659995. */
struct mt19937 {
    uint32_t word[MT19937_WORDS];
    size_t next; /* MT19937_WORDS: all used up */
};

void mt19937_seed(struct mt19937 *generator, uint32_t seed);
uint32_t mt19937_output(struct mt19937 *generator);
void mt19937_discard(struct mt19937 *generator, size_t outputs);

/* Each byte is the low 8 bits of one output. */
void mt19937_fill(struct mt19937 *generator, uint8_t *p, size_t bytes);

/* Evenly from [0, limit), limit not 0. */
uint32_t mt19937_below(struct mt19937 *generator, uint32_t limit);

#endif
