/* peer_memcpy.c: engine "memcpy": the ceiling: the same parts, copied by as many threads. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <string.h>

#include "peer.h"
#include "spread.h"

static bool copy(struct contender *c, const struct span *span)
{
    (void)c;
    memcpy(span->task->dst + span->at, span->task->src + span->at, span->bytes);
    return true;
}

static void prepare(struct contender *c)
{
    snprintf(c->kernel, sizeof c->kernel, "libc");
    if (c->work->in_place)
        peer_lacks_all(c, "a copy onto itself moves nothing, so it is no ceiling in place; see "
                          "engine rmw");
    else
        c->spread = spread_create(c, copy);
}

const struct peer peer_memcpy = {
    .name = "memcpy",
    .summary = "the ceiling: the C library's memcpy over the same parts and threads",
    .threaded = true,
    .batches = true,
    .copies = true,
    .prepare = prepare,
    .run = peer_run_spread,
    .free = peer_free_spread,
};
