/* spread.h: one message over parts, on threads, for peers whose library has none of its own. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_SPREAD_H
#define BENCH_SPREAD_H

#include "peer.h"

/* Some bytes of the task's message that go from an IV of their own. */
struct span {
    const struct task *task;
    size_t part; /* in which they lie; two spans of one part never run at once */
    size_t at, bytes;
    const uint8_t *iv; /* of the whole message, where the span is all of it */
    char *error;       /* of REASON_ROOM bytes, to be set where the work fails */
};

/* On any thread; false: the error is set. */
typedef bool spread_process(struct contender *contender, const struct span *span);

struct spread;

/*
 * Threads and parts for the contender's work; its `threads` are set to what there is, and `lacks`
 * for each direction in which more than one thread cannot share the message. NULL: lacks says why.
 */
struct spread *spread_create(struct contender *contender, spread_process *process);
void spread_free(struct spread *spread); /* NULL is fine */

/* How many parts there are at the most. */
size_t spread_parts(const struct spread *spread);

/* Process the task: `process` for each span, all of them found before the first one runs, as in
   place a part destroys what its successor starts from. False: the contender's error is set. */
bool spread_run(struct spread *spread, const struct task *task);

#endif
