/* handoff.h: what it costs an engine of this library to hand work to its threads. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_HANDOFF_H
#define BENCH_HANDOFF_H

#include "peer.h"

enum { HANDOFF_RUNS = 21, HANDOFF_IDLE_US = 300 };

/* A job of one 16-byte message for each thread, from submit to the end of wait: as good as no
   work. Nanoseconds of each run. */
struct handoff {
    const struct peer *peer;
    size_t threads;
    double hot_ns[HANDOFF_RUNS];   /* right after such a job */
    double idle_ns[HANDOFF_RUNS];  /* after HANDOFF_IDLE_US without one */
    double alone_ns[HANDOFF_RUNS]; /* the same job on an engine of one thread */
};

/* Of an engine of this library, with the cipher and kernel of the workload. False: the reason,
   which is left as it was where this engine cannot run here at all. */
bool handoff_measure(const struct workload *work, const struct peer *peer, size_t threads,
                     struct handoff *handoff, char *reason, size_t reason_room);

#endif
