/* definition.h: every form, chain, GHASH and mode, written down from its standard one block at a
 * time: what all fast code is compared with. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MTAES_TESTS_DEFINITION_H
#define MTAES_TESTS_DEFINITION_H

#include "kernel.h"
#include "mtaes.h"

/* A cipher over single blocks: the portable kernel and a schedule of it. */
struct cipher {
    const struct mtaes_kernel *kernel;
    void *schedule;
};

/* Exits with a message when the kernel has no such key length. */
struct cipher cipher_create(const mtaes_kernel *portable, const uint8_t *key, size_t key_bytes);
void cipher_free(struct cipher *cipher);

/* Any of the pointers below may be equal, src and dst included. */
void define_block(const struct cipher *cipher, bool decrypt, uint8_t *dst, const uint8_t *src);
void define_bulk(const struct cipher *cipher, enum form form, bool decrypt, struct lane *lane,
                 size_t blocks);
void define_chain(const struct cipher *cipher, unsigned shape, struct lane *lane, size_t blocks);

/* SP 800-38D, section 6.3: product = a * b. */
void define_multiply(uint8_t product[16], const uint8_t a[16], const uint8_t b[16]);
/* y = (y ^ block) * h for each block; and y = y * h^n. */
void define_ghash(const uint8_t h[16], uint8_t y[16], const uint8_t *src, size_t blocks);
void define_advance(const uint8_t h[16], uint8_t y[16], uint64_t n);
/* dst = src ^ E(state) with a counter of 32 bits; y hashes the ciphertext. */
void define_gcm(const struct cipher *cipher, const uint8_t h[16], bool decrypt, struct lane *lane,
                uint8_t y[16], size_t blocks);

/*
 * The whole message, by the definition of the mode of that name: dst (disjoint from src, or equal),
 * and tag (16 bytes) where there is one. Direction and the rest are read from the message; its key
 * is not, but for the mode's name. False: no definition of a mode of this name is written down
 * here.
 */
bool define_message(const struct cipher *data, const struct cipher *tweak, const char *mode,
                    const mtaes_message *message, uint8_t *dst, uint8_t tag[16]);

#endif
