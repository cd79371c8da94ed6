/* peer_mtaes.c: engine "mtaes": this project's library. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <stdlib.h>

#include "memory.h"
#include "mtaes.h"
#include "peer.h"

struct state {
    mtaes_engine *engine;
    mtaes_key *key;
};

static void release(struct contender *c)
{
    struct state *const s = c->state;
    if (!s)
        return;
    mtaes_key_free(s->key);
    (void)!mtaes_engine_free(s->engine); /* BUSY is for callbacks, and there are none */
    free(s);
    c->state = NULL;
}

/* The kernel asked for, or the fastest; NULL: lacks says why. */
static const mtaes_kernel *choose(struct contender *c)
{
    const struct workload *const w = c->work;
    const mtaes_kernel *const kernel = w->kernel ? w->kernel : mtaes_kernel_find(w->family);
    if (!kernel) {
        peer_lacks_all(c, "no kernel of cipher %s runs on this machine", w->family);
        return NULL;
    }
    snprintf(c->kernel, sizeof c->kernel, "%s", mtaes_kernel_name(kernel));
    if (!mtaes_kernel_runs_here(kernel)) {
        char missing[160];
        mtaes_kernel_features(kernel, true, missing, sizeof missing);
        peer_lacks_all(c, "kernel %s does not run on this machine, which lacks %s", c->kernel,
                       missing);
        return NULL;
    }
    return kernel;
}

static void prepare(struct contender *c)
{
    const struct workload *const w = c->work;
    const mtaes_kernel *const kernel = choose(c);
    if (!kernel)
        return;
    struct state *const s = c->state = allocate(1, sizeof *s);
    mtaes_status status = mtaes_key_create(&s->key, kernel, w->mode, w->key, w->key_bytes);
    if (status != MTAES_OK) {
        peer_lacks_all(c, "no %s in mode %s: %s", w->cipher, w->mode_name,
                       mtaes_status_text(status));
        release(c);
        return;
    }
    const mtaes_engine_options options = {.threads = c->threads};
    status = mtaes_engine_create(&s->engine, &options);
    if (status != MTAES_OK) {
        peer_lacks_all(c, "no engine: %s", mtaes_status_text(status));
        release(c);
        return;
    }
    c->threads = mtaes_engine_threads(s->engine);
}

static bool run(struct contender *c, const struct task *task)
{
    const struct workload *const w = c->work;
    const struct state *const s = c->state;
    mtaes_message message = {
        .key = s->key,
        .direction = task->decrypt ? MTAES_DECRYPT : MTAES_ENCRYPT,
        .src = task->src,
        .dst = task->dst,
        .bytes = w->bytes,
        .iv = w->iv_bytes ? w->iv : NULL,
        .iv_bytes = w->iv_bytes,
        .tag = w->info.tag_bytes ? task->tag : NULL,
        .tag_bytes = w->info.tag_bytes,
        .unit_bytes = w->unit_bytes,
    };
    const mtaes_status status = mtaes_run(s->engine, &message, 1);
    if (status != MTAES_OK)
        snprintf(c->error, sizeof c->error, "%s", mtaes_status_text(status));
    return status == MTAES_OK;
}

const struct peer peer_mtaes = {
    .name = "mtaes",
    .summary = "this library",
    .threaded = true,
    .prepare = prepare,
    .run = run,
    .free = release,
};
