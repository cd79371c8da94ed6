/* beecrypt_blowfish.c: Blowfish (Schneier 1993) in ECB and CBC, by OpenSSL's legacy provider. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "beecrypt.h"
#include "beecrypt_vectors.h"
#include "buffers.h"
#include "fanout.h"
#include "memory.h"
#include "parts.h"
#include "random.h"

enum { KEY_BYTES = 16, BF_BLOCK = 8 };

static const size_t published_bytes = (size_t)8 << 20, timed_bytes = (size_t)1 << 20;

/* One stretch of the text: all of it on one thread. */
struct part {
    EVP_CIPHER_CTX *context;
    uint8_t iv[BF_BLOCK]; /* of the run under way */
};

struct state {
    OSSL_LIB_CTX *library; /* of its own: a loaded provider changes what the others fetch */
    OSSL_PROVIDER *legacy;
    EVP_CIPHER *ecb, *cbc;
    struct buffers buffers; /* source: plaintext; check: ciphertext; target: worked on */
    struct fanout *fanout;
    struct parts parts;
    struct part *part;
    bool decrypt, chained;
    uint8_t key[KEY_BYTES], iv[BF_BLOCK];
    const uint8_t *from, *expected; /* from == target in place */
    _Atomic bool failed;
};

static void release(struct beecrypt_job *job)
{
    struct state *const s = job->state;
    if (!s)
        return;
    for (size_t i = 0; s->part && i < s->parts.count; i++)
        EVP_CIPHER_CTX_free(s->part[i].context);
    free(s->part);
    fanout_free(s->fanout);
    buffers_free(&s->buffers);
    EVP_CIPHER_free(s->ecb);
    EVP_CIPHER_free(s->cbc);
    if (s->legacy)
        OSSL_PROVIDER_unload(s->legacy);
    OSSL_LIB_CTX_free(s->library);
    free(s);
    job->state = NULL;
}

/* --- libcrypto ------------------------------------------------------------------------------- */

static bool load(struct state *s, char reason[REASON_ROOM])
{
    s->library = OSSL_LIB_CTX_new();
    s->legacy = s->library ? OSSL_PROVIDER_load(s->library, "legacy") : NULL;
    if (s->legacy) {
        s->ecb = EVP_CIPHER_fetch(s->library, "BF-ECB", NULL);
        s->cbc = EVP_CIPHER_fetch(s->library, "BF-CBC", NULL);
    }
    ERR_clear_error();
    if (s->ecb && s->cbc)
        return true;
    snprintf(reason, REASON_ROOM,
             "OpenSSL's legacy provider, which has Blowfish, could not be loaded; in Debian it is "
             "in package openssl-provider-legacy, up to Debian 12 in libssl3 "
             "(ossl-modules/legacy.so)");
    return false;
}

static EVP_CIPHER_CTX *new_context(const EVP_CIPHER *cipher, bool decrypt, const uint8_t *key,
                                   size_t key_bytes, const uint8_t *iv)
{
    EVP_CIPHER_CTX *const context = EVP_CIPHER_CTX_new();
    if (context && EVP_CipherInit_ex2(context, cipher, NULL, NULL, !decrypt, NULL) == 1 &&
        EVP_CIPHER_CTX_set_key_length(context, (int)key_bytes) == 1 &&
        EVP_CipherInit_ex2(context, NULL, key, iv, !decrypt, NULL) == 1 &&
        EVP_CIPHER_CTX_set_padding(context, 0) == 1)
        return context;
    EVP_CIPHER_CTX_free(context);
    return NULL;
}

/* bytes: far below what an int can say. */
static bool update(EVP_CIPHER_CTX *context, uint8_t *dst, const uint8_t *src, size_t bytes)
{
    int written = -1;
    return EVP_CipherUpdate(context, dst, &written, src, (int)bytes) == 1 && written == (int)bytes;
}

static bool once(const EVP_CIPHER *cipher, bool decrypt, const uint8_t *key, size_t key_bytes,
                 const uint8_t *iv, uint8_t *dst, const uint8_t *src, size_t bytes)
{
    EVP_CIPHER_CTX *const context = new_context(cipher, decrypt, key, key_bytes, iv);
    const bool good = context && update(context, dst, src, bytes);
    EVP_CIPHER_CTX_free(context);
    return good;
}

/* --- checks ---------------------------------------------------------------------------------- */

static bool answers_known(const struct state *s, bool chained)
{
    const EVP_CIPHER *const cipher = chained ? s->cbc : s->ecb;
    for (size_t i = 0; i < beecrypt_vector_count; i++) {
        const struct beecrypt_vector *const v = &beecrypt_vectors[i];
        uint8_t text[BEECRYPT_VECTOR_TEXT];
        if (v->chained != chained)
            continue;
        if (!once(cipher, false, v->key, v->key_bytes, v->iv, text, v->plain, v->bytes) ||
            memcmp(text, v->cipher, v->bytes) != 0 ||
            !once(cipher, true, v->key, v->key_bytes, v->iv, text, v->cipher, v->bytes) ||
            memcmp(text, v->plain, v->bytes) != 0)
            return false;
    }
    return true;
}

/* Make the ciphertext of the whole text, and the text from it again. */
static bool round_trip(struct state *s)
{
    const EVP_CIPHER *const cipher = s->chained ? s->cbc : s->ecb;
    struct buffers *const b = &s->buffers;
    return once(cipher, false, s->key, KEY_BYTES, s->iv, b->check, b->source, b->bytes) &&
           memcmp(b->check, b->source, b->bytes) != 0 &&
           once(cipher, true, s->key, KEY_BYTES, s->iv, b->target, b->check, b->bytes) &&
           memcmp(b->target, b->source, b->bytes) == 0;
}

/* --- the workload ---------------------------------------------------------------------------- */

static void reset(struct beecrypt_job *job)
{
    struct state *const s = job->state;
    const uint8_t *const given = s->decrypt ? s->buffers.check : s->buffers.source;
    if (s->from == s->buffers.target)
        memcpy(s->buffers.target, given, s->buffers.bytes);
    else
        memset(s->buffers.target, 0, s->buffers.bytes);
}

static void run_part(void *argument, size_t i)
{
    struct state *const s = argument;
    const struct part *const part = &s->part[i];
    const size_t at = s->parts.at[i], bytes = s->parts.at[i + 1] - at;
    if ((s->chained && EVP_CipherInit_ex2(part->context, NULL, NULL, part->iv, -1, NULL) != 1) ||
        !update(part->context, s->buffers.target + at, s->from + at, bytes))
        atomic_store(&s->failed, true);
}

static bool run(struct beecrypt_job *job)
{
    struct state *const s = job->state;
    /* All IVs before any part: in place, a part destroys what its successor starts from. */
    for (size_t i = 0; s->chained && i < s->parts.count; i++)
        memcpy(s->part[i].iv, i ? s->from + s->parts.at[i] - BF_BLOCK : s->iv, BF_BLOCK);
    atomic_store(&s->failed, false);
    fanout_run(s->fanout, run_part, s, s->parts.count);
    return !atomic_load(&s->failed);
}

static bool check(struct beecrypt_job *job)
{
    const struct state *const s = job->state;
    return memcmp(s->buffers.target, s->expected, s->buffers.bytes) == 0;
}

/* The threads, the parts, and one context each, all before the clock starts. */
static bool set_up_parts(struct beecrypt_job *job, char reason[REASON_ROOM])
{
    struct state *const s = job->state;
    const EVP_CIPHER *const cipher = s->chained ? s->cbc : s->ecb;
    s->fanout = fanout_create(job->plan.threads);
    if (!s->fanout) {
        snprintf(reason, REASON_ROOM, "no memory for threads");
        return false;
    }
    job->plan.threads = fanout_threads(s->fanout);
    parts_make(&s->parts, s->buffers.bytes, job->plan.threads, BF_BLOCK);
    s->part = allocate(s->parts.count, sizeof *s->part);
    for (size_t i = 0; i < s->parts.count; i++) {
        s->part[i].context = new_context(cipher, s->decrypt, s->key, KEY_BYTES, s->iv);
        if (!s->part[i].context) {
            snprintf(reason, REASON_ROOM, "libcrypto could not set up a Blowfish context");
            return false;
        }
    }
    return true;
}

static bool prepare(struct beecrypt_job *job, char reason[REASON_ROOM])
{
    struct state *const s = job->state = allocate(1, sizeof *s);
    const int variant = job->work->variant;
    s->decrypt = variant == BLOWFISH_ECB_DECRYPT || variant == BLOWFISH_CBC_DECRYPT;
    s->chained = variant == BLOWFISH_CBC_ENCRYPT || variant == BLOWFISH_CBC_DECRYPT;
    job->amount = job->plan.timed ? timed_bytes : published_bytes;
    random_fill(job->plan.seed, RANDOM_KEY, s->key, sizeof s->key);
    random_fill(job->plan.seed, RANDOM_IV, s->iv, sizeof s->iv);
    if (!load(s, reason) ||
        !buffers_create(&s->buffers, job->amount, job->plan.seed, reason, REASON_ROOM)) {
        job->missing = true;
        return false;
    }
    s->expected = s->decrypt ? s->buffers.source : s->buffers.check;
    s->from = !job->plan.timed ? s->buffers.target
              : s->decrypt     ? s->buffers.check
                               : s->buffers.source;
    if (!answers_known(s, s->chained) || !round_trip(s)) {
        snprintf(reason, REASON_ROOM,
                 "libcrypto's Blowfish fails a published vector or the round trip");
        return false;
    }
    if (!set_up_parts(job, reason))
        return false;
    reset(job);
    if (run(job) && check(job))
        return true;
    snprintf(reason, REASON_ROOM, "Blowfish on %zu threads is not what one thread makes",
             job->plan.threads);
    return false;
}

const struct beecrypt_kind beecrypt_blowfish = {
    .unit = "bytes",
    .prepare = prepare,
    .reset = reset,
    .run = run,
    .check = check,
    .free = release,
};
