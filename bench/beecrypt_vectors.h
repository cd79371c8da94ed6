/* beecrypt_vectors.h: a few of the published Blowfish vectors. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_BEECRYPT_VECTORS_H
#define BENCH_BEECRYPT_VECTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BEECRYPT_VECTOR_TEXT = 32 };

struct beecrypt_vector {
    bool chained; /* CBC, else ECB */
    size_t key_bytes, bytes;
    uint8_t key[24], iv[8];
    uint8_t plain[BEECRYPT_VECTOR_TEXT], cipher[BEECRYPT_VECTOR_TEXT];
};

extern const struct beecrypt_vector beecrypt_vectors[];
extern const size_t beecrypt_vector_count;

#endif
