/* ghash_x86.h: template of GHASH by carry-less multiplication; SP 800-38D, section 6.4. */
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Included once per instruction set. The including file defines GHASH_TARGET, the target attribute
 * that every function gets, and VB, includes x86_vector.h for its vectors of VB blocks,
 * and gets ghash_group and the parts that it consists of. A file that is a row of the table also
 * defines GHASH_ROW, and gets `update`; expand and advance are common to all. (ghash_pclmul.c)
 *
 * A block with its bytes reversed is a 128-bit number whose top bit is the coefficient of x^0. The
 * carry-less product of two such numbers stands one bit too low; so the powers are kept divided by
 * x, and the top half of the product is then in place (S. Gueron's and M. Kounavis's method).
 */
#ifndef MTAES_ENGINE_KERNELS_GHASH_X86_H
#define MTAES_ENGINE_KERNELS_GHASH_X86_H

#include "kernel.h"
#include "util.h"

enum { GHASH_POWERS = 64, GHASH_PADDING = 8 };

/* What every row keeps of H: a run of n <= GHASH_POWERS blocks is multiplied by the last n powers,
   loaded in vectors of any width in the order of the blocks. The padding is for the last vectors of
   a run: it meets blocks that read as 0. */
struct ghash_x86_key {
    /* H^64 ... H^1, each divided by x */
    uint8_t power[GHASH_POWERS + GHASH_PADDING][BLOCK_BYTES] __attribute__((aligned(64)));
    /* the sum of both words of each power, in both words: for Karatsuba's middle product */
    uint8_t middle[GHASH_POWERS + GHASH_PADDING][BLOCK_BYTES] __attribute__((aligned(64)));
};

extern const struct mtaes_ghash ghash_pclmul, ghash_vpclmul256, ghash_vpclmul512;

/* The two operations common to all rows: CPU_PCLMUL and CPU_SSSE3. (ghash_pclmul.c) */
void ghash_x86_expand(void *hk, const uint8_t h[BLOCK_BYTES]);
void ghash_x86_advance(const void *hk, uint8_t y[BLOCK_BYTES], uint64_t n);

#endif

#define GHASH_INLINE static inline __attribute__((always_inline)) GHASH_TARGET

/*
 * Three multiplications a block (Karatsuba), or four? AMD's Zen 3 spends four operations on each
 * multiplication of 128 or 256 bits, and three are faster. In 512 bits, on Intel's CPUs, the
 * shuffles of Karatsuba wait for the same port as the multiplication that they save.
 */
enum { GHASH_KARATSUBA = VB < 4 };

/* v_words_low, v_words_high(a, b): the low (high) words of each block of a and b, side by side.
   v_first(block): the block in the first place, 0 in the others. */
#if VB == 1
#define v_product(a, b, words) _mm_clmulepi64_si128(a, b, words)
#define v_words_low(a, b) _mm_unpacklo_epi64(a, b)
#define v_words_high(a, b) _mm_unpackhi_epi64(a, b)
#define v_first(block) (block)
#define v_repeat_block(block) (block)
#elif VB == 2
#define v_product(a, b, words) _mm256_clmulepi64_epi128(a, b, words)
#define v_words_low(a, b) _mm256_unpacklo_epi64(a, b)
#define v_words_high(a, b) _mm256_unpackhi_epi64(a, b)
#define v_first(block) _mm256_zextsi128_si256(block)
#define v_repeat_block(block) _mm256_broadcastsi128_si256(block)
#else
#define v_product(a, b, words) _mm512_clmulepi64_epi128(a, b, words)
#define v_words_low(a, b) _mm512_unpacklo_epi64(a, b)
#define v_words_high(a, b) _mm512_unpackhi_epi64(a, b)
#define v_first(block) _mm512_zextsi128_si512(block)
#define v_repeat_block(block) _mm512_broadcast_i32x4(block)
#endif
#if VB < 4
#define v_xor3(a, b, c) v_xor(a, v_xor(b, c))
#else
#define v_xor3(a, b, c) _mm512_ternarylogic_epi64(a, b, c, 0x96)
#endif

/* Products not yet reduced. middle is the sum of both middle products; Karatsuba's also has low and
   high in it. */
struct ghash_sum {
    V low, middle, high;
};

/* The xor of all blocks of v. */
GHASH_INLINE __m128i ghash_fold(V v)
{
#if VB == 1
    return v;
#elif VB == 2
    return _mm_xor_si128(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
#else
    const __m256i half =
        _mm256_xor_si256(_mm512_castsi512_si256(v), _mm512_extracti64x4_epi64(v, 1));
    return _mm_xor_si128(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
#endif
}

/* sum += a * powers[at ...] + b * powers[at + VB ...]; a and b have their bytes reversed. */
GHASH_INLINE void ghash_pair(struct ghash_sum *sum, V a, V b, const struct ghash_x86_key *key,
                             size_t at)
{
    const V p = v_load(key->power[at]), q = v_load(key->power[at + VB]);

    if (GHASH_KARATSUBA) {
        const V words = v_xor(v_words_low(a, b), v_words_high(a, b));
        sum->middle = v_xor3(sum->middle, v_product(words, v_load(key->middle[at]), 0x00),
                             v_product(words, v_load(key->middle[at + VB]), 0x11));
    } else {
        const V first = v_xor3(sum->middle, v_product(a, p, 0x01), v_product(a, p, 0x10));
        sum->middle = v_xor3(first, v_product(b, q, 0x01), v_product(b, q, 0x10));
    }
    sum->low = v_xor3(sum->low, v_product(a, p, 0x00), v_product(b, q, 0x00));
    sum->high = v_xor3(sum->high, v_product(a, p, 0x11), v_product(b, q, 0x11));
}

/* The sum modulo x^128 + x^7 + x^2 + x + 1, bytes reversed. The factor is x^7 + x^2 + x + 1 as it
   meets the lower words, which stand for x^128 and up: each goes up by one product and itself. */
GHASH_INLINE __m128i ghash_reduce(const struct ghash_sum *sum)
{
    const V factor = v_repeat_block(_mm_set_epi64x(0, (long long)0xc200000000000000));
    V middle = sum->middle;

    if (GHASH_KARATSUBA)
        middle = v_xor3(middle, sum->low, sum->high);
    middle = v_xor3(middle, v_swap64(sum->low), v_product(sum->low, factor, 0x00));
    return ghash_fold(v_xor3(sum->high, v_swap64(middle), v_product(middle, factor, 0x00)));
}

/* n blocks (1 to GHASH_POWERS) with one reduction; y has its bytes reversed. */
GHASH_INLINE __m128i ghash_group(const struct ghash_x86_key *key, __m128i y, const uint8_t *src,
                                 size_t n)
{
    const V zero = v_first(_mm_setzero_si128());
    struct ghash_sum sum = {zero, zero, zero};
    V first = v_first(y);

    for (; n >= 2 * VB; n -= 2 * VB, src += 2 * VB * BLOCK_BYTES, first = zero)
        ghash_pair(&sum, v_xor(first, v_reverse(v_load(src))),
                   v_reverse(v_load(src + VB * BLOCK_BYTES)), key, GHASH_POWERS - n);
    if (n > 0) {
        const V a = n >= VB ? v_load(src) : v_load_some(src, n);
        const V b = n > VB ? v_load_some(src + VB * BLOCK_BYTES, n - VB) : zero;
        ghash_pair(&sum, v_xor(first, v_reverse(a)), v_reverse(b), key, GHASH_POWERS - n);
    }
    return ghash_reduce(&sum);
}

#ifdef GHASH_ROW
GHASH_INLINE __m128i ghash_reverse(__m128i block)
{
    return _mm_shuffle_epi8(block,
                            _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
}

static GHASH_TARGET void update(const void *hk, uint8_t y[BLOCK_BYTES], const uint8_t *src,
                                size_t n)
{
    __m128i sum = ghash_reverse(_mm_loadu_si128((const __m128i *)y));

    for (; n >= GHASH_POWERS; n -= GHASH_POWERS, src += GHASH_POWERS * BLOCK_BYTES)
        sum = ghash_group(hk, sum, src, GHASH_POWERS);
    if (n > 0)
        sum = ghash_group(hk, sum, src, n);
    _mm_storeu_si128((__m128i *)y, ghash_reverse(sum));
    v_forget();
}
#endif
