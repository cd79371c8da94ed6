/* xts.c: mode "xts": XEX with ciphertext stealing, unit by unit. Sources: IEEE 1619-2018, 5; NIST SP 800-38E. */
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * state.hash is the number of the unit that state.done is in. The tweak is found anew at the begin of each run, also in
 * the middle of a unit, so a part may start at any block: E(number) * x^(block in the unit).
 */
#include "walk.h"

enum { UNIT_BYTES_MAX = 16 << 20, UNITS_AT_ONCE = 32 };

/* An element of GF(2^128): bit i of low is the coefficient of x^i, bit i of high that of x^(i+64). */
struct element {
    uint64_t low, high;
};

static struct element times_x(struct element a)
{
    return (struct element){a.low << 1 ^ (0x87 & (0 - (a.high >> 63))), a.high << 1 | a.low >> 63};
}

static struct element multiply(struct element a, struct element b)
{
    struct element product = {0, 0};
    for (int i = 0; i < 128; i++) {
        const uint64_t bit = 0 - ((i < 64 ? b.low >> i : b.high >> (i - 64)) & 1);
        product.low ^= a.low & bit;
        product.high ^= a.high & bit;
        a = times_x(a);
    }
    return product;
}

/* Bit i goes to bit 2i: the square of a polynomial. */
static uint64_t spread(uint64_t a)
{
    a = (a | a << 16) & 0x0000ffff0000ffff;
    a = (a | a << 8) & 0x00ff00ff00ff00ff;
    a = (a | a << 4) & 0x0f0f0f0f0f0f0f0f;
    a = (a | a << 2) & 0x3333333333333333;
    return (a | a << 1) & 0x5555555555555555;
}

static struct element square(struct element a)
{
    uint64_t w[4] = {spread(a.low & 0xffffffff), spread(a.low >> 32), spread(a.high & 0xffffffff),
                     spread(a.high >> 32)};
    for (int i = 3; i >= 2; i--) { /* x^128 = x^7 + x^2 + x + 1 */
        w[i - 2] ^= w[i] ^ w[i] << 1 ^ w[i] << 2 ^ w[i] << 7;
        w[i - 1] ^= w[i] >> 63 ^ w[i] >> 62 ^ w[i] >> 57;
    }
    return (struct element){w[0], w[1]};
}

/* tweak *= x^n. The power of x is public; the one multiplication is constant-time. */
static void advance(uint8_t tweak[BLOCK_BYTES], size_t n)
{
    if (n == 0)
        return;
    struct element power = {1, 0};
    for (int bit = 63 - __builtin_clzll(n); bit >= 0; bit--) {
        power = square(power);
        if (n >> bit & 1)
            power = times_x(power);
    }
    const struct element e =
        multiply((struct element){load_le64(tweak), load_le64(tweak + 8)}, power);
    store_le64(tweak, e.low);
    store_le64(tweak + 8, e.high);
}

/* The last whole block and the 1 to 15 bytes behind it, by ciphertext stealing. */
static void steal(const struct mtaes_key *key, bool decrypt, const uint8_t *src, uint8_t *dst,
                  size_t rest, const uint8_t tweak[BLOCK_BYTES])
{
    uint8_t first[BLOCK_BYTES], second[BLOCK_BYTES], block[BLOCK_BYTES], tail[BLOCK_BYTES];
    memcpy(first, tweak, BLOCK_BYTES); /* of the whole block; decryption takes the two in turn */
    memcpy(second, tweak, BLOCK_BYTES);
    walk_skip(FORM_XEX, decrypt ? first : second, NULL, 1);
    memcpy(tail, src + BLOCK_BYTES, rest);
    walk(key, FORM_XEX, decrypt, src, block, 1, first, false);
    memcpy(dst + BLOCK_BYTES, block, rest);
    memcpy(block, tail, rest);
    walk(key, FORM_XEX, decrypt, block, dst, 1, second, false);
    wipe(first, sizeof first);
    wipe(second, sizeof second);
    wipe(block, sizeof block);
    wipe(tail, sizeof tail);
}

/* A unit, or some whole blocks of one. */
static void run_unit(const struct mtaes_key *key, bool decrypt, const uint8_t *src, uint8_t *dst,
                     size_t bytes, uint8_t tweak[BLOCK_BYTES], bool large)
{
    const size_t rest = bytes % BLOCK_BYTES;
    const size_t blocks = bytes / BLOCK_BYTES - (rest != 0);
    walk(key, FORM_XEX, decrypt, src, dst, blocks, tweak, large);
    if (rest)
        steal(key, decrypt, src + blocks * BLOCK_BYTES, dst + blocks * BLOCK_BYTES, rest, tweak);
}

/* The tweaks of `count` units from the state's one on; the first may have begun before. */
static void find_tweaks(const struct mtaes_key *key, const struct state *state, size_t begun_blocks,
                        uint8_t (*tweak)[BLOCK_BYTES], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        memcpy(tweak[i], state->hash, BLOCK_BYTES);
        add_le128(tweak[i], i);
    }
    key->kernel->blocks(key->extra, false, tweak[0], tweak[0], count);
    advance(tweak[0], begun_blocks);
}

static void run(const struct mtaes_message *message, size_t at, size_t bytes, struct state *state,
                bool large)
{
    const uint8_t *src = (const uint8_t *)message->src + at;
    uint8_t *dst = (uint8_t *)message->dst + at;
    const size_t unit = message->unit_bytes ? message->unit_bytes : UNIT_BYTES_MAX;
    uint8_t tweak[UNITS_AT_ONCE][BLOCK_BYTES];
    while (bytes) {
        const size_t begun = (size_t)(state->done % unit), units = (begun + bytes - 1) / unit + 1;
        const size_t count = units < UNITS_AT_ONCE ? units : UNITS_AT_ONCE;
        find_tweaks(message->key, state, begun / BLOCK_BYTES, tweak, count);
        for (size_t i = 0; i < count; i++) {
            const size_t left = unit - (size_t)(state->done % unit);
            const size_t now = bytes < left ? bytes : left;
            run_unit(message->key, message->direction == MTAES_DECRYPT, src, dst, now, tweak[i],
                     large);
            src += now;
            dst += now;
            bytes -= now;
            state->done += now;
            if (now == left)
                add_le128(state->hash, 1);
        }
    }
    wipe(tweak, sizeof tweak);
}

static void begin(const struct mtaes_message *message, struct state *state)
{
    memcpy(state->hash, message->iv, BLOCK_BYTES);
}

/* Any block of a unit, but not between the last whole one and the rest that steals from it. A stream does not know its
   end, so it keeps the last block back. */
static size_t cut(const struct mtaes_message *message, size_t near, bool last)
{
    if (!last)
        return near < BLOCK_BYTES ? 0 : (near / BLOCK_BYTES - 1) * BLOCK_BYTES;
    if (near >= message->bytes)
        return message->bytes;
    const size_t unit = message->unit_bytes ? message->unit_bytes : UNIT_BYTES_MAX;
    const size_t begin_of_unit = near / unit * unit, after = message->bytes - begin_of_unit;
    const size_t bytes = after < unit ? after : unit, rest = bytes % BLOCK_BYTES;
    const size_t block = (near - begin_of_unit) / BLOCK_BYTES * BLOCK_BYTES;
    const size_t last_cut = rest ? bytes - rest - BLOCK_BYTES : bytes;
    return begin_of_unit + (block < last_cut ? block : last_cut);
}

static void seek(const struct mtaes_message *message, const struct state *first, size_t at,
                 struct state *state)
{
    const size_t unit = message->unit_bytes ? message->unit_bytes : UNIT_BYTES_MAX;
    *state = *first;
    state->done += at;
    add_le128(state->hash, state->done / unit - first->done / unit);
}

/* key->extra is the schedule of the tweak key, the second half of the material. */
static bool prepare(struct mtaes_key *key, const uint8_t *material, size_t key_bytes)
{
    const size_t half = key_bytes / 2;
    if (half == 24) /* IEEE 1619 has XTS-AES-128 and XTS-AES-256 only */
        return false;
    key->weak = equal_constant_time(material, material + half, half);
    return key->kernel->expand(key->extra, material + half, half);
}

const struct mtaes_mode mode_xts = {
    .name = "xts",
    .iv_bytes_min = BLOCK_BYTES,
    .iv_bytes_max = BLOCK_BYTES,
    .multiple_bytes = 1,
    .bytes_min = BLOCK_BYTES,
    .bytes_max = UNIT_BYTES_MAX,
    .units = true,
    .two_keys = true,
    .prepare = prepare,
    .begin = begin,
    .encrypt = {.cut = cut, .seek = seek, .run = run},
    .decrypt = {.cut = cut, .seek = seek, .run = run},
};
