/* cbc.c: mode "cbc": each plaintext block is XORed with the ciphertext block before. Source: NIST SP 800-38A, 6.2. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "walk.h"

static void encrypt(const struct mtaes_message *message, size_t at, size_t bytes,
                    struct state *state, bool large)
{
    (void)large; /* a chain is slower than any memory */
    walk_chain(message, SHAPE_CBC, at, bytes, state);
}

static void decrypt(const struct mtaes_message *message, size_t at, size_t bytes,
                    struct state *state, bool large)
{
    walk(message->key, FORM_CBC, true, (const uint8_t *)message->src + at,
         (uint8_t *)message->dst + at, bytes / BLOCK_BYTES, state->chain, large);
    state->done += bytes;
}

const struct mtaes_mode mode_cbc = {
    .name = "cbc",
    .iv_bytes_min = BLOCK_BYTES,
    .iv_bytes_max = BLOCK_BYTES,
    .multiple_bytes = BLOCK_BYTES,
    .bytes_max = UINT64_MAX,
    .encrypt = {.run = encrypt, .shape = SHAPE_CBC},
    .decrypt = {.cut = walk_cut, .seek = walk_seek_ciphertext, .run = decrypt},
};
