/* pcbc.c: mode "pcbc": propagating CBC: each block is XORed with plaintext and ciphertext of the one before. Source: the
   definition in Kerberos 4 (Steiner, Neuman, Schiller, 1988). */
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Decryption is P_n = D(C_n) ^ X_(n-1) with X_n = P_n ^ C_n, so X_n = D(C_n) ^ C_n ^ X_(n-1): a running XOR of what each
 * block gives by itself. So a part may start with X = 0; the X it ends with is its share of the sum, and in a second
 * pass the true X before the part is XORed into all its blocks. (A part that starts when all before it are done
 * knows its X.)
 */
#include "walk.h"

static void encrypt(const struct mtaes_message *message, size_t at, size_t bytes,
                    struct state *state, bool large)
{
    (void)large; /* a chain is slower than any memory */
    walk_chain(message, SHAPE_PCBC, at, bytes, state);
}

static void seek(const struct mtaes_message *message, const struct state *first, size_t at,
                 struct state *state)
{
    (void)message, (void)first;
    memset(state, 0, sizeof *state);
    state->done = first->done + at;
}

static void decrypt(const struct mtaes_message *message, size_t at, size_t bytes,
                    struct state *state, bool large)
{
    walk(message->key, FORM_PCBC, true, (const uint8_t *)message->src + at,
         (uint8_t *)message->dst + at, bytes / BLOCK_BYTES, state->chain, large);
    state->done += bytes;
}

static void join(const struct mtaes_message *message, struct state *total, const struct state *part,
                 size_t bytes)
{
    (void)message;
    xor_block(total->chain, total->chain, part->chain);
    total->done += bytes;
}

/* A block wherever it lies: a vector, where the machine has them; four a turn, or turns cost more than the XOR. */
typedef uint64_t block_vector __attribute__((vector_size(BLOCK_BYTES), aligned(1), may_alias));

static void settle(const struct mtaes_message *message, size_t at, size_t bytes,
                   const struct state *before)
{
    block_vector *block = (block_vector *)((uint8_t *)message->dst + at);
    const block_vector x = *(const block_vector *)before->chain;
    size_t blocks = bytes / BLOCK_BYTES;
    for (; blocks >= 4; blocks -= 4, block += 4) {
        block[0] ^= x;
        block[1] ^= x;
        block[2] ^= x;
        block[3] ^= x;
    }
    for (; blocks; blocks--, block++)
        *block ^= x;
}

const struct mtaes_mode mode_pcbc = {
    .name = "pcbc",
    .iv_bytes_min = BLOCK_BYTES,
    .iv_bytes_max = BLOCK_BYTES,
    .multiple_bytes = BLOCK_BYTES,
    .bytes_max = UINT64_MAX,
    .encrypt = {.run = encrypt, .shape = SHAPE_PCBC},
    .decrypt = {.cut = walk_cut, .seek = seek, .run = decrypt, .join = join, .settle = settle},
};
