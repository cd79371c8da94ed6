/* bytewise.h: AES and Gecko a byte at a time with S-box tables: the published comparison. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_BYTEWISE_H
#define BENCH_BYTEWISE_H

#include <stddef.h>
#include <stdint.h>

/*
 * The published comparison set a byte-wise Gecko against a byte-wise AES. These two are written
 * alike and built with the same flags. They are slow, and their timing tells of key and text: they
 * serve as a yardstick, never to protect anything.
 */
enum { BYTEWISE_BLOCK = 16, BYTEWISE_TABLE = 240 };

struct bytewise_key {
    uint8_t table[BYTEWISE_TABLE];    /* the expanded key, table_bytes of it */
    uint8_t exchange[BYTEWISE_BLOCK]; /* Gecko only */
    size_t table_bytes;               /* 176, 208 or 240 */
};

struct bytewise {
    const char *name;
    void (*setup)(struct bytewise_key *key, const uint8_t *bytes,
                  size_t key_bytes); /* 16, 24, 32 */
    void (*encrypt)(const struct bytewise_key *key, uint8_t block[BYTEWISE_BLOCK]);
    void (*decrypt)(const struct bytewise_key *key, uint8_t block[BYTEWISE_BLOCK]);
    /* The counter after that of block `number`: AES one more as a big-endian number, Gecko as its
       original counts. */
    void (*count)(uint8_t counter[BYTEWISE_BLOCK], size_t number);
};

extern const struct bytewise bytewise_aes, bytewise_gecko;

/* In place, whole blocks. */
void bytewise_cbc_encrypt(const struct bytewise *cipher, const struct bytewise_key *key,
                          const uint8_t iv[BYTEWISE_BLOCK], uint8_t *data, size_t bytes);
void bytewise_cbc_decrypt(const struct bytewise *cipher, const struct bytewise_key *key,
                          const uint8_t iv[BYTEWISE_BLOCK], uint8_t *data, size_t bytes);
void bytewise_ecb_encrypt(const struct bytewise *cipher, const struct bytewise_key *key,
                          uint8_t *data, size_t bytes);
void bytewise_ecb_decrypt(const struct bytewise *cipher, const struct bytewise_key *key,
                          uint8_t *data, size_t bytes);
void bytewise_ctr(const struct bytewise *cipher, const struct bytewise_key *key,
                  const uint8_t iv[BYTEWISE_BLOCK], uint8_t *data, size_t bytes);

#endif
