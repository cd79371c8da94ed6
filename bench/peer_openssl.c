/* peer_openssl.c: engines "openssl" and "openssl-mt": libcrypto's EVP, on one thread or several. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "evp.h"
#include "memory.h"
#include "peer.h"
#include "spread.h"

struct contexts {
    EVP_CIPHER_CTX *direction[2]; /* encrypt, decrypt */
};

struct state {
    EVP_CIPHER *cipher;
    struct contexts *part;
};

static void release(struct contender *c)
{
    struct state *const s = c->state;
    if (!s)
        return;
    for (size_t i = 0; s->part && i < spread_parts(c->spread); i++) {
        EVP_CIPHER_CTX_free(s->part[i].direction[0]);
        EVP_CIPHER_CTX_free(s->part[i].direction[1]);
    }
    free(s->part);
    peer_free_spread(c);
    EVP_CIPHER_free(s->cipher);
    free(s);
    c->state = NULL;
}

/* The end of a whole message: nothing may be left, and GCM's tag is read or compared. */
static bool finish(const struct contender *c, EVP_CIPHER_CTX *context, const struct span *span)
{
    const struct task *const task = span->task;
    const int tag_bytes = (int)c->work->info.tag_bytes;
    uint8_t rest[2 * BLOCK];
    int rest_bytes = -1;
    if (tag_bytes && task->decrypt &&
        EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, tag_bytes, task->tag) != 1)
        return evp_failed("setting the tag", span->error);
    if (EVP_CipherFinal_ex(context, rest, &rest_bytes) != 1)
        return evp_failed("EVP_CipherFinal_ex", span->error);
    if (rest_bytes != 0) {
        snprintf(span->error, REASON_ROOM, "EVP_CipherFinal_ex wrote %d bytes", rest_bytes);
        return false;
    }
    if (tag_bytes && !task->decrypt &&
        EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, tag_bytes, task->tag) != 1)
        return evp_failed("reading the tag", span->error);
    return true;
}

static bool process(struct contender *c, const struct span *span)
{
    const struct state *const s = c->state;
    EVP_CIPHER_CTX *const context = s->part[span->part].direction[span->task->decrypt];
    const bool ends = !c->work->unit_bytes && spread_parts(c->spread) == 1;
    return evp_process(context, c->work, span) && (!ends || finish(c, context, span));
}

/* Contexts for every part in one direction. */
static void prepare_direction(struct contender *c, bool decrypt)
{
    const struct state *const s = c->state;
    for (size_t i = 0; i < spread_parts(c->spread) && !c->lacks[decrypt][0]; i++) {
        s->part[i].direction[decrypt] = evp_context(c, s->cipher, decrypt);
        if (!s->part[i].direction[decrypt])
            memcpy(c->lacks[decrypt], c->error, sizeof c->lacks[decrypt]);
    }
}

static void prepare(struct contender *c)
{
    struct state *const s = c->state = allocate(1, sizeof *s);
    s->cipher = evp_fetch(c); /* once, before any thread starts */
    c->spread = s->cipher ? spread_create(c, process) : NULL;
    if (!c->spread) {
        release(c);
        return;
    }
    s->part = allocate(spread_parts(c->spread), sizeof *s->part);
    prepare_direction(c, false);
    prepare_direction(c, true);
}

const struct peer peer_openssl = {
    .name = "openssl",
    .summary = "OpenSSL's libcrypto, EVP, one thread",
    .prepare = prepare,
    .run = peer_run_spread,
    .free = release,
};

const struct peer peer_openssl_mt = {
    .name = "openssl-mt",
    .summary = "OpenSSL's libcrypto over parts of the message, on as many threads as mtaes",
    .threaded = true,
    .prepare = prepare,
    .run = peer_run_spread,
    .free = release,
};
