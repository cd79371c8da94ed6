/* peer_memcpy.c: engine "memcpy": the ceiling: the same parts, copied by as many threads. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fanout.h"
#include "memory.h"
#include "parts.h"
#include "peer.h"

struct state {
    struct fanout *fanout;
    struct parts parts;
    const struct task *task; /* of the run under way */
};

static void release(struct contender *c)
{
    struct state *const s = c->state;
    if (!s)
        return;
    fanout_free(s->fanout);
    free(s);
    c->state = NULL;
}

static void prepare(struct contender *c)
{
    snprintf(c->kernel, sizeof c->kernel, "libc");
    if (c->work->in_place) {
        peer_lacks_all(c, "a copy onto itself moves nothing, so it is no ceiling in place");
        return;
    }
    struct state *const s = c->state = allocate(1, sizeof *s);
    s->fanout = fanout_create(c->threads);
    if (!s->fanout) {
        peer_lacks_all(c, "no memory for threads");
        release(c);
        return;
    }
    c->threads = fanout_threads(s->fanout);
    parts_make(&s->parts, c->work->bytes, c->threads, c->work->unit_bytes);
}

static void copy_part(void *argument, size_t i)
{
    const struct state *const s = argument;
    const size_t at = s->parts.at[i];
    memcpy(s->task->dst + at, s->task->src + at, s->parts.at[i + 1] - at);
}

static bool run(struct contender *c, const struct task *task)
{
    struct state *const s = c->state;
    s->task = task;
    fanout_run(s->fanout, copy_part, s, s->parts.count);
    return true;
}

const struct peer peer_memcpy = {
    .name = "memcpy",
    .summary = "the ceiling: the C library's memcpy over the same parts and threads",
    .threaded = true,
    .copies = true,
    .prepare = prepare,
    .run = run,
    .free = release,
};
