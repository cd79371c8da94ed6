/* verify_portable.c: ciphertext against the portable kernel, in pieces where it is long. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "parts.h"
#include "verify.h"

/* Up to here the whole text is checked. */
static const size_t whole_max = (size_t)64 << 20;
static const size_t end_bytes = (size_t)1 << 20, edge_bytes = (size_t)2 << 10;

/* The portable kernel under one or two keys, on one thread. */
struct checker {
    const struct workload *work;
    const uint8_t *plain, *cipher;
    uint8_t *scratch;
    mtaes_engine *engine;
    mtaes_key *key;   /* of the mode (GCM: of CTR; XTS: the data key, in ECB) */
    mtaes_key *tweak; /* XTS: the tweak key, in ECB */
    char *reason;
    size_t reason_room;
};

static bool status_good(const struct checker *c, mtaes_status status, const char *what)
{
    if (status == MTAES_OK)
        return true;
    snprintf(c->reason, c->reason_room, "the portable kernel's %s failed: %s", what,
             mtaes_status_text(status));
    return false;
}

static bool make_key(const struct checker *c, mtaes_key **key, const char *mode,
                     const uint8_t *material, size_t material_bytes)
{
    char name[64];
    snprintf(name, sizeof name, "%s-portable", c->work->family);
    const mtaes_kernel *const kernel = mtaes_kernel_find(name);
    const mtaes_mode *const row = mtaes_mode_find(mode);
    if (!kernel || !row) {
        snprintf(c->reason, c->reason_room, "the library has no %s '%s' to check against",
                 kernel ? "mode" : "kernel", kernel ? mode : name);
        return false;
    }
    return status_good(c, mtaes_key_create(key, kernel, row, material, material_bytes), "key");
}

static bool encrypt(const struct checker *c, const mtaes_key *key, const uint8_t *src, uint8_t *dst,
                    size_t bytes, const uint8_t *iv, size_t iv_bytes)
{
    mtaes_message message = {
        .key = key, .src = src, .dst = dst, .bytes = bytes, .iv = iv, .iv_bytes = iv_bytes};
    return status_good(c, mtaes_run(c->engine, &message, 1), "encryption");
}

/* Compare [at, at + bytes) of scratch with the ciphertext. */
static bool same(const struct checker *c, size_t at, size_t bytes)
{
    const size_t wrong = verify_compare(c->scratch + at, c->cipher + at, bytes);
    if (wrong == bytes)
        return true;
    snprintf(c->reason, c->reason_room, "differs from the portable kernel of %s at byte %zu of %zu",
             c->work->family, at + wrong, c->work->bytes);
    return false;
}

/* A chain is one block after the other, but what it is to become is known: pieces of it, each from
   the state that the texts give there, go side by side. All of them right is the whole right. */
static bool check_chain(const struct checker *c)
{
    enum { PIECES = 64 };
    const struct workload *const w = c->work;
    const size_t piece = (w->bytes / BLOCK / PIECES + 1) * BLOCK;
    mtaes_message messages[PIECES];
    uint8_t iv[PIECES][BLOCK];
    size_t count = 0;
    for (size_t at = 0; at < w->bytes; at += piece, count++) {
        structure_seek(w->structure, w->iv, c->plain, c->cipher, at, iv[count]);
        messages[count] = (mtaes_message){.key = c->key,
                                          .src = c->plain + at,
                                          .dst = c->scratch + at,
                                          .bytes = w->bytes - at < piece ? w->bytes - at : piece,
                                          .iv = iv[count],
                                          .iv_bytes = w->iv_bytes};
    }
    return status_good(c, mtaes_run(c->engine, messages, count), "encryption") &&
           same(c, 0, w->bytes);
}

static bool check_whole(const struct checker *c, const uint8_t *tag)
{
    const struct workload *const w = c->work;
    if (w->structure == STRUCTURE_CIPHERTEXT || w->structure == STRUCTURE_BOTH)
        return check_chain(c);
    uint8_t right[BLOCK] = {0};
    mtaes_message message = {
        .key = c->key,
        .src = c->plain,
        .dst = c->scratch,
        .bytes = w->bytes,
        .iv = w->iv_bytes ? w->iv : NULL,
        .iv_bytes = w->iv_bytes,
        .tag = w->info.tag_bytes ? right : NULL,
        .tag_bytes = w->info.tag_bytes,
        .unit_bytes = w->unit_bytes,
    };
    if (!status_good(c, mtaes_run(c->engine, &message, 1), "encryption") || !same(c, 0, w->bytes))
        return false;
    if (memcmp(right, tag, w->info.tag_bytes) == 0)
        return true;
    snprintf(c->reason, c->reason_room, "tag differs from the portable kernel's");
    return false;
}

/* A piece as a message of its own, begun with the state that the text before it gives. */
static bool check_piece(const struct checker *c, size_t at, size_t bytes)
{
    const struct workload *const w = c->work;
    uint8_t iv[BLOCK];
    structure_seek(w->structure, w->iv, c->plain, c->cipher, at, iv);
    const size_t iv_bytes = w->structure == STRUCTURE_NONE ? 0 : BLOCK;
    return encrypt(c, c->key, c->plain + at, c->scratch + at, bytes, iv_bytes ? iv : NULL,
                   iv_bytes) &&
           same(c, at, bytes);
}

/* --- XTS from ECB, IEEE 1619, 5.3: so that a piece may begin inside a unit ------------------- */

/* t *= x^n, little-endian. */
static void multiply(uint8_t t[BLOCK], size_t n)
{
    uint64_t low = 0, high = 0;
    for (size_t i = 8; i-- > 0;) {
        low = low << 8 | t[i];
        high = high << 8 | t[8 + i];
    }
    for (; n; n--) {
        const uint64_t carry = high >> 63;
        high = high << 1 | low >> 63;
        low = low << 1 ^ carry * 0x87;
    }
    for (size_t i = 0; i < 8; i++) {
        t[i] = (uint8_t)(low >> 8 * i);
        t[8 + i] = (uint8_t)(high >> 8 * i);
    }
}

/* dst = E(src ^ t) ^ t for so many blocks; t is left as that of the block after. */
static bool xex(const struct checker *c, uint8_t t[BLOCK], const uint8_t *src, uint8_t *dst,
                size_t blocks)
{
    uint8_t *const tweaks = allocate(blocks, BLOCK);
    for (size_t i = 0; i < blocks; i++, multiply(t, 1))
        memcpy(tweaks + i * BLOCK, t, BLOCK);
    for (size_t i = 0; i < blocks * BLOCK; i++)
        dst[i] = src[i] ^ tweaks[i];
    const bool good = encrypt(c, c->key, dst, dst, blocks * BLOCK, NULL, 0);
    for (size_t i = 0; i < blocks * BLOCK; i++)
        dst[i] ^= tweaks[i];
    free(tweaks);
    return good;
}

/* The last whole block of a unit and the rest of 1 to 15 bytes after it; t is that of the
   former. */
static bool steal(const struct checker *c, uint8_t t[BLOCK], const uint8_t *src, uint8_t *dst,
                  size_t rest)
{
    uint8_t first[BLOCK], second[BLOCK];
    if (!xex(c, t, src, first, 1))
        return false;
    memcpy(second, first, BLOCK);
    memcpy(second, src + BLOCK, rest);
    memcpy(dst + BLOCK, first, rest);
    return xex(c, t, second, dst, 1);
}

/* [from, to) of a unit of `length` bytes that begins at `start`; widened to whole blocks, and to
   the whole of a stealing tail. */
static bool check_unit(const struct checker *c, size_t start, size_t length, size_t from, size_t to)
{
    const size_t rest = length % BLOCK, tail = rest ? length - rest - BLOCK : length;
    from = from < tail ? from / BLOCK * BLOCK : tail;
    const bool steals = to > tail;
    to = steals ? tail : (to + BLOCK - 1) / BLOCK * BLOCK;

    uint8_t t[BLOCK];
    structure_unit_number(c->work->iv, start / c->work->unit_bytes, t);
    if (!encrypt(c, c->tweak, t, t, BLOCK, NULL, 0))
        return false;
    multiply(t, from / BLOCK);
    const uint8_t *const src = c->plain + start;
    uint8_t *const dst = c->scratch + start;
    if (to > from && !xex(c, t, src + from, dst + from, (to - from) / BLOCK))
        return false;
    if (steals && !steal(c, t, src + tail, dst + tail, rest))
        return false;
    return same(c, start + from, (steals ? length : to) - from);
}

static bool check_units(const struct checker *c, size_t at, size_t bytes)
{
    const size_t unit = c->work->unit_bytes, end = at + bytes;
    for (size_t start = at / unit * unit; start < end; start += unit) {
        const size_t left = c->work->bytes - start, length = left < unit ? left : unit;
        const size_t from = at > start ? at - start : 0;
        const size_t to = end - start < length ? end - start : length;
        if (!check_unit(c, start, length, from, to))
            return false;
    }
    return true;
}

/* --------------------------------------------------------------------------------------------- */

/* [from, to), cut to the text. */
static bool check_range(const struct checker *c, size_t from, size_t to)
{
    const size_t bytes = c->work->bytes;
    from = from / BLOCK * BLOCK;
    to = to < bytes ? to / BLOCK * BLOCK : bytes;
    if (c->work->structure == STRUCTURE_UNIT)
        return check_units(c, from, to - from);
    return check_piece(c, from, to - from);
}

/* Around the edges of the parts that so many threads get. */
static bool check_edges(const struct checker *c, size_t threads, size_t granule)
{
    struct parts parts;
    parts_make(&parts, c->work->bytes, threads, granule);
    for (size_t i = 1; i < parts.count; i++) {
        if (!check_range(c, parts.at[i] - edge_bytes, parts.at[i] + edge_bytes))
            return false;
    }
    return true;
}

static bool check_pieces(const struct checker *c, const size_t *threads, size_t thread_counts)
{
    const size_t bytes = c->work->bytes;
    if (!check_range(c, 0, end_bytes) || !check_range(c, bytes - end_bytes, bytes))
        return false;
    for (size_t k = 0; k < thread_counts; k++) {
        /* the library cuts inside units, too; peers do not */
        if (!check_edges(c, threads[k], 0) ||
            (c->work->unit_bytes && !check_edges(c, threads[k], c->work->unit_bytes)))
            return false;
    }
    return true;
}

static bool make_piece_keys(struct checker *c)
{
    const struct workload *const w = c->work;
    const size_t half = w->key_bytes / 2;
    if (w->structure == STRUCTURE_UNIT)
        return make_key(c, &c->key, "ecb", w->key, half) &&
               make_key(c, &c->tweak, "ecb", w->key + half, half);
    return make_key(c, &c->key, w->structure == STRUCTURE_GCM ? "ctr" : w->mode_name, w->key,
                    w->key_bytes);
}

bool verify_portable(const struct workload *w, size_t all_bytes, const size_t *threads,
                     size_t thread_counts, const uint8_t *plain, const uint8_t *cipher,
                     const uint8_t *tag, uint8_t *scratch, char *reason, size_t reason_room)
{
    struct checker c = {.work = w,
                        .plain = plain,
                        .cipher = cipher,
                        .scratch = scratch,
                        .reason = reason,
                        .reason_room = reason_room};
    const mtaes_engine_options options = {.threads = 1};
    const bool whole = all_bytes <= whole_max || w->structure == STRUCTURE_UNKNOWN;
    bool good = status_good(&c, mtaes_engine_create(&c.engine, &options), "engine");
    if (good && whole)
        good = make_key(&c, &c.key, w->mode_name, w->key, w->key_bytes) && check_whole(&c, tag);
    else if (good)
        good = make_piece_keys(&c) && check_pieces(&c, threads, thread_counts);
    mtaes_key_free(c.key);
    mtaes_key_free(c.tweak);
    (void)!mtaes_engine_free(c.engine);
    return good;
}
