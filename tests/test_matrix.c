/* test_matrix.c: every kernel and mode gives the portable kernel's bytes, whatever the threads,
 * lengths, addresses, and order of work. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "cpu.h"
#include "definition.h"
#include "reference.h"
#include "scene.h"
#include "segment.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PART = 64 * 1024, FILLS = 2 };
static const uint8_t fills[FILLS] = {0xaa, 0x55};
static const mtaes_direction directions[2] = {MTAES_ENCRYPT, MTAES_DECRYPT};

static const char *word(mtaes_direction direction)
{
    return direction == MTAES_DECRYPT ? "decryption" : "encryption";
}

/* One thread of work for a message in this direction: it is not cut. */
static bool is_chain(const struct scene *scene, mtaes_direction direction)
{
    return direction == MTAES_DECRYPT ? !scene->info.decrypt_parallel
                                      : !scene->info.encrypt_parallel;
}

/* The portable kernel is slow, and sanitizers make everything slow: less of the same then. */
static bool is_slow(const struct scene *scene)
{
    return UNDER_SANITIZER || scene->kernel == portable_of(scene->kernel);
}

/* The pair of a kernel and a mode at an index; false: it does not go together, or not run here. */
static bool pair_at(int index, const mtaes_kernel **kernel, const mtaes_mode **mode)
{
    *kernel = kernel_at(index / mode_count());
    *mode = mode_at(index % mode_count());
    return kernel_is_tested(*kernel) && key_bytes_at(*kernel, *mode, 0) != 0;
}

#define FAIL_IF(fault, scene, direction, ...)                                                \
    do {                                                                                     \
        const char *fault_text = (fault);                                                    \
        if (fault_text != NULL) {                                                            \
            char how[160];                                                                   \
            snprintf(how, sizeof how, __VA_ARGS__);                                          \
            ck_abort_msg("%s %s, key of %zu bytes, %s, %s: %s",                              \
                         mtaes_kernel_name((scene)->kernel), mtaes_mode_name((scene)->mode), \
                         (scene)->key_bytes, word(direction), how, fault_text);              \
        }                                                                                    \
    } while (0)

/* ------------------------------------------------------------------------------------------------
 * the portable kernel against the definition and libcrypto */

static void compare_outside(const struct scene *scene, const struct text *text,
                            const struct cipher *data, const struct cipher *tweak, int *opinions)
{
    uint8_t *out = malloc(text->bytes + 1);
    for (int d = 0; d < 2; d++) {
        uint8_t tag[16] = {0}, ignored[16];
        const mtaes_message m = text_message(scene, text, directions[d],
                                             text_source(text, directions[d]), out, ignored);
        const size_t tag_bytes = scene->info.tag_bytes;
        const uint8_t *expected = text_result(text, directions[d]);
        const char *mode = mtaes_mode_name(scene->mode);
        if (define_message(data, tweak, mode, &m, out, tag)) {
            opinions[0]++;
            FAIL_IF(difference(expected, out, text->bytes), scene, directions[d],
                    "by definition, %zu bytes", text->bytes);
            FAIL_IF(difference(text->tag, tag, tag_bytes), scene, directions[d],
                    "tag by definition, %zu bytes", text->bytes);
        }
        if (strcmp(mtaes_kernel_cipher(scene->kernel), "aes") == 0 &&
            reference_message(mode, scene->material, scene->key_bytes, &m, out, tag)) {
            opinions[1]++;
            FAIL_IF(difference(expected, out, text->bytes), scene, directions[d],
                    "by libcrypto, %zu bytes", text->bytes);
            FAIL_IF(difference(text->tag, tag, tag_bytes), scene, directions[d],
                    "tag by libcrypto, %zu bytes", text->bytes);
        }
    }
    free(out);
}

START_TEST(outside_opinions)
{
    static const size_t larger[] = {1000, 4095, 4096, 65537, 300001};
    const mtaes_kernel *kernel;
    const mtaes_mode *mode;
    if (!pair_at(_i, &kernel, &mode) || kernel != portable_of(kernel))
        return;
    size_t key_bytes;
    int opinions[2] = {0, 0};
    for (int k = 0; (key_bytes = key_bytes_at(kernel, mode, k)) != 0; k++) {
        struct scene scene;
        scene_begin(&scene, kernel, mode, key_bytes);
        const size_t half = mode->two_keys ? key_bytes / 2 : key_bytes;
        struct cipher data = cipher_create(kernel, scene.material, half);
        struct cipher tweak = cipher_create(kernel, scene.material + key_bytes - half, half);
        for (size_t i = 0; i < 130 + sizeof larger / sizeof *larger; i += UNDER_SANITIZER ? 3 : 1) {
            const size_t bytes = legal_length(mode, i < 130 ? i : larger[i - 130]);
            struct text text = text_create(&scene, bytes, 0, NULL);
            compare_outside(&scene, &text, &data, &tweak, opinions);
            text_free(&text);
            if (mode->units && length_is_legal(mode, bytes, 16 + i % 33)) {
                text = text_create(&scene, bytes, 16 + i % 33, NULL);
                compare_outside(&scene, &text, &data, &tweak, opinions);
                text_free(&text);
            }
        }
        cipher_free(&data);
        cipher_free(&tweak);
        scene_end(&scene);
    }
    printf("%s %s: %d comparisons with the definition, %d with libcrypto\n", kernel->name,
           mtaes_mode_name(mode), opinions[0], opinions[1]);
    ck_assert_msg(opinions[0] + opinions[1] > 0, "nobody but the library knows what is right");
}
END_TEST

/* ------------------------------------------------------------------------------------------------
 * guard pages */

struct pages {
    struct guarded in, out, iv, aad, tag;
};

/* All buffers at one end of their pages; the aad and the IV too. */
static void check_guarded(const struct scene *scene, const struct text *text,
                          const struct pages *pages, mtaes_direction direction, bool at_end)
{
    const size_t n = text->bytes;
    uint8_t *src = at_end ? guarded_last(&pages->in, n) : guarded_first(&pages->in);
    uint8_t *dst = at_end ? guarded_last(&pages->out, n) : guarded_first(&pages->out);
    uint8_t *iv = at_end ? guarded_last(&pages->iv, text->iv_bytes) : guarded_first(&pages->iv);
    uint8_t *aad = at_end ? guarded_last(&pages->aad, text->aad_bytes) : guarded_first(&pages->aad);
    uint8_t *tag = at_end ? guarded_last(&pages->tag, 16) : guarded_first(&pages->tag);
    const uint8_t *given = text_source(text, direction), *expected = text_result(text, direction);
    memcpy(iv, text->iv, text->iv_bytes);
    memcpy(aad, text->aad, text->aad_bytes);
    for (int i = 0; i < FILLS + 1; i++) {
        const bool in_place = i == FILLS;
        memcpy(src, given, n);
        if (!in_place)
            memset(dst, fills[i], n);
        mtaes_message m = text_message(scene, text, direction, src, in_place ? src : dst, tag);
        m.iv = text->iv_bytes ? iv : NULL;
        m.aad = text->aad_bytes ? aad : NULL;
        ck_assert(mtaes_run(scene->one, &m, 1) == MTAES_OK);
        FAIL_IF(difference(m.dst, expected, n), scene, direction, "%zu bytes%s, unit %zu", n,
                in_place ? " in place" : "", text->unit_bytes);
        FAIL_IF(difference(tag, text->tag, scene->info.tag_bytes), scene, direction,
                "tag of %zu bytes", n);
        if (!in_place)
            ck_assert_msg(n == 0 || memcmp(src, given, n) == 0, "src was changed");
    }
}

static void check_guarded_length(struct scene *scene, const struct pages *pages, size_t bytes,
                                 size_t unit_bytes)
{
    struct text text = text_create(scene, bytes, unit_bytes, NULL);
    for (int d = 0; d < 2; d++) {
        check_guarded(scene, &text, pages, directions[d], false);
        check_guarded(scene, &text, pages, directions[d], true);
    }
    text_free(&text);
}

START_TEST(guard_pages)
{
    const mtaes_kernel *kernel;
    const mtaes_mode *mode;
    if (!pair_at(_i, &kernel, &mode))
        return;
    struct pages pages = {guarded_create(1088), guarded_create(1088), guarded_create(16),
                          guarded_create(AAD_ROOM), guarded_create(16)};
    size_t key_bytes, lengths = 0;
    for (int k = 0; (key_bytes = key_bytes_at(kernel, mode, k)) != 0; k++) {
        struct scene scene;
        scene_begin(&scene, kernel, mode, key_bytes);
        const bool less = UNDER_SANITIZER || (k > 0 && is_slow(&scene));
        for (size_t n = 0; n <= 1088; n += less && n > 300 ? 13 : 1) {
            if (!length_is_legal(mode, n, 0))
                continue;
            lengths++;
            check_guarded_length(&scene, &pages, n, 0);
            const size_t unit = 16 + n % 61;
            if (mode->units && length_is_legal(mode, n, unit))
                check_guarded_length(&scene, &pages, n, unit);
        }
        scene_end(&scene);
    }
    ck_assert(lengths >= 10);
    guarded_free(&pages.in);
    guarded_free(&pages.out);
    guarded_free(&pages.iv);
    guarded_free(&pages.aad);
    guarded_free(&pages.tag);
}
END_TEST

/* ------------------------------------------------------------------------------------------------
 * addresses */

static void check_offsets(struct scene *scene, const struct text *text, mtaes_engine *engine,
                          mtaes_direction direction, size_t from, size_t to)
{
    struct aligned src = aligned_create(text->bytes, from);
    struct aligned dst = aligned_create(text->bytes, to);
    memcpy(src.p, text_source(text, direction), text->bytes);
    FAIL_IF(text_run(scene, text, engine, direction, src.p, dst.p), scene, direction,
            "%zu bytes, src at 64n+%zu, dst at 64n+%zu, %zu threads", text->bytes, from, to,
            mtaes_engine_threads(engine));
    if (from == to)
        FAIL_IF(text_run(scene, text, engine, direction, src.p, src.p), scene, direction,
                "%zu bytes in place at 64n+%zu", text->bytes, from);
    aligned_done(&src);
    aligned_done(&dst);
}

/* Key, IV, aad and tag at odd addresses give the same as elsewhere. */
static void check_small_offsets(struct scene *scene, size_t offset)
{
    struct aligned material = aligned_create(64, offset), iv = aligned_create(16, offset);
    struct aligned aad = aligned_create(AAD_ROOM, offset), tag = aligned_create(16, offset);
    struct text text = text_create(scene, legal_length(scene->mode, 333), 0, NULL);
    memcpy(material.p, scene->material, 64);
    memcpy(iv.p, text.iv, sizeof text.iv);
    memcpy(aad.p, text.aad, sizeof text.aad);
    mtaes_key *key = key_for(scene->kernel, scene->mode, material.p, scene->key_bytes);
    uint8_t *dst = malloc(text.bytes);
    mtaes_message m = text_message(scene, &text, MTAES_ENCRYPT, text.plaintext, dst, tag.p);
    m.key = key;
    m.iv = text.iv_bytes ? iv.p : NULL;
    m.aad = text.aad_bytes ? aad.p : NULL;
    ck_assert(mtaes_run(scene->one, &m, 1) == MTAES_OK);
    FAIL_IF(difference(dst, text.ciphertext, text.bytes), scene, MTAES_ENCRYPT,
            "key, IV, aad and tag at 64n+%zu", offset);
    FAIL_IF(difference(tag.p, text.tag, scene->info.tag_bytes), scene, MTAES_ENCRYPT,
            "tag with all at 64n+%zu", offset);
    free(dst);
    mtaes_key_free(key);
    text_free(&text);
    aligned_done(&material);
    aligned_done(&iv);
    aligned_done(&aad);
    aligned_done(&tag);
}

START_TEST(misalignment)
{
    static const size_t offsets[] = {0, 1, 3, 8, 15, 16, 31, 63};
    static const size_t lengths[] = {345, 4096 + 37, 2 * PART + 1029};
    const mtaes_kernel *kernel;
    const mtaes_mode *mode;
    if (!pair_at(_i, &kernel, &mode))
        return;
    struct scene scene;
    scene_begin(&scene, kernel, mode, key_bytes_at(kernel, mode, 0));
    mtaes_engine *engines[] = {scene.one, engine_backwards(3)};
    for (size_t l = 0; l < 3; l++) {
        struct text text = text_create(&scene, legal_length(mode, lengths[l]), 0, NULL);
        for (size_t i = 0; i < 64; i += UNDER_SANITIZER ? 5 : 1)
            for (int d = 0; d < 2; d++)
                if (l < 2 || !is_chain(&scene, directions[d]))
                    check_offsets(&scene, &text, engines[l == 2], directions[d], offsets[i / 8],
                                  offsets[i % 8]);
        text_free(&text);
    }
    for (size_t i = 0; i < 8; i++)
        check_small_offsets(&scene, offsets[i]);
    ck_assert(mtaes_engine_free(engines[1]) == MTAES_OK);
    scene_end(&scene);
}
END_TEST

/* ------------------------------------------------------------------------------------------------
 * threads and segment edges */

enum { ENGINES = THREAD_COUNTS + 3 };

static void engines_begin(mtaes_engine *engines[ENGINES])
{
    for (int i = 0; i < THREAD_COUNTS; i++)
        engines[i] = engine_with(thread_counts[i]);
    engines[THREAD_COUNTS] = engine_backwards(3);
    engines[THREAD_COUNTS + 1] = engine_backwards(1000); /* more than a message has parts */
    engines[THREAD_COUNTS + 2] = engine_backwards(16);
}

static void engines_end(mtaes_engine *engines[ENGINES])
{
    for (int i = 0; i < ENGINES; i++)
        ck_assert(mtaes_engine_free(engines[i]) == MTAES_OK);
}

/* Engines that tell something new: a chain is not cut, so two are enough; three where it is slow. */
static bool is_left_out(const struct scene *scene, mtaes_direction direction, int engine)
{
    if (is_chain(scene, direction))
        return engine != 2 && (engine != ENGINES - 1 || is_slow(scene));
    return is_slow(scene) && engine != 2 && engine != THREAD_COUNTS - 1 && engine != ENGINES - 1;
}

/* Separate and in place, both ways, on all engines; dst at a multiple of a block, or (even offsets) anywhere. */
static void check_threads(struct scene *scene, const struct text *text,
                          mtaes_engine *const engines[ENGINES], size_t offset)
{
    struct aligned src = aligned_create(text->bytes, offset),
                   dst =
                       aligned_create(text->bytes, offset % 2 ? offset * BLOCK_BYTES % 64 : offset);
    for (int d = 0; d < 2; d++)
        for (int e = 0; e < ENGINES; e++) {
            if (is_left_out(scene, directions[d], e))
                continue;
            memcpy(src.p, text_source(text, directions[d]), text->bytes);
            memset(dst.p, fills[e % 2], text->bytes);
            FAIL_IF(text_run(scene, text, engines[e], directions[d], src.p, dst.p), scene,
                    directions[d], "%zu bytes, unit %zu, engine %d", text->bytes, text->unit_bytes,
                    e);
            FAIL_IF(text_run(scene, text, engines[e], directions[d], src.p, src.p), scene,
                    directions[d], "%zu bytes in place, unit %zu, engine %d", text->bytes,
                    text->unit_bytes, e);
        }
    aligned_done(&src);
    aligned_done(&dst);
}

START_TEST(segment_edges)
{
    static const size_t edges[] = {1, 2, 3, 5, 16};
    static const int deltas[] = {-17, -16, -1, 0, 1, 16, 31};
    const mtaes_kernel *kernel;
    const mtaes_mode *mode;
    if (!pair_at(_i, &kernel, &mode))
        return;
    mtaes_engine *engines[ENGINES];
    engines_begin(engines);
    size_t key_bytes;
    for (int k = 0; (key_bytes = key_bytes_at(kernel, mode, k)) != 0; k++) {
        struct scene scene;
        scene_begin(&scene, kernel, mode, key_bytes);
        const bool chains = is_chain(&scene, MTAES_ENCRYPT), less = is_slow(&scene) || chains;
        const size_t last = !less ? 5 : k == 0 ? 3 : 1;
        for (size_t i = 0; i < last * 7; i += chains || UNDER_SANITIZER ? 3 : 1) {
            const size_t near = edges[i / 7] * PART + (size_t)(deltas[i % 7] + 32) - 32;
            struct text text = text_create(&scene, legal_length(mode, near), 0, NULL);
            check_threads(&scene, &text, engines, i % 5);
            text_free(&text);
        }
        scene_end(&scene);
    }
    engines_end(engines);
}
END_TEST

/* Larger than the caches, so that non-temporal stores are used, and lanes where the CPU likes them; at 64n and
   elsewhere. */
START_TEST(larger_than_caches)
{
    const mtaes_kernel *kernel;
    const mtaes_mode *mode;
    if (!pair_at(_i, &kernel, &mode))
        return;
    mtaes_engine *engines[ENGINES];
    engines_begin(engines);
    struct scene scene;
    scene_begin(&scene, kernel, mode, key_bytes_at(kernel, mode, 0));
    const bool chains = is_chain(&scene, MTAES_ENCRYPT);
    const size_t bytes = is_slow(&scene) || chains ? 1200000 : 9600000;
    struct text text = text_create(&scene, legal_length(mode, bytes), 0, NULL),
                other = text_create(&scene, legal_length(mode, chains ? 100001 : 2600001), 0, NULL);
    for (int four = 0; four < 2; four++) {
        cpu_set_four_streams(four);
        check_threads(&scene, &text, engines, 0);
        for (size_t offset = 5; offset <= 6 && !is_slow(&scene); offset++)
            check_threads(&scene, &other, engines, offset);
    }
    text_free(&text);
    text_free(&other);
    scene_end(&scene);
    engines_end(engines);
}
END_TEST

/* Longer than what a second pass is done over at a time, by a few parts and blocks. */
START_TEST(second_pass)
{
    const mtaes_kernel *kernel;
    const mtaes_mode *mode;
    if (!pair_at(_i, &kernel, &mode) || !mode->decrypt.settle)
        return;
    mtaes_engine *engines[ENGINES];
    engines_begin(engines);
    struct scene scene;
    scene_begin(&scene, kernel, mode, key_bytes_at(kernel, mode, 0));
    if (scene.kernel != portable_of(scene.kernel)) {
        struct text text =
            text_create(&scene, (SEGMENT_PARTS + 3) * SEGMENT_PART_BYTES + 48, 0, NULL);
        check_threads(&scene, &text, engines, 3);
        text_free(&text);
    }
    scene_end(&scene);
    engines_end(engines);
}
END_TEST

/* Units of all sorts across the parts' edges, and last ones that are shorter. */
START_TEST(units)
{
    static const size_t sizes[] = {16, 31, 512, 520, 4096, PART - 16, PART, PART + 16, 3 * PART};
    const mtaes_kernel *kernel;
    const mtaes_mode *mode;
    if (!pair_at(_i, &kernel, &mode) || !mode->units)
        return;
    mtaes_engine *engines[ENGINES];
    engines_begin(engines);
    struct scene scene;
    scene_begin(&scene, kernel, mode, key_bytes_at(kernel, mode, 0));
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i += is_slow(&scene) ? 3 : 1)
        for (size_t extra = 0; extra < 3; extra++) {
            const size_t whole = (5 * PART / sizes[i] + 1) * sizes[i];
            const size_t bytes = whole + (extra == 0 ? 0 : extra == 1 ? 16 : 23);
            if (!length_is_legal(mode, bytes, sizes[i]))
                continue;
            struct text text = text_create(&scene, bytes, sizes[i], NULL);
            check_threads(&scene, &text, engines, extra);
            text_free(&text);
        }
    scene_end(&scene);
    engines_end(engines);
}
END_TEST

/* ------------------------------------------------------------------------------------------------
 * counters */

/* The number 2^bits - before, big-endian or little-endian, with random bytes above `bits`. */
static void near_carry(struct random *random, uint8_t iv[16], unsigned bits, uint64_t before,
                       bool little)
{
    random_fill(random, iv, 16);
    for (unsigned i = 0; i < bits / 8; i++) {
        /* byte i of the number, the lowest first: of -before, in two's complement */
        const uint64_t negative = -before;
        const uint64_t byte = i < 8 ? negative >> (8 * i) & 255 : before ? 255 : 0;
        iv[little ? i : 15 - i] = (uint8_t)byte;
    }
}

/* Counters that carry at, just before, and just after a part's first block, or units' numbers at a
   part's first unit; the other modes take these IVs like any other. */
START_TEST(carries)
{
    static const unsigned widths[] = {8, 16, 32, 64, 96, 128};
    const mtaes_kernel *kernel;
    const mtaes_mode *mode;
    if (!pair_at(_i, &kernel, &mode))
        return;
    mtaes_engine *engines[ENGINES];
    engines_begin(engines);
    struct scene scene;
    scene_begin(&scene, kernel, mode, key_bytes_at(kernel, mode, 0));
    const size_t bytes = legal_length(mode, 3 * PART + 45), unit = mode->units ? 512 : 0;
    const uint64_t a_part = PART / (unit ? unit : 16);
    const bool chains = is_chain(&scene, MTAES_ENCRYPT); /* no counter then */
    for (size_t w = 0; w < 6; w += chains ? 5 : UNDER_SANITIZER ? 2 : 1)
        for (uint64_t part = 0; part < (chains ? 1 : 3); part++)
            for (uint64_t shift = 0; shift < 3; shift++) {
                uint8_t iv[16];
                const uint64_t before = part * a_part + shift; /* shift 1: that very block */
                if (widths[w] < 32 && part > 0)
                    continue;
                near_carry(&scene.random, iv, widths[w], before, mode->units);
                if (mode->units && widths[w] == 128)
                    iv[15] = 0x7f; /* a unit's number may not pass the last one */
                struct text text = text_create(&scene, bytes, unit, iv);
                check_threads(&scene, &text, engines, 0);
                text_free(&text);
            }
    scene_end(&scene);
    engines_end(engines);
}
END_TEST

/* The IV of all ones, against the outside opinions, so that no kernel sets the standard. */
START_TEST(all_ones)
{
    const mtaes_kernel *kernel;
    const mtaes_mode *mode;
    if (!pair_at(_i, &kernel, &mode))
        return;
    struct scene scene;
    scene_begin(&scene, kernel, mode, key_bytes_at(kernel, mode, 0));
    const size_t half = mode->two_keys ? scene.key_bytes / 2 : scene.key_bytes;
    struct cipher data = cipher_create(portable_of(kernel), scene.material, half);
    struct cipher tweak =
        cipher_create(portable_of(kernel), scene.material + scene.key_bytes - half, half);
    for (size_t ones = 1; ones <= 16; ones++) {
        uint8_t iv[16];
        int opinions[2] = {0, 0};
        random_fill(&scene.random, iv, sizeof iv);
        memset(mode->units ? iv : iv + 16 - ones, 0xff, ones);
        struct text text = text_create(&scene, legal_length(mode, 16 * 45 + 3), 0, iv);
        compare_outside(&scene, &text, &data, &tweak, opinions);
        uint8_t *dst = malloc(text.bytes);
        for (int d = 0; d < 2; d++)
            FAIL_IF(text_run(&scene, &text, scene.one, directions[d],
                             text_source(&text, directions[d]), dst),
                    &scene, directions[d], "IV that ends in %zu bytes of ones", ones);
        free(dst);
        text_free(&text);
    }
    cipher_free(&data);
    cipher_free(&tweak);
    scene_end(&scene);
}
END_TEST

/* ------------------------------------------------------------------------------------------------
 * forgeries */

static void check_forgery(const struct scene *scene, const struct text *text, mtaes_engine *engine,
                          size_t what, bool in_place)
{
    uint8_t *src = malloc(text->bytes + 1), *dst = in_place ? src : malloc(text->bytes + 1);
    struct text forged = *text;
    memcpy(src, text->ciphertext, text->bytes);
    if (what == 0 && text->bytes > 0)
        src[text->bytes - 1] ^= 1;
    else if (what == 1 && text->bytes > 0)
        src[0] ^= 0x80;
    else if (what == 2 && text->aad_bytes > 0)
        forged.aad[text->aad_bytes - 1] ^= 4;
    else if (what == 3)
        forged.iv[text->iv_bytes - 1] ^= 2;
    else
        forged.tag[what % 16] ^= 0x10;
    uint8_t tag[16];
    mtaes_message m = text_message(scene, &forged, MTAES_DECRYPT, src, dst, tag);
    const mtaes_status status = mtaes_run(engine, &m, 1);
    ck_assert_msg(status == MTAES_AUTH && m.status == MTAES_AUTH, "a forgery passes: %s",
                  mtaes_status_text(status));
    ck_assert_msg(all_bytes(dst, text->bytes, 0), "unauthentic text is left in dst");
    ck_assert_mem_eq(tag, forged.tag, 16);
    if (!in_place)
        free(dst);
    free(src);
}

START_TEST(forgeries)
{
    static const size_t lengths[] = {0, 1, 16, 200, 3 * PART + 5};
    const mtaes_kernel *kernel;
    const mtaes_mode *mode;
    if (!pair_at(_i, &kernel, &mode) || !mtaes_mode_describe(mode).authenticates)
        return;
    mtaes_engine *engines[ENGINES];
    engines_begin(engines);
    struct scene scene;
    scene_begin(&scene, kernel, mode, key_bytes_at(kernel, mode, 0));
    for (size_t l = 0; l < 5; l++) {
        struct text text = text_create(&scene, legal_length(mode, lengths[l]), 0, NULL);
        for (size_t what = 0; what < 20; what++)
            for (int e = 0; e < ENGINES; e += 3) {
                check_forgery(&scene, &text, engines[e], what, false);
                check_forgery(&scene, &text, engines[e], what, true);
            }
        text_free(&text);
    }
    scene_end(&scene);
    engines_end(engines);
}
END_TEST

int main(void)
{
    coverage_begin();
    Suite *suite = suite_create("matrix");
    TCase *tcase = tcase_create("matrix");
    const int pairs = kernel_count() * mode_count();
    printf("sanitizer: %s\n", sanitizer_name());
    fflush(stdout);
    tcase_set_timeout(tcase, 600);
    tcase_add_loop_test(tcase, outside_opinions, 0, pairs);
    tcase_add_loop_test(tcase, guard_pages, 0, pairs);
    tcase_add_loop_test(tcase, misalignment, 0, pairs);
    tcase_add_loop_test(tcase, segment_edges, 0, pairs);
    tcase_add_loop_test(tcase, larger_than_caches, 0, pairs);
    tcase_add_loop_test(tcase, second_pass, 0, pairs);
    tcase_add_loop_test(tcase, units, 0, pairs);
    tcase_add_loop_test(tcase, carries, 0, pairs);
    tcase_add_loop_test(tcase, all_ones, 0, pairs);
    tcase_add_loop_test(tcase, forgeries, 0, pairs);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return coverage_report() + failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
