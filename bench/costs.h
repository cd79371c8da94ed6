/* costs.h: what keys and calls cost, however short the message. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_COSTS_H
#define BENCH_COSTS_H

#include "workload.h"

enum { COST_RUNS = 15, COST_BYTES = 64 };

enum cost_kind {
    COST_KEY,      /* a key made and freed */
    COST_SHORTEST, /* a call with the shortest message that the mode takes */
    COST_CALL,     /* a call with COST_BYTES bytes */
    COST_KINDS,
};

extern const char *const cost_names[COST_KINDS];

/* On one thread. */
struct cost {
    size_t bytes[COST_KINDS];         /* of the message */
    double ns[COST_KINDS][COST_RUNS]; /* of one key or call, in each run */
};

/* Encryption under the workload's kernel, which runs here. False: reason says which call failed. */
bool costs_measure(const struct workload *work, struct cost *cost, char *reason,
                   size_t reason_room);

#endif
