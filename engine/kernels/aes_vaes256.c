/* aes_vaes256.c: kernel "aes-vaes256": VAES with 256-bit registers, for CPUs with or without AVX-512. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "aes_key.h"
#include "cpu.h"
#include "kernel.h"
#include "util.h"

#define TARGET __attribute__((target("aes,avx2,vaes")))
#define VB 2
#include "x86_vector.h"

#define v_stream(p, v) _mm256_stream_si256((__m256i *)(void *)(p), v)
#define v_enc(s, k) _mm256_aesenc_epi128(s, k)
#define v_dec(s, k) _mm256_aesdec_epi128(s, k)
#define v_add32(a, b) _mm256_add_epi32(a, b)
#define v_left32(v, n) _mm256_slli_epi32(v, n)
#define v_right32(v, n) _mm256_srli_epi32(v, n)
#define v_pick(a, b, words) \
    _mm256_castps_si256(_mm256_shuffle_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b), words))
#define v_tops(a, b, c, d) v_pick(v_pick(a, b, 0xff), v_pick(c, d, 0xff), 0x88)
#define v_left_bytes(v, n) _mm256_slli_si256(v, n)
#define v_right_bytes(v, n) _mm256_srli_si256(v, n)
#define v_after(carry, v) _mm256_permute2x128_si256(carry, v, 0x21)
#define v_before(v) _mm256_permute2x128_si256(v, v, 0x08)
#define v_sum(v) _mm256_xor_si256(v, _mm256_permute4x64_epi64(v, 0x4e))

#include "aes_x86.h"

#include "aes_chain_x86.h"

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
