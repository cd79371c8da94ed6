/* structure.c: what each mode's state is in the middle of a message, seen from outside. */
/* SPDX-License-Identifier: BSD-2-Clause */
/* Sources: NIST SP 800-38A (ECB, CBC, CFB, OFB, CTR), SP 800-38D (GCM), IEEE 1619 (XTS). */
#include "structure.h"

#include <string.h>

static const struct {
    const char *mode;
    enum structure structure;
} modes[] = {
    {"ecb", STRUCTURE_NONE},       {"ctr", STRUCTURE_COUNTER}, {"cbc", STRUCTURE_CIPHERTEXT},
    {"cfb", STRUCTURE_CIPHERTEXT}, {"pcbc", STRUCTURE_BOTH},   {"ofb", STRUCTURE_BOTH},
    {"xts", STRUCTURE_UNIT},       {"gcm", STRUCTURE_GCM},
};

enum structure structure_of(const char *mode)
{
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        if (strcmp(mode, modes[i].mode) == 0)
            return modes[i].structure;
    }
    return STRUCTURE_UNKNOWN;
}

const char *structure_obstacle(enum structure structure, bool decrypt)
{
    switch (structure) {
    case STRUCTURE_NONE:
    case STRUCTURE_COUNTER:
    case STRUCTURE_UNIT:
        return NULL;
    case STRUCTURE_CIPHERTEXT:
        return decrypt ? NULL : "a chain: each block waits for the one before";
    case STRUCTURE_BOTH:
        return "a chain in both directions: each block waits for the one before";
    case STRUCTURE_GCM:
        return "the tag runs through the whole message, and parts of it cannot be joined";
    case STRUCTURE_UNKNOWN:
        break;
    }
    return "where a message of this mode may be cut is not known";
}

/* number += n, as one 128-bit number; little: its first byte is the lowest. */
static void add(uint8_t number[BLOCK], uint64_t n, bool little)
{
    unsigned carry = 0;
    for (size_t i = 0; i < BLOCK; i++) {
        uint8_t *const byte = &number[little ? i : BLOCK - 1 - i];
        const unsigned sum = *byte + (unsigned)(n & 0xff) + carry;
        *byte = (uint8_t)sum;
        carry = sum >> 8;
        n >>= 8;
    }
}

void structure_seek(enum structure structure, const uint8_t first[BLOCK], const uint8_t *plain,
                    const uint8_t *cipher, size_t at, uint8_t iv[BLOCK])
{
    memcpy(iv, first, BLOCK);
    if (structure == STRUCTURE_GCM) { /* J0 = IV || 1 is the tag's */
        memset(iv + 12, 0, 4);
        add(iv, 2 + (uint64_t)at / BLOCK, false);
    } else if (structure == STRUCTURE_COUNTER) {
        add(iv, at / BLOCK, false);
    } else if (at && structure == STRUCTURE_CIPHERTEXT) {
        memcpy(iv, cipher + at - BLOCK, BLOCK);
    } else if (at && structure == STRUCTURE_BOTH) {
        for (size_t i = 0; i < BLOCK; i++)
            iv[i] = plain[at - BLOCK + i] ^ cipher[at - BLOCK + i];
    }
}

void structure_unit_number(const uint8_t first[BLOCK], uint64_t units, uint8_t number[BLOCK])
{
    memcpy(number, first, BLOCK);
    add(number, units, true);
}
