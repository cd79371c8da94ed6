/* validate.h: the edge: everything that can be wrong with a message is found here, before a byte is written. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MTAES_ENGINE_VALIDATE_H
#define MTAES_ENGINE_VALIDATE_H

#include "mode.h"

#define VALIDATE_AAD_BYTES_MAX ((1ULL << 61) - 1) /* SP 800-38D, 5.2.1.1 */

mtaes_status validate_message(const struct mtaes_message *message);

/* The parts of it that streams share. */
mtaes_status validate_iv(const struct mtaes_mode *mode, const void *iv, size_t iv_bytes);
bool validate_disjoint(const void *a, size_t a_bytes, const void *b, size_t b_bytes);

#endif
