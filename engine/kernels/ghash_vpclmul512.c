/* ghash_vpclmul512.c: "ghash-vpclmul512": GHASH by VPCLMULQDQ, 512 bits; SP 800-38D, 6.4. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <immintrin.h>

#include "cpu.h"
#include "kernel.h"
#include "util.h"

#define GHASH_ROW
#define GHASH_TARGET \
    __attribute__((target("avx2,pclmul,vpclmulqdq,avx512f,avx512bw,avx512dq,avx512vl")))
#define V __m512i
#define VB 4
#define v_load(p) _mm512_loadu_si512((const void *)(p))
#define v_load_some(p, n) /* two words a block */ \
    _mm512_maskz_loadu_epi64((__mmask8)((1U << 2 * (n)) - 1), (const void *)(p))
#define v_xor(a, b) _mm512_xor_si512(a, b)
#define v_reverse(v)                                                                             \
    _mm512_shuffle_epi8(v, _mm512_broadcast_i32x4(_mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, \
                                                               11, 12, 13, 14, 15)))
#define v_swap64(v) _mm512_shuffle_epi32(v, (_MM_PERM_ENUM)0x4e)

#include "ghash_x86.h"

const struct mtaes_ghash ghash_vpclmul512 = {
    .name = "ghash-vpclmul512",
    .needs = CPU_SSSE3 | CPU_PCLMUL | CPU_AVX2 | CPU_VPCLMUL | CPU_AVX512,
    .key_bytes = sizeof(struct ghash_x86_key),
    .expand = ghash_x86_expand,
    .update = update,
    .advance = ghash_x86_advance,
};
