/* bytewise_gecko.c: Gecko (L. Tomasello, 2019), a byte at a time: a yardstick only. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "bytewise.h"
#include "bytewise_sbox.h"

enum { BLOCK = BYTEWISE_BLOCK };

static void exchange(uint8_t *a, uint8_t *b)
{
    const uint8_t t = *a;
    *a = *b;
    *b = t;
}

/* ------------------------------------------------------------------------------------ key setup */

/* Rows of copies of the key, rotated by the row's number and with a salt each. */
static void expand(struct bytewise_key *key, const uint8_t *bytes, size_t key_bytes)
{
    uint8_t salt = 0;
    for (size_t i = 0; i < key->table_bytes; i++) {
        const size_t row = i / key_bytes, j = i % key_bytes;
        const unsigned places = row % 8;
        if (row > 0 && j == 0)
            salt = sbox_back[salt] ^ bytes[row - 1];
        key->table[i] = (uint8_t)(bytes[j] << places | bytes[j] >> (8 - places)) ^ salt;
    }
}

static void keyed_shuffle(uint8_t *list, const uint8_t *source, size_t n)
{
    for (size_t i = n - 1; i > 0; i--)
        exchange(&list[i], &list[*source++ % (i + 1)]);
}

static void setup(struct bytewise_key *key, const uint8_t *bytes, size_t key_bytes)
{
    uint8_t source[BYTEWISE_TABLE];
    key->table_bytes = 4 * (key_bytes + 28);
    expand(key, bytes, key_bytes);
    for (size_t i = 0; i < key->table_bytes; i++)
        source[i] = sbox_back[i] ^ key->table[i];
    keyed_shuffle(key->table, source, key->table_bytes);
    for (uint8_t i = 0; i < BLOCK; i++)
        key->exchange[i] = i;
    keyed_shuffle(key->exchange, key->table, BLOCK);
}

/* --------------------------------------------------------------------------------------- layers */

static void sub(uint8_t b[BLOCK], const uint8_t table[256])
{
    for (size_t i = 0; i < BLOCK; i++)
        b[i] = table[b[i]];
}

static void add_subkey(const struct bytewise_key *key, uint8_t b[BLOCK], size_t r)
{
    const uint8_t *const q = key->table + BLOCK * r;
    for (size_t i = 0; i < BLOCK; i++)
        b[i] ^= sbox[q[i]] ^ q[i];
}

static void add_last_subkey(const struct bytewise_key *key, uint8_t b[BLOCK])
{
    for (size_t i = 0; i < BLOCK; i++)
        b[i] ^= key->table[key->table_bytes - BLOCK + i];
}

/* All 128 bits to the left by 6, byte 0 being the lowest. */
static void rotate(uint8_t b[BLOCK])
{
    const uint8_t top = b[BLOCK - 1];
    for (size_t i = BLOCK - 1; i > 0; i--)
        b[i] = (uint8_t)(b[i] << 6 | b[i - 1] >> 2);
    b[0] = (uint8_t)(b[0] << 6 | top >> 2);
}

static void rotate_back(uint8_t b[BLOCK])
{
    const uint8_t low = b[0];
    for (size_t i = 0; i < BLOCK - 1; i++)
        b[i] = (uint8_t)(b[i] >> 6 | b[i + 1] << 2);
    b[BLOCK - 1] = (uint8_t)(b[BLOCK - 1] >> 6 | low << 2);
}

static void swap(const struct bytewise_key *key, uint8_t b[BLOCK])
{
    for (size_t i = BLOCK - 1; i > 0; i--)
        exchange(&b[i], &b[key->exchange[BLOCK - 1 - i]]);
}

static void swap_back(const struct bytewise_key *key, uint8_t b[BLOCK])
{
    for (size_t i = 1; i < BLOCK; i++)
        exchange(&b[i], &b[key->exchange[BLOCK - 1 - i]]);
}

static void mix(const struct bytewise_key *key, uint8_t b[BLOCK])
{
    const uint8_t *const x = key->exchange;
    for (size_t j = 0; j < 8; j += 2)
        b[x[j]] ^= b[x[j + 1]];
    for (size_t j = 0; j < 8; j += 2)
        b[x[j + 1]] ^= b[x[(j + 2) % 8]];
}

static void mix_back(const struct bytewise_key *key, uint8_t b[BLOCK])
{
    const uint8_t *const x = key->exchange;
    for (size_t j = 0; j < 8; j += 2)
        b[x[j + 1]] ^= b[x[(j + 2) % 8]];
    for (size_t j = 0; j < 8; j += 2)
        b[x[j]] ^= b[x[j + 1]];
}

static void encrypt(const struct bytewise_key *key, uint8_t b[BLOCK])
{
    mix(key, b);
    swap(key, b);
    for (size_t r = 0; r < key->table_bytes / BLOCK - 1; r++) {
        sub(b, sbox);
        add_subkey(key, b, r);
        rotate(b);
        swap(key, b);
        mix(key, b);
    }
    swap(key, b);
    add_last_subkey(key, b);
}

static void decrypt(const struct bytewise_key *key, uint8_t b[BLOCK])
{
    add_last_subkey(key, b);
    swap_back(key, b);
    for (size_t r = key->table_bytes / BLOCK - 1; r-- > 0;) {
        mix_back(key, b);
        swap_back(key, b);
        rotate_back(b);
        add_subkey(key, b, r);
        sub(b, sbox_back);
    }
    swap_back(key, b);
    mix_back(key, b);
}

/* One byte more, without carry; the next one each time. */
static void count(uint8_t counter[BLOCK], size_t number)
{
    counter[number % BLOCK]++;
}

const struct bytewise bytewise_gecko = {"gecko", setup, encrypt, decrypt, count};
