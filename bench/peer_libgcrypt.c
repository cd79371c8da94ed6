/* peer_libgcrypt.c: engine "libgcrypt": its modes over parts of the message, on threads. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "peer.h"
#include "spread.h"

#ifdef HAVE_LIBGCRYPT

#include <gcrypt.h>

struct state {
    gcry_cipher_hd_t *part; /* one each, as a handle holds the IV */
    int mode;
};

static const struct {
    const char *name;
    int mode;
} modes[] = {{"ecb", GCRY_CIPHER_MODE_ECB}, {"cbc", GCRY_CIPHER_MODE_CBC},
             {"ctr", GCRY_CIPHER_MODE_CTR}, {"cfb", GCRY_CIPHER_MODE_CFB},
             {"ofb", GCRY_CIPHER_MODE_OFB}, {"xts", GCRY_CIPHER_MODE_XTS},
             {"gcm", GCRY_CIPHER_MODE_GCM}};

static bool good(gcry_error_t error, const char *what, char *text)
{
    if (error)
        snprintf(text, REASON_ROOM, "%s: %s", what, gcry_strerror(error));
    return !error;
}

static bool begin(const struct contender *c, gcry_cipher_hd_t h, const struct span *span)
{
    const struct state *const s = c->state;
    const size_t iv_bytes = c->work->iv_bytes;
    if (iv_bytes == 0)
        return true;
    if (s->mode == GCRY_CIPHER_MODE_CTR)
        return good(gcry_cipher_setctr(h, span->iv, iv_bytes), "setting the counter", span->error);
    return good(gcry_cipher_setiv(h, span->iv, iv_bytes), "setting the IV", span->error);
}

static bool process(struct contender *c, const struct span *span)
{
    const struct state *const s = c->state;
    const struct task *const task = span->task;
    gcry_cipher_hd_t const h = s->part[span->part];
    uint8_t *const dst = task->dst + span->at;
    const uint8_t *const src = task->src == task->dst ? NULL : task->src + span->at;
    const size_t src_bytes = src ? span->bytes : 0; /* none: in place */
    if (!begin(c, h, span))
        return false;
    if (s->mode == GCRY_CIPHER_MODE_GCM)
        gcry_cipher_final(h);
    if (!good((task->decrypt ? gcry_cipher_decrypt : gcry_cipher_encrypt)(h, dst, span->bytes, src,
                                                                          src_bytes),
              task->decrypt ? "gcry_cipher_decrypt" : "gcry_cipher_encrypt", span->error))
        return false;
    if (s->mode != GCRY_CIPHER_MODE_GCM)
        return true;
    return good(task->decrypt ? gcry_cipher_checktag(h, task->tag, BLOCK)
                              : gcry_cipher_gettag(h, task->tag, BLOCK),
                "the tag", span->error);
}

static void release(struct contender *c)
{
    struct state *const s = c->state;
    if (!s)
        return;
    for (size_t i = 0; s->part && i < spread_parts(c->spread); i++)
        gcry_cipher_close(s->part[i]); /* NULL is fine */
    peer_free_spread(c);
    free(s->part);
    free(s);
    c->state = NULL;
}

static bool open_part(struct contender *c, gcry_cipher_hd_t *part)
{
    const struct workload *const w = c->work;
    const struct state *const s = c->state;
    const int algorithm = w->key_bits == 128   ? GCRY_CIPHER_AES128
                          : w->key_bits == 192 ? GCRY_CIPHER_AES192
                                               : GCRY_CIPHER_AES256;
    return good(gcry_cipher_open(part, algorithm, s->mode, 0), "gcry_cipher_open", c->error) &&
           good(gcry_cipher_setkey(*part, w->key, w->key_bytes), "setting the key", c->error);
}

/* Once a process, before any other call. */
static void initialize(void)
{
    if (gcry_control(GCRYCTL_INITIALIZATION_FINISHED_P))
        return;
    gcry_check_version(NULL);
    gcry_control(GCRYCTL_DISABLE_SECMEM, 0);
    gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
}

static int find(const char *mode)
{
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        if (strcmp(mode, modes[i].name) == 0)
            return modes[i].mode;
    }
    return GCRY_CIPHER_MODE_NONE;
}

static void prepare(struct contender *c)
{
    const int mode = find(c->work->mode_name);
    snprintf(c->kernel, sizeof c->kernel, "libgcrypt");
    if (!peer_has_cipher(c))
        return;
    initialize();
    if (mode == GCRY_CIPHER_MODE_NONE) {
        peer_lacks_all(c, "libgcrypt %s has no mode %s", gcry_check_version(NULL),
                       c->work->mode_name);
        return;
    }
    struct state *const s = c->state = allocate(1, sizeof *s);
    s->mode = mode;
    c->spread = spread_create(c, process);
    s->part = c->spread ? allocate(spread_parts(c->spread), sizeof *s->part) : NULL;
    for (size_t i = 0; s->part && i < spread_parts(c->spread); i++) {
        if (!open_part(c, &s->part[i])) {
            peer_lacks_all(c, "%s", c->error);
            release(c);
            return;
        }
    }
}

const struct peer peer_libgcrypt = {
    .name = "libgcrypt",
    .summary = "Libgcrypt over parts of the message, on as many threads as mtaes",
    .threaded = true,
    .prepare = prepare,
    .run = peer_run_spread,
    .free = release,
};

#else

const struct peer peer_libgcrypt = {
    .name = "libgcrypt",
    .summary = "Libgcrypt",
    .threaded = true,
    .package = "libgcrypt20-dev",
    .prepare = peer_not_built,
    .free = peer_no_state,
};

#endif
