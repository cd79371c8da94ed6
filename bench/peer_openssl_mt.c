/* peer_openssl_mt.c: engine "openssl-mt": libcrypto's EVP over parts of the message, on threads. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "evp.h"
#include "fanout.h"
#include "memory.h"
#include "parts.h"
#include "peer.h"

struct part {
    EVP_CIPHER_CTX *context[2]; /* encrypt, decrypt */
    uint8_t iv[BLOCK];          /* of the run under way */
    char error[REASON_ROOM];
};

struct state {
    EVP_CIPHER *cipher;
    struct fanout *fanout;
    struct parts parts;
    struct part *part;
    const struct workload *work;
    const struct task *task; /* these two: of the run under way */
    _Atomic bool failed;
};

static void release(struct contender *c)
{
    struct state *const s = c->state;
    if (!s)
        return;
    for (size_t i = 0; s->part && i < s->parts.count; i++) {
        EVP_CIPHER_CTX_free(s->part[i].context[0]);
        EVP_CIPHER_CTX_free(s->part[i].context[1]);
    }
    free(s->part);
    fanout_free(s->fanout);
    EVP_CIPHER_free(s->cipher);
    free(s);
    c->state = NULL;
}

/* Contexts for every part in one direction. */
static void prepare_direction(struct contender *c, bool decrypt)
{
    struct state *const s = c->state;
    const char *const obstacle = structure_obstacle(c->work->structure, decrypt);
    if (obstacle) {
        snprintf(c->lacks[decrypt], sizeof c->lacks[decrypt],
                 "one message is not spread over threads: %s; see engine openssl", obstacle);
        return;
    }
    for (size_t i = 0; i < s->parts.count; i++) {
        s->part[i].context[decrypt] = evp_context(c, s->cipher, decrypt);
        if (!s->part[i].context[decrypt]) {
            memcpy(c->lacks[decrypt], c->error, sizeof c->lacks[decrypt]);
            return;
        }
    }
}

static void prepare(struct contender *c)
{
    struct state *const s = c->state = allocate(1, sizeof *s);
    s->work = c->work;
    s->cipher = evp_fetch(c); /* once, before any thread starts */
    s->fanout = s->cipher ? fanout_create(c->threads) : NULL;
    if (!s->fanout) {
        if (s->cipher)
            peer_lacks_all(c, "no memory for threads");
        release(c);
        return;
    }
    c->threads = fanout_threads(s->fanout);
    parts_make(&s->parts, c->work->bytes, c->threads, c->work->unit_bytes);
    s->part = allocate(s->parts.count, sizeof *s->part);
    prepare_direction(c, false);
    prepare_direction(c, true);
}

static void run_part(void *argument, size_t i)
{
    struct state *const s = argument;
    struct part *const part = &s->part[i];
    const size_t at = s->parts.at[i];
    if (!evp_process(part->context[s->task->decrypt], s->work, s->task, part->iv, at,
                     s->parts.at[i + 1] - at, part->error))
        atomic_store(&s->failed, true);
}

static bool run(struct contender *c, const struct task *task)
{
    struct state *const s = c->state;
    const struct workload *const w = c->work;
    /* All IVs before any part: in place, a part destroys what its successor starts from. */
    if (w->iv_bytes && !w->unit_bytes) {
        for (size_t i = 0; i < s->parts.count; i++)
            structure_seek(w->structure, w->iv, NULL, task->src, s->parts.at[i], s->part[i].iv);
    }
    s->task = task;
    atomic_store(&s->failed, false);
    fanout_run(s->fanout, run_part, s, s->parts.count);
    if (!atomic_load(&s->failed))
        return true;
    for (size_t i = 0; i < s->parts.count; i++) {
        if (s->part[i].error[0])
            memcpy(c->error, s->part[i].error, sizeof c->error);
    }
    return false;
}

const struct peer peer_openssl_mt = {
    .name = "openssl-mt",
    .summary = "OpenSSL's libcrypto over parts of the message, on as many threads as mtaes",
    .threaded = true,
    .prepare = prepare,
    .run = run,
    .free = release,
};
