/* peer_rmw.c: engine "rmw": the ceiling in place: the same parts, read, modified and written. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <string.h>

#include "peer.h"
#include "spread.h"

/* Zero, which the compiler cannot know: so each word is changed into itself. */
static volatile uint64_t change;

enum { WORDS = 8 };

static bool rewrite(struct contender *c, const struct span *span)
{
    typedef uint64_t line __attribute__((vector_size(WORDS * sizeof(uint64_t)), aligned(1)));
    (void)c;
    uint8_t *const text = span->task->dst + span->at;
    const uint64_t word = change;
    size_t at = 0;
    for (; span->bytes - at >= sizeof(line); at += sizeof(line)) {
        __builtin_prefetch(text + at + 4096, 1);
        line v;
        memcpy(&v, text + at, sizeof v);
        v ^= word;
        memcpy(text + at, &v, sizeof v);
    }
    for (; at < span->bytes; at++)
        text[at] = (uint8_t)(text[at] ^ word);
    return true;
}

static void prepare(struct contender *c)
{
    snprintf(c->kernel, sizeof c->kernel, "xor");
    if (c->work->in_place)
        c->spread = spread_create(c, rewrite);
    else
        peer_lacks_all(c, "works in place only; see engine memcpy");
}

const struct peer peer_rmw = {
    .name = "rmw",
    .summary = "the ceiling in place: each word read, changed and written over the same parts",
    .threaded = true,
    .batches = true,
    .copies = true,
    .prepare = prepare,
    .run = peer_run_spread,
    .free = peer_free_spread,
};
