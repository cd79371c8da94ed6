/* ofb.c: mode "ofb": the cipher's output is fed back; a chain both ways. Source: NIST SP 800-38A, 6.4. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "walk.h"

static void run(const struct mtaes_message *message, size_t at, size_t bytes, struct state *state,
                bool large)
{
    (void)large; /* a chain is slower than any memory */
    walk_chain(message, SHAPE_OFB, at, bytes, state);
}

const struct mtaes_mode mode_ofb = {
    .name = "ofb",
    .iv_bytes_min = BLOCK_BYTES,
    .iv_bytes_max = BLOCK_BYTES,
    .multiple_bytes = 1,
    .bytes_max = UINT64_MAX,
    .encrypt = {.run = run, .shape = SHAPE_OFB},
    .decrypt = {.run = run, .shape = SHAPE_OFB},
};
