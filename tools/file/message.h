/* message.h: a whole encrypted message: our header and Cobblestone, or Cobblestone alone. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MTAES_TOOLS_MESSAGE_H
#define MTAES_TOOLS_MESSAGE_H

#include "cobblestone.h"
#include "header.h"
#include "input.h"

struct message_options {
    bool bare;      /* no header of ours: the secret, one key file, is the Cobblestone key */
    bool salvage;   /* accept a damaged slot area if one copy is whole */
    unsigned suite; /* 128, 256; 0: for a new file 256, bare what the key's length says */
    const uint8_t *context; /* bare only */
    size_t context_bytes;
    struct argon2_cost cost; /* of new passphrase slots */
};

struct message {
    struct cobblestone *keys;
    uint64_t at; /* where the message (its salt) begins in the input */
    unsigned suite;
};

enum { LEAD_BYTES_MOST = HEADER_BYTES + PREFIX_BYTES };

/*
 * Read what stands before the first chunk, find the key, check the commitment. A length that can be
 * known and proves that the end is missing is EXIT_TRUNCATED at once.
 */
bool message_open(mtaes_engine *engine, struct input *input, const struct message_options *options,
                  const struct secrets *secrets, struct message *message, struct problem *problem);

/* Begin a new message; lead[0..*lead_bytes) is what stands before its first chunk. */
bool message_create(mtaes_engine *engine, const struct message_options *options,
                    const struct secrets *secrets, uint8_t lead[LEAD_BYTES_MOST],
                    size_t *lead_bytes, struct message *message, struct problem *problem);

/* Whether the commitment that follows the header (where the input stands) is that of the data key:
   if not, EXIT_DAMAGED. */
bool message_check_commitment(mtaes_engine *engine, struct input *input, const uint8_t *header,
                              const struct data_key *key, struct message *message,
                              struct problem *problem);

void message_close(struct message *message);

/* How many chunks there are before the last one, and how many bytes the last one has (its tag
   included), by the length of a positioned input. EXIT_TRUNCATED: the length says that the end is
   missing. */
bool message_measure(const struct input *input, uint64_t at, uint64_t *full_chunks,
                     size_t *last_bytes, struct problem *problem);

/* Decrypt the last chunk at its place, which proves the length that message_measure found. */
bool message_verify_end(const struct message *message, struct input *input,
                        struct problem *problem);

#endif
