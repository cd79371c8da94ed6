/* walk.h: how a mode takes a run of whole blocks to the kernel: cached, or larger than the caches. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MTAES_ENGINE_MODES_WALK_H
#define MTAES_ENGINE_MODES_WALK_H

#include "mode.h"
#include "util.h"

enum {
    WALK_PAGE_BYTES = 4096,
    WALK_PAGE_BLOCKS = WALK_PAGE_BYTES / BLOCK_BYTES,
    WALK_STREAM_ALIGN = 64, /* bytes that a non-temporal store fills at once */
};

/* The state `blocks` after `state`, for forms where it does not depend on the text, and with src, the text
   from the block of `state` on, for those where it is the last ciphertext block. */
static inline void walk_skip(enum form form, uint8_t state[BLOCK_BYTES], const uint8_t *src,
                             size_t blocks)
{
    switch (form) {
    case FORM_CTR:
        add_be128(state, blocks);
        break;
    case FORM_CTR32:
        store_be32(state + 12, load_be32(state + 12) + (uint32_t)blocks);
        break;
    case FORM_CBC:
    case FORM_CFB:
        memcpy(state, src + (blocks - 1) * BLOCK_BYTES, BLOCK_BYTES);
        break;
    case FORM_XEX: /* times x^blocks, a word of 8 bytes at a time */
        for (; blocks >= 64; blocks -= 64) {
            const uint64_t out = load_le64(state + 8);
            store_le64(state + 8, load_le64(state) ^ out >> 63 ^ out >> 62 ^ out >> 57);
            store_le64(state, out ^ out << 1 ^ out << 2 ^ out << 7);
        }
        for (; blocks; blocks--) {
            const uint64_t low = load_le64(state), high = load_le64(state + 8);
            store_le64(state + 8, high << 1 | low >> 63);
            store_le64(state, low << 1 ^ (0x87 & (0 - (high >> 63))));
        }
        break;
    case FORM_ECB:
    case FORM_PCBC:
        break;
    }
}

/* Groups of four neighbouring pages, each a lane: several streams at once keep the memory busier than
   one. */
static inline void walk_pages(const struct mtaes_key *key, enum form form, bool decrypt,
                              struct lane *one, size_t groups, enum reach reach)
{
    struct lane lane[KERNEL_LANES];
    for (; groups; groups--) {
        for (size_t l = 0; l < KERNEL_LANES; l++) {
            lane[l] = *one;
            walk_skip(form, one->state, one->src, WALK_PAGE_BLOCKS);
            one->src += WALK_PAGE_BYTES;
            one->dst += WALK_PAGE_BYTES;
        }
        kernel_bulk(key->kernel, key->schedule, form, decrypt, lane, KERNEL_LANES, WALK_PAGE_BLOCKS,
                    reach);
    }
    wipe(lane, sizeof lane);
}

/* The next blocks of one lane, which goes on behind them. */
static inline void walk_on(const struct mtaes_key *key, enum form form, bool decrypt,
                           struct lane *lane, size_t blocks, enum reach reach)
{
    kernel_bulk(key->kernel, key->schedule, form, decrypt, lane, 1, blocks, reach);
    lane->src += blocks * BLOCK_BYTES;
    lane->dst += blocks * BLOCK_BYTES;
}

/* How a text larger than the caches is written: around them, with stores that do not read what they overwrite, where src
   and dst are not the same, and whole blocks can come to stand where such stores want them: after `head` others. */
static inline enum reach walk_reach(const uint8_t *src, const uint8_t *dst, size_t *head)
{
    const size_t over = (uintptr_t)dst % WALK_STREAM_ALIGN;
    const bool around = src != dst && over % BLOCK_BYTES == 0;
    *head = around ? (WALK_STREAM_ALIGN - over) % WALK_STREAM_ALIGN / BLOCK_BYTES : 0;
    return around ? REACH_AROUND : REACH_MEMORY;
}

/* As many of `blocks` as make whole pages, in as many lanes as the CPU likes. Returns how many that were. */
static inline size_t walk_large(const struct mtaes_key *key, enum form form, bool decrypt,
                                struct lane *lane, size_t blocks)
{
    size_t head;
    const enum reach reach = walk_reach(lane->src, lane->dst, &head);
    const size_t lanes = kernel_large_lanes(), group = lanes * WALK_PAGE_BLOCKS;
    if (blocks < head + group)
        return 0;
    walk_on(key, form, decrypt, lane, head, REACH_MEMORY);
    const size_t groups = (blocks - head) / group;
    if (lanes == 1)
        walk_on(key, form, decrypt, lane, groups * group, reach);
    else
        walk_pages(key, form, decrypt, lane, groups, reach);
    return head + groups * group;
}

/* Process `blocks` whole blocks in one form; state is that before the first, and is left as that
   after the last. `large`: the message is larger than the caches. */
static inline void walk(const struct mtaes_key *key, enum form form, bool decrypt,
                        const uint8_t *src, uint8_t *dst, size_t blocks, uint8_t state[BLOCK_BYTES],
                        bool large)
{
    struct lane lane = {.src = src, .dst = dst};
    memcpy(lane.state, state, BLOCK_BYTES);
    if (large && form != FORM_PCBC)
        blocks -= walk_large(key, form, decrypt, &lane, blocks);
    kernel_bulk(key->kernel, key->schedule, form, decrypt, &lane, 1, blocks,
                large ? REACH_MEMORY : REACH_CACHE);
    memcpy(state, lane.state, BLOCK_BYTES);
}

/* The last 1 to 15 bytes of a mode that turns the cipher into a key stream: as a block filled up with zeros. */
static inline void walk_tail(const struct mtaes_key *key, enum form form, const uint8_t *src,
                             uint8_t *dst, size_t bytes, uint8_t state[BLOCK_BYTES])
{
    uint8_t block[BLOCK_BYTES] = {0};
    struct lane lane = {.src = block, .dst = block};
    memcpy(lane.state, state, BLOCK_BYTES);
    memcpy(block, src, bytes);
    kernel_bulk(key->kernel, key->schedule, form, false, &lane, 1, 1, REACH_CACHE);
    memcpy(dst, block, bytes);
    memcpy(state, lane.state, BLOCK_BYTES);
    wipe(block, sizeof block);
}

/* A chain: whole blocks, and (CFB, OFB) a last part of one as a block filled up with zeros. */
static inline void walk_chain(const struct mtaes_message *message, unsigned shape, size_t at,
                              size_t bytes, struct state *state)
{
    const struct mtaes_key *const key = message->key;
    const size_t whole = bytes / BLOCK_BYTES * BLOCK_BYTES, rest = bytes - whole;
    uint8_t block[BLOCK_BYTES] = {0};
    struct lane lane = {.src = (const uint8_t *)message->src + at,
                        .dst = (uint8_t *)message->dst + at};
    memcpy(lane.state, state->chain, BLOCK_BYTES);
    if (whole)
        kernel_chain(key->kernel, key->schedule, shape, &lane, 1, whole / BLOCK_BYTES);
    if (rest) {
        memcpy(block, lane.src + whole, rest);
        uint8_t *const end = lane.dst + whole;
        lane.src = lane.dst = block;
        kernel_chain(key->kernel, key->schedule, shape, &lane, 1, 1);
        memcpy(end, block, rest);
        wipe(block, sizeof block);
    }
    memcpy(state->chain, lane.state, BLOCK_BYTES);
    state->done += bytes;
}

/* The greatest whole number of blocks up to `near`, or the message's end: the cut of most modes. */
static inline size_t walk_cut(const struct mtaes_message *message, size_t near, bool last)
{
    return last && near >= message->bytes ? message->bytes : near / BLOCK_BYTES * BLOCK_BYTES;
}

/* The state at `at` where it is the ciphertext block before. */
static inline void walk_seek_ciphertext(const struct mtaes_message *message,
                                        const struct state *first, size_t at, struct state *state)
{
    *state = *first;
    if (at)
        memcpy(state->chain, (const uint8_t *)message->src + at - BLOCK_BYTES, BLOCK_BYTES);
    state->done += at;
}

#endif
