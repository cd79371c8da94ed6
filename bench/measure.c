/* measure.c: check all engines on one workload, then time them, run by run in turn. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "clock.h"
#include "memory.h"
#include "progress.h"
#include "verify.h"

/* The state of one measurement. */
struct session {
    const struct measurement *m;
    struct contender *reference; /* the first that encrypts */
    uint8_t tag[BLOCK];          /* of the right ciphertext */
    uint8_t *tags;               /* [calls][BLOCK]: in place, each call has its own */
    struct probes probes;
    double *ns; /* [contender][direction][runs] */
    char *reason;
    size_t reason_room;
};

enum { ENCRYPT, DECRYPT };

static bool can(const struct contender *c, bool decrypt)
{
    return !c->lacks[decrypt][0];
}

static const char *verb(bool decrypt)
{
    return decrypt ? "decryption" : "encryption";
}

/* What is wrong with a contender; always false. */
static bool fault(const struct session *s, const struct contender *c, bool decrypt,
                  const char *what)
{
    snprintf(s->reason, s->reason_room, "%s, %s of %zu bytes in %s %s: %s", c->peer->name,
             verb(decrypt), s->m->work->bytes, s->m->work->cipher, s->m->work->mode_name, what);
    return false;
}

static bool run(const struct session *s, struct contender *c, bool decrypt, const uint8_t *src,
                uint8_t *dst, uint8_t *tag)
{
    const struct task task = {.src = src, .dst = dst, .tag = tag, .decrypt = decrypt};
    return c->peer->run(c, &task) || fault(s, c, decrypt, c->error);
}

/* ------------------------------------------------------------------------------------- checking */

/* Once from `src` into the check buffer, or there in place; then compare with what is right. */
static bool check_once(const struct session *s, struct contender *c, bool decrypt,
                       const uint8_t *src, const uint8_t *right)
{
    const struct buffers *const b = s->m->buffers;
    const size_t bytes = s->m->work->bytes;
    uint8_t tag[BLOCK] = {0};
    if (decrypt)
        memcpy(tag, s->tag, sizeof tag);
    if (s->m->work->in_place) {
        memcpy(b->check, src, bytes);
        src = b->check;
    } else {
        memset(b->check, 0xa5, bytes); /* so that nothing right is there from before */
    }
    if (!run(s, c, decrypt, src, b->check, tag))
        return false;
    char what[REASON_ROOM];
    const size_t wrong = verify_compare(b->check, right, bytes);
    if (wrong < bytes) {
        snprintf(what, sizeof what, "output differs from %s at byte %zu of %zu",
                 decrypt || c->peer->copies ? "the plaintext" : s->reference->peer->name, wrong,
                 bytes);
        return fault(s, c, decrypt, what);
    }
    if (!decrypt && !c->peer->copies && memcmp(tag, s->tag, s->m->work->info.tag_bytes) != 0) {
        snprintf(what, sizeof what, "tag differs from that of %s", s->reference->peer->name);
        return fault(s, c, decrypt, what);
    }
    return true;
}

/* Each message of the reference's ciphertext, against the portable kernel's. */
static bool check_streams(const struct session *s, const size_t *threads, char *what, size_t room)
{
    const struct measurement *const m = s->m;
    const struct buffers *const b = m->buffers;
    for (size_t i = 0; i < workload_streams(m->work); i++) {
        const struct workload one = workload_stream(m->work, i);
        const size_t at = i * one.bytes;
        if (!verify_portable(&one, m->work->bytes, threads, m->count, b->source + at,
                             b->target + at, s->tag, b->check, what, room))
            return false;
    }
    return true;
}

static bool check_reference(struct session *s)
{
    const struct measurement *const m = s->m;
    const struct buffers *const b = m->buffers;
    size_t *const threads = allocate(m->count, sizeof *threads);
    for (size_t i = 0; i < m->count; i++)
        threads[i] = m->contenders[i].threads;
    char what[REASON_ROOM];
    bool good = run(s, s->reference, ENCRYPT, b->source, b->target, s->tag);
    if (good && !check_streams(s, threads, what, sizeof what))
        good = fault(s, s->reference, ENCRYPT, what);
    free(threads);
    return good;
}

/* The warm-up whose times are dropped: every engine's bytes against the others', the portable
   kernel's and the plaintext. Leaves the ciphertext in the target. */
static bool check_all(struct session *s)
{
    const struct measurement *const m = s->m;
    const struct buffers *const b = m->buffers;
    if (s->reference && !check_reference(s))
        return false;
    for (size_t i = 0; i < m->count; i++) {
        struct contender *const c = &m->contenders[i];
        progress_show("%zu bytes: checking %s", m->work->bytes, c->peer->name);
        const uint8_t *const ciphertext = c->peer->copies ? b->source : b->target;
        if (can(c, ENCRYPT) && !check_once(s, c, ENCRYPT, b->source, ciphertext))
            return false;
        if (can(c, DECRYPT) && !check_once(s, c, DECRYPT, ciphertext, b->source))
            return false;
    }
    probes_take(&s->probes, b->source, s->reference ? b->target : b->source, m->work->bytes,
                m->seed);
    return true;
}

/* --------------------------------------------------------------------------------------- timing */

/* All calls of one run; in place, each decryption undoes one encryption, the last one first. */
static bool timed_calls(const struct session *s, struct contender *c, bool decrypt,
                        const uint8_t *src, uint8_t *dst, double *ns)
{
    const size_t calls = s->m->calls;
    const uint64_t start_ns = clock_ns();
    for (size_t i = 0; i < calls; i++) {
        const size_t slot = !s->m->work->in_place ? 0 : decrypt ? calls - 1 - i : i;
        if (!run(s, c, decrypt, src, dst, s->tags + slot * BLOCK))
            return false;
    }
    *ns = clock_per_call(start_ns, clock_ns(), calls);
    return true;
}

static bool probes_good(const struct session *s, const struct contender *c, bool decrypt,
                        const uint8_t *buffer)
{
    const size_t *const wrong = probes_wrong(&s->probes, decrypt || c->peer->copies, buffer);
    char what[64];
    if (!wrong)
        return true;
    snprintf(what, sizeof what, "a timed run left a wrong byte at %zu", *wrong);
    return fault(s, c, decrypt, what);
}

/* Where calls are so short that a thread that sleeps, or a cold cache, would be most of what is
   measured, one more goes before the clock starts. */
static bool is_short(const struct workload *work)
{
    return work->bytes <= (size_t)8 << 20;
}

/* One direction, from one buffer to the other. */
static bool time_apart(const struct session *s, struct contender *c, bool decrypt, double *ns)
{
    const struct buffers *const b = s->m->buffers;
    const uint8_t *const src = decrypt ? b->target : b->source;
    uint8_t *const dst = decrypt ? b->check : b->target;
    if (is_short(s->m->work) && !run(s, c, decrypt, src, dst, s->tags))
        return false;
    probes_spoil(&s->probes, decrypt || c->peer->copies, dst);
    return timed_calls(s, c, decrypt, src, dst, ns) && probes_good(s, c, decrypt, dst);
}

/* Both directions in the target alone; another engine steps in, untimed, for one that is
   lacking. */
static bool time_in_place(const struct session *s, struct contender *c, double *ns[2])
{
    const struct buffers *const b = s->m->buffers;
    uint8_t *const text = b->target;
    struct contender *const writer = can(c, ENCRYPT) ? c : s->reference;
    struct contender *const reader = can(c, DECRYPT) ? c : s->reference;
    double unused;
    memcpy(text, b->source, s->m->work->bytes);
    if (!can(reader, DECRYPT))
        return timed_calls(s, writer, ENCRYPT, text, text, ns[ENCRYPT]);
    if (is_short(s->m->work) && (!run(s, writer, ENCRYPT, text, text, s->tags) ||
                                 !run(s, reader, DECRYPT, text, text, s->tags)))
        return false;
    if (!timed_calls(s, writer, ENCRYPT, text, text, can(c, ENCRYPT) ? ns[ENCRYPT] : &unused))
        return false;
    if (s->m->calls == 1 && !probes_good(s, writer, ENCRYPT, text))
        return false;
    return timed_calls(s, reader, DECRYPT, text, text, can(c, DECRYPT) ? ns[DECRYPT] : &unused) &&
           probes_good(s, reader, DECRYPT, text);
}

/* One contender's turn in one run. */
static bool turn(const struct session *s, struct contender *c, double *ns[2])
{
    /* long enough for the threads of the engine before to stop spinning and sleep */
    const struct timespec pause = {.tv_nsec = 1000000};
    nanosleep(&pause, NULL);
    if (s->m->work->in_place)
        return time_in_place(s, c, ns);
    const struct buffers *const b = s->m->buffers;
    if (can(c, ENCRYPT) && !time_apart(s, c, ENCRYPT, ns[ENCRYPT]))
        return false;
    /* one that only decrypts is given another's ciphertext */
    if (!can(c, ENCRYPT) && !run(s, s->reference, ENCRYPT, b->source, b->target, s->tags))
        return false;
    return !can(c, DECRYPT) || time_apart(s, c, DECRYPT, ns[DECRYPT]);
}

/* After the last run, every byte once more: what is left must be the plaintext. */
static bool check_after(const struct session *s, const struct contender *c)
{
    const struct buffers *const b = s->m->buffers;
    if (!can(c, DECRYPT))
        return true;
    const uint8_t *const left = s->m->work->in_place ? b->target : b->check;
    if (verify_compare(left, b->source, s->m->work->bytes) == s->m->work->bytes)
        return true;
    return fault(s, c, DECRYPT, "the last timed run did not leave the plaintext");
}

static double *slot(const struct session *s, size_t contender, bool decrypt)
{
    return s->ns + (2 * contender + decrypt) * s->m->runs;
}

static bool time_all(const struct session *s)
{
    const struct measurement *const m = s->m;
    for (size_t i = 0; i < m->runs; i++) {
        for (size_t k = 0; k < m->count; k++) {
            const size_t who = (i + k) % m->count; /* so that none is always first */
            struct contender *const c = &m->contenders[who];
            if (!can(c, ENCRYPT) && !can(c, DECRYPT))
                continue;
            progress_show("%zu bytes: run %zu of %zu, %s", m->work->bytes, i + 1, m->runs,
                          c->peer->name);
            double *ns[2] = {slot(s, who, ENCRYPT) + i, slot(s, who, DECRYPT) + i};
            if (!turn(s, c, ns) || (i + 1 == m->runs && !check_after(s, c)))
                return false;
        }
    }
    return true;
}

static void keep(const struct session *s, struct results *results)
{
    const struct measurement *const m = s->m;
    for (size_t k = 0; k < m->count; k++) {
        for (int decrypt = 0; decrypt < 2; decrypt++) {
            const struct contender *const c = &m->contenders[k];
            if (!can(c, decrypt))
                continue;
            const struct series *const series = results_add(results, c, decrypt, m->runs);
            memcpy(series->ns, slot(s, k, decrypt), m->runs * sizeof *series->ns);
        }
    }
}

bool measure(const struct measurement *m, struct results *results, char *reason, size_t reason_room)
{
    struct session s = {.m = m, .reason = reason, .reason_room = reason_room};
    for (size_t i = 0; i < m->count && !s.reference; i++) {
        if (can(&m->contenders[i], ENCRYPT) && !m->contenders[i].peer->copies)
            s.reference = &m->contenders[i];
    }
    if (!s.reference)
        s.reference = m->helper;
    s.tags = allocate(m->calls, BLOCK);
    s.ns = allocate(2 * m->count * m->runs, sizeof *s.ns);
    const bool good = check_all(&s) && time_all(&s);
    if (good)
        keep(&s, results);
    progress_clear();
    free(s.tags);
    free(s.ns);
    return good;
}
