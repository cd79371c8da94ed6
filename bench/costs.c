/* costs.c: what keys and calls cost, however short the message. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "costs.h"

#include <stdio.h>

#include "clock.h"

enum { CALLS = 1000, KEYS = 50 };

const char *const cost_names[COST_KINDS] = {"key", "shortest call", "call"};

/* One thread, one kernel, one mode. */
struct bench {
    const struct workload *work;
    const mtaes_kernel *kernel;
    mtaes_engine *engine;
    mtaes_key *key;
    mtaes_status status; /* the first that was not OK */
};

static bool keep(struct bench *b, mtaes_status status)
{
    if (b->status == MTAES_OK)
        b->status = status;
    return status == MTAES_OK;
}

static bool make_key(struct bench *b, mtaes_key **key)
{
    const struct workload *const w = b->work;
    return keep(b, mtaes_key_create(key, b->kernel, w->mode, w->key, w->key_bytes));
}

static void time_keys(struct bench *b, double *ns)
{
    const uint64_t start_ns = clock_ns();
    for (size_t i = 0; i < KEYS && b->status == MTAES_OK; i++) {
        mtaes_key *key = NULL;
        make_key(b, &key);
        mtaes_key_free(key);
    }
    *ns = clock_per_call(start_ns, clock_ns(), KEYS);
}

static void time_calls(struct bench *b, size_t bytes, double *ns)
{
    const struct workload *const w = b->work;
    uint8_t src[COST_BYTES] = {0}, dst[COST_BYTES], tag[BLOCK];
    mtaes_message message = {.key = b->key,
                             .src = src,
                             .dst = dst,
                             .bytes = bytes,
                             .iv = w->iv_bytes ? w->iv : NULL,
                             .iv_bytes = w->iv_bytes,
                             .tag = w->info.tag_bytes ? tag : NULL,
                             .tag_bytes = w->info.tag_bytes};
    const uint64_t start_ns = clock_ns();
    for (size_t i = 0; i < CALLS && b->status == MTAES_OK; i++)
        keep(b, mtaes_run(b->engine, &message, 1));
    *ns = clock_per_call(start_ns, clock_ns(), CALLS);
}

bool costs_measure(const struct workload *work, struct cost *cost, char *reason, size_t reason_room)
{
    const mtaes_engine_options options = {.threads = 1};
    struct bench b = {.work = work,
                      .kernel = work->kernel ? work->kernel : mtaes_kernel_find(work->family)};
    *cost = (struct cost){.bytes = {0, (size_t)work->info.bytes_min, COST_BYTES}};
    if (keep(&b, mtaes_engine_create(&b.engine, &options)) && make_key(&b, &b.key)) {
        for (size_t i = 0; i < COST_RUNS; i++) {
            time_keys(&b, &cost->ns[COST_KEY][i]);
            time_calls(&b, cost->bytes[COST_SHORTEST], &cost->ns[COST_SHORTEST][i]);
            time_calls(&b, cost->bytes[COST_CALL], &cost->ns[COST_CALL][i]);
        }
    }
    mtaes_key_free(b.key);
    (void)!mtaes_engine_free(b.engine); /* BUSY is for callbacks */
    if (b.status != MTAES_OK)
        snprintf(reason, reason_room, "%s", mtaes_status_text(b.status));
    return b.status == MTAES_OK;
}
