/* gecko_layers.h: Gecko (L. Tomasello, 2019): its layers, as the portable kernel has them. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MTAES_ENGINE_KERNELS_GECKO_LAYERS_H
#define MTAES_ENGINE_KERNELS_GECKO_LAYERS_H

#include "gecko_key.h"
#include "util.h"

/*
 * Encryption:   MIX, SWAP, then `rounds` times SUB, KEY, ROT, SWAP, MIX, at last SWAP, KEYOUT.
 * Decryption:   the inverse of each, in the opposite order.
 *
 *   SUB     each byte through the S-box of AES
 *   KEY     each byte ^ S(q) ^ q, q being the byte of the round's subkey; its own inverse
 *   KEYOUT  each byte ^ q, of the last subkey
 *   ROT     the block as a 128-bit number, byte 0 lowest, 6 bits to the left
 *   SWAP    for i = 15 down to 1: byte i and byte X[15 - i] change places
 *   MIX     with m0 to m7 the bytes at X[0] to X[7]: m0 ^= m1, m2 ^= m3, m4 ^= m5, m6 ^= m7, and
 *           then m1 ^= m2, m3 ^= m4, m5 ^= m6, m7 ^= m0
 */

/* The state as one 128-bit number, byte 0 lowest. */
struct gecko_words {
    uint64_t low, high;
};

/* Keep the optimiser from moving the pair through memory to a vector register and back, which takes
   longer than the whole round. */
static inline struct gecko_words gecko_apart(struct gecko_words w)
{
    __asm__("" : "+r"(w.low), "+r"(w.high));
    return w;
}

static inline uint64_t gecko_join(const uint8_t b[8])
{
    const uint32_t low = b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
    const uint32_t high = b[4] | (uint32_t)b[5] << 8 | (uint32_t)b[6] << 16 | (uint32_t)b[7] << 24;
    return low | (uint64_t)high << 32;
}

/* From bytes that were stored one by one just now: a wide load would have to wait for them. */
static inline struct gecko_words gecko_load(const uint8_t b[BLOCK_BYTES])
{
    return gecko_apart((struct gecko_words){gecko_join(b), gecko_join(b + 8)});
}

static inline void gecko_store(uint8_t b[BLOCK_BYTES], struct gecko_words w)
{
    w = gecko_apart(w);
    store_le64(b, w.low);
    store_le64(b + 8, w.high);
}

/* KEY, the subkey being S(q) ^ q, and KEYOUT, it being q. */
static inline struct gecko_words gecko_add(struct gecko_words w, const uint8_t subkey[BLOCK_BYTES])
{
    return (struct gecko_words){w.low ^ load_le64(subkey), w.high ^ load_le64(subkey + 8)};
}

/* ROT: to the left by 6 bits; and its inverse. */
static inline struct gecko_words gecko_rot(struct gecko_words w)
{
    return (struct gecko_words){w.low << 6 | w.high >> 58, w.high << 6 | w.low >> 58};
}

static inline struct gecko_words gecko_rot_back(struct gecko_words w)
{
    return (struct gecko_words){w.low >> 6 | w.high << 58, w.high >> 6 | w.low << 58};
}

/* SWAP, or its inverse, by its map; dst is not src. */
static inline void gecko_swap(uint8_t dst[BLOCK_BYTES], const uint8_t src[BLOCK_BYTES],
                              const uint8_t map[BLOCK_BYTES])
{
    for (size_t i = 0; i < BLOCK_BYTES; i++)
        dst[i] = src[map[i]];
}

/* SUB of one byte by its table; NULL leaves the byte as it is. */
static inline uint8_t gecko_sub(const uint8_t *const table, uint8_t byte)
{
    return table != NULL ? table[byte] : byte;
}

/*
 * MIX, with the SWAP before or behind it, and then SUB: the eight bytes that MIX changes, and then
 * the eight that it does not, are fetched from[] one place and put to[] another. dst is not src.
 */
static inline void gecko_mix_sub(uint8_t *restrict dst, const uint8_t to[BLOCK_BYTES],
                                 const uint8_t *restrict src, const uint8_t from[BLOCK_BYTES],
                                 const uint8_t *const table)
{
    uint8_t m0 = src[from[0]], m1 = src[from[1]], m2 = src[from[2]], m3 = src[from[3]];
    uint8_t m4 = src[from[4]], m5 = src[from[5]], m6 = src[from[6]], m7 = src[from[7]];
    m0 ^= m1, m2 ^= m3, m4 ^= m5, m6 ^= m7;
    m1 ^= m2, m3 ^= m4, m5 ^= m6, m7 ^= m0;
    dst[to[0]] = gecko_sub(table, m0), dst[to[1]] = gecko_sub(table, m1);
    dst[to[2]] = gecko_sub(table, m2), dst[to[3]] = gecko_sub(table, m3);
    dst[to[4]] = gecko_sub(table, m4), dst[to[5]] = gecko_sub(table, m5);
    dst[to[6]] = gecko_sub(table, m6), dst[to[7]] = gecko_sub(table, m7);
    for (size_t j = 8; j < BLOCK_BYTES; j += 2) {
        dst[to[j]] = gecko_sub(table, src[from[j]]);
        dst[to[j + 1]] = gecko_sub(table, src[from[j + 1]]);
    }
}

/* The inverse of both, SUB's first. */
static inline void gecko_sub_mix_back(uint8_t *restrict dst, const uint8_t to[BLOCK_BYTES],
                                      const uint8_t *restrict src, const uint8_t from[BLOCK_BYTES],
                                      const uint8_t *const table)
{
    uint8_t m0 = gecko_sub(table, src[from[0]]), m1 = gecko_sub(table, src[from[1]]);
    uint8_t m2 = gecko_sub(table, src[from[2]]), m3 = gecko_sub(table, src[from[3]]);
    uint8_t m4 = gecko_sub(table, src[from[4]]), m5 = gecko_sub(table, src[from[5]]);
    uint8_t m6 = gecko_sub(table, src[from[6]]), m7 = gecko_sub(table, src[from[7]]);
    m1 ^= m2, m3 ^= m4, m5 ^= m6, m7 ^= m0;
    m0 ^= m1, m2 ^= m3, m4 ^= m5, m6 ^= m7;
    dst[to[0]] = m0, dst[to[1]] = m1, dst[to[2]] = m2, dst[to[3]] = m3;
    dst[to[4]] = m4, dst[to[5]] = m5, dst[to[6]] = m6, dst[to[7]] = m7;
    for (size_t j = 8; j < BLOCK_BYTES; j += 2) {
        dst[to[j]] = gecko_sub(table, src[from[j]]);
        dst[to[j + 1]] = gecko_sub(table, src[from[j + 1]]);
    }
}

#endif
