/* evp.h: OpenSSL's EVP interface as the two OpenSSL engines use it. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_EVP_H
#define BENCH_EVP_H

#include <openssl/evp.h>

#include "peer.h"
#include "spread.h"

/* The cipher of the workload, or NULL with `lacks` set. */
EVP_CIPHER *evp_fetch(struct contender *contender);

/* A context with key and direction set and padding off; NULL with `error` set. */
EVP_CIPHER_CTX *evp_context(struct contender *contender, const EVP_CIPHER *cipher, bool decrypt);

/* Process a span of a message of this workload. No piece handed to EVP is longer than its int can
   say. False: the span's error is set. */
bool evp_process(EVP_CIPHER_CTX *context, const struct workload *work, const struct span *span);

/* What libcrypto says about its last failure. Always false. */
bool evp_failed(const char *what, char *error);

#endif
