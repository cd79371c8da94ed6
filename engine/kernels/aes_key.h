/* aes_key.h: AES round keys, FIPS 197 (2001), 5.2; how S-box values are found is the kernel's. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MTAES_ENGINE_KERNELS_AES_KEY_H
#define MTAES_ENGINE_KERNELS_AES_KEY_H

#include "kernel.h"
#include "util.h"

enum { AES_ROUND_KEYS = 15 }; /* of the longest key: 14 rounds, and one before the first */

/* What the x86 kernels share. Only the first rounds + 1 keys of each are set. decrypt is the
   equivalent inverse cipher (5.3.5) in the order of use: the last of encrypt, those between through
   InvMixColumns, the first of encrypt. */
struct aes_schedule {
    uint8_t encrypt[AES_ROUND_KEYS][BLOCK_BYTES];
    uint8_t decrypt[AES_ROUND_KEYS][BLOCK_BYTES];
    uint32_t rounds; /* 10, 12 or 14 */
};

/* Write *rounds + 1 round keys; false, and nothing written, if key_bytes is not 16, 24 or 32.
   sub_word puts each of the four bytes through the S-box; it is inlined where it is a constant. */
static inline __attribute__((always_inline)) bool
aes_expand(uint8_t round_keys[AES_ROUND_KEYS][BLOCK_BYTES], unsigned *rounds, const uint8_t *key,
           size_t key_bytes, uint32_t (*sub_word)(uint32_t))
{
    if (key_bytes != 16 && key_bytes != 24 && key_bytes != 32)
        return false;
    const size_t key_words = key_bytes / 4, words = 4 * (key_words + 7);
    uint8_t *const w = (uint8_t *)round_keys; /* the words one after another */
    memcpy(w, key, key_bytes);
    uint32_t word = load_be32(w + key_bytes - 4), rcon = 1;
    for (size_t i = key_words; i < words; i++) {
        if (i % key_words == 0) {
            word = sub_word(word << 8 | word >> 24) ^ rcon << 24;
            rcon = rcon << 1 ^ (rcon >> 7) * 0x11b;
        } else if (key_words == 8 && i % 8 == 4) {
            word = sub_word(word);
        }
        word ^= load_be32(w + 4 * (i - key_words));
        store_be32(w + 4 * i, word);
    }
    wipe(&word, sizeof word);
    *rounds = (unsigned)key_words + 6;
    return true;
}

/* The key expansion of all x86 kernels: fills a struct aes_schedule. (aes_aesni.c) */
bool aes_x86_expand(void *schedule, const uint8_t *key, size_t key_bytes);

#endif
