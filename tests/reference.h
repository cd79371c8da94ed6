/* reference.h: an outside opinion: OpenSSL's libcrypto, where the build has it. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MTAES_TESTS_REFERENCE_H
#define MTAES_TESTS_REFERENCE_H

#include "mtaes.h"

/*
 * What libcrypto makes of the message: dst (which is never src: it is no oracle for work in place),
 * and 16 bytes of tag where the mode has one. The key is given as bytes; the mode by its name here.
 * Decryption in GCM fills tag with what it should be. Returns false when libcrypto has no such mode
 * or key length, refuses the message, or the build is without it.
 */
bool reference_message(const char *mode, const uint8_t *key, size_t key_bytes,
                       const mtaes_message *message, uint8_t *dst, uint8_t tag[16]);

/* Whether libcrypto finds the message's tag right for what its src holds, encrypted in GCM; nothing
   is written. For texts too long to be kept twice. */
bool reference_verifies_gcm(const uint8_t *key, size_t key_bytes, const mtaes_message *message);

/* SHA-256; false when the build is without libcrypto. */
bool reference_sha256(const void *p, size_t bytes, uint8_t digest[32]);

/* Whether this build has libcrypto. */
bool reference_exists(void);

#endif
