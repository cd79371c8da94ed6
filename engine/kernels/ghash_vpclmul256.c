/* ghash_vpclmul256.c: "ghash-vpclmul256": GHASH by VPCLMULQDQ, 256 bits; SP 800-38D, 6.4. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <immintrin.h>

#include "cpu.h"
#include "kernel.h"
#include "util.h"

#define GHASH_ROW
#define GHASH_TARGET __attribute__((target("avx2,pclmul,vpclmulqdq")))
#define V __m256i
#define VB 2
#define v_load(p) _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define v_load_some(p, n) /* in part is one block of two */ \
    ((void)(n), _mm256_zextsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)(p))))
#define v_xor(a, b) _mm256_xor_si256(a, b)
#define v_reverse(v)                                                                              \
    _mm256_shuffle_epi8(v, _mm256_broadcastsi128_si256(_mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, \
                                                                    10, 11, 12, 13, 14, 15)))
#define v_swap64(v) _mm256_shuffle_epi32(v, 0x4e)

#include "ghash_x86.h"

const struct mtaes_ghash ghash_vpclmul256 = {
    .name = "ghash-vpclmul256",
    .needs = CPU_SSSE3 | CPU_PCLMUL | CPU_AVX2 | CPU_VPCLMUL,
    .key_bytes = sizeof(struct ghash_x86_key),
    .expand = ghash_x86_expand,
    .update = update,
    .advance = ghash_x86_advance,
};
