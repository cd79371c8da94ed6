/* cobblestone.h: Cobblestone-128 and -256, the chunked encryption of c2sp.org/chunked-encryption. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MTAES_TOOLS_COBBLESTONE_H
#define MTAES_TOOLS_COBBLESTONE_H

#include "mtaes.h"
#include "problem.h"

enum {
    CHUNK_TEXT_BYTES = 16384, /* of every chunk but the last, which is shorter */
    CHUNK_TAG_BYTES = 16,
    CHUNK_BYTES = CHUNK_TEXT_BYTES + CHUNK_TAG_BYTES,
    SALT_BYTES = 24,
    COMMITMENT_BYTES = 32,
    PREFIX_BYTES = SALT_BYTES + COMMITMENT_BYTES, /* what stands before the first chunk */
    CHUNKS_A_CALL = 64,
};

/* Chunks are numbered from 0 and there are at most this many: 4 PiB - 1 byte of text. */
#define CHUNKS_MOST (UINT64_C(1) << 38)

/* One message's keys. Immutable: any number of threads may use it at once. */
struct cobblestone;

/*
 * Derive a message's keys, and its commitment. key[0..key_bytes) is uniformly random, 16 bytes
 * (Cobblestone-128) or 32 (-256): another length is EXIT_USAGE. salt never repeats under one key.
 * The engine outlives the result. NULL: see the problem.
 */
struct cobblestone *cobblestone_create(mtaes_engine *engine, const uint8_t *key, size_t key_bytes,
                                       const uint8_t salt[SALT_BYTES], const uint8_t *context,
                                       size_t context_bytes, uint8_t commitment[COMMITMENT_BYTES],
                                       struct problem *problem);

void cobblestone_free(struct cobblestone *message); /* wipes; NULL is fine */

/*
 * Encrypt or decrypt, in place, `count` consecutive chunks (1 to CHUNKS_A_CALL) of which the first
 * is number `first`. They stand CHUNK_BYTES apart: text, or ciphertext, then the tag. The last of
 * them has last_text_bytes of text (its tag right behind), the others CHUNK_TEXT_BYTES.
 *
 * *good says how many chunks are right, counted up to the first that is not; of a chunk that is
 * not, the text is zeroed. Returns false when something else went wrong: a chunk number past the
 * last one allowed, or the library refused; nothing is right then.
 */
bool cobblestone_crypt(const struct cobblestone *message, mtaes_direction direction, uint64_t first,
                       uint8_t *chunks, size_t count, size_t last_text_bytes, size_t *good,
                       struct problem *problem);

#endif
