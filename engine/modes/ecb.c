/* ecb.c: mode "ecb": each block by itself. Source: NIST SP 800-38A, 6.1. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "walk.h"

static void seek(const struct mtaes_message *message, const struct state *first, size_t at,
                 struct state *state)
{
    (void)message;
    *state = *first;
    state->done += at;
}

static void run(const struct mtaes_message *message, size_t at, size_t bytes, struct state *state,
                bool large)
{
    walk(message->key, FORM_ECB, message->direction == MTAES_DECRYPT,
         (const uint8_t *)message->src + at, (uint8_t *)message->dst + at, bytes / BLOCK_BYTES,
         state->chain, large);
    state->done += bytes;
}

const struct mtaes_mode mode_ecb = {
    .name = "ecb",
    .multiple_bytes = BLOCK_BYTES,
    .bytes_max = UINT64_MAX,
    .encrypt = {.cut = walk_cut, .seek = seek, .run = run},
    .decrypt = {.cut = walk_cut, .seek = seek, .run = run},
};
