/* gecko_key.h: Gecko (L. Tomasello, 2019): its key setup, step by step, and its two tables. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MTAES_ENGINE_KERNELS_GECKO_KEY_H
#define MTAES_ENGINE_KERNELS_GECKO_KEY_H

#include "kernel.h"

/*
 * Gecko is an unreviewed cipher. It is here to be measured, and to read old data.
 *
 * As its definition does, the key setup and the portable kernel look tables up by secret values, so
 * their timing tells of the key and, in the portable kernel, of the data. The x86 kernels find
 * addresses from the key where they work on many blocks at once.
 *
 * Key setup: the table is rows of copies of the key, row r with each byte rotated to the left by r
 * (modulo 8) and ^ salt[r], where salt[0] = 0 and salt[r] = S'(salt[r - 1]) ^ key[r - 1], S' being
 * the inverse S-box; the last row is cut short. The table is then shuffled with choices that are
 * S'(i) ^ table[i] of before, and the numbers 0 to 15 with the first bytes of the shuffled table
 * as choices: those are the exchange list X of SWAP and MIX (gecko_layers.h).
 */
enum { GECKO_SUBKEYS = 15, GECKO_TABLE_BYTES = GECKO_SUBKEYS * BLOCK_BYTES, GECKO_ROWS = 11 };

/* The S-box of AES (FIPS 197, 5.1.1) and its inverse, at 64-byte boundaries. */
extern const uint8_t gecko_sbox[256], gecko_inverse_sbox[256];

/* What all kernels make their schedules from. */
struct gecko_key {
    uint8_t table[GECKO_TABLE_BYTES]; /* subkey r is the 16 bytes from 16 r; rounds + 1 are set */
    uint8_t exchange[BLOCK_BYTES];    /* X, a permutation of 0..15 */
    uint8_t swap[BLOCK_BYTES];        /* SWAP as one permutation: new b[i] = old b[swap[i]] */
    uint32_t rounds;                  /* 10, 12 or 14; there is one subkey more */
};

/* The whole of the key setup; false, and nothing written, if key_bytes is not 16, 24 or 32. */
bool gecko_expand(struct gecko_key *key, const uint8_t *bytes, size_t key_bytes);

/* ---- its steps, for gecko_expand and for tests */

/* The table before its shuffle, and the salt of each of its rows. key_bytes is 16, 24 or 32;
   table_bytes is 176, 208 or 240; 11, 9 or 8 salts are written. */
void gecko_rows(uint8_t *table, uint8_t salt[GECKO_ROWS], const uint8_t *key, size_t key_bytes,
                size_t table_bytes);

/* What the table's shuffle takes its choices from; bytes is a multiple of 16. */
void gecko_shuffle_source(uint8_t *source, const uint8_t *table, size_t bytes);

/* Exchange list[i], for i from n - 1 down to 1, with list[source[n - 1 - i] mod (i + 1)]; n bytes
   each, a multiple of 16, at most 240; the last of source does not matter. */
void gecko_keyed_shuffle(uint8_t *list, const uint8_t *source, size_t n);

/* Exchanges to a permutation: swap, from exchange. */
void gecko_swap_map(uint8_t swap[BLOCK_BYTES], const uint8_t exchange[BLOCK_BYTES]);

/*
 * MIX as sums: byte i of its result is the sum of bytes term[0][i], term[1][i] and term[2][i] of
 * what goes in, where GECKO_NONE says that there is no such term. The same for its inverse.
 */
enum { GECKO_NONE = 0x80, GECKO_TERMS = 3 };
void gecko_mix_terms(uint8_t term[GECKO_TERMS][BLOCK_BYTES], const uint8_t exchange[BLOCK_BYTES],
                     bool inverse);

#endif
