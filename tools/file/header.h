/* header.h: the header of an encrypted file: immutable part, state, two copies of the key slots. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MTAES_TOOLS_HEADER_H
#define MTAES_TOOLS_HEADER_H

#include "kdf.h"
#include "mtaes.h"
#include "problem.h"
#include "secret.h"

/* The layout; mtaes(5) describes it. All numbers in a header are big-endian. */
enum {
    HEADER_BYTES = 8192,
    IMMUTABLE_BYTES = 64, /* the context of the Cobblestone message */
    MAGIC_BYTES = 8,
    VERSION_AT = 8,
    SUITE_AT = 10,
    FLAGS_AT = 12,
    FILE_ID_AT = 16,
    FILE_ID_BYTES = 40,
    CHECK_AT = 56,
    CHECK_BYTES = 8,
    STATE_AT = 64,

    COPIES = 2,
    COPY_BYTES = 1152,
    COPY_GENERATION_AT = 0, /* in a copy */
    COPY_GENERATION_BYTES = 8,
    COPY_SLOTS_AT = 64,
    COPY_MAC_AT = 1088,
    COPY_MAC_BYTES = 64,
    SLOTS = 8,

    SLOT_BYTES = 128,
    SLOT_TYPE_AT = 0, /* in a slot */
    SLOT_MEMORY_AT = 4,
    SLOT_PASSES_AT = 8,
    SLOT_LANES_AT = 12,
    SLOT_SALT_AT = 16,
    SLOT_SALT_BYTES = 32,
    SLOT_COMMITMENT_AT = 48,
    SLOT_COMMITMENT_BYTES = 32,
    SLOT_SEALED_AT = 80,
    DATA_KEY_ROOM = 32,
    SLOT_TAG_AT = 112,

    FORMAT_VERSION = 1,
    STATE_AT_REST = 0x00,
    STATE_CHANGING = 0x5a,
};

/* Where copy 0 or 1 begins in the header: in different 4 KiB blocks, none shared with the data. */
static inline size_t copy_at(unsigned copy)
{
    return copy == 0 ? 128 : 4096;
}

static inline uint8_t *slot_of(uint8_t *copy, unsigned slot)
{
    return copy + COPY_SLOTS_AT + slot * (size_t)SLOT_BYTES;
}

enum slot_type { SLOT_EMPTY = 0, SLOT_KEY_FILE = 1, SLOT_PASSPHRASE = 2 };

const char *slot_type_name(unsigned type);
struct argon2_cost slot_cost(const uint8_t *slot);

struct data_key { /* in memory of its own: secret_alloc */
    size_t bytes; /* 16 or 32 */
    uint8_t key[DATA_KEY_ROOM];
};

/* What the header says before any key is known. */
struct header_view {
    unsigned suite; /* 128 or 256 */
    uint32_t flags;
    bool changing; /* a change was begun and not finished, or salvage: the copies may differ */
    bool well_formed[2]; /* the copies */
    uint64_t generation[2];
};

/*
 * Look at bytes[0..got) of an input, of which got < HEADER_BYTES only at the input's end. Nothing
 * costly is done, and nothing costly is asked for by a header that passes. EXIT_TRUNCATED,
 * EXIT_FORMAT or EXIT_DAMAGED, naming the byte. `salvage` accepts damage outside the immutable part
 * as long as one copy is whole.
 */
bool header_check(const uint8_t *bytes, size_t got, bool salvage, const char *name,
                  struct header_view *view, struct problem *problem);

/* What opening found out. */
struct header_opened {
    struct data_key *key; /* the caller's to free: secret_free(key, sizeof *key) */
    unsigned copy, slot;  /* that opened */
    size_t secret;        /* that opened it */
    unsigned base;        /* the newest copy whose MAC is right */
};

/*
 * Find a slot that one of the secrets opens, key files before passphrases, and check the MACs.
 * After an unfinished change a slot of the copy that counts is preferred.
 * EXIT_NO_SLOT, or EXIT_DAMAGED when a slot opened but the MAC is wrong.
 */
bool header_open(mtaes_engine *engine, uint8_t header[HEADER_BYTES], const struct header_view *view,
                 const struct secrets *secrets, const char *name, struct header_opened *opened,
                 struct problem *problem);

/* A new header with one slot a secret and a random data key, which is the caller's to free. */
bool header_create(mtaes_engine *engine, unsigned suite, const struct secrets *secrets,
                   const struct argon2_cost *cost, uint8_t header[HEADER_BYTES],
                   struct data_key **key, struct problem *problem);

/* Count the copy's generation up, and compute its MAC: after a change to its slots. */
bool header_sign_copy(const uint8_t *immutable, const struct data_key *key, uint8_t *copy,
                      struct problem *problem);

/* Whether a copy's MAC is right. */
bool header_verify_copy(const uint8_t *immutable, const struct data_key *key, const uint8_t *copy,
                        bool *right, struct problem *problem);

/* Seal a data key for a secret in slot[0..SLOT_BYTES), with a fresh salt. (slot.c) */
bool slot_seal(mtaes_engine *engine, const uint8_t *immutable, const struct secret *secret,
               const struct argon2_cost *cost, const struct data_key *key, uint8_t *slot,
               struct problem *problem);

/* Try a secret on a slot of its kind; *opened says whether it fits. False: something else. */
bool slot_open(mtaes_engine *engine, const uint8_t *immutable, const struct secret *secret,
               const uint8_t *slot, struct data_key *key, bool *opened, struct problem *problem);

/*
 * Replace both copies in the file, so that a crash at any point leaves a file that opens: the state
 * is set to "changing", the copy that is not `base` is written, then the other, then the state is
 * set to "at rest", each synced before the next. (rewrite.c)
 */
bool header_rewrite(int fd, const char *name, unsigned base, const uint8_t copy[COPY_BYTES],
                    struct problem *problem);

#endif
