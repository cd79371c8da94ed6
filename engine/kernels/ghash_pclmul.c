/* ghash_pclmul.c: "ghash-pclmul": GHASH by PCLMULQDQ; what all x86 rows share; SP 800-38D, 6.4. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "cpu.h"
#include "kernel.h"
#include "util.h"

#define GHASH_ROW
#define GHASH_TARGET __attribute__((target("pclmul,ssse3")))
#define VB 1
#include "x86_vector.h"

#include "ghash_x86.h"

/* a * b, where a or b is divided by x; if both are, so is the product. */
GHASH_INLINE __m128i product(__m128i a, __m128i b)
{
    const __m128i words = _mm_xor_si128(b, v_swap64(b));
    const struct ghash_sum sum = {
        .low = _mm_clmulepi64_si128(a, b, 0x00),
        .middle = _mm_clmulepi64_si128(_mm_xor_si128(a, v_swap64(a)), words, 0x00),
        .high = _mm_clmulepi64_si128(a, b, 0x11),
    };
    return ghash_reduce(&sum);
}

/* h / x, bytes reversed: one bit up, and 1 / x = x^127 + x^6 + x + 1 for a bit that leaves. */
static struct ghash_x86_key *divide_by_x(struct ghash_x86_key *key, const uint8_t h[BLOCK_BYTES])
{
    uint8_t *const place = key->power[GHASH_POWERS - 1];
    const uint64_t high = load_be64(h), low = load_be64(h + 8), out = 0 - (high >> 63);

    store_le64(place, low << 1 ^ (out & 1));
    store_le64(place + 8, (high << 1 | low >> 63) ^ (out & 0xc200000000000000));
    return key;
}

GHASH_TARGET void ghash_x86_expand(void *hk, const uint8_t h[BLOCK_BYTES])
{
    struct ghash_x86_key *const key = divide_by_x(hk, h);
    uint8_t(*const last)[BLOCK_BYTES] = &key->power[GHASH_POWERS - 1];
    const __m128i h1 = v_load(*last);
    __m128i step = h1;

    /* H^2 to H^4 one by one, then four independent chains. */
    for (int i = 1; i < GHASH_POWERS; i++) {
        const __m128i power = product(v_load(last[i < 4 ? 1 - i : 4 - i]), step);
        _mm_storeu_si128((__m128i *)last[-i], power);
        if (i == 3)
            step = power;
    }
    for (int i = 0; i < GHASH_POWERS; i++) {
        const __m128i power = v_load(key->power[i]);
        _mm_storeu_si128((__m128i *)key->middle[i], _mm_xor_si128(power, v_swap64(power)));
    }
    memset(key->power[GHASH_POWERS], 0, GHASH_PADDING * BLOCK_BYTES);
    memset(key->middle[GHASH_POWERS], 0, GHASH_PADDING * BLOCK_BYTES);
}

GHASH_TARGET void ghash_x86_advance(const void *hk, uint8_t y[BLOCK_BYTES], uint64_t n)
{
    const struct ghash_x86_key *const key = hk;
    __m128i power = v_load(key->power[GHASH_POWERS - 1]); /* H^1, H^2, H^4 ... */
    __m128i sum = v_reverse(v_load(y));

    for (; n > 0; n >>= 1) {
        if (n & 1)
            sum = product(sum, power);
        power = product(power, power);
    }
    _mm_storeu_si128((__m128i *)y, v_reverse(sum));
}

const struct mtaes_ghash ghash_pclmul = {
    .name = "ghash-pclmul",
    .needs = CPU_PCLMUL | CPU_SSSE3,
    .key_bytes = sizeof(struct ghash_x86_key),
    .expand = ghash_x86_expand,
    .update = update,
    .advance = ghash_x86_advance,
};
