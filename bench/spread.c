/* spread.c: one message over parts, on threads, for peers whose library has none of its own. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "spread.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fanout.h"
#include "memory.h"
#include "parts.h"

struct part {
    uint8_t iv[BLOCK]; /* of the run under way */
    char error[REASON_ROOM];
};

struct spread {
    struct contender *contender;
    spread_process *process;
    struct fanout *fanout;
    struct parts parts;
    struct part *part;
    const struct task *task; /* of the run under way */
    _Atomic bool failed;
};

static void set_lacks(struct contender *c)
{
    for (int decrypt = 0; decrypt < 2 && c->threads > 1 && !c->peer->copies; decrypt++) {
        const char *const obstacle = c->work->streams > 1
                                         ? "it is a batch"
                                         : structure_obstacle(c->work->structure, decrypt);
        if (obstacle)
            snprintf(c->lacks[decrypt], sizeof c->lacks[decrypt],
                     "one message is not spread over threads: %s; one thread takes it", obstacle);
    }
}

struct spread *spread_create(struct contender *c, spread_process *process)
{
    struct spread *const s = allocate(1, sizeof *s);
    s->contender = c;
    s->process = process;
    s->fanout = fanout_create(c->threads);
    if (!s->fanout) {
        peer_lacks_all(c, "no memory for threads");
        free(s);
        return NULL;
    }
    c->threads = fanout_threads(s->fanout);
    set_lacks(c);
    parts_make(&s->parts, c->work->bytes, c->threads, c->work->unit_bytes);
    s->part = allocate(s->parts.count, sizeof *s->part);
    return s;
}

void spread_free(struct spread *s)
{
    if (!s)
        return;
    fanout_free(s->fanout);
    free(s->part);
    free(s);
}

size_t spread_parts(const struct spread *s)
{
    return s->parts.count;
}

/* The units of a part, one after the other. */
static bool run_units(struct spread *s, struct span span)
{
    const struct workload *const w = s->contender->work;
    const size_t end = span.at + span.bytes;
    for (uint64_t unit = span.at / w->unit_bytes; span.at < end; unit++) {
        uint8_t number[BLOCK];
        structure_unit_number(w->iv, unit, number);
        span.iv = number;
        span.bytes = end - span.at < w->unit_bytes ? end - span.at : w->unit_bytes;
        if (!s->process(s->contender, &span))
            return false;
        span.at += span.bytes;
    }
    return true;
}

static void run_part(void *argument, size_t i)
{
    struct spread *const s = argument;
    const struct span span = {.task = s->task,
                              .part = i,
                              .at = s->parts.at[i],
                              .bytes = s->parts.at[i + 1] - s->parts.at[i],
                              .iv = s->part[i].iv,
                              .error = s->part[i].error};
    if (!(s->contender->work->unit_bytes ? run_units(s, span) : s->process(s->contender, &span)))
        atomic_store(&s->failed, true);
}

bool spread_run(struct spread *s, const struct task *task)
{
    const struct workload *const w = s->contender->work;
    for (size_t i = 0; i < s->parts.count; i++) {
        if (s->parts.count == 1)
            memcpy(s->part[i].iv, w->iv, BLOCK);
        else if (w->iv_bytes && !w->unit_bytes && !s->contender->peer->copies)
            structure_seek(w->structure, w->iv, NULL, task->src, s->parts.at[i], s->part[i].iv);
    }
    s->task = task;
    atomic_store(&s->failed, false);
    fanout_run(s->fanout, run_part, s, s->parts.count);
    for (size_t i = 0; atomic_load(&s->failed) && i < s->parts.count; i++) {
        if (s->part[i].error[0])
            memcpy(s->contender->error, s->part[i].error, sizeof s->contender->error);
    }
    return !atomic_load(&s->failed);
}
