/* structure.h: what each mode's state is in the middle of a message, seen from outside. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_STRUCTURE_H
#define BENCH_STRUCTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BLOCK = 16 };

/* What a block depends on beside key and text. */
enum structure {
    STRUCTURE_UNKNOWN,    /* a mode this file does not know: only whole messages can be checked */
    STRUCTURE_NONE,       /* nothing: ECB */
    STRUCTURE_COUNTER,    /* IV + number of the block, 128 bits big-endian: CTR */
    STRUCTURE_GCM,        /* IV || 2 + number of the block, and a tag over all: GCM */
    STRUCTURE_CIPHERTEXT, /* the ciphertext block before: CBC, CFB */
    STRUCTURE_BOTH,       /* plaintext ^ ciphertext of the block before: PCBC, OFB */
    STRUCTURE_UNIT,       /* the unit's number and the block's place in it: XTS */
};

enum structure structure_of(const char *mode);

/* Why one message cannot be spread over threads by somebody who has no more than the mode's
   ordinary interface; NULL: it can. */
const char *structure_obstacle(enum structure structure, bool decrypt);

/*
 * The IV with which the bytes from `at` on (a multiple of 16) can be processed as a message of
 * their own. plain and cipher are the whole texts, read only in the block before `at`; plain may be
 * NULL where the state is ciphertext alone. Not for STRUCTURE_UNIT or UNKNOWN.
 */
void structure_seek(enum structure structure, const uint8_t first[BLOCK], const uint8_t *plain,
                    const uint8_t *cipher, size_t at, uint8_t iv[BLOCK]);

/* The number of the unit that many units after the first; XTS numbers are little-endian. */
void structure_unit_number(const uint8_t first[BLOCK], uint64_t units, uint8_t number[BLOCK]);

#endif
