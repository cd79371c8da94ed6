/* bytewise_modes.c: ECB and CTR (NIST SP 800-38A, 6.1, 6.5) over the byte-wise ciphers. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "bytewise.h"

enum { BLOCK = BYTEWISE_BLOCK };

void bytewise_ecb_encrypt(const struct bytewise *cipher, const struct bytewise_key *key,
                          uint8_t *data, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += BLOCK)
        cipher->encrypt(key, data + at);
}

void bytewise_ecb_decrypt(const struct bytewise *cipher, const struct bytewise_key *key,
                          uint8_t *data, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += BLOCK)
        cipher->decrypt(key, data + at);
}

void bytewise_ctr(const struct bytewise *cipher, const struct bytewise_key *key,
                  const uint8_t iv[BLOCK], uint8_t *data, size_t bytes)
{
    uint8_t counter[BLOCK], pad[BLOCK];
    memcpy(counter, iv, BLOCK);
    for (size_t at = 0; at < bytes; at += BLOCK) {
        memcpy(pad, counter, BLOCK);
        cipher->encrypt(key, pad);
        for (size_t i = 0; i < BLOCK; i++)
            data[at + i] ^= pad[i];
        cipher->count(counter, at / BLOCK);
    }
}
