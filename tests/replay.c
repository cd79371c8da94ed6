/* replay.c: run one published vector through one kernel, in every way that must not matter. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "replay.h"

#include "pieces.h"
#include "reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CANARY_BYTES = 32, CANARY = 0xa5, SMALL_PIECES_LIMIT = 66000 };

/* One vector under one key. */
struct trial {
    struct replay *replay;
    const struct vector *vector;
    const mtaes_mode *mode;
    mtaes_key *key;
    uint8_t *plaintext, *ciphertext; /* NULL while not known */
    size_t bytes;
    bool has_tag, tag_known; /* whether the mode has one; whether all of it is in `tag` */
    uint8_t tag[16];
};

struct way {
    int engine;
    bool in_place, in_pieces;
    size_t piece;
};

static bool fail(struct trial *trial, const struct way *way, mtaes_direction direction,
                 const char *what)
{
    char pieces[48] = "whole";
    if (way->in_pieces && way->piece != PIECES_RANDOM)
        snprintf(pieces, sizeof pieces, "pieces of %zu", way->piece);
    else if (way->in_pieces)
        snprintf(pieces, sizeof pieces, "random pieces");
    snprintf(trial->replay->why, sizeof trial->replay->why, "%s, %zu threads, %s%s: %s",
             direction == MTAES_DECRYPT ? "decryption" : "encryption", thread_counts[way->engine],
             pieces, way->in_place ? ", in place" : "", what);
    return false;
}

static mtaes_message message_of(const struct trial *trial, mtaes_direction direction,
                                const uint8_t *src, uint8_t *dst, uint8_t *tag, size_t tag_bytes)
{
    const struct vector *v = trial->vector;
    mtaes_message m = {.key = trial->key, .direction = direction, .src = src, .dst = dst};
    m.bytes = trial->bytes;
    m.iv = v->iv.p;
    m.iv_bytes = v->iv.n;
    if (trial->has_tag) {
        m.aad = v->aad.p;
        m.aad_bytes = v->aad.n;
        m.tag = tag;
        m.tag_bytes = tag_bytes;
    }
    return m;
}

/* A buffer with canaries around `bytes` bytes. */
static uint8_t *canaried(size_t bytes)
{
    uint8_t *p = malloc(bytes + 2 * CANARY_BYTES);
    if (p == NULL)
        exit(99);
    memset(p, CANARY, bytes + 2 * CANARY_BYTES);
    return p + CANARY_BYTES;
}

static bool canaries_live(const uint8_t *p, size_t bytes)
{
    return all_bytes(p - CANARY_BYTES, CANARY_BYTES, CANARY) &&
           all_bytes(p + bytes, CANARY_BYTES, CANARY);
}

/* Run one way, from `src` into `out` (canaried; the source itself where in place). */
static mtaes_status run_way(struct trial *trial, const struct way *way, mtaes_direction direction,
                            const uint8_t *src, uint8_t *out, uint8_t *tag, size_t tag_bytes,
                            const char **fault)
{
    mtaes_engine *engine = trial->replay->engines[way->engine];
    if (way->in_place && trial->bytes > 0)
        memcpy(out, src, trial->bytes);
    mtaes_message m = message_of(trial, direction, way->in_place ? out : src, out, tag, tag_bytes);
    *fault = NULL;
    if (way->in_pieces)
        return pieces_run(engine, &m, way->piece, &trial->replay->random, fault);
    const mtaes_status status = mtaes_run(engine, &m, 1);
    if (m.status != status)
        *fault = "the message's status is not the one returned";
    return status;
}

/* Run one way and expect the bytes; `tag` is written by encryption, given to decryption. */
static bool expect_bytes(struct trial *trial, const struct way *way, mtaes_direction direction,
                         const uint8_t *src, const uint8_t *expected, uint8_t *tag)
{
    uint8_t *out = canaried(trial->bytes);
    const char *fault;
    const mtaes_status status = run_way(trial, way, direction, src, out, tag, 16, &fault);
    if (status != MTAES_OK)
        fault = mtaes_status_text(status);
    else if (fault == NULL && !canaries_live(out, trial->bytes))
        fault = "bytes outside dst were written";
    else if (fault == NULL)
        fault = difference(out, expected, trial->bytes);
    const bool good = fault == NULL || fail(trial, way, direction, fault);
    free(out - CANARY_BYTES);
    return good;
}

/* Run one way and expect it to be refused, with dst as it was, or all zero where zeroed. */
static bool expect_status(struct trial *trial, const struct way *way, mtaes_direction direction,
                          const uint8_t *src, uint8_t *tag, size_t tag_bytes, mtaes_status expected)
{
    uint8_t *out = canaried(trial->bytes);
    const char *fault;
    const mtaes_status status = run_way(trial, way, direction, src, out, tag, tag_bytes, &fault);
    if (status != expected)
        fault = mtaes_status_text(status);
    else if (!canaries_live(out, trial->bytes))
        fault = "bytes outside dst were written";
    else if (!way->in_pieces && expected == MTAES_AUTH && !all_bytes(out, trial->bytes, 0))
        fault = "text that is not authentic was left in dst";
    else if (!way->in_pieces && !way->in_place && expected != MTAES_AUTH &&
             !all_bytes(out, trial->bytes, CANARY))
        fault = "dst was written though the message is refused";
    const bool good = fault == NULL || fail(trial, way, direction, fault);
    free(out - CANARY_BYTES);
    return good;
}

/* ------------------------------------------------------------------------------------------------
 * ways */

/* A long text on a slow kernel. */
static bool is_slow(const struct trial *trial)
{
    return trial->bytes > SMALL_PIECES_LIMIT &&
           (UNDER_SANITIZER || trial->replay->kernel == portable_of(trial->replay->kernel));
}

/* The ways to go in one direction. */
struct ways {
    struct way way[2 * THREAD_COUNTS + 4 * PIECE_SIZES];
    int count;
};

static void add_way(struct ways *ways, int engine, bool in_pieces, size_t piece)
{
    for (int in_place = 0; in_place < 2; in_place++)
        ways->way[ways->count++] = (struct way){engine, in_place, in_pieces, piece};
}

/*
 * Whole on every engine, and in pieces of every size on two, each separate and in place. A chain
 * is not cut, so two engines are enough. On the slow portable kernel long texts go in place alone:
 * separate they went already, to be compared with the digest.
 */
static void plan_ways(const struct trial *trial, mtaes_direction direction, struct ways *ways)
{
    static const int two[] = {0, 3};
    const mtaes_mode_info info = mtaes_mode_describe(trial->mode);
    const bool chain = direction == MTAES_DECRYPT ? !info.decrypt_parallel : !info.encrypt_parallel;
    const bool lengthy = trial->bytes > SMALL_PIECES_LIMIT, slow = is_slow(trial);
    ways->count = 0;
    if (slow) {
        ways->way[ways->count++] = (struct way){.engine = two[1], .in_place = true};
        return;
    }
    if (!trial->replay->thorough) {
        add_way(ways, 0, false, 0);
        return;
    }
    for (int i = 0; i < THREAD_COUNTS; i++)
        if (!chain || i == two[0] || i == two[1])
            add_way(ways, i, false, 0);
    for (int i = 0; pieces_exist() && i < PIECE_SIZES; i++) {
        const bool tiny = piece_sizes[i] != PIECES_RANDOM && piece_sizes[i] < 4095;
        if (tiny && lengthy)
            continue;
        add_way(ways, two[1], true, piece_sizes[i]);
        if (!chain)
            add_way(ways, two[0], true, piece_sizes[i]);
    }
}

static bool encrypt_all_ways(struct trial *trial)
{
    struct ways ways;
    plan_ways(trial, MTAES_ENCRYPT, &ways);
    for (int i = 0; i < ways.count; i++) {
        uint8_t tag[16] = {0};
        const struct way *way = &ways.way[i];
        if (!expect_bytes(trial, way, MTAES_ENCRYPT, trial->plaintext, trial->ciphertext, tag))
            return false;
        const struct bytes *given = &trial->vector->tag;
        const char *fault =
            trial->has_tag && given->given ? difference(tag, given->p, given->n) : NULL;
        if (fault == NULL && trial->has_tag && trial->tag_known)
            fault = difference(tag, trial->tag, 16);
        if (fault != NULL)
            return fail(trial, way, MTAES_ENCRYPT, fault);
        memcpy(trial->tag, tag, 16);
        trial->tag_known = true;
    }
    return true;
}

static bool decrypt_all_ways(struct trial *trial)
{
    struct ways ways;
    plan_ways(trial, MTAES_DECRYPT, &ways);
    for (int i = 0; i < ways.count; i++) {
        uint8_t tag[16];
        memcpy(tag, trial->tag, 16);
        if (!expect_bytes(trial, &ways.way[i], MTAES_DECRYPT, trial->ciphertext, trial->plaintext,
                          tag))
            return false;
    }
    return true;
}

static bool refuse_all_ways(struct trial *trial, mtaes_direction direction, const uint8_t *src,
                            const uint8_t *tag, size_t tag_bytes, mtaes_status expected)
{
    struct ways ways;
    plan_ways(trial, direction, &ways);
    for (int i = 0; i < ways.count; i++) {
        uint8_t copy[16] = {0};
        if (tag_bytes > 0)
            memcpy(copy, tag, tag_bytes < 16 ? tag_bytes : 16);
        if (!expect_status(trial, &ways.way[i], direction, src, copy, tag_bytes, expected))
            return false;
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------
 * kinds of vectors */

static const struct way first_way;

/* A tag of which one bit is turned. */
static bool refuse_forgery(struct trial *trial)
{
    uint8_t forged[16];
    memcpy(forged, trial->tag, 16);
    const size_t bit = random_below(&trial->replay->random, 128);
    forged[bit / 8] ^= (uint8_t)(1 << bit % 8);
    return expect_status(trial, &first_way, MTAES_DECRYPT, trial->ciphertext, forged, 16,
                         MTAES_AUTH);
}

/* A tag cut short is refused whether it is right or not; whether it is right, encryption tells.
   The keystream does not depend on the direction, so encrypting twice gives the ciphertext. */
static bool check_short_tag(struct trial *trial)
{
    const struct vector *v = trial->vector;
    if (!refuse_all_ways(trial, MTAES_DECRYPT, trial->ciphertext, v->tag.p, v->tag.n, MTAES_TAG))
        return false;
    if (!v->wrong)
        return true;
    uint8_t *text = canaried(trial->bytes), tag[16] = {0};
    const char *fault;
    mtaes_status status =
        run_way(trial, &first_way, MTAES_ENCRYPT, trial->ciphertext, text, tag, 16, &fault);
    const bool good = status == MTAES_OK &&
                      expect_bytes(trial, &first_way, MTAES_ENCRYPT, text, trial->ciphertext, tag);
    free(text - CANARY_BYTES);
    if (!good)
        return fail(trial, &first_way, MTAES_ENCRYPT, "encrypting twice does not give the text");
    if (memcmp(tag, v->tag.p, v->tag.n) == 0)
        return fail(trial, &first_way, MTAES_ENCRYPT, "a tag said to be wrong is right");
    return true;
}

/* RFC 5652, section 6.3: the length of the text before the padding, or SIZE_MAX. */
static size_t unpadded(const uint8_t *p, size_t bytes)
{
    if (bytes == 0 || bytes % 16 != 0)
        return SIZE_MAX;
    const uint8_t pad = p[bytes - 1];
    if (pad < 1 || pad > 16 || !all_bytes(p + bytes - pad, pad, pad))
        return SIZE_MAX;
    return bytes - pad;
}

/* A ciphertext that decrypts to a text without padding; it must still be the text's ciphertext. */
static bool check_bad_padding(struct trial *trial)
{
    trial->plaintext = canaried(trial->bytes);
    const char *fault;
    const mtaes_status status = run_way(trial, &first_way, MTAES_DECRYPT, trial->ciphertext,
                                        trial->plaintext, NULL, 0, &fault);
    bool good = true;
    if (status != MTAES_OK)
        good = fail(trial, &first_way, MTAES_DECRYPT, mtaes_status_text(status));
    else if (unpadded(trial->plaintext, trial->bytes) != SIZE_MAX)
        good = fail(trial, &first_way, MTAES_DECRYPT, "the padding is said to be bad, and is good");
    good = good && encrypt_all_ways(trial) && decrypt_all_ways(trial);
    free(trial->plaintext - CANARY_BYTES);
    return good;
}

/* Make and check the ciphertext of a long text, which the file gives as a digest. */
static bool make_long_text(struct trial *trial)
{
    const struct vector *v = trial->vector;
    uint8_t digest[32], tag[16];
    const char *fault;
    const mtaes_status status = run_way(trial, &first_way, MTAES_ENCRYPT, trial->plaintext,
                                        trial->ciphertext, tag, 16, &fault);
    if (status != MTAES_OK)
        fault = mtaes_status_text(status);
    else if (fault == NULL && v->last.n > 0)
        fault = difference(trial->ciphertext + trial->bytes - v->last.n, v->last.p, v->last.n);
    if (fault == NULL && reference_sha256(trial->ciphertext, trial->bytes, digest))
        fault = difference(digest, v->digest.p, 32);
    return fault == NULL || fail(trial, &first_way, MTAES_ENCRYPT, fault);
}

static bool run_long_text(struct trial *trial)
{
    uint8_t *plaintext = canaried(trial->bytes), *ciphertext = canaried(trial->bytes);
    trial->plaintext = plaintext;
    trial->ciphertext = ciphertext;
    vector_long_text(plaintext, trial->bytes);
    bool good = make_long_text(trial);
    if (good && (!is_slow(trial) || trial->has_tag))
        good = encrypt_all_ways(trial);
    good = good && decrypt_all_ways(trial);
    free(plaintext - CANARY_BYTES);
    free(ciphertext - CANARY_BYTES);
    return good;
}

static bool run_padded(struct trial *trial)
{
    const struct vector *v = trial->vector;
    if (v->wrong)
        return check_bad_padding(trial);
    trial->plaintext = canaried(trial->bytes);
    const size_t pad = 16 - v->plaintext.n % 16;
    bool good;
    if (v->plaintext.n + pad != trial->bytes) {
        good = fail(trial, &first_way, MTAES_ENCRYPT, "the padded text has another length");
    } else {
        memcpy(trial->plaintext, v->plaintext.p, v->plaintext.n);
        memset(trial->plaintext + v->plaintext.n, (int)pad, pad);
        good = encrypt_all_ways(trial) && decrypt_all_ways(trial);
    }
    free(trial->plaintext - CANARY_BYTES);
    return good;
}

static bool run_plain(struct trial *trial)
{
    const struct vector *v = trial->vector;
    const mtaes_mode_info info = mtaes_mode_describe(trial->mode);
    if (v->key_refused)
        return refuse_all_ways(trial, MTAES_ENCRYPT, trial->plaintext, v->tag.p, 0, MTAES_KEY);
    if (v->iv.n < info.iv_bytes_min || v->iv.n > info.iv_bytes_max)
        return refuse_all_ways(trial, MTAES_ENCRYPT, trial->ciphertext, v->tag.p, v->tag.n,
                               MTAES_IV) &&
               refuse_all_ways(trial, MTAES_DECRYPT, trial->ciphertext, v->tag.p, v->tag.n,
                               MTAES_IV);
    if (v->wrong && v->tag.n == info.tag_bytes)
        return refuse_all_ways(trial, MTAES_DECRYPT, trial->ciphertext, v->tag.p, v->tag.n,
                               MTAES_AUTH);
    if (v->encrypt && !encrypt_all_ways(trial))
        return false;
    if (trial->has_tag && v->tag.n != info.tag_bytes && !check_short_tag(trial))
        return false;
    if (v->wrong)
        return true;
    if (!trial->tag_known && trial->has_tag)
        memcpy(trial->tag, v->tag.p, 16);
    return (!v->decrypt || decrypt_all_ways(trial)) && (!trial->has_tag || refuse_forgery(trial));
}

const char *replay_skip(const struct vector *vector, const mtaes_mode **mode)
{
    static char text[64];
    if (vector->skip != NULL)
        return vector->skip;
    *mode = mtaes_mode_find(vector->mode);
    if (*mode != NULL)
        return NULL;
    snprintf(text, sizeof text, "this library has no mode named %s", vector->mode);
    return text;
}

static enum replay_result run_trial(struct trial *trial)
{
    const struct vector *v = trial->vector;
    trial->has_tag = mtaes_mode_describe(trial->mode).tag_bytes != 0;
    trial->bytes = v->long_text ? v->text_bytes : v->ciphertext.n;
    trial->plaintext = v->plaintext.p;
    trial->ciphertext = v->ciphertext.p;
    if (!v->long_text && !v->padded && !v->wrong && v->plaintext.n != v->ciphertext.n) {
        fail(trial, &first_way, MTAES_ENCRYPT, "plaintext and ciphertext differ in length");
        return REPLAY_FAILED;
    }
    if (trial->has_tag && v->tag.n > 16) {
        fail(trial, &first_way, MTAES_ENCRYPT, "a tag of more than 16 bytes");
        return REPLAY_FAILED;
    }
    const bool good = v->long_text ? run_long_text(trial)
                      : v->padded  ? run_padded(trial)
                                   : run_plain(trial);
    return good ? REPLAY_PASSED : REPLAY_FAILED;
}

enum replay_result replay_vector(struct replay *replay, const struct vector *vector)
{
    struct trial trial = {.replay = replay, .vector = vector};
    const char *skip = replay_skip(vector, &trial.mode);
    if (skip != NULL) {
        snprintf(replay->why, sizeof replay->why, "%s", skip);
        return REPLAY_SKIPPED;
    }
    const size_t key_bytes = vector->key.n;
    const mtaes_status status =
        mtaes_key_create(&trial.key, replay->kernel, trial.mode, vector->key.p, key_bytes);
    enum replay_result result = REPLAY_FAILED;
    if (strcmp(vector->mode, "xts") == 0 && key_bytes == 48) {
        /* IEEE 1619 has no AES-192; others made vectors for it all the same. */
        if (status == MTAES_KEY)
            result = REPLAY_PASSED;
        snprintf(replay->why, sizeof replay->why, "an XTS key of 48 bytes: %s",
                 mtaes_status_text(status));
    } else if (status != MTAES_OK) {
        snprintf(replay->why, sizeof replay->why, "the key: %s", mtaes_status_text(status));
    } else if (trial.key->kernel != replay->kernel) {
        snprintf(replay->why, sizeof replay->why, "the key is bound to another kernel");
    } else {
        coverage_mark(replay->kernel);
        result = run_trial(&trial);
    }
    mtaes_key_free(trial.key);
    return result;
}
