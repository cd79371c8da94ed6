/* kernel.h: what a kernel is, and what the modes may call. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MTAES_ENGINE_KERNEL_H
#define MTAES_ENGINE_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BLOCK_BYTES = 16, KERNEL_LANES = 4, CHAIN_LANES = 16 };

/* A run of blocks with its state. src == dst, or the two are disjoint. state is that before the
   first block, and is left as that after the last. */
struct lane {
    const uint8_t *src;
    uint8_t *dst;
    uint8_t state[BLOCK_BYTES];
};

/* How the independent blocks of a lane are processed. F is the cipher in the direction asked for, E
   encryption, D decryption. */
enum form {
    FORM_ECB,   /* dst = F(src) */
    FORM_CTR,   /* dst = src ^ E(state); state += 1, as 128 bits, big-endian */
    FORM_CTR32, /* the same, but only the low 32 bits count */
    FORM_CBC,   /* decryption only: dst = D(src) ^ state; state = src */
    FORM_CFB,   /* decryption only: dst = E(state) ^ src; state = src */
    FORM_PCBC,  /* decryption only: dst = D(src) ^ state; state = dst ^ src */
    FORM_XEX,   /* dst = F(src ^ state) ^ state; state *= x in GF(2^128), little-endian as in IEEE
                   1619 */
};

/* How far away the text is, and so how memory is used. */
enum reach {
    REACH_CACHE,  /* in a cache */
    REACH_MEMORY, /* larger than the caches: read ahead */
    REACH_AROUND, /* the same, and dst is written around the caches, by non-temporal stores; each dst is at a 64-byte
                     boundary then, src != dst, and the path is fenced before it returns */
};

/* A chain: y = E(state ^ [IN] src); dst = y ^ [OUT] src; state = y ^ [NEXT] src. */
enum { CHAIN_IN = 1, CHAIN_OUT = 2, CHAIN_NEXT = 4 };
enum {
    SHAPE_CBC = CHAIN_IN,
    SHAPE_CFB = CHAIN_OUT | CHAIN_NEXT,
    SHAPE_OFB = CHAIN_OUT,
    SHAPE_PCBC = CHAIN_IN | CHAIN_NEXT,
};

/* GHASH (SP 800-38D, 6.4) on one instruction set; what a GCM key keeps of H is `key_bytes` at a
 * 64-byte boundary. */
struct mtaes_ghash {
    const char *name;
    uint32_t needs; /* enum cpu_feature bits */
    size_t key_bytes;
    void (*expand)(void *hk, const uint8_t h[BLOCK_BYTES]);
    /* y = (y ^ block) * H for each of n blocks */
    void (*update)(const void *hk, uint8_t y[BLOCK_BYTES], const uint8_t *src, size_t n);
    /* y *= H^n */
    void (*advance)(const void *hk, uint8_t y[BLOCK_BYTES], uint64_t n);
};

/*
 * The one required operation is `blocks`; from it alone generic.c builds everything else. The
 * others are fast paths for the same results. All pointers may have any alignment but the schedule,
 * which stands at a 64-byte boundary. No function reads or writes outside the blocks named; none
 * branches on or indexes by key or data (but for Gecko, whose definition does), or returns with round
 * keys in a vector register or on the stack.
 */
struct mtaes_kernel {
    const char *name, *cipher;
    uint32_t needs; /* enum cpu_feature bits */
    const char
        *ghash; /* the GHASH row that goes with it; a slower one is taken where that does not run */
    size_t schedule_bytes;
    /* false: no such key length */
    bool (*expand)(void *ks, const uint8_t *key, size_t key_bytes);
    void (*blocks)(const void *ks, bool decrypt, uint8_t *dst, const uint8_t *src, size_t n);
    /* lanes is 1 or KERNEL_LANES. */
    void (*bulk)(const void *ks, enum form form, bool decrypt, struct lane *lane, size_t lanes,
                 size_t blocks_each, enum reach reach);
    /* lanes is 1 to CHAIN_LANES, all of the same length */
    void (*chain)(const void *ks, unsigned shape, struct lane *lane, size_t lanes,
                  size_t blocks_each);
    /* CTR32 from lane->state and GHASH of the ciphertext into y, in one pass; hk is of the row
       named by `ghash`. public_counter: the counter does not depend on the key, and may index. */
    void (*gcm)(const void *ks, const void *hk, bool decrypt, bool public_counter,
                struct lane *lane, uint8_t y[BLOCK_BYTES], size_t blocks, enum reach reach);
};

/* The fast path where the kernel has one, or the same from `blocks`. (generic.c) */
void kernel_bulk(const struct mtaes_kernel *kernel, const void *ks, enum form form, bool decrypt,
                 struct lane *lane, size_t lanes, size_t blocks_each, enum reach reach);
void kernel_chain(const struct mtaes_kernel *kernel, const void *ks, unsigned shape,
                  struct lane *lane, size_t lanes, size_t blocks_each);

/* In how many lanes this CPU is best given a buffer that is larger than its caches: 1 or KERNEL_LANES. */
size_t kernel_large_lanes(void);

#endif
