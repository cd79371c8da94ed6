/* gecko_ctr_compat.c: mode "gecko-ctr-compat": the original Gecko's counter (L. Tomasello, 2019). */
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Broken: for reading old data only. Block n's counter is the IV with n single bytes increased by
 * one, without carry: byte 0, byte 1, ..., byte 15, byte 0 again, and so on. After 4096 blocks each
 * of the 16 bytes has come round to where it was, and the key stream repeats; so a message has at
 * most 65,536 bytes here. New data takes "ctr".
 *
 * state->chain stays the IV: a block's counter follows from it and the block's number, which is
 * state->done / 16.
 */
#include "mode.h"
#include "util.h"
#include "walk.h"

enum { COUNTERS = 128 }; /* at a time: enough to keep a wide kernel busy */

/* n counters from that of block `number` on. */
static void fill_counters(uint8_t (*counter)[BLOCK_BYTES], const uint8_t iv[BLOCK_BYTES],
                          uint64_t number, size_t n)
{
    uint8_t block[BLOCK_BYTES];
    for (size_t j = 0; j < BLOCK_BYTES; j++)
        block[j] = (uint8_t)(iv[j] + (number + BLOCK_BYTES - 1 - j) / BLOCK_BYTES);
    uint64_t half[2] = {load_le64(block), load_le64(block + 8)};
    for (size_t i = 0; i < n; i++, number++) {
        store_le64(counter[i], half[0]);
        store_le64(counter[i] + 8, half[1]);
        /* byte number % 16 more by one, and no carry from it */
        uint64_t *const h = &half[number / 8 % 2];
        const uint64_t byte = UINT64_C(0xff) << 8 * (number % 8);
        *h = (*h & ~byte) | ((*h + (byte & UINT64_C(0x0101010101010101))) & byte);
    }
}

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
    const struct mtaes_key *const key = message->key;
    const uint8_t *src = (const uint8_t *)message->src + at;
    uint8_t *dst = (uint8_t *)message->dst + at;
    uint8_t pad[COUNTERS][BLOCK_BYTES];
    const size_t used = bytes < sizeof pad ? (bytes + BLOCK_BYTES - 1) / BLOCK_BYTES : COUNTERS;
    (void)large; /* 64 KiB never are */
    size_t now;
    for (size_t left = bytes; left > 0; left -= now) {
        now = left < sizeof pad ? left : sizeof pad;
        const size_t blocks = (now + BLOCK_BYTES - 1) / BLOCK_BYTES, whole = now / BLOCK_BYTES;
        fill_counters(pad, state->chain, state->done / BLOCK_BYTES, blocks);
        key->kernel->blocks(key->schedule, false, pad[0], pad[0], blocks);
        for (size_t i = 0; i < whole; i++)
            xor_block(dst + i * BLOCK_BYTES, src + i * BLOCK_BYTES, pad[i]);
        for (size_t i = whole * BLOCK_BYTES; i < now; i++)
            dst[i] = src[i] ^ pad[whole][i % BLOCK_BYTES];
        src += now;
        dst += now;
        state->done += now;
    }
    wipe(pad, used * BLOCK_BYTES);
}

const struct mtaes_mode mode_gecko_ctr_compat = {
    .name = "gecko-ctr-compat",
    .cipher = "gecko",
    .iv_bytes_min = BLOCK_BYTES,
    .iv_bytes_max = BLOCK_BYTES,
    .multiple_bytes = 1,
    .bytes_max = 65536,
    .encrypt = {.cut = walk_cut, .seek = seek, .run = run},
    .decrypt = {.cut = walk_cut, .seek = seek, .run = run},
};
