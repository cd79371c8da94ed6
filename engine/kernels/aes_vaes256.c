/* aes_vaes256.c: kernel "aes-vaes256": VAES with 256-bit registers, for CPUs with or without AVX-512. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <immintrin.h>

#include "aes_key.h"
#include "cpu.h"
#include "kernel.h"
#include "util.h"

#define TARGET __attribute__((target("aes,avx2,vaes")))
#define V __m256i
#define VB 2

#define v_load(p) _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define v_store(p, v) _mm256_storeu_si256((__m256i *)(void *)(p), v)
#define v_stream(p, v) _mm256_stream_si256((__m256i *)(void *)(p), v)
#define v_half(p) _mm_loadu_si128((const __m128i *)(const void *)(p))
#define v_load_some(p, n) \
    ((void)(n), _mm256_zextsi128_si256(v_half(p))) /* in part is one block of two */
#define v_store_some(p, v, n) \
    ((void)(n), _mm_storeu_si128((__m128i *)(void *)(p), _mm256_castsi256_si128(v)))
#define v_repeat(p) _mm256_broadcastsi128_si256(v_half(p))
#define v_xor(a, b) _mm256_xor_si256(a, b)
#define v_and(a, b) _mm256_and_si256(a, b)
#define v_enc(s, k) _mm256_aesenc_epi128(s, k)
#define v_enclast(s, k) _mm256_aesenclast_epi128(s, k)
#define v_dec(s, k) _mm256_aesdec_epi128(s, k)
#define v_declast(s, k) _mm256_aesdeclast_epi128(s, k)
#define v_reverse(v)                                                                              \
    _mm256_shuffle_epi8(v, _mm256_broadcastsi128_si256(_mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, \
                                                                    10, 11, 12, 13, 14, 15)))
#define v_add64(a, b) _mm256_add_epi64(a, b)
#define v_add32(a, b) _mm256_add_epi32(a, b)
#define v_left64(v, n) _mm256_slli_epi64(v, n)
#define v_right64(v, n) _mm256_srli_epi64(v, n)
#define v_left32(v, n) _mm256_slli_epi32(v, n)
#define v_right32(v, n) _mm256_srli_epi32(v, n)
#define v_pick(a, b, words) \
    _mm256_castps_si256(_mm256_shuffle_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b), words))
#define v_tops(a, b, c, d) v_pick(v_pick(a, b, 0xff), v_pick(c, d, 0xff), 0x88)
#define v_shuffle(v, mask) _mm256_shuffle_epi8(v, mask)
#define v_swap64(v) _mm256_shuffle_epi32(v, 0x4e)
#define v_left_bytes(v, n) _mm256_slli_si256(v, n)
#define v_right_bytes(v, n) _mm256_srli_si256(v, n)
#define v_after(carry, v) _mm256_permute2x128_si256(carry, v, 0x21)
#define v_before(v) _mm256_permute2x128_si256(v, v, 0x08)
#define v_sum(v) _mm256_xor_si256(v, _mm256_permute4x64_epi64(v, 0x4e))

#include "aes_x86.h"

/* One pass of CTR and GHASH; only called where the GHASH row's needs are met as well. */
#define GHASH_TARGET __attribute__((target("aes,avx2,vaes,pclmul,vpclmulqdq")))
#define GCM_GHASH ghash_vpclmul256
#include "ghash_x86.h"

#include "aes_gcm_x86.h"

const struct mtaes_kernel aes_vaes256 = {
    .name = "aes-vaes256",
    .cipher = "aes",
    .needs = CPU_AES | CPU_AVX2 | CPU_VAES,
    .ghash = "ghash-vpclmul256",
    .schedule_bytes = sizeof(struct aes_schedule),
    .expand = aes_x86_expand,
    .blocks = each_block,
    .bulk = bulk,
    .chain = chain,
    .gcm = gcm,
};
