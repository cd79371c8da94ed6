/* x86_vector.h: the vectors that kernel templates for x86 are written in: 1, 2 or 4 blocks. */
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The including file, one a kernel, first defines
 *
 *   TARGET    the target attribute that every function gets
 *   VB        how many blocks a vector holds: 1 (SSE), 2 (AVX2) or 4 (AVX-512)
 *
 * and gets
 *
 *   V                                 the vector type
 *   v_load(p) v_store(p, v)           unaligned
 *   v_load_some(p, n)                 only the first n of VB blocks, 1 to VB - 1; others read as 0
 *   v_store_some(p, v, n)             the same
 *   v_repeat(p)                       one block at p in all VB places
 *   v_xor(a, b) v_and(a, b)
 *   v_enclast v_declast               (state, round key), as AESENCLAST and AESDECLAST
 *   v_shuffle(v, mask)                as PSHUFB
 *   v_low(a, b) v_high(a, b)          as PUNPCKLBW and PUNPCKHBW
 *   v_reverse(v)                      the 16 bytes of each block in reverse order
 *   v_add64(a, b)                     by 64-bit words
 *   v_left64(v, n) v_right64(v, n)    64-bit words, by a constant
 *   v_swap64(v)                       the two words of each block change places
 *   one_load(p) one_store(p, v)       a block as __m128i, unaligned
 *   v_forget()                        zero all vector registers, at the end of what has used keys:
 *                                     the dynamic linker, for one, saves them to the stack
 *   INLINE, EACH(n, op)               see there
 *
 * Macros, not functions: those would be warned of where a kernel does not use them.
 */
#ifndef MTAES_ENGINE_KERNELS_X86_VECTOR_H
#define MTAES_ENGINE_KERNELS_X86_VECTOR_H

#include <immintrin.h>

#define INLINE static inline __attribute__((always_inline)) TARGET

/* Apply `op` to the numbers 0 to n-1, n being a constant 1, 2, 4 or 8: plain variables stay in
   registers at -O2, where arrays in loops do not. */
#define EACH(n, op)    \
    do {               \
        op(0);         \
        if ((n) > 1)   \
            op(1);     \
        if ((n) > 2) { \
            op(2);     \
            op(3);     \
        }              \
        if ((n) > 4) { \
            op(4);     \
            op(5);     \
            op(6);     \
            op(7);     \
        }              \
    } while (0)

#define one_load(p) _mm_loadu_si128((const __m128i *)(const void *)(p))
#define one_store(p, v) _mm_storeu_si128((__m128i *)(void *)(p), v)
#define one_reverse() _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)

#define LOW_REGISTERS                                                                        \
    "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", \
        "xmm11", "xmm12", "xmm13", "xmm14", "xmm15"

#if VB == 1

#define V __m128i
#define v_load(p) one_load(p)
#define v_store(p, v) one_store(p, v)
#define v_load_some(p, n) ((void)(n), v_load(p)) /* a vector is one block: never in part */
#define v_store_some(p, v, n) ((void)(n), v_store(p, v))
#define v_repeat(p) one_load(p)
#define v_xor(a, b) _mm_xor_si128(a, b)
#define v_and(a, b) _mm_and_si128(a, b)
#define v_enclast(s, k) _mm_aesenclast_si128(s, k)
#define v_declast(s, k) _mm_aesdeclast_si128(s, k)
#define v_shuffle(v, mask) _mm_shuffle_epi8(v, mask)
#define v_low(a, b) _mm_unpacklo_epi8(a, b)
#define v_high(a, b) _mm_unpackhi_epi8(a, b)
#define v_reverse(v) v_shuffle(v, one_reverse())
#define v_add64(a, b) _mm_add_epi64(a, b)
#define v_left64(v, n) _mm_slli_epi64(v, n)
#define v_right64(v, n) _mm_srli_epi64(v, n)
#define v_swap64(v) _mm_shuffle_epi32(v, 0x4e)
#define CLEAR(n) "pxor %%xmm" #n ", %%xmm" #n "\n\t"
#define v_forget()                                                                           \
    __asm__ volatile(CLEAR(0) CLEAR(1) CLEAR(2) CLEAR(3) CLEAR(4) CLEAR(5) CLEAR(6) CLEAR(7) \
                         CLEAR(8) CLEAR(9) CLEAR(10) CLEAR(11) CLEAR(12) CLEAR(13) CLEAR(14) \
                             CLEAR(15)                                                       \
                     :                                                                       \
                     :                                                                       \
                     : LOW_REGISTERS)

#elif VB == 2

#define V __m256i
#define v_load(p) _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define v_store(p, v) _mm256_storeu_si256((__m256i *)(void *)(p), v)
#define v_load_some(p, n) ((void)(n), _mm256_zextsi128_si256(one_load(p))) /* one of two */
#define v_store_some(p, v, n) ((void)(n), one_store(p, _mm256_castsi256_si128(v)))
#define v_repeat(p) _mm256_broadcastsi128_si256(one_load(p))
#define v_xor(a, b) _mm256_xor_si256(a, b)
#define v_and(a, b) _mm256_and_si256(a, b)
#define v_enclast(s, k) _mm256_aesenclast_epi128(s, k)
#define v_declast(s, k) _mm256_aesdeclast_epi128(s, k)
#define v_shuffle(v, mask) _mm256_shuffle_epi8(v, mask)
#define v_low(a, b) _mm256_unpacklo_epi8(a, b)
#define v_high(a, b) _mm256_unpackhi_epi8(a, b)
#define v_reverse(v) v_shuffle(v, _mm256_broadcastsi128_si256(one_reverse()))
#define v_add64(a, b) _mm256_add_epi64(a, b)
#define v_left64(v, n) _mm256_slli_epi64(v, n)
#define v_right64(v, n) _mm256_srli_epi64(v, n)
#define v_swap64(v) _mm256_shuffle_epi32(v, 0x4e)
#define v_forget() __asm__ volatile("vzeroall" : : : LOW_REGISTERS)

#else

#define V __m512i
#define v_load(p) _mm512_loadu_si512((const void *)(p))
#define v_store(p, v) _mm512_storeu_si512((void *)(p), v)
#define v_some(n) ((__mmask8)((1U << 2 * (n)) - 1)) /* two words a block */
#define v_load_some(p, n) _mm512_maskz_loadu_epi64(v_some(n), (const void *)(p))
#define v_store_some(p, v, n) _mm512_mask_storeu_epi64((void *)(p), v_some(n), v)
#define v_repeat(p) _mm512_broadcast_i32x4(one_load(p))
#define v_xor(a, b) _mm512_xor_si512(a, b)
#define v_and(a, b) _mm512_and_si512(a, b)
#define v_enclast(s, k) _mm512_aesenclast_epi128(s, k)
#define v_declast(s, k) _mm512_aesdeclast_epi128(s, k)
#define v_shuffle(v, mask) _mm512_shuffle_epi8(v, mask)
#define v_low(a, b) _mm512_unpacklo_epi8(a, b)
#define v_high(a, b) _mm512_unpackhi_epi8(a, b)
#define v_reverse(v) v_shuffle(v, _mm512_broadcast_i32x4(one_reverse()))
#define v_add64(a, b) _mm512_add_epi64(a, b)
#define v_left64(v, n) _mm512_slli_epi64(v, n)
#define v_right64(v, n) _mm512_srli_epi64(v, n)
#define v_swap64(v) _mm512_shuffle_epi32(v, (_MM_PERM_ENUM)0x4e)
#define CLEAR(n) "vpxorq %%xmm" #n ", %%xmm" #n ", %%xmm" #n "\n\t"
#define v_forget()                                                                              \
    __asm__ volatile("vzeroall\n\t" CLEAR(16) CLEAR(17) CLEAR(18) CLEAR(19) CLEAR(20) CLEAR(21) \
                         CLEAR(22) CLEAR(23) CLEAR(24) CLEAR(25) CLEAR(26) CLEAR(27) CLEAR(28)  \
                             CLEAR(29) CLEAR(30) CLEAR(31)                                      \
                     :                                                                          \
                     :                                                                          \
                     : LOW_REGISTERS, "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21",     \
                       "xmm22", "xmm23", "xmm24", "xmm25", "xmm26", "xmm27", "xmm28", "xmm29",  \
                       "xmm30", "xmm31")

#endif
#endif
