/* replay.h: run one published vector through one kernel, in every way that must not matter. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MTAES_TESTS_REPLAY_H
#define MTAES_TESTS_REPLAY_H

#include "support.h"
#include "vectors.h"

enum replay_result { REPLAY_PASSED, REPLAY_SKIPPED, REPLAY_FAILED };

struct replay {
    const mtaes_kernel *kernel;
    mtaes_engine *engines[THREAD_COUNTS]; /* with thread_counts[] threads; the first is enough
                                             when not thorough */
    bool thorough; /* over all engines, in place, in pieces; else whole and in place on the first */
    struct random random;
    char why[240]; /* of a skip or a failure */
};

/* Encrypt and decrypt, compare, and check that what must be refused is. */
enum replay_result replay_vector(struct replay *replay, const struct vector *vector);

/* Monte Carlo tests: what the case after this one must begin with. */
struct monte_carlo {
    bool known;
    bool decrypting;
    uint8_t key[32], iv[16], text[16];
};

/* AESAVS, section 6.4: 1,000 chained calls, the result, and the key and text that follow from it.
   Zero `next` before the first case of a file. */
enum replay_result replay_monte_carlo(struct replay *replay, const struct vector *vector,
                                      struct monte_carlo *next);

/* Why the vector cannot be run by this library, or NULL. Sets *mode. */
const char *replay_skip(const struct vector *vector, const mtaes_mode **mode);

#endif
