/* bytewise_aes.c: AES of FIPS 197 (2001), a byte at a time: a yardstick only. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "bytewise.h"
#include "bytewise_sbox.h"

enum { BLOCK = BYTEWISE_BLOCK };

static void setup(struct bytewise_key *key, const uint8_t *bytes, size_t key_bytes)
{
    uint8_t *const w = key->table;
    uint8_t constant = 1;
    key->table_bytes = 4 * (key_bytes + 28);
    for (size_t i = 0; i < key_bytes; i++)
        w[i] = bytes[i];
    for (size_t i = key_bytes; i < key->table_bytes; i += 4) {
        uint8_t t[4] = {w[i - 4], w[i - 3], w[i - 2], w[i - 1]};
        if (i % key_bytes == 0) {
            const uint8_t first = t[0];
            t[0] = sbox[t[1]] ^ constant;
            t[1] = sbox[t[2]];
            t[2] = sbox[t[3]];
            t[3] = sbox[first];
            constant = (uint8_t)(constant << 1 ^ (constant >> 7) * 0x1b);
        } else if (key_bytes == 32 && i % 32 == 16) {
            for (size_t j = 0; j < 4; j++)
                t[j] = sbox[t[j]];
        }
        for (size_t j = 0; j < 4; j++)
            w[i + j] = w[i + j - key_bytes] ^ t[j];
    }
}

static void add_round_key(const struct bytewise_key *key, uint8_t b[BLOCK], size_t round)
{
    for (size_t i = 0; i < BLOCK; i++)
        b[i] ^= key->table[BLOCK * round + i];
}

static void sub_bytes(uint8_t b[BLOCK], const uint8_t table[256])
{
    for (size_t i = 0; i < BLOCK; i++)
        b[i] = table[b[i]];
}

/* Row r of the state is bytes r, r + 4, r + 8 and r + 12. */
static void shift_rows(uint8_t b[BLOCK])
{
    uint8_t t = b[1];
    b[1] = b[5];
    b[5] = b[9];
    b[9] = b[13];
    b[13] = t;
    t = b[2];
    b[2] = b[10];
    b[10] = t;
    t = b[6];
    b[6] = b[14];
    b[14] = t;
    t = b[15];
    b[15] = b[11];
    b[11] = b[7];
    b[7] = b[3];
    b[3] = t;
}

static void shift_rows_back(uint8_t b[BLOCK])
{
    uint8_t t = b[13];
    b[13] = b[9];
    b[9] = b[5];
    b[5] = b[1];
    b[1] = t;
    t = b[2];
    b[2] = b[10];
    b[10] = t;
    t = b[6];
    b[6] = b[14];
    b[14] = t;
    t = b[3];
    b[3] = b[7];
    b[7] = b[11];
    b[11] = b[15];
    b[15] = t;
}

static uint8_t times_x(uint8_t a)
{
    return (uint8_t)(a << 1 ^ (a >> 7) * 0x1b);
}

static void mix_columns(uint8_t b[BLOCK])
{
    for (uint8_t *c = b; c < b + BLOCK; c += 4) {
        const uint8_t first = c[0], all = c[0] ^ c[1] ^ c[2] ^ c[3];
        c[0] ^= all ^ times_x(c[0] ^ c[1]);
        c[1] ^= all ^ times_x(c[1] ^ c[2]);
        c[2] ^= all ^ times_x(c[2] ^ c[3]);
        c[3] ^= all ^ times_x(c[3] ^ first);
    }
}

/* InvMixColumns is MixColumns after adding 4 times the sum of a byte and the one after the next. */
static void mix_columns_back(uint8_t b[BLOCK])
{
    for (uint8_t *c = b; c < b + BLOCK; c += 4) {
        const uint8_t even = times_x(times_x(c[0] ^ c[2])), odd = times_x(times_x(c[1] ^ c[3]));
        c[0] ^= even;
        c[1] ^= odd;
        c[2] ^= even;
        c[3] ^= odd;
    }
    mix_columns(b);
}

static void encrypt(const struct bytewise_key *key, uint8_t b[BLOCK])
{
    const size_t rounds = key->table_bytes / BLOCK - 1;
    add_round_key(key, b, 0);
    for (size_t r = 1; r < rounds; r++) {
        sub_bytes(b, sbox);
        shift_rows(b);
        mix_columns(b);
        add_round_key(key, b, r);
    }
    sub_bytes(b, sbox);
    shift_rows(b);
    add_round_key(key, b, rounds);
}

static void decrypt(const struct bytewise_key *key, uint8_t b[BLOCK])
{
    size_t r = key->table_bytes / BLOCK - 1;
    add_round_key(key, b, r);
    for (r--; r > 0; r--) {
        shift_rows_back(b);
        sub_bytes(b, sbox_back);
        add_round_key(key, b, r);
        mix_columns_back(b);
    }
    shift_rows_back(b);
    sub_bytes(b, sbox_back);
    add_round_key(key, b, 0);
}

static void count(uint8_t counter[BLOCK], size_t number)
{
    (void)number;
    for (size_t i = BLOCK; i-- > 0 && ++counter[i] == 0;)
        continue;
}

const struct bytewise bytewise_aes = {"aes", setup, encrypt, decrypt, count};
