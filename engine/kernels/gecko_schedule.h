/* gecko_schedule.h: what the x86 kernels of Gecko make of a key. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MTAES_ENGINE_KERNELS_GECKO_SCHEDULE_H
#define MTAES_ENGINE_KERNELS_GECKO_SCHEDULE_H

#include "gecko_key.h"

/* The three shuffles (PSHUFB) whose sum is one layer of SWAPs and MIX. */
struct gecko_shuffles {
    uint8_t term[GECKO_TERMS][BLOCK_BYTES];
};

/*
 * One pass over a sliced state (see gecko_x86.h): step t takes the byte at place first[t], in
 * rounds also its neighbour's at second[t], and puts what becomes of them at put[t]. Places are
 * multiplied by 16, so that the CPU's own index scaling makes addresses of them.
 */
struct gecko_pass {
    uint8_t first[BLOCK_BYTES], second[BLOCK_BYTES], put[BLOCK_BYTES];
};

/* One direction; keys are in the order of use, and `rounds` of them are set. */
struct gecko_way {
    uint8_t whiten[BLOCK_BYTES]; /* added to the block: when decrypting before all, else after */
    uint8_t key[GECKO_SUBKEYS - 1][BLOCK_BYTES]; /* as AESENCLAST or AESDECLAST wants it */
    struct gecko_shuffles begin, round, end;
    struct gecko_pass slice_begin, slice_round, slice_end;
    uint8_t slice_key[2][BLOCK_BYTES]; /* which byte of the first key, of all others, step t adds */
};

struct gecko_schedule {
    struct gecko_way encrypt, decrypt;
    uint32_t rounds;
};

/* The key setup of all x86 kernels: fills a struct gecko_schedule. (gecko_aesni.c) */
bool gecko_x86_expand(void *schedule, const uint8_t *key, size_t key_bytes);

#endif
