/* results.h: what was measured, and what could not be. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_RESULTS_H
#define BENCH_RESULTS_H

#include <stdbool.h>
#include <stddef.h>

#include "peer.h"
#include "stats.h"

/* The runs of one engine on one size in one direction. */
struct series {
    const struct peer *peer;
    char kernel[64];
    size_t threads, bytes;
    bool decrypt;
    size_t runs;
    double *ns; /* [runs], of one call each */
};

enum absent_operation { ABSENT_BOTH, ABSENT_ENCRYPT, ABSENT_DECRYPT };

/* An engine that did not run. */
struct absence {
    const char *engine;
    size_t bytes; /* 0: in any size */
    enum absent_operation operation;
    char reason[REASON_ROOM];
};

struct results {
    struct series *series; /* by size, then engine, then direction */
    size_t series_count;
    struct absence *absences;
    size_t absence_count;
    char (*notes)[REASON_ROOM];
    size_t note_count;
};

/* A new series with room for its runs; the pointer holds until the next one is added. */
struct series *results_add(struct results *results, const struct contender *contender, bool decrypt,
                           size_t runs);
/* Said once, however often it is added. */
void results_absent(struct results *results, const char *engine, size_t bytes,
                    enum absent_operation operation, const char *reason);
void results_note(struct results *results, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void results_free(struct results *results);

/* NULL: that was not measured. */
const struct series *results_find(const struct results *results, const char *engine, size_t threads,
                                  size_t bytes, bool decrypt);
/* The other direction of a series, or NULL. */
const struct series *results_partner(const struct results *results, const struct series *series);

/* Bytes a second; ns is never 0. */
static inline double rate_of(size_t bytes, double ns)
{
    return (double)bytes * 1e9 / ns;
}

#endif
