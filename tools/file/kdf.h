/* kdf.h: keys from keys and from passphrases; random bytes; memory for secrets. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MTAES_TOOLS_KDF_H
#define MTAES_TOOLS_KDF_H

#include "problem.h"

#include <stddef.h>
#include <stdint.h>

/* What a passphrase costs; the memory is in KiB. */
struct argon2_cost {
    uint32_t memory_kib, passes, lanes;
};

/*
 * The bounds that every cost is held to before any work is done: by a writer, so that no weak slot
 * comes to be; by a reader, so that a hostile file cannot ask for hours or for all memory. The work
 * of a slot (memory times passes) has a ceiling of its own.
 */
enum {
    ARGON2_MEMORY_KIB_LEAST = 19456,  /* 19 MiB */
    ARGON2_MEMORY_KIB_MOST = 1048576, /* 1 GiB */
    ARGON2_PASSES_LEAST = 1,
    ARGON2_PASSES_MOST = 16,
    ARGON2_LANES_LEAST = 1,
    ARGON2_LANES_MOST = 16,
    ARGON2_WORK_KIB_LEAST = 38912,  /* 19 MiB, twice */
    ARGON2_WORK_KIB_MOST = 4194304, /* 4 GiB in all passes together */
};

/* The second recommended choice of RFC 9106, section 4: 64 MiB, 3 passes, 4 lanes. */
struct argon2_cost argon2_default_cost(void);

/* Whether a cost is inside the bounds; if not, the problem (of the given code) names the value. */
bool argon2_cost_check(const struct argon2_cost *cost, enum exit_code code, const char *where,
                       struct problem *problem);

/* HKDF of RFC 5869 with SHA-512. Expand only: prk is a key already. */
bool hkdf_expand(const uint8_t *prk, size_t prk_bytes, const uint8_t *info, size_t info_bytes,
                 uint8_t *out, size_t out_bytes, struct problem *problem);
/* Extract and expand. */
bool hkdf(const uint8_t *secret, size_t secret_bytes, const uint8_t *salt, size_t salt_bytes,
          const uint8_t *info, size_t info_bytes, uint8_t *out, size_t out_bytes,
          struct problem *problem);

/* HMAC-SHA-512 over two pieces, as if they were one. */
bool hmac_sha512(const uint8_t *key, size_t key_bytes, const uint8_t *first, size_t first_bytes,
                 const uint8_t *second, size_t second_bytes, uint8_t out[64],
                 struct problem *problem);

bool sha512(const uint8_t *bytes, size_t count, uint8_t out[64], struct problem *problem);

/* Argon2id, version 0x13 (RFC 9106), no secret value, no associated data. */
bool argon2id(const uint8_t *passphrase, size_t bytes, const uint8_t *salt, size_t salt_bytes,
              const struct argon2_cost *cost, uint8_t *out, size_t out_bytes,
              struct problem *problem);

/* Whether this build can derive keys from passphrases. */
bool argon2id_available(void);

bool random_bytes(uint8_t *out, size_t count, struct problem *problem);

/* Pages of their own for secrets, zeroed, locked and kept out of core dumps where the system
   allows it; NULL: no memory. Freeing wipes; NULL is fine. */
void *secret_alloc(size_t bytes);
void secret_free(void *secret, size_t bytes);

/* Whether some secret_alloc of this process found that it could not lock its pages. */
bool secret_lock_failed(void);

/* Overwrite with zeros in a way that the optimiser keeps. */
void secret_wipe(void *bytes, size_t count);

/* Whether the two are equal, in a time that depends on count only. */
bool secret_equal(const uint8_t *a, const uint8_t *b, size_t count);

#endif
