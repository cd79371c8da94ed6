/* test_differential.c: random messages, in random ways, against libcrypto and plain definitions. */
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 *   test_differential [SEED [COUNT]]
 *
 * Mode, kernel, key, lengths, addresses, unit, pieces, threads and direction of each message are drawn at random. The
 * seed is printed; with the same seed the same messages are drawn.
 */
#include "definition.h"
#include "pieces.h"
#include "reference.h"
#include "support.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { COUNT = UNDER_SANITIZER ? 2000 : 27000, MOST_AAD = 300, MOST_IV = 150 };

/* What is drawn. */
struct draw {
    const mtaes_kernel *kernel;
    const mtaes_mode *mode;
    mtaes_mode_info info;
    size_t key_bytes, bytes, unit_bytes, iv_bytes, aad_bytes, piece, src_offset, dst_offset;
    mtaes_direction direction;
    bool in_pieces, in_place;
    int engine;
    uint8_t material[64], iv[MOST_IV], aad[MOST_AAD];
};

struct tally {
    int by_libcrypto, by_definition, by_nobody;
};

/* Mostly short, sometimes long enough to be cut; never more than the mode takes. */
static size_t draw_bytes(struct random *random)
{
    const size_t kind = random_below(random, 100);
    if (kind < 3 && !UNDER_SANITIZER)
        return random_below(random, 1500000);
    if (kind < 15)
        return random_below(random, 40000);
    return random_below(random, 700);
}

static size_t draw_iv_bytes(struct random *random, const mtaes_mode_info *info)
{
    if (info->iv_bytes_min == info->iv_bytes_max)
        return info->iv_bytes_min;
    if (random_below(random, 2))
        return 12;
    return info->iv_bytes_min + random_below(random, MOST_IV - info->iv_bytes_min + 1);
}

static void draw_key(struct draw *draw, struct random *random)
{
    int sizes = 0;
    do {
        draw->kernel = kernel_at((int)random_below(random, (size_t)kernel_count()));
        draw->mode = mode_at((int)random_below(random, (size_t)mode_count()));
    } while (!mtaes_kernel_runs_here(draw->kernel) ||
             key_bytes_at(draw->kernel, draw->mode, 0) == 0);
    while (key_bytes_at(draw->kernel, draw->mode, sizes) != 0)
        sizes++;
    draw->info = mtaes_mode_describe(draw->mode);
    draw->key_bytes =
        key_bytes_at(draw->kernel, draw->mode, (int)random_below(random, (size_t)sizes));
    random_fill(random, draw->material, sizeof draw->material);
}

static void draw_message(struct draw *draw, struct random *random)
{
    memset(draw, 0, sizeof *draw);
    draw_key(draw, random);
    draw->bytes = legal_length(draw->mode, draw_bytes(random));
    if (draw->mode->units && random_below(random, 2)) {
        const size_t unit = 16 + random_below(random, random_below(random, 2) ? 600 : 70000);
        draw->unit_bytes = length_is_legal(draw->mode, draw->bytes, unit) ? unit : 0;
    }
    draw->iv_bytes = draw_iv_bytes(random, &draw->info);
    draw->aad_bytes = draw->info.authenticates ? random_below(random, MOST_AAD) : 0;
    random_fill(random, draw->iv, sizeof draw->iv);
    random_fill(random, draw->aad, sizeof draw->aad);
    if (random_below(random, 4) == 0 && draw->iv_bytes == 16) /* counters about to carry */
        memset(draw->iv + 1 + random_below(random, 14), 0xff, 1);
    if (random_below(random, 4) == 0 && draw->iv_bytes == 16 && !draw->mode->units)
        memset(draw->iv + 8, 0xff, 7);
    draw->direction = random_below(random, 2) ? MTAES_DECRYPT : MTAES_ENCRYPT;
    draw->in_place = random_below(random, 3) == 0;
    draw->in_pieces = pieces_exist() && draw->unit_bytes == 0 && random_below(random, 2);
    draw->piece = random_below(random, 2) ? PIECES_RANDOM : 1 + random_below(random, 5000);
    draw->src_offset = random_below(random, 64);
    draw->dst_offset = random_below(random, 64);
    draw->engine = (int)random_below(random, THREAD_COUNTS);
}

static void describe(const struct draw *draw, char *text, size_t room)
{
    snprintf(text, room,
             "%s %s key %zu %s %zu bytes unit %zu iv %zu aad %zu %s piece %zu src+%zu dst+%zu "
             "%zu threads%s",
             mtaes_kernel_name(draw->kernel), mtaes_mode_name(draw->mode), draw->key_bytes,
             draw->direction ? "decryption" : "encryption", draw->bytes, draw->unit_bytes,
             draw->iv_bytes, draw->aad_bytes, draw->in_pieces ? "in pieces" : "whole", draw->piece,
             draw->src_offset, draw->dst_offset, thread_counts[draw->engine],
             draw->in_place ? " in place" : "");
}

static mtaes_message message_of(const struct draw *draw, const mtaes_key *key, const uint8_t *src,
                                uint8_t *dst, uint8_t *tag)
{
    mtaes_message m = {.key = key, .direction = draw->direction, .src = src, .dst = dst};
    m.bytes = draw->bytes;
    m.unit_bytes = draw->unit_bytes;
    m.iv_bytes = draw->iv_bytes;
    m.iv = draw->iv_bytes ? draw->iv : NULL;
    if (draw->info.authenticates) {
        m.aad = draw->aad;
        m.aad_bytes = draw->aad_bytes;
        m.tag = tag;
        m.tag_bytes = draw->info.tag_bytes;
    }
    return m;
}

/* What is right, by libcrypto where it has the mode, else by definition; false: nobody knows. */
static bool outside_opinion(const struct draw *draw, const mtaes_message *message, uint8_t *dst,
                            uint8_t tag[16], struct tally *tally)
{
    const char *mode = mtaes_mode_name(draw->mode);
    if (strcmp(mtaes_kernel_cipher(draw->kernel), "aes") == 0 &&
        reference_message(mode, draw->material, draw->key_bytes, message, dst, tag)) {
        tally->by_libcrypto++;
        return true;
    }
    const size_t half = draw->mode->two_keys ? draw->key_bytes / 2 : draw->key_bytes;
    const mtaes_kernel *portable = portable_of(draw->kernel);
    struct cipher data = cipher_create(portable, draw->material, half);
    struct cipher tweak = cipher_create(portable, draw->material + draw->key_bytes - half, half);
    const bool known = define_message(&data, &tweak, mode, message, dst, tag);
    cipher_free(&data);
    cipher_free(&tweak);
    *(known ? &tally->by_definition : &tally->by_nobody) += 1;
    return known;
}

/* NULL, or what is wrong. */
static const char *compare(const struct draw *draw, mtaes_engine *engine, struct random *random,
                           struct tally *tally)
{
    struct aligned src = aligned_create(draw->bytes, draw->src_offset);
    struct aligned dst = aligned_create(draw->bytes, draw->dst_offset);
    struct aligned expected = aligned_create(draw->bytes, 0);
    uint8_t tag[16] = {0}, expected_tag[16] = {0};
    const char *fault = NULL;
    mtaes_key *key = key_for(draw->kernel, draw->mode, draw->material, draw->key_bytes);
    random_fill(random, src.p, draw->bytes);
    mtaes_message m = message_of(draw, key, src.p, draw->in_place ? src.p : dst.p, tag);
    const bool known = outside_opinion(draw, &m, expected.p, expected_tag, tally);
    if (draw->direction == MTAES_DECRYPT)
        memcpy(tag, expected_tag, sizeof tag);
    const mtaes_status status = draw->in_pieces
                                    ? pieces_run(engine, &m, draw->piece, random, &fault)
                                    : mtaes_run(engine, &m, 1);
    if (status != MTAES_OK)
        fault = mtaes_status_text(status);
    if (fault == NULL && known)
        fault = difference(m.dst, expected.p, draw->bytes);
    if (fault == NULL && known)
        fault = difference(tag, expected_tag, draw->info.tag_bytes);
    mtaes_key_free(key);
    aligned_done(&src);
    aligned_done(&dst);
    aligned_done(&expected);
    return fault;
}

int main(int argc, char **argv)
{
    const uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : (uint64_t)time(NULL);
    const long count = argc > 2 ? strtol(argv[2], NULL, 0) : COUNT;
    struct random random = {seed};
    struct tally tally = {0, 0, 0};
    mtaes_engine *engines[THREAD_COUNTS];
    int failed = 0;
    coverage_begin();
    printf("seed %" PRIu64 ", %ld messages\n", seed, count);
    fflush(stdout);
    for (int i = 0; i < THREAD_COUNTS; i++)
        engines[i] = engine_with(thread_counts[i]);
    for (long i = 0; i < count && failed < 10; i++) {
        struct draw draw;
        draw_message(&draw, &random);
        const char *fault = compare(&draw, engines[draw.engine], &random, &tally);
        if (fault != NULL) {
            char text[300];
            describe(&draw, text, sizeof text);
            printf("FAILED: message %ld: %s: %s\n", i, text, fault);
            failed++;
        }
    }
    for (int i = 0; i < THREAD_COUNTS; i++)
        failed += mtaes_engine_free(engines[i]) != MTAES_OK;
    printf("compared with libcrypto: %d, with definitions: %d, with nothing: %d\n",
           tally.by_libcrypto, tally.by_definition, tally.by_nobody);
    failed += tally.by_nobody != 0 || (reference_exists() && tally.by_libcrypto == 0);
    return coverage_report() + failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
