/* peer_mtaes.c: engines "mtaes" and "mtaes-...": this project's library, and its executors. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "executors.h"
#include "memory.h"
#include "mtaes.h"
#include "peer.h"

struct state {
    mtaes_engine *engine;
    mtaes_key *key;
    void *run_context; /* of a caller's executor */
    size_t count;
    mtaes_message message[STREAMS_MAX]; /* all but direction, buffers and tag */
    uint8_t iv[STREAMS_MAX][BLOCK];
};

static void release(struct contender *c)
{
    struct state *const s = c->state;
    if (!s)
        return;
    mtaes_key_free(s->key);
    (void)!mtaes_engine_free(s->engine); /* BUSY is for callbacks, and there are none */
    if (s->run_context)
        c->peer->executor->free(s->run_context);
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

static bool create_engine(struct contender *c, struct state *s)
{
    const struct executor *const executor = c->peer->executor;
    mtaes_engine_options options = {.threads = c->threads};
    if (executor) {
        options.executor = executor->kind;
        options.run = executor->run;
        if (executor->create)
            options.run_context = s->run_context = executor->create(c->threads);
    }
    const mtaes_status status = mtaes_engine_create(&s->engine, &options);
    if (status == MTAES_UNSUPPORTED && options.executor == MTAES_EXECUTOR_OPENMP)
        peer_lacks_all(c, "the library was built without OpenMP");
    else if (status != MTAES_OK)
        peer_lacks_all(c, "no engine: %s", mtaes_status_text(status));
    else
        c->threads = mtaes_engine_threads(s->engine);
    return status == MTAES_OK;
}

/* What the messages have in every task. */
static void fill_messages(const struct workload *w, struct state *s)
{
    s->count = workload_streams(w);
    for (size_t i = 0; i < s->count; i++) {
        const struct workload one = workload_stream(w, i);
        memcpy(s->iv[i], one.iv, BLOCK);
        s->message[i] = (mtaes_message){
            .key = s->key,
            .bytes = one.bytes,
            .iv = w->iv_bytes ? s->iv[i] : NULL,
            .iv_bytes = w->iv_bytes,
            .tag_bytes = w->info.tag_bytes,
            .unit_bytes = w->unit_bytes,
        };
    }
}

static void prepare(struct contender *c)
{
    const struct workload *const w = c->work;
    const mtaes_kernel *const kernel = choose(c);
    if (!kernel)
        return;
    struct state *const s = c->state = allocate(1, sizeof *s);
    const mtaes_status status = mtaes_key_create(&s->key, kernel, w->mode, w->key, w->key_bytes);
    if (status != MTAES_OK)
        peer_lacks_all(c, "no %s in mode %s: %s", w->cipher, w->mode_name,
                       mtaes_status_text(status));
    if (status != MTAES_OK || !create_engine(c, s)) {
        release(c);
        return;
    }
    fill_messages(w, s);
}

static void set_task(struct state *s, const struct task *task)
{
    for (size_t i = 0; i < s->count; i++) {
        mtaes_message *const m = &s->message[i];
        m->direction = task->decrypt ? MTAES_DECRYPT : MTAES_ENCRYPT;
        m->src = task->src + i * m->bytes;
        m->dst = task->dst + i * m->bytes;
        m->tag = m->tag_bytes ? task->tag : NULL;
    }
}

static bool outcome(struct contender *c, mtaes_status status)
{
    if (status != MTAES_OK)
        snprintf(c->error, sizeof c->error, "%s", mtaes_status_text(status));
    return status == MTAES_OK;
}

static bool run(struct contender *c, const struct task *task)
{
    struct state *const s = c->state;
    set_task(s, task);
    return outcome(c, mtaes_run(s->engine, s->message, s->count));
}

bool peer_mtaes_submit(struct contender *c, const struct task *task)
{
    struct state *const s = c->state;
    mtaes_job *job;
    set_task(s, task);
    mtaes_status status = mtaes_submit(s->engine, s->message, s->count, NULL, &job);
    if (status == MTAES_OK)
        status = mtaes_job_wait(job);
    return outcome(c, status);
}

const struct peer peer_mtaes = {
    .name = "mtaes",
    .summary = "this library",
    .threaded = true,
    .batches = true,
    .prepare = prepare,
    .run = run,
    .free = release,
};

const struct peer peer_mtaes_openmp = {
    .name = "mtaes-openmp",
    .summary = "this library, its threads those of OpenMP",
    .threaded = true,
    .batches = true,
    .executor = &executor_openmp,
    .prepare = prepare,
    .run = run,
    .free = release,
};

const struct peer peer_mtaes_caller = {
    .name = "mtaes-caller",
    .summary = "this library on threads of this program, which are kept between calls",
    .threaded = true,
    .batches = true,
    .executor = &executor_caller,
    .prepare = prepare,
    .run = run,
    .free = release,
};

const struct peer peer_mtaes_spawn = {
    .name = "mtaes-spawn",
    .summary = "this library on threads of this program, which are made in each call",
    .threaded = true,
    .batches = true,
    .executor = &executor_spawn,
    .prepare = prepare,
    .run = run,
    .free = release,
};
