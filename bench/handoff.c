/* handoff.c: what it costs an engine of this library to hand work to its threads. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "handoff.h"

#include <stdio.h>

#include "clock.h"

enum { CALLS = 200 };

static bool job(struct contender *c)
{
    uint8_t text[STREAMS_MAX * BLOCK] = {0};
    const struct task task = {.src = text, .dst = text};
    return peer_mtaes_submit(c, &task);
}

static bool time_hot(struct contender *c, double *ns)
{
    bool good = job(c); /* so that the threads are awake */
    const uint64_t start_ns = clock_ns();
    for (size_t i = 0; i < CALLS && good; i++)
        good = job(c);
    *ns = clock_per_call(start_ns, clock_ns(), CALLS);
    return good;
}

/* The caller waits busily, so that what is measured is how the others wake up. */
static bool time_idle(struct contender *c, double *ns)
{
    const uint64_t end_ns = clock_ns() + 1000u * HANDOFF_IDLE_US;
    uint64_t start_ns;
    do {
        start_ns = clock_ns();
    } while (start_ns < end_ns);
    const bool good = job(c);
    *ns = clock_per_call(start_ns, clock_ns(), 1);
    return good;
}

/* The three kinds of runs in turn. */
static bool time_both(struct contender *many, struct contender *one, struct handoff *h)
{
    bool good = true;
    for (size_t i = 0; i < HANDOFF_RUNS && good; i++)
        good = time_hot(many, &h->hot_ns[i]) && time_idle(many, &h->idle_ns[i]) &&
               time_hot(one, &h->alone_ns[i]);
    return good;
}

bool handoff_measure(const struct workload *given, const struct peer *peer, size_t threads,
                     struct handoff *h, char *reason, size_t reason_room)
{
    struct workload work = *given;
    workload_set_mode(&work, mtaes_mode_find("ecb"));
    workload_set_key(&work, 1);
    work.streams = threads < STREAMS_MAX ? threads : STREAMS_MAX;
    if (!workload_set_bytes(&work, work.streams * BLOCK, 0, reason, reason_room))
        return false;
    struct contender many = {.peer = peer, .work = &work, .threads = threads};
    struct contender one = {.peer = &peer_mtaes, .work = &work, .threads = 1};
    many.peer->prepare(&many);
    one.peer->prepare(&one);
    const bool ready = !many.lacks[0][0] && !one.lacks[0][0];
    *h = (struct handoff){.peer = peer, .threads = many.threads};
    const bool good = ready && time_both(&many, &one, h);
    if (ready && !good)
        snprintf(reason, reason_room, "no hand-off: %.200s",
                 many.error[0] ? many.error : one.error);
    many.peer->free(&many);
    one.peer->free(&one);
    return good;
}
