/* beecrypt_sha1.c: SHA-1 (FIPS 180-4) over 16 MiB, alone or one independent stream a thread. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <openssl/evp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "beecrypt.h"
#include "buffers.h"
#include "fanout.h"
#include "memory.h"

enum { DIGEST = 20 };

/* Octet i of the text is i mod 251; the digests are those of GNU coreutils' sha1sum. */
static const struct {
    size_t bytes;
    uint8_t digest[DIGEST];
} texts[] = {
    {(size_t)16 << 20, {0xbd, 0x60, 0x40, 0x5b, 0xe7, 0x99, 0x48, 0x98, 0x9a, 0x6c,
                        0x1d, 0x69, 0x63, 0xee, 0x20, 0xe6, 0xc9, 0x40, 0xb9, 0x36}},
    {(size_t)1 << 20, {0xc2, 0xfc, 0x4c, 0xb2, 0x0f, 0x13, 0x01, 0xa6, 0xb0, 0xdd,
                       0x21, 0x1c, 0x19, 0xe6, 0x9a, 0x13, 0x92, 0x5d, 0xbe, 0x40}},
};

/* The two examples of FIPS 180-1, appendices A and B; also RFC 3174, section 7.3. */
static const struct {
    const char *text;
    uint8_t digest[DIGEST];
} known[] = {
    {"abc", {0xa9, 0x99, 0x3e, 0x36, 0x47, 0x06, 0x81, 0x6a, 0xba, 0x3e,
             0x25, 0x71, 0x78, 0x50, 0xc2, 0x6c, 0x9c, 0xd0, 0xd8, 0x9d}},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
     {0x84, 0x98, 0x3e, 0x44, 0x1c, 0x3b, 0xd2, 0x6e, 0xba, 0xae,
      0x4a, 0xa1, 0xf9, 0x51, 0x29, 0xe5, 0xe5, 0x46, 0x70, 0xf1}},
};

struct stream {
    EVP_MD_CTX *context;
    uint8_t digest[DIGEST];
};

struct state {
    EVP_MD *algorithm;
    struct fanout *fanout;
    struct buffers buffers;
    struct stream *stream; /* [threads of the job] */
    size_t streams;
    const uint8_t *expected;
    _Atomic bool failed;
};

static void release(struct beecrypt_job *job)
{
    struct state *const s = job->state;
    if (!s)
        return;
    for (size_t i = 0; i < s->streams; i++)
        EVP_MD_CTX_free(s->stream[i].context);
    free(s->stream);
    fanout_free(s->fanout);
    buffers_free(&s->buffers);
    EVP_MD_free(s->algorithm);
    free(s);
    job->state = NULL;
}

static bool digest(const struct state *s, struct stream *stream, const void *text, size_t bytes)
{
    return EVP_DigestInit_ex2(stream->context, s->algorithm, NULL) == 1 &&
           EVP_DigestUpdate(stream->context, text, bytes) == 1 &&
           EVP_DigestFinal_ex(stream->context, stream->digest, NULL) == 1;
}

/* Fetch, the threads, and one context each; the algorithm is fetched before any thread starts. */
static bool set_up(struct beecrypt_job *job, char reason[REASON_ROOM])
{
    struct state *const s = job->state;
    s->algorithm = EVP_MD_fetch(NULL, "SHA1", NULL);
    if (!s->algorithm) {
        snprintf(reason, REASON_ROOM, "OpenSSL %s has no SHA-1 here",
                 OpenSSL_version(OPENSSL_VERSION_STRING));
        job->missing = true;
        return false;
    }
    s->fanout = fanout_create(job->plan.threads);
    if (!s->fanout) {
        snprintf(reason, REASON_ROOM, "no memory for threads");
        return false;
    }
    job->plan.threads = fanout_threads(s->fanout);
    s->stream = allocate(job->plan.threads, sizeof *s->stream);
    for (; s->streams < job->plan.threads; s->streams++) {
        if (!(s->stream[s->streams].context = EVP_MD_CTX_new())) {
            snprintf(reason, REASON_ROOM, "no memory for contexts");
            return false;
        }
    }
    return true;
}

static bool answers_known(const struct state *s)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (!digest(s, &s->stream[0], known[i].text, strlen(known[i].text)) ||
            memcmp(s->stream[0].digest, known[i].digest, DIGEST) != 0)
            return false;
    }
    return true;
}

static void run_stream(void *argument, size_t i)
{
    struct state *const s = argument;
    if (!digest(s, &s->stream[i], s->buffers.source, s->buffers.bytes))
        atomic_store(&s->failed, true);
}

static void reset(struct beecrypt_job *job)
{
    struct state *const s = job->state;
    for (size_t i = 0; i < s->streams; i++)
        memset(s->stream[i].digest, 0, DIGEST);
}

static bool run(struct beecrypt_job *job)
{
    struct state *const s = job->state;
    atomic_store(&s->failed, false);
    fanout_run(s->fanout, run_stream, s, s->streams);
    return !atomic_load(&s->failed);
}

static bool check(struct beecrypt_job *job)
{
    const struct state *const s = job->state;
    for (size_t i = 0; i < s->streams; i++) {
        if (memcmp(s->stream[i].digest, s->expected, DIGEST) != 0)
            return false;
    }
    return true;
}

static bool prepare(struct beecrypt_job *job, char reason[REASON_ROOM])
{
    struct state *const s = job->state = allocate(1, sizeof *s);
    const size_t which = job->plan.timed, bytes = texts[which].bytes;
    s->expected = texts[which].digest;
    if (!set_up(job, reason))
        return false;
    if (!buffers_create(&s->buffers, bytes, job->plan.seed, reason, REASON_ROOM)) {
        job->missing = true;
        return false;
    }
    for (size_t i = 0; i < bytes; i++)
        s->buffers.source[i] = (uint8_t)(i % 251);
    job->amount = bytes * s->streams;
    if (answers_known(s) && run(job) && check(job))
        return true;
    snprintf(reason, REASON_ROOM, "libcrypto's SHA-1 digests are not the known ones");
    return false;
}

const struct beecrypt_kind beecrypt_sha1 = {
    .unit = "bytes",
    .prepare = prepare,
    .reset = reset,
    .run = run,
    .check = check,
    .free = release,
};
