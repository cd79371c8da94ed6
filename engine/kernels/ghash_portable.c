/* ghash_portable.c: GHASH in plain C, constant time; SP 800-38D, section 6.4. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel.h"
#include "util.h"

/*
 * A block is read as a big-endian number, so that the top bit is the coefficient of x^0. Carry-less
 * products come from integer multiplication of words in which only every fourth bit is kept (T.
 * Pornin's method, in BearSSL): the carries die in the gaps, and nothing is looked up by data. Only
 * the low half of such a product is right; the high half is that of the reversed operands.
 */
struct element {
    uint64_t high, low;
};

/* What one multiplier is used as: both words, their sum for Karatsuba, and all three reversed. */
struct multiplier {
    uint64_t plain[3], reversed[3];
};

struct product {
    uint64_t high, low;
};

static uint64_t reverse(uint64_t x)
{
    const uint64_t bits = 0x5555555555555555, pairs = 0x3333333333333333,
                   nibbles = 0x0f0f0f0f0f0f0f0f;

    x = (x >> 1 & bits) | (x & bits) << 1;
    x = (x >> 2 & pairs) | (x & pairs) << 2;
    x = (x >> 4 & nibbles) | (x & nibbles) << 4;
    return __builtin_bswap64(x);
}

/* The low 64 bits of the carry-less product. */
static inline uint64_t multiply_low(uint64_t x, uint64_t y)
{
    const uint64_t m0 = 0x1111111111111111, m1 = m0 << 1, m2 = m0 << 2, m3 = m0 << 3;
    const uint64_t x0 = x & m0, x1 = x & m1, x2 = x & m2, x3 = x & m3;
    const uint64_t y0 = y & m0, y1 = y & m1, y2 = y & m2, y3 = y & m3;

    const uint64_t z0 = (x0 * y0) ^ (x1 * y3) ^ (x2 * y2) ^ (x3 * y1);
    const uint64_t z1 = (x0 * y1) ^ (x1 * y0) ^ (x2 * y3) ^ (x3 * y2);
    const uint64_t z2 = (x0 * y2) ^ (x1 * y1) ^ (x2 * y0) ^ (x3 * y3);
    const uint64_t z3 = (x0 * y3) ^ (x1 * y2) ^ (x2 * y1) ^ (x3 * y0);
    return (z0 & m0) | (z1 & m1) | (z2 & m2) | (z3 & m3);
}

static inline struct product multiply_words(uint64_t x, uint64_t x_reversed, uint64_t y,
                                            uint64_t y_reversed)
{
    return (struct product){reverse(multiply_low(x_reversed, y_reversed)) >> 1, multiply_low(x, y)};
}

static struct multiplier make_multiplier(struct element e)
{
    struct multiplier m = {{e.low, e.high, e.low ^ e.high}, {0}};

    for (int i = 0; i < 3; i++)
        m.reversed[i] = reverse(m.plain[i]);
    return m;
}

static struct element multiply(struct element a, const struct multiplier *m)
{
    const uint64_t low = reverse(a.low), high = reverse(a.high);
    const struct product l = multiply_words(a.low, low, m->plain[0], m->reversed[0]);
    const struct product h = multiply_words(a.high, high, m->plain[1], m->reversed[1]);
    struct product k = multiply_words(a.low ^ a.high, low ^ high, m->plain[2], m->reversed[2]);
    k.low ^= l.low ^ h.low;
    k.high ^= l.high ^ h.high;

    /* The 255 bits of the product, one to the left: bit i is then x^(255-i). */
    uint64_t p0 = l.low, p1 = l.high ^ k.low, p2 = h.low ^ k.high, p3 = h.high;
    p3 = p3 << 1 | p2 >> 63;
    p2 = p2 << 1 | p1 >> 63;
    p1 = p1 << 1 | p0 >> 63;
    p0 <<= 1;

    /* x^128 = x^7 + x^2 + x + 1 takes the low half up, a word at a time. */
    p1 ^= p0 << 63 ^ p0 << 62 ^ p0 << 57;
    p2 ^= p0 ^ p0 >> 1 ^ p0 >> 2 ^ p0 >> 7;
    p2 ^= p1 << 63 ^ p1 << 62 ^ p1 << 57;
    p3 ^= p1 ^ p1 >> 1 ^ p1 >> 2 ^ p1 >> 7;
    return (struct element){p3, p2};
}

static struct element load_element(const uint8_t *p)
{
    return (struct element){load_be64(p), load_be64(p + 8)};
}

static void store_element(uint8_t *p, struct element e)
{
    store_be64(p, e.high);
    store_be64(p + 8, e.low);
}

static void portable_expand(void *hk, const uint8_t h[BLOCK_BYTES])
{
    *(struct multiplier *)hk = make_multiplier(load_element(h));
}

static void portable_update(const void *hk, uint8_t y[BLOCK_BYTES], const uint8_t *src, size_t n)
{
    struct element sum = load_element(y);

    for (; n > 0; n--, src += BLOCK_BYTES) {
        const struct element block = load_element(src);
        sum.high ^= block.high;
        sum.low ^= block.low;
        sum = multiply(sum, hk);
    }
    store_element(y, sum);
}

static void portable_advance(const void *hk, uint8_t y[BLOCK_BYTES], uint64_t n)
{
    struct element product = load_element(y);
    struct multiplier power = *(const struct multiplier *)hk; /* H^1, H^2, H^4 ... */

    for (; n > 0; n >>= 1) {
        if (n & 1)
            product = multiply(product, &power);
        const struct element e = {power.plain[1], power.plain[0]};
        power = make_multiplier(multiply(e, &power));
    }
    store_element(y, product);
    wipe(&power, sizeof power);
}

const struct mtaes_ghash ghash_portable = {
    .name = "ghash-portable",
    .needs = 0,
    .key_bytes = sizeof(struct multiplier),
    .expand = portable_expand,
    .update = portable_update,
    .advance = portable_advance,
};
