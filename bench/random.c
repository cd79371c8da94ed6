/* random.c: SplitMix64 (Steele, Lea, Flood, OOPSLA 2014) used by index, so that filling is fast. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "random.h"

#include <string.h>

static const uint64_t golden = 0x9e3779b97f4a7c15u;

static inline uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static uint64_t start_of(uint64_t seed, enum random_use use)
{
    return mix(mix(seed + golden) + (uint64_t)use * golden);
}

uint64_t random_word(uint64_t seed, enum random_use use, uint64_t index)
{
    return mix(start_of(seed, use) + (index + 1) * golden);
}

void random_fill(uint64_t seed, enum random_use use, void *p, size_t bytes)
{
    uint8_t *to = p;
    uint64_t state = start_of(seed, use);
    for (; bytes >= sizeof state; bytes -= sizeof state, to += sizeof state) {
        const uint64_t word = mix(state += golden);
        memcpy(to, &word, sizeof word);
    }
    const uint64_t word = mix(state + golden);
    memcpy(to, &word, bytes);
}
