/* cfb.c: mode "cfb": cipher feedback of whole blocks, CFB128; a last part of a block is allowed. Source: NIST SP
   800-38A, 6.3. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "walk.h"

static void encrypt(const struct mtaes_message *message, size_t at, size_t bytes,
                    struct state *state, bool large)
{
    (void)large; /* a chain is slower than any memory */
    walk_chain(message, SHAPE_CFB, at, bytes, state);
}

static void decrypt(const struct mtaes_message *message, size_t at, size_t bytes,
                    struct state *state, bool large)
{
    const uint8_t *const src = (const uint8_t *)message->src + at;
    uint8_t *const dst = (uint8_t *)message->dst + at;
    const size_t whole = bytes / BLOCK_BYTES * BLOCK_BYTES;
    walk(message->key, FORM_CFB, true, src, dst, whole / BLOCK_BYTES, state->chain, large);
    if (whole < bytes)
        walk_tail(message->key, FORM_CFB, src + whole, dst + whole, bytes - whole, state->chain);
    state->done += bytes;
}

const struct mtaes_mode mode_cfb = {
    .name = "cfb",
    .iv_bytes_min = BLOCK_BYTES,
    .iv_bytes_max = BLOCK_BYTES,
    .multiple_bytes = 1,
    .bytes_max = UINT64_MAX,
    .encrypt = {.run = encrypt, .shape = SHAPE_CFB},
    .decrypt = {.cut = walk_cut, .seek = walk_seek_ciphertext, .run = decrypt},
};
