/* mt19937.c: the Mersenne Twister (M. Matsumoto, T. Nishimura, 1998), seeded as in 2002. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mt19937.h"

enum { WORDS = MT19937_WORDS, SHIFT = 397 };

void mt19937_seed(struct mt19937 *g, uint32_t seed)
{
    g->word[0] = seed;
    for (uint32_t i = 1; i < WORDS; i++)
        g->word[i] = 1812433253 * (g->word[i - 1] ^ g->word[i - 1] >> 30) + i;
    g->next = WORDS;
}

static void renew(uint32_t *word)
{
    for (size_t i = 0; i < WORDS; i++) {
        const uint32_t joined = (word[i] & 0x80000000) | (word[(i + 1) % WORDS] & 0x7fffffff);
        word[i] = word[(i + SHIFT) % WORDS] ^ joined >> 1 ^ (joined & 1 ? 0x9908b0df : 0);
    }
}

uint32_t mt19937_output(struct mt19937 *g)
{
    if (g->next == WORDS) {
        renew(g->word);
        g->next = 0;
    }
    uint32_t y = g->word[g->next++];
    y ^= y >> 11;
    y ^= y << 7 & 0x9d2c5680;
    y ^= y << 15 & 0xefc60000;
    return y ^ y >> 18;
}

void mt19937_discard(struct mt19937 *g, size_t outputs)
{
    while (outputs-- > 0)
        (void)mt19937_output(g);
}

void mt19937_fill(struct mt19937 *g, uint8_t *p, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        p[i] = (uint8_t)mt19937_output(g);
}

uint32_t mt19937_below(struct mt19937 *g, uint32_t limit)
{
    const uint32_t uneven = (0 - limit) % limit; /* 2^32 mod limit: so many outputs are too many */
    uint32_t y;
    do
        y = mt19937_output(g);
    while (y < uneven);
    return y % limit;
}
