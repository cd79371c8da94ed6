/* measure.h: check all engines on one workload, then time them, run by run in turn. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include "buffers.h"
#include "peer.h"
#include "results.h"

struct measurement {
    const struct workload *work;
    struct contender *contenders; /* prepared */
    size_t count;
    struct contender *helper; /* encrypts, untimed, where none of them does; or NULL */
    const struct buffers *buffers;
    size_t runs, calls;
    uint64_t seed;
};

/*
 * False: an engine failed or wrote wrong bytes, and reason says which; then nothing of this
 * workload is in the results. Contenders that lack both directions are passed over.
 */
bool measure(const struct measurement *m, struct results *results, char *reason,
             size_t reason_room);

#endif
