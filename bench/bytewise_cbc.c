/* bytewise_cbc.c: CBC over the byte-wise ciphers. Source: NIST SP 800-38A, 6.2. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "bytewise.h"

enum { BLOCK = BYTEWISE_BLOCK };

static void add(uint8_t a[BLOCK], const uint8_t b[BLOCK])
{
    for (size_t i = 0; i < BLOCK; i++)
        a[i] ^= b[i];
}

void bytewise_cbc_encrypt(const struct bytewise *cipher, const struct bytewise_key *key,
                          const uint8_t iv[BLOCK], uint8_t *data, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += BLOCK) {
        add(data + at, at == 0 ? iv : data + at - BLOCK);
        cipher->encrypt(key, data + at);
    }
}

void bytewise_cbc_decrypt(const struct bytewise *cipher, const struct bytewise_key *key,
                          const uint8_t iv[BLOCK], uint8_t *data, size_t bytes)
{
    uint8_t previous[BLOCK], own[BLOCK];
    memcpy(previous, iv, BLOCK);
    for (size_t at = 0; at < bytes; at += BLOCK) {
        memcpy(own, data + at, BLOCK);
        cipher->decrypt(key, data + at);
        add(data + at, previous);
        memcpy(previous, own, BLOCK);
    }
}
