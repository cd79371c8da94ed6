/* peer_nettle.c: engine "nettle": libnettle's own modes over parts of the message, on threads. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "peer.h"
#include "spread.h"

#ifdef HAVE_NETTLE

#include <nettle/cbc.h>
#include <nettle/cfb.h>
#include <nettle/ctr.h>
#include <nettle/gcm.h>
#include <nettle/nettle-meta.h>
#include <nettle/version.h>
#include <nettle/xts.h>

/* Schedules are read only, and so shared by all threads; GCM's context is not, but has one. */
struct state {
    const struct nettle_cipher *cipher;
    const struct nettle_aead *gcm;
    union {
        struct aes128_ctx aes128;
        struct aes192_ctx aes192;
        struct aes256_ctx aes256;
    } key[2], tweak; /* encrypt, decrypt */
    union {
        struct gcm_aes128_ctx aes128;
        struct gcm_aes192_ctx aes192;
        struct gcm_aes256_ctx aes256;
    } gcm_key;
};

static bool ecb(struct contender *c, const struct span *span)
{
    const struct state *const s = c->state;
    const struct task *const task = span->task;
    nettle_cipher_func *const f = task->decrypt ? s->cipher->decrypt : s->cipher->encrypt;
    f(&s->key[task->decrypt], span->bytes, task->dst + span->at, task->src + span->at);
    return true;
}

static bool cbc(struct contender *c, const struct span *span)
{
    const struct state *const s = c->state;
    const struct task *const task = span->task;
    uint8_t *const dst = task->dst + span->at, iv[BLOCK];
    const uint8_t *const src = task->src + span->at;
    memcpy(iv, span->iv, BLOCK);
    if (task->decrypt)
        cbc_decrypt(&s->key[1], s->cipher->decrypt, BLOCK, iv, span->bytes, dst, src);
    else if (c->work->key_bits == 128)
        cbc_aes128_encrypt(&s->key[0].aes128, iv, span->bytes, dst, src);
    else if (c->work->key_bits == 192)
        cbc_aes192_encrypt(&s->key[0].aes192, iv, span->bytes, dst, src);
    else
        cbc_aes256_encrypt(&s->key[0].aes256, iv, span->bytes, dst, src);
    return true;
}

static bool ctr(struct contender *c, const struct span *span)
{
    const struct state *const s = c->state;
    const struct task *const task = span->task;
    uint8_t iv[BLOCK];
    memcpy(iv, span->iv, BLOCK);
    ctr_crypt(&s->key[0], s->cipher->encrypt, BLOCK, iv, span->bytes, task->dst + span->at,
              task->src + span->at);
    return true;
}

static bool cfb(struct contender *c, const struct span *span)
{
    const struct state *const s = c->state;
    const struct task *const task = span->task;
    uint8_t iv[BLOCK];
    memcpy(iv, span->iv, BLOCK);
    (task->decrypt ? cfb_decrypt : cfb_encrypt)(&s->key[0], s->cipher->encrypt, BLOCK, iv,
                                                span->bytes, task->dst + span->at,
                                                task->src + span->at);
    return true;
}

static bool xts(struct contender *c, const struct span *span)
{
    const struct state *const s = c->state;
    const struct task *const task = span->task;
    uint8_t *const dst = task->dst + span->at;
    const uint8_t *const src = task->src + span->at;
    if (task->decrypt)
        xts_decrypt_message(&s->key[1], &s->tweak, s->cipher->decrypt, s->cipher->encrypt, span->iv,
                            span->bytes, dst, src);
    else
        xts_encrypt_message(&s->key[0], &s->tweak, s->cipher->encrypt, span->iv, span->bytes, dst,
                            src);
    return true;
}

static bool gcm(struct contender *c, const struct span *span)
{
    struct state *const s = c->state;
    const struct task *const task = span->task;
    uint8_t tag[BLOCK];
    s->gcm->set_nonce(&s->gcm_key, span->iv);
    (task->decrypt ? s->gcm->decrypt : s->gcm->encrypt)(&s->gcm_key, span->bytes, task->dst,
                                                        task->src);
    s->gcm->digest(&s->gcm_key, sizeof tag, tag);
    if (!task->decrypt)
        memcpy(task->tag, tag, sizeof tag);
    else if (memcmp(task->tag, tag, sizeof tag) != 0)
        snprintf(span->error, REASON_ROOM, "the tag is wrong");
    return !span->error[0];
}

static const struct {
    const char *name;
    spread_process *process;
} modes[] = {{"ecb", ecb}, {"cbc", cbc}, {"ctr", ctr}, {"cfb", cfb}, {"xts", xts}, {"gcm", gcm}};

static spread_process *find(const char *mode)
{
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        if (strcmp(mode, modes[i].name) == 0)
            return modes[i].process;
    }
    return NULL;
}

static void set_keys(struct state *s, const struct workload *w)
{
    const bool k128 = w->key_bits == 128, k192 = w->key_bits == 192;
    s->cipher = k128 ? &nettle_aes128 : k192 ? &nettle_aes192 : &nettle_aes256;
    s->gcm = k128 ? &nettle_gcm_aes128 : k192 ? &nettle_gcm_aes192 : &nettle_gcm_aes256;
    s->cipher->set_encrypt_key(&s->key[0], w->key);
    s->cipher->set_decrypt_key(&s->key[1], w->key);
    s->cipher->set_encrypt_key(&s->tweak, w->key + w->key_bits / 8);
    s->gcm->set_encrypt_key(&s->gcm_key, w->key);
}

static void prepare(struct contender *c)
{
    spread_process *const process = find(c->work->mode_name);
    snprintf(c->kernel, sizeof c->kernel, "libnettle");
    if (!peer_has_cipher(c))
        return;
    if (!process) {
        peer_lacks_all(c, "nettle %d.%d has no mode %s", nettle_version_major(),
                       nettle_version_minor(), c->work->mode_name);
        return;
    }
    struct state *const s = c->state = allocate(1, sizeof *s);
    set_keys(s, c->work);
    c->spread = spread_create(c, process);
}

static void release(struct contender *c)
{
    peer_free_spread(c);
    free(c->state);
    c->state = NULL;
}

const struct peer peer_nettle = {
    .name = "nettle",
    .summary = "GNU Nettle over parts of the message, on as many threads as mtaes",
    .threaded = true,
    .prepare = prepare,
    .run = peer_run_spread,
    .free = release,
};

#else

const struct peer peer_nettle = {
    .name = "nettle",
    .summary = "GNU Nettle",
    .threaded = true,
    .package = "nettle-dev",
    .prepare = peer_not_built,
    .free = peer_no_state,
};

#endif
