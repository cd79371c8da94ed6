/* aes_vaes512.c: kernel "aes-vaes512": VAES with the 512-bit registers of AVX-512. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "aes_key.h"
#include "cpu.h"
#include "kernel.h"
#include "util.h"

#define TARGET \
    __attribute__((target("aes,avx2,vaes,vpclmulqdq,avx512f,avx512bw,avx512dq,avx512vl")))
#define VB 4
#include "x86_vector.h"

#define v_stream(p, v) _mm512_stream_si512((void *)(p), v)
#define v_enc(s, k) _mm512_aesenc_epi128(s, k)
#define v_dec(s, k) _mm512_aesdec_epi128(s, k)
#define v_add32(a, b) _mm512_add_epi32(a, b)
#define v_left_bytes(v, n) _mm512_bslli_epi128(v, n)
#define v_right_bytes(v, n) _mm512_bsrli_epi128(v, n)
#define v_fold(out) _mm512_clmulepi64_epi128(out, _mm512_set1_epi64(0x87), 0)
#define v_after(carry, v) _mm512_alignr_epi64(v, carry, 6)
#define v_up(v, words) \
    _mm512_alignr_epi64(v, _mm512_setzero_si512(), 8 - (words)) /* towards the top, zeros below */

/* v moved up by one, two and three places, summed. */
#define v_before(v) v_before_512(v)
#define v_sum(v) v_sum_512(v)

static inline __attribute__((always_inline)) TARGET __m512i v_before_512(__m512i v)
{
    const __m512i one = v_up(v, 2);
    const __m512i two = _mm512_xor_si512(one, v_up(one, 2));
    return _mm512_xor_si512(two, v_up(one, 4));
}

static inline __attribute__((always_inline)) TARGET __m512i v_sum_512(__m512i v)
{
    const __m512i half = _mm512_xor_si512(v, _mm512_shuffle_i64x2(v, v, 0x4e));
    return _mm512_xor_si512(half, _mm512_shuffle_i64x2(half, half, 0xb1));
}

#include "aes_x86.h"

#include "aes_chain_x86.h"

/* One pass of CTR and GHASH; only called where the GHASH row's needs are met as well. */
#define GHASH_TARGET \
    __attribute__((target("aes,avx2,vaes,vpclmulqdq,avx512f,avx512bw,avx512dq,avx512vl,pclmul")))
#define GCM_GHASH ghash_vpclmul512
#include "ghash_x86.h"

#include "aes_gcm_x86.h"

const struct mtaes_kernel aes_vaes512 = {
    .name = "aes-vaes512",
    .cipher = "aes",
    .needs = CPU_AES | CPU_AVX2 | CPU_VAES | CPU_VPCLMUL | CPU_AVX512,
    .ghash = "ghash-vpclmul512",
    .schedule_bytes = sizeof(struct aes_schedule),
    .expand = aes_x86_expand,
    .blocks = each_block,
    .bulk = bulk,
    .chain = chain,
    .gcm = gcm,
};
