/* gcm.c: mode "gcm": CTR with a 32-bit counter, and GHASH of the ciphertext. Source: NIST SP 800-38D. */
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * GHASH is a polynomial in H, so a part may be hashed from zero: with n blocks in it, the hash after it is the hash
 * before it times H^n, XORed with the part's own.
 */
#include "walk.h"

enum {
    USUAL_IV_BYTES = 12,
    CHUNK_BLOCKS =
        512, /* encrypted, then hashed while still in the L1 cache, where there is no single pass */
};

/* Whole blocks, then the rest filled up with zeros. */
static void hash_padded(const struct mtaes_key *key, uint8_t y[BLOCK_BYTES], const uint8_t *src,
                        size_t bytes)
{
    const size_t whole = bytes / BLOCK_BYTES;
    key->ghash->update(key->extra, y, src, whole);
    if (bytes % BLOCK_BYTES) {
        uint8_t block[BLOCK_BYTES] = {0};
        memcpy(block, src + whole * BLOCK_BYTES, bytes % BLOCK_BYTES);
        key->ghash->update(key->extra, y, block, 1);
    }
}

static void hash_lengths(const struct mtaes_key *key, uint8_t y[BLOCK_BYTES], uint64_t a_bytes,
                         uint64_t b_bytes)
{
    uint8_t block[BLOCK_BYTES];
    store_be64(block, a_bytes * 8);
    store_be64(block + 8, b_bytes * 8);
    key->ghash->update(key->extra, y, block, 1);
}

/* J_0, the counter block before the first. */
static void find_first_counter(const struct mtaes_message *message, uint8_t j0[BLOCK_BYTES])
{
    memset(j0, 0, BLOCK_BYTES);
    if (message->iv_bytes == USUAL_IV_BYTES) {
        memcpy(j0, message->iv, USUAL_IV_BYTES);
        j0[15] = 1;
    } else {
        hash_padded(message->key, j0, message->iv, message->iv_bytes);
        hash_lengths(message->key, j0, 0, message->iv_bytes);
    }
}

static void begin(const struct mtaes_message *message, struct state *state)
{
    find_first_counter(message, state->chain);
    walk_skip(FORM_CTR32, state->chain, NULL, 1);
}

static void absorb(const struct mtaes_message *message, struct state *state, const uint8_t *aad,
                   size_t bytes)
{
    hash_padded(message->key, state->hash, aad, bytes);
    state->aad_bytes += bytes;
}

/* Without a single pass: chunk by chunk, always hashing ciphertext. */
static void run_in_turn(const struct mtaes_key *key, bool decrypt, const uint8_t *src, uint8_t *dst,
                        size_t blocks, struct state *state)
{
    while (blocks) {
        const size_t now = blocks < CHUNK_BLOCKS ? blocks : CHUNK_BLOCKS;
        if (decrypt)
            key->ghash->update(key->extra, state->hash, src, now);
        walk(key, FORM_CTR32, false, src, dst, now, state->chain, false);
        if (!decrypt)
            key->ghash->update(key->extra, state->hash, dst, now);
        src += now * BLOCK_BYTES;
        dst += now * BLOCK_BYTES;
        blocks -= now;
    }
}

static void run_whole_blocks(const struct mtaes_key *key, bool decrypt, const uint8_t *src,
                             uint8_t *dst, size_t blocks, bool public_counter, struct state *state,
                             bool large)
{
    if (!key->kernel->gcm || strcmp(key->kernel->ghash, key->ghash->name) != 0) {
        run_in_turn(key, decrypt, src, dst, blocks, state);
        return;
    }
    struct lane lane = {.src = src, .dst = dst};
    size_t head = 0;
    const enum reach reach = large ? walk_reach(src, dst, &head) : REACH_CACHE;
    head = head < blocks ? head : blocks;
    memcpy(lane.state, state->chain, BLOCK_BYTES);
    if (head)
        key->kernel->gcm(key->schedule, key->extra, decrypt, public_counter, &lane, state->hash,
                         head, REACH_CACHE);
    lane.src += head * BLOCK_BYTES;
    lane.dst += head * BLOCK_BYTES;
    key->kernel->gcm(key->schedule, key->extra, decrypt, public_counter, &lane, state->hash,
                     blocks - head, reach);
    memcpy(state->chain, lane.state, BLOCK_BYTES);
}

static void run(const struct mtaes_message *message, size_t at, size_t bytes, struct state *state,
                bool large)
{
    const uint8_t *const src = (const uint8_t *)message->src + at;
    uint8_t *const dst = (uint8_t *)message->dst + at;
    const bool decrypt = message->direction == MTAES_DECRYPT;
    const size_t whole = bytes / BLOCK_BYTES * BLOCK_BYTES, rest = bytes - whole;
    run_whole_blocks(message->key, decrypt, src, dst, whole / BLOCK_BYTES,
                     message->iv_bytes == USUAL_IV_BYTES, state, large);
    if (rest) {
        if (decrypt)
            hash_padded(message->key, state->hash, src + whole, rest);
        walk_tail(message->key, FORM_CTR32, src + whole, dst + whole, rest, state->chain);
        if (!decrypt)
            hash_padded(message->key, state->hash, dst + whole, rest);
    }
    state->done += bytes;
}

static void seek(const struct mtaes_message *message, const struct state *first, size_t at,
                 struct state *state)
{
    (void)message;
    *state = *first;
    memset(state->hash, 0, BLOCK_BYTES);
    walk_skip(FORM_CTR32, state->chain, NULL, at / BLOCK_BYTES);
    state->done += at;
}

static void join(const struct mtaes_message *message, struct state *total, const struct state *part,
                 size_t bytes)
{
    const struct mtaes_key *const key = message->key;
    key->ghash->advance(key->extra, total->hash, bytes / BLOCK_BYTES + (bytes % BLOCK_BYTES != 0));
    xor_block(total->hash, total->hash, part->hash);
    memcpy(total->chain, part->chain, BLOCK_BYTES);
    total->done += bytes;
}

static void end(const struct mtaes_message *message, struct state *state, uint8_t tag[BLOCK_BYTES])
{
    uint8_t j0[BLOCK_BYTES];
    find_first_counter(message, j0);
    hash_lengths(message->key, state->hash, state->aad_bytes, state->done);
    message->key->kernel->blocks(message->key->schedule, false, tag, j0, 1);
    xor_block(tag, tag, state->hash);
}

static bool prepare(struct mtaes_key *key, const uint8_t *material, size_t key_bytes)
{
    (void)material, (void)key_bytes;
    uint8_t h[BLOCK_BYTES] = {0};
    key->kernel->blocks(key->schedule, false, h, h, 1);
    key->ghash->expand(key->extra, h);
    wipe(h, sizeof h);
    return true;
}

const struct mtaes_mode mode_gcm = {
    .name = "gcm",
    .iv_bytes_min = 1,
    .iv_bytes_max = (size_t)((1ULL << 61) - 1),
    .tag_bytes = BLOCK_BYTES,
    .multiple_bytes = 1,
    .bytes_max = (1ULL << 36) - 32,
    .hashes = true,
    .prepare = prepare,
    .begin = begin,
    .absorb = absorb,
    .encrypt = {.cut = walk_cut, .seek = seek, .run = run, .join = join},
    .decrypt = {.cut = walk_cut, .seek = seek, .run = run, .join = join},
    .end = end,
};
