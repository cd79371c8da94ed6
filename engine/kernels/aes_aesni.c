/* aes_aesni.c: kernel "aes-aesni": AES-NI with 128-bit registers; and the key expansion of all x86 AES kernels. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "aes_key.h"
#include "cpu.h"
#include "kernel.h"
#include "util.h"

#define TARGET __attribute__((target("aes,ssse3,sse4.1")))
#define VB 1
#include "x86_vector.h"

#define v_stream(p, v) _mm_stream_si128((__m128i *)(void *)(p), v)
#define v_enc(s, k) _mm_aesenc_si128(s, k)
#define v_dec(s, k) _mm_aesdec_si128(s, k)
#define v_add32(a, b) _mm_add_epi32(a, b)
#define v_left32(v, n) _mm_slli_epi32(v, n)
#define v_right32(v, n) _mm_srli_epi32(v, n)
#define v_pick(a, b, words) \
    _mm_castps_si128(_mm_shuffle_ps(_mm_castsi128_ps(a), _mm_castsi128_ps(b), words))
#define v_tops(a, b, c, d) v_pick(v_pick(a, b, 0xff), v_pick(c, d, 0xff), 0x88)
#define v_left_bytes(v, n) _mm_slli_si128(v, n)
#define v_right_bytes(v, n) _mm_srli_si128(v, n)
#define v_after(carry, v) (carry)
#define v_before(v) _mm_setzero_si128()
#define v_sum(v) (v)

#include "aes_x86.h"

#include "aes_chain_x86.h"

/* One pass of CTR and GHASH; only called where the GHASH row's needs are met as well. */
#define GHASH_TARGET __attribute__((target("aes,ssse3,sse4.1,pclmul")))
#define GCM_GHASH ghash_pclmul
#include "ghash_x86.h"

#include "aes_gcm_x86.h"

/* S-box of four bytes: AESENCLAST on a state of four equal columns, where ShiftRows changes nothing. */
TARGET static uint32_t sub_word(uint32_t word)
{
    const __m128i s = _mm_aesenclast_si128(_mm_set1_epi32((int)word), _mm_setzero_si128());
    return (uint32_t)_mm_cvtsi128_si32(s);
}

TARGET bool aes_x86_expand(void *schedule, const uint8_t *key, size_t key_bytes)
{
    struct aes_schedule *const ks = schedule;
    unsigned rounds;
    if (!aes_expand(ks->encrypt, &rounds, key, key_bytes, sub_word))
        return false;
    ks->rounds = rounds;
    memcpy(ks->decrypt[0], ks->encrypt[rounds], BLOCK_BYTES);
    for (unsigned r = 1; r < rounds; r++)
        v_store(ks->decrypt[r], _mm_aesimc_si128(v_load(ks->encrypt[rounds - r])));
    memcpy(ks->decrypt[rounds], ks->encrypt[0], BLOCK_BYTES);
    v_forget();
    return true;
}

const struct mtaes_kernel aes_aesni = {
    .name = "aes-aesni",
    .cipher = "aes",
    .needs = CPU_AES | CPU_SSSE3 | CPU_SSE41,
    .ghash = "ghash-pclmul",
    .schedule_bytes = sizeof(struct aes_schedule),
    .expand = aes_x86_expand,
    .blocks = each_block,
    .bulk = bulk,
    .chain = chain,
    .gcm = gcm,
};
