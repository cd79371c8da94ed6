/* ctr.c: mode "ctr": a key stream from a 128-bit big-endian counter. Source: NIST SP 800-38A, 6.5 and B.1. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "walk.h"

static void seek(const struct mtaes_message *message, const struct state *first, size_t at,
                 struct state *state)
{
    (void)message;
    *state = *first;
    add_be128(state->chain, at / BLOCK_BYTES);
    state->done += at;
}

static void run(const struct mtaes_message *message, size_t at, size_t bytes, struct state *state,
                bool large)
{
    const uint8_t *const src = (const uint8_t *)message->src + at;
    uint8_t *const dst = (uint8_t *)message->dst + at;
    const size_t whole = bytes / BLOCK_BYTES * BLOCK_BYTES;
    walk(message->key, FORM_CTR, false, src, dst, whole / BLOCK_BYTES, state->chain, large);
    if (whole < bytes)
        walk_tail(message->key, FORM_CTR, src + whole, dst + whole, bytes - whole, state->chain);
    state->done += bytes;
}

const struct mtaes_mode mode_ctr = {
    .name = "ctr",
    .iv_bytes_min = BLOCK_BYTES,
    .iv_bytes_max = BLOCK_BYTES,
    .multiple_bytes = 1,
    .bytes_max = UINT64_MAX,
    .encrypt = {.cut = walk_cut, .seek = seek, .run = run},
    .decrypt = {.cut = walk_cut, .seek = seek, .run = run},
};
