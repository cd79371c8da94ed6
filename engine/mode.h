/* mode.h: what a mode is: data about how the blocks of one message depend on each other. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MTAES_ENGINE_MODE_H
#define MTAES_ENGINE_MODE_H

#include "kernel.h"
#include "mtaes.h"

/* A key as the modes see it: schedules, and whatever the mode keeps beside them (extra: powers of
 * H, a tweak key). */
struct mtaes_key {
    const struct mtaes_kernel *kernel;
    const struct mtaes_mode *mode;
    const struct mtaes_ghash *ghash; /* NULL unless the mode wants one */
    const void *schedule;
    void *extra;         /* written by prepare only */
    size_t mapped_bytes; /* of the mapping that starts with this struct */
    bool locked;
    bool weak; /* XTS with equal halves: decrypts only */
};

/* Where a message stands at some block: enough to go on from there. */
struct state {
    uint8_t chain[BLOCK_BYTES]; /* what the next block depends on: counter, previous ciphertext,
                                   tweak */
    uint8_t hash[BLOCK_BYTES];  /* GCM: GHASH so far. XTS: the number of the unit */
    uint64_t done;              /* bytes of text before this point */
    uint64_t aad_bytes;         /* GCM */
};

/* One direction of a mode. */
struct direction {
    /* The greatest legal cut <= near, a byte position in the message; `last` says that the
       message's end is known to be the true end (a stream does not know). NULL: a chain, which is
       never cut. */
    size_t (*cut)(const struct mtaes_message *, size_t near, bool last);
    /* The state at `at`, found without processing what is before. GCM, PCBC: a part starts from
     * zero. */
    void (*seek)(const struct mtaes_message *, const struct state *first, size_t at,
                 struct state *);
    /* Process [at, at + bytes), and leave the state after it. `large`: the message is larger than
     * the caches. */
    void (*run)(const struct mtaes_message *, size_t at, size_t bytes, struct state *, bool large);
    /* Serial, in order: add the state left by a part of `bytes` to the total. NULL: total = part.
     */
    void (*join)(const struct mtaes_message *, struct state *total, const struct state *part,
                 size_t bytes);
    /* Optional second pass over whole blocks of a part, with the true state before the part. A part that happens to
       start from its true state is not settled. */
    void (*settle)(const struct mtaes_message *, size_t at, size_t bytes,
                   const struct state *before);
    /* Chains: SHAPE_*, what many of them in lanes run. */
    unsigned shape;
};

struct mtaes_mode {
    const char *name;
    const char *cipher; /* NULL: any */
    size_t iv_bytes_min, iv_bytes_max;
    size_t tag_bytes;
    size_t multiple_bytes; /* of a whole message */
    uint64_t bytes_min, bytes_max;
    bool units;    /* the message is a sequence of unit_bytes; the two limits are a unit's */
    bool hashes;   /* wants a GHASH row */
    bool two_keys; /* the key material is a data key and a tweak key of the same length */
    /* Fill key->extra, which has room for the GHASH row's key or, with two keys, for a schedule; the
       key material is what this mode gets. false: the mode has no such key. NULL: nothing to do. */
    bool (*prepare)(struct mtaes_key *, const uint8_t *key, size_t key_bytes);
    /* The state before the first block and before any AAD. NULL: chain = IV. */
    void (*begin)(const struct mtaes_message *, struct state *);
    /* Take in the next AAD; only the last piece may be other than whole blocks. NULL: has none. */
    void (*absorb)(const struct mtaes_message *, struct state *, const uint8_t *aad, size_t bytes);
    struct direction encrypt, decrypt;
    /* After the last block: the tag, 16 bytes. NULL: the mode has none. */
    void (*end)(const struct mtaes_message *, struct state *, uint8_t tag[BLOCK_BYTES]);
};

static inline const struct direction *message_direction(const struct mtaes_message *message)
{
    const struct mtaes_mode *mode = message->key->mode;
    return message->direction == MTAES_DECRYPT ? &mode->decrypt : &mode->encrypt;
}

#endif
