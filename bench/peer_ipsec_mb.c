/* peer_ipsec_mb.c: engine "ipsec-mb": Intel's multi-buffer library over parts, on threads. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "peer.h"
#include "spread.h"

#ifdef HAVE_IPSEC_MB

#include <intel-ipsec-mb.h>

enum { SCHEDULE_BYTES = 16 * BLOCK };
/* The multi-buffer part of that library, chains, keeps lengths in 16 bits. */
static const size_t chain_piece_max = 0xfff0;

/* A manager serves one thread at a time. */
struct manager {
    IMB_MGR *mgr;
    _Atomic bool taken;
};

struct state {
    _Alignas(64) uint8_t encrypt[SCHEDULE_BYTES], decrypt[SCHEDULE_BYTES];
    struct gcm_key_data gcm_key;
    aes_gcm_enc_dec_t gcm[2]; /* encrypt, decrypt */
    IMB_CIPHER_MODE mode;
    struct manager *managers;
    size_t count;
};

static const struct {
    const char *name;
    IMB_CIPHER_MODE mode;
} modes[] = {{"ecb", IMB_CIPHER_ECB},
             {"cbc", IMB_CIPHER_CBC},
             {"ctr", IMB_CIPHER_CNTR},
             {"gcm", IMB_CIPHER_GCM}};

/* --- work ------------------------------------------------------------------------------------ */

/* One of no more threads than there are managers. */
static struct manager *take(struct state *s)
{
    for (size_t i = 0;; i = (i + 1) % s->count) {
        if (!atomic_exchange(&s->managers[i].taken, true))
            return &s->managers[i];
    }
}

static void give_back(struct manager *manager)
{
    atomic_store(&manager->taken, false);
}

/* Submit one job; 1 if one was completed by it, and 0 if not. */
static size_t submit(const struct contender *c, IMB_MGR *mgr, bool decrypt, const uint8_t *iv,
                     const uint8_t *src, uint8_t *dst, size_t bytes)
{
    const struct state *const s = c->state;
    IMB_JOB *job = IMB_GET_NEXT_JOB(mgr);
    *job = (IMB_JOB){
        .enc_keys = s->encrypt,
        .dec_keys = s->decrypt,
        .key_len_in_bytes = c->work->key_bytes,
        .src = src,
        .dst = dst,
        .msg_len_to_cipher_in_bytes = bytes,
        .iv = iv,
        .iv_len_in_bytes = c->work->iv_bytes,
        .cipher_mode = s->mode,
        .cipher_direction = decrypt ? IMB_DIR_DECRYPT : IMB_DIR_ENCRYPT,
        .hash_alg = IMB_AUTH_NULL,
        .chain_order = decrypt ? IMB_ORDER_HASH_CIPHER : IMB_ORDER_CIPHER_HASH,
    };
    job = IMB_SUBMIT_JOB_NOCHECK(mgr);
    return job && job->status == IMB_STATUS_COMPLETED;
}

/* Complete what was submitted; whether that makes `wanted` with the `done` before. */
static bool flush(IMB_MGR *mgr, size_t done, size_t wanted, char *error)
{
    for (const IMB_JOB *job; done < wanted && (job = IMB_FLUSH_JOB(mgr)) != NULL;)
        done += job->status == IMB_STATUS_COMPLETED;
    if (done != wanted)
        snprintf(error, REASON_ROOM, "%zu of %zu jobs were completed: %s", done, wanted,
                 imb_get_strerror(imb_get_errno(mgr)));
    return done == wanted;
}

/* CBC encryption of `count` messages side by side, of `bytes` each, one behind the other. */
static bool chains(const struct contender *c, IMB_MGR *mgr, const struct span *span, size_t count,
                   size_t bytes)
{
    uint8_t iv[STREAMS_MAX][BLOCK];
    for (size_t i = 0; i < count; i++)
        memcpy(iv[i], workload_stream(c->work, i).iv, BLOCK);
    for (size_t at = 0; at < bytes;) {
        const size_t piece = bytes - at < chain_piece_max ? bytes - at : chain_piece_max;
        size_t done = 0;
        for (size_t i = 0; i < count; i++)
            done += submit(c, mgr, false, iv[i], span->task->src + i * bytes + at,
                           span->task->dst + i * bytes + at, piece);
        if (!flush(mgr, done, count, span->error))
            return false;
        at += piece;
        for (size_t i = 0; i < count; i++)
            memcpy(iv[i], span->task->dst + i * bytes + at - BLOCK, BLOCK);
    }
    return true;
}

/* That library counts in 32 bits: where they wrap, another job begins with the carry. */
static bool counter(const struct contender *c, IMB_MGR *mgr, const struct span *span)
{
    for (size_t at = 0; at < span->bytes;) {
        uint8_t iv[BLOCK];
        structure_seek(STRUCTURE_COUNTER, span->iv, NULL, NULL, at, iv);
        const uint32_t low = (uint32_t)iv[12] << 24 | (uint32_t)iv[13] << 16 |
                             (uint32_t)iv[14] << 8 | (uint32_t)iv[15];
        const uint64_t to_wrap = (((uint64_t)1 << 32) - low) * BLOCK;
        const size_t rest = span->bytes - at, piece = rest < to_wrap ? rest : (size_t)to_wrap;
        const size_t done = submit(c, mgr, span->task->decrypt, iv, span->task->src + span->at + at,
                                   span->task->dst + span->at + at, piece);
        if (!flush(mgr, done, 1, span->error))
            return false;
        at += piece;
    }
    return true;
}

static bool gcm(const struct contender *c, const struct span *span)
{
    const struct state *const s = c->state;
    const struct task *const task = span->task;
    struct gcm_context_data context;
    uint8_t tag[BLOCK];
    s->gcm[task->decrypt](&s->gcm_key, &context, task->dst, task->src, span->bytes, span->iv, NULL,
                          0, tag, sizeof tag);
    if (!task->decrypt)
        memcpy(task->tag, tag, sizeof tag);
    else if (memcmp(task->tag, tag, sizeof tag) != 0)
        snprintf(span->error, REASON_ROOM, "the tag is wrong");
    return !span->error[0];
}

static bool process(struct contender *c, const struct span *span)
{
    struct state *const s = c->state;
    const struct task *const task = span->task;
    const size_t streams = workload_streams(c->work);
    if (s->mode == IMB_CIPHER_GCM)
        return gcm(c, span);
    struct manager *const manager = take(s);
    bool good;
    if (s->mode == IMB_CIPHER_CNTR)
        good = counter(c, manager->mgr, span);
    else if (s->mode == IMB_CIPHER_CBC && !task->decrypt)
        good = chains(c, manager->mgr, span, streams, span->bytes / streams);
    else
        good = flush(manager->mgr,
                     submit(c, manager->mgr, task->decrypt, span->iv, task->src + span->at,
                            task->dst + span->at, span->bytes),
                     1, span->error);
    give_back(manager);
    return good;
}

/* --- set-up ---------------------------------------------------------------------------------- */

static void release(struct contender *c)
{
    struct state *const s = c->state;
    if (!s)
        return;
    for (size_t i = 0; i < s->count; i++)
        free_mb_mgr(s->managers[i].mgr);
    free(s->managers);
    free(s);
    c->state = NULL;
    peer_free_spread(c);
}

static bool create_managers(struct contender *c)
{
    static const char *const names[] = {"none", "no-aesni", "sse", "avx", "avx2", "avx512"};
    struct state *const s = c->state;
    s->managers = allocate(c->threads, sizeof *s->managers);
    for (; s->count < c->threads; s->count++) {
        IMB_MGR *const mgr = s->managers[s->count].mgr = alloc_mb_mgr(0);
        IMB_ARCH arch = IMB_ARCH_NONE;
        if (!mgr)
            return false;
        init_mb_mgr_auto(mgr, &arch);
        snprintf(c->kernel, sizeof c->kernel, "%s",
                 (size_t)arch < sizeof names / sizeof names[0] ? names[arch] : "newer");
        if (imb_get_errno(mgr) != 0) {
            s->count++;
            return false;
        }
    }
    return true;
}

static void set_keys(struct state *s, const struct workload *w)
{
    IMB_MGR *const mgr = s->managers[0].mgr;
    switch (w->key_bits) {
    case 128:
        IMB_AES_KEYEXP_128(mgr, w->key, s->encrypt, s->decrypt);
        IMB_AES128_GCM_PRE(mgr, w->key, &s->gcm_key);
        s->gcm[0] = mgr->gcm128_enc;
        s->gcm[1] = mgr->gcm128_dec;
        break;
    case 192:
        IMB_AES_KEYEXP_192(mgr, w->key, s->encrypt, s->decrypt);
        IMB_AES192_GCM_PRE(mgr, w->key, &s->gcm_key);
        s->gcm[0] = mgr->gcm192_enc;
        s->gcm[1] = mgr->gcm192_dec;
        break;
    default:
        IMB_AES_KEYEXP_256(mgr, w->key, s->encrypt, s->decrypt);
        IMB_AES256_GCM_PRE(mgr, w->key, &s->gcm_key);
        s->gcm[0] = mgr->gcm256_enc;
        s->gcm[1] = mgr->gcm256_dec;
    }
}

/* Whether that library has the mode; else lacks says so. */
static bool find_mode(struct contender *c, IMB_CIPHER_MODE *mode)
{
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        if (strcmp(c->work->mode_name, modes[i].name) != 0)
            continue;
        *mode = modes[i].mode;
        if (workload_streams(c->work) == 1 || *mode == IMB_CIPHER_CBC)
            return true;
    }
    peer_lacks_all(c, "ipsec-mb %s has no mode %s%s", imb_get_version_str(), c->work->mode_name,
                   workload_streams(c->work) > 1 ? " in batches" : "");
    return false;
}

static void prepare(struct contender *c)
{
    IMB_CIPHER_MODE mode;
    if (!peer_has_cipher(c) || !find_mode(c, &mode))
        return;
    struct state *const s = c->state = aligned_alloc(64, (sizeof *s + 63) / 64 * 64);
    if (!s) {
        peer_lacks_all(c, "no memory");
        return;
    }
    *s = (struct state){.mode = mode};
    c->spread = spread_create(c, process);
    if (!c->spread || !create_managers(c)) {
        if (c->spread)
            peer_lacks_all(c, "ipsec-mb does not run on this machine, or has no memory");
        release(c);
        return;
    }
    set_keys(s, c->work);
    if (workload_streams(c->work) > 1)
        snprintf(c->lacks[1], sizeof c->lacks[1], "only chains gain from batches");
}

const struct peer peer_ipsec_mb = {
    .name = "ipsec-mb",
    .summary = "Intel's multi-buffer library over parts of the message, on as many threads",
    .threaded = true,
    .batches = true,
    .prepare = prepare,
    .run = peer_run_spread,
    .free = release,
};

#else

const struct peer peer_ipsec_mb = {
    .name = "ipsec-mb",
    .summary = "Intel's multi-buffer library",
    .threaded = true,
    .package = "libipsec-mb-dev",
    .prepare = peer_not_built,
    .free = peer_no_state,
};

#endif
