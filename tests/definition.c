/* definition.c: forms, chains, GHASH and modes one block at a time (NIST SP 800-38A, SP 800-38D,
 * IEEE 1619). */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "definition.h"

#include "util.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cipher cipher_create(const mtaes_kernel *portable, const uint8_t *key, size_t key_bytes)
{
    const size_t bytes = (portable->schedule_bytes + 63) / 64 * 64;
    void *schedule = aligned_alloc(64, bytes);
    if (schedule == NULL || !portable->expand(schedule, key, key_bytes)) {
        fprintf(stderr, "%s refuses a key of %zu bytes\n", portable->name, key_bytes);
        exit(99);
    }
    return (struct cipher){portable, schedule};
}

void cipher_free(struct cipher *cipher)
{
    free(cipher->schedule);
    cipher->schedule = NULL;
}

void define_block(const struct cipher *cipher, bool decrypt, uint8_t *dst, const uint8_t *src)
{
    uint8_t block[16];
    memcpy(block, src, 16);
    cipher->kernel->blocks(cipher->schedule, decrypt, dst, block, 1);
}

/* x *= the polynomial "x" in GF(2^128), little-endian bytes, as IEEE 1619, 5.2. */
static void double_tweak(uint8_t x[16])
{
    unsigned carry = 0;
    for (int i = 0; i < 16; i++) {
        const unsigned shifted = (unsigned)x[i] << 1 | carry;
        x[i] = (uint8_t)shifted;
        carry = shifted >> 8;
    }
    if (carry)
        x[0] ^= 0x87;
}

/* The last `bytes` bytes of the counter, big-endian, += 1. */
static void count_up(uint8_t counter[16], int bytes)
{
    for (int i = 15; i >= 16 - bytes; i--)
        if (++counter[i] != 0)
            return;
}

static void define_one(const struct cipher *cipher, enum form form, bool decrypt, struct lane *lane,
                       size_t at)
{
    uint8_t src[16], out[16], *state = lane->state;
    memcpy(src, lane->src + 16 * at, 16);
    switch (form) {
    case FORM_ECB:
        define_block(cipher, decrypt, out, src);
        break;
    case FORM_CTR:
    case FORM_CTR32:
        define_block(cipher, false, out, state);
        xor_block(out, out, src);
        count_up(state, form == FORM_CTR ? 16 : 4);
        break;
    case FORM_CBC:
    case FORM_PCBC:
        define_block(cipher, true, out, src);
        xor_block(out, out, state);
        memcpy(state, src, 16);
        if (form == FORM_PCBC)
            xor_block(state, state, out);
        break;
    case FORM_CFB:
        define_block(cipher, false, out, state);
        xor_block(out, out, src);
        memcpy(state, src, 16);
        break;
    case FORM_XEX:
        xor_block(out, src, state);
        define_block(cipher, decrypt, out, out);
        xor_block(out, out, state);
        double_tweak(state);
        break;
    }
    memcpy(lane->dst + 16 * at, out, 16);
}

void define_bulk(const struct cipher *cipher, enum form form, bool decrypt, struct lane *lane,
                 size_t blocks)
{
    for (size_t i = 0; i < blocks; i++)
        define_one(cipher, form, decrypt, lane, i);
}

void define_chain(const struct cipher *cipher, unsigned shape, struct lane *lane, size_t blocks)
{
    for (size_t i = 0; i < blocks; i++) {
        uint8_t src[16], y[16];
        memcpy(src, lane->src + 16 * i, 16);
        memcpy(y, lane->state, 16);
        if (shape & CHAIN_IN)
            xor_block(y, y, src);
        define_block(cipher, false, y, y);
        memcpy(lane->state, y, 16);
        if (shape & CHAIN_NEXT)
            xor_block(lane->state, y, src);
        if (shape & CHAIN_OUT)
            xor_block(y, y, src);
        memcpy(lane->dst + 16 * i, y, 16);
    }
}

/* Algorithm 1 of SP 800-38D: bit 0 is the leftmost bit of byte 0. */
void define_multiply(uint8_t product[16], const uint8_t a[16], const uint8_t b[16])
{
    uint8_t z[16] = {0}, v[16];
    memcpy(v, b, 16);
    for (int i = 0; i < 128; i++) {
        if (a[i / 8] >> (7 - i % 8) & 1)
            xor_block(z, z, v);
        const bool lost = v[15] & 1;
        for (int j = 15; j > 0; j--)
            v[j] = (uint8_t)(v[j] >> 1 | v[j - 1] << 7);
        v[0] >>= 1;
        if (lost)
            v[0] ^= 0xe1;
    }
    memcpy(product, z, 16);
}

void define_ghash(const uint8_t h[16], uint8_t y[16], const uint8_t *src, size_t blocks)
{
    for (size_t i = 0; i < blocks; i++) {
        xor_block(y, y, src + 16 * i);
        define_multiply(y, y, h);
    }
}

void define_advance(const uint8_t h[16], uint8_t y[16], uint64_t n)
{
    uint8_t power[16];
    memcpy(power, h, 16);
    for (; n != 0; n >>= 1) {
        if (n & 1)
            define_multiply(y, y, power);
        define_multiply(power, power, power);
    }
}

void define_gcm(const struct cipher *cipher, const uint8_t h[16], bool decrypt, struct lane *lane,
                uint8_t y[16], size_t blocks)
{
    for (size_t i = 0; i < blocks; i++) {
        if (decrypt)
            define_ghash(h, y, lane->src + 16 * i, 1);
        define_one(cipher, FORM_CTR32, false, lane, i);
        if (!decrypt)
            define_ghash(h, y, lane->dst + 16 * i, 1);
    }
}

/* ------------------------------------------------------------------------------------------------
 * whole messages */

/* A last block that is not whole is processed as one of zeros behind it, and cut. */
static void tail_of(const struct cipher *cipher, const mtaes_message *m, struct lane *lane,
                    uint8_t *dst, void (*run)(const struct cipher *, struct lane *, bool))
{
    const size_t at = m->bytes / 16 * 16, rest = m->bytes - at;
    uint8_t block[16] = {0};
    if (rest == 0)
        return;
    memcpy(block, (const uint8_t *)m->src + at, rest);
    lane->src = lane->dst = block;
    run(cipher, lane, m->direction == MTAES_DECRYPT);
    memcpy(dst + at, block, rest);
}

static void run_ctr(const struct cipher *cipher, struct lane *lane, bool decrypt)
{
    define_bulk(cipher, FORM_CTR, decrypt, lane, 1);
}

static void run_ctr32(const struct cipher *cipher, struct lane *lane, bool decrypt)
{
    define_bulk(cipher, FORM_CTR32, decrypt, lane, 1);
}

static void run_cfb(const struct cipher *cipher, struct lane *lane, bool decrypt)
{
    if (decrypt)
        define_bulk(cipher, FORM_CFB, true, lane, 1);
    else
        define_chain(cipher, SHAPE_CFB, lane, 1);
}

static void run_ofb(const struct cipher *cipher, struct lane *lane, bool decrypt)
{
    (void)decrypt;
    define_chain(cipher, SHAPE_OFB, lane, 1);
}

static void run_cbc(const struct cipher *cipher, struct lane *lane, bool decrypt)
{
    if (decrypt)
        define_bulk(cipher, FORM_CBC, true, lane, 1);
    else
        define_chain(cipher, SHAPE_CBC, lane, 1);
}

static void run_pcbc(const struct cipher *cipher, struct lane *lane, bool decrypt)
{
    if (decrypt)
        define_bulk(cipher, FORM_PCBC, true, lane, 1);
    else
        define_chain(cipher, SHAPE_PCBC, lane, 1);
}

static void run_ecb(const struct cipher *cipher, struct lane *lane, bool decrypt)
{
    define_bulk(cipher, FORM_ECB, decrypt, lane, 1);
}

/* Block by block with `run`, the last one cut. */
static void by_blocks(const struct cipher *cipher, const mtaes_message *m, const uint8_t *state,
                      uint8_t *dst, void (*run)(const struct cipher *, struct lane *, bool))
{
    struct lane lane = {.src = m->src, .dst = dst};
    if (state != NULL)
        memcpy(lane.state, state, 16);
    for (size_t i = 0; i < m->bytes / 16; i++) {
        run(cipher, &lane, m->direction == MTAES_DECRYPT);
        lane.src += 16;
        lane.dst += 16;
    }
    tail_of(cipher, m, &lane, dst, run);
}

/* IEEE 1619, 5.3.2 and 5.4.2: one unit with ciphertext stealing. */
static void define_unit(const struct cipher *data, const struct cipher *tweak, bool decrypt,
                        const uint8_t number[16], uint8_t *dst, const uint8_t *src, size_t bytes)
{
    struct lane lane = {.src = src, .dst = dst};
    const size_t rest = bytes % 16, whole = bytes / 16 - (rest != 0);
    define_block(tweak, false, lane.state, number);
    define_bulk(data, FORM_XEX, decrypt, &lane, whole);
    if (rest == 0)
        return;
    /* In decryption the last whole block takes the tweak after its own. */
    uint8_t tweaks[2][16], block[16], last[16];
    memcpy(tweaks[0], lane.state, 16);
    memcpy(tweaks[1], lane.state, 16);
    double_tweak(tweaks[1]);
    memcpy(last, src + 16 * (whole + 1), rest);
    xor_block(block, src + 16 * whole, tweaks[decrypt]);
    define_block(data, decrypt, block, block);
    xor_block(block, block, tweaks[decrypt]);
    memcpy(dst + 16 * (whole + 1), block, rest);
    memcpy(block, last, rest);
    xor_block(block, block, tweaks[!decrypt]);
    define_block(data, decrypt, block, block);
    xor_block(dst + 16 * whole, block, tweaks[!decrypt]);
}

static void define_xts(const struct cipher *data, const struct cipher *tweak,
                       const mtaes_message *m, uint8_t *dst)
{
    uint8_t number[16];
    memcpy(number, m->iv, 16);
    const size_t unit = m->unit_bytes ? m->unit_bytes : m->bytes;
    for (size_t at = 0; at < m->bytes; at += unit) {
        const size_t n = m->bytes - at < unit ? m->bytes - at : unit;
        define_unit(data, tweak, m->direction == MTAES_DECRYPT, number, dst + at,
                    (const uint8_t *)m->src + at, n);
        for (int i = 0; i < 16 && ++number[i] == 0; i++)
            ;
    }
}

/* Hash bytes with zeros up to a whole block. */
static void hash_padded(const uint8_t h[16], uint8_t y[16], const uint8_t *p, size_t bytes)
{
    uint8_t last[16] = {0};
    define_ghash(h, y, p, bytes / 16);
    if (bytes % 16 != 0) {
        memcpy(last, p + bytes / 16 * 16, bytes % 16);
        define_ghash(h, y, last, 1);
    }
}

static void hash_lengths(const uint8_t h[16], uint8_t y[16], uint64_t first, uint64_t second)
{
    uint8_t block[16];
    store_be64(block, 8 * first);
    store_be64(block + 8, 8 * second);
    define_ghash(h, y, block, 1);
}

/* SP 800-38D, algorithms 4 and 5. */
static void define_gcm_message(const struct cipher *cipher, const mtaes_message *m, uint8_t *dst,
                               uint8_t tag[16])
{
    uint8_t h[16] = {0}, first[16] = {0}, counter[16], y[16] = {0};
    define_block(cipher, false, h, h);
    if (m->iv_bytes == 12) {
        memcpy(first, m->iv, 12);
        first[15] = 1;
    } else {
        hash_padded(h, first, m->iv, m->iv_bytes);
        hash_lengths(h, first, 0, m->iv_bytes);
    }
    memcpy(counter, first, 16);
    count_up(counter, 4);
    hash_padded(h, y, m->aad, m->aad_bytes);
    if (m->direction == MTAES_DECRYPT)
        hash_padded(h, y, m->src, m->bytes);
    by_blocks(cipher, m, counter, dst, run_ctr32);
    if (m->direction == MTAES_ENCRYPT)
        hash_padded(h, y, dst, m->bytes);
    hash_lengths(h, y, m->aad_bytes, m->bytes);
    define_block(cipher, false, first, first);
    xor_block(tag, y, first);
}

/* The original Gecko's counter: block n's is the IV with n bytes, 0 to 15 in turn, one more each. */
static void define_gecko_ctr_compat(const struct cipher *cipher, const mtaes_message *m,
                                    uint8_t *dst)
{
    const uint8_t *const iv = m->iv, *const src = m->src;
    uint8_t pad[16] = {0};
    for (size_t i = 0; i < m->bytes; i++) {
        const size_t n = i / 16;
        for (size_t j = 0; j < 16 && i % 16 == 0; j++)
            pad[j] = (uint8_t)(iv[j] + (n + 15 - j) / 16);
        if (i % 16 == 0)
            define_block(cipher, false, pad, pad);
        dst[i] = src[i] ^ pad[i % 16];
    }
}

bool define_message(const struct cipher *data, const struct cipher *tweak, const char *mode,
                    const mtaes_message *message, uint8_t *dst, uint8_t tag[16])
{
    static const struct {
        const char *name;
        void (*run)(const struct cipher *, struct lane *, bool);
    } simple[] = {{"ecb", run_ecb},   {"ctr", run_ctr}, {"cbc", run_cbc},
                  {"pcbc", run_pcbc}, {"cfb", run_cfb}, {"ofb", run_ofb}};
    for (size_t i = 0; i < sizeof simple / sizeof *simple; i++)
        if (strcmp(mode, simple[i].name) == 0) {
            by_blocks(data, message, message->iv, dst, simple[i].run);
            return true;
        }
    if (strcmp(mode, "xts") == 0)
        define_xts(data, tweak, message, dst);
    else if (strcmp(mode, "gcm") == 0)
        define_gcm_message(data, message, dst, tag);
    else if (strcmp(mode, "gecko-ctr-compat") == 0)
        define_gecko_ctr_compat(data, message, dst);
    else
        return false;
    return true;
}
