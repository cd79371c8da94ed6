/* registry.h: the tables of kernels, GHASH kernels and modes. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MTAES_ENGINE_REGISTRY_H
#define MTAES_ENGINE_REGISTRY_H

#include "mode.h"

/* Fastest first within a cipher; NULL ends each table. */
extern const struct mtaes_kernel *const registry_kernels[];
extern const struct mtaes_mode *const registry_modes[];
extern const struct mtaes_ghash *const registry_ghash[];

/* One known answer a cipher: E(key, plaintext) = ciphertext. */
struct known_answer {
    const char *cipher;
    uint8_t key[16], plaintext[BLOCK_BYTES], ciphertext[BLOCK_BYTES];
};

extern const struct known_answer registry_known_answers[];
extern const size_t registry_known_answer_count;

#endif
