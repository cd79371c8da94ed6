/* peer_openssl.c: engine "openssl": libcrypto's EVP, one message on one thread. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "evp.h"
#include "memory.h"
#include "peer.h"

struct state {
    EVP_CIPHER *cipher;
    EVP_CIPHER_CTX *context[2]; /* encrypt, decrypt */
};

static void release(struct contender *c)
{
    struct state *const s = c->state;
    if (!s)
        return;
    EVP_CIPHER_CTX_free(s->context[0]);
    EVP_CIPHER_CTX_free(s->context[1]);
    EVP_CIPHER_free(s->cipher);
    free(s);
    c->state = NULL;
}

static void prepare(struct contender *c)
{
    struct state *const s = c->state = allocate(1, sizeof *s);
    c->threads = 1;
    s->cipher = evp_fetch(c);
    if (!s->cipher) {
        release(c);
        return;
    }
    for (int decrypt = 0; decrypt < 2; decrypt++) {
        s->context[decrypt] = evp_context(c, s->cipher, decrypt);
        if (!s->context[decrypt])
            memcpy(c->lacks[decrypt], c->error, sizeof c->lacks[decrypt]);
    }
}

/* The end of a message: nothing may be left, and GCM's tag is read or compared. */
static bool finish(struct contender *c, EVP_CIPHER_CTX *context, const struct task *task)
{
    const int tag_bytes = (int)c->work->info.tag_bytes;
    uint8_t rest[2 * BLOCK];
    int rest_bytes = -1;
    if (tag_bytes && task->decrypt &&
        EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, tag_bytes, task->tag) != 1)
        return evp_failed("setting the tag", c->error);
    if (EVP_CipherFinal_ex(context, rest, &rest_bytes) != 1)
        return evp_failed("EVP_CipherFinal_ex", c->error);
    if (rest_bytes != 0) {
        snprintf(c->error, sizeof c->error, "EVP_CipherFinal_ex wrote %d bytes", rest_bytes);
        return false;
    }
    if (tag_bytes && !task->decrypt &&
        EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, tag_bytes, task->tag) != 1)
        return evp_failed("reading the tag", c->error);
    return true;
}

static bool run(struct contender *c, const struct task *task)
{
    const struct workload *const w = c->work;
    const struct state *const s = c->state;
    EVP_CIPHER_CTX *const context = s->context[task->decrypt];
    if (!evp_process(context, w, task, w->iv, 0, w->bytes, c->error))
        return false;
    return w->unit_bytes || finish(c, context, task); /* a unit ends with its one call */
}

const struct peer peer_openssl = {
    .name = "openssl",
    .summary = "OpenSSL's libcrypto, EVP, one thread",
    .prepare = prepare,
    .run = run,
    .free = release,
};
