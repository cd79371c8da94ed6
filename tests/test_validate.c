/* test_validate.c: whatever is wrong with a key or a message is refused by its own status, and
 * nothing is written. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "scene.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 4096, MARGIN = 256, FILL = 0x5a };

/* All tests here are about the edge, where the kernel does not matter: the fastest of each cipher
   for _i = mode, unless a test says otherwise. */
static const mtaes_kernel *kernel_for(const mtaes_mode *mode)
{
    for (int i = 0, n = kernel_count(); i < n; i++)
        if (mtaes_kernel_runs_here(kernel_at(i)) && key_bytes_at(kernel_at(i), mode, 0) != 0)
            return kernel_at(i);
    return NULL;
}

struct stage {
    struct scene scene;
    struct text text;
    uint8_t *memory; /* BYTES with MARGIN on both sides; all FILL */
    uint8_t *dst;
    uint8_t tag[48];
};

static void stage_begin(struct stage *stage, int mode_index)
{
    const mtaes_mode *mode = mode_at(mode_index);
    scene_begin(&stage->scene, kernel_for(mode), mode, key_bytes_at(kernel_for(mode), mode, 0));
    stage->text = text_create(&stage->scene, BYTES, 0, NULL);
    stage->memory = malloc(BYTES + 2 * MARGIN);
    memset(stage->memory, FILL, BYTES + 2 * MARGIN);
    stage->dst = stage->memory + MARGIN;
    memset(stage->tag, FILL, sizeof stage->tag);
}

static void stage_end(struct stage *stage)
{
    free(stage->memory);
    text_free(&stage->text);
    scene_end(&stage->scene);
}

/* A good message, to be spoilt. */
static mtaes_message good_message(struct stage *stage, mtaes_direction direction)
{
    const uint8_t *src = text_source(&stage->text, direction);
    mtaes_message m =
        text_message(&stage->scene, &stage->text, direction, src, stage->dst, stage->tag);
    if (stage->scene.info.authenticates)
        memset(stage->tag, FILL, sizeof stage->tag);
    return m;
}

/* Run it on one thread and on three, and expect the status, with dst and tag as they were. */
static void expect(struct stage *stage, mtaes_message m, mtaes_status expected, const char *what)
{
    mtaes_engine *three = engine_with(3);
    mtaes_engine *const engines[] = {stage->scene.one, three};
    for (int i = 0; i < 2; i++) {
        m.status = MTAES_OK;
        const mtaes_status status = mtaes_run(engines[i], &m, 1);
        ck_assert_msg(status == expected && m.status == expected, "%s, %s: status %d (%s), not %d",
                      mtaes_mode_name(stage->scene.mode), what, (int)status,
                      mtaes_status_text(status), (int)expected);
        ck_assert_msg(all_bytes(stage->memory, BYTES + 2 * MARGIN, FILL), "%s: dst was written",
                      what);
        ck_assert_msg(all_bytes(stage->tag, sizeof stage->tag, FILL), "%s: the tag was written",
                      what);
    }
    ck_assert(mtaes_engine_free(three) == MTAES_OK);
}

/* ------------------------------------------------------------------------------------------------
 * keys */

START_TEST(keys)
{
    const mtaes_mode *mode = mode_at(_i);
    const mtaes_kernel *kernel = kernel_for(mode);
    uint8_t material[130];
    mtaes_key *key;
    for (size_t i = 0; i < sizeof material; i++)
        material[i] = (uint8_t)(i * 7 + 1);
    int taken = 0;
    for (size_t n = 0; n <= sizeof material; n++) {
        const bool whole = n == 16 || n == 24 || n == 32, halves = n == 32 || n == 64;
        key = (mtaes_key *)1;
        const mtaes_status status = mtaes_key_create(&key, kernel, mode, material, n);
        const mtaes_status expected = (mode->two_keys ? halves : whole) ? MTAES_OK : MTAES_KEY;
        ck_assert_msg(status == expected, "%s, key of %zu bytes: %s", mtaes_mode_name(mode), n,
                      mtaes_status_text(status));
        ck_assert((key != NULL) == (status == MTAES_OK));
        if (status == MTAES_OK)
            mtaes_key_free(key), taken++;
    }
    ck_assert_int_eq(taken, mode->two_keys ? 2 : 3);
    key = (mtaes_key *)1;
    ck_assert(mtaes_key_create(NULL, kernel, mode, material, 32) == MTAES_ARG);
    ck_assert(mtaes_key_create(&key, NULL, mode, material, 32) == MTAES_ARG && key == NULL);
    ck_assert(mtaes_key_create(&key, kernel, NULL, material, 32) == MTAES_ARG && key == NULL);
    ck_assert(mtaes_key_create(&key, kernel, mode, NULL, 32) == MTAES_ARG && key == NULL);
    mtaes_key_free(NULL);
}
END_TEST

/* A kernel that this CPU cannot run makes no key. */
START_TEST(foreign_kernels)
{
    for (int i = 0, n = kernel_count(); i < n; i++) {
        const uint8_t material[32] = {1};
        mtaes_key *key = NULL;
        if (mtaes_kernel_runs_here(kernel_at(i)))
            continue;
        ck_assert(mtaes_key_create(&key, kernel_at(i), mode_at(0), material, 32) ==
                  MTAES_UNSUPPORTED);
        ck_assert_ptr_null(key);
    }
}
END_TEST

/* Equal halves, which only two-key modes can have: encryption refuses them, decryption does not. */
START_TEST(equal_halves)
{
    struct stage stage;
    stage_begin(&stage, _i);
    const mtaes_mode *mode = stage.scene.mode;
    for (size_t half = 16; mode->two_keys && half <= 32; half += 16) {
        uint8_t material[64], *back = malloc(BYTES);
        memset(material, 0x42, sizeof material);
        mtaes_key *key = key_for(stage.scene.kernel, mode, material, 2 * half);
        mtaes_message m = good_message(&stage, MTAES_ENCRYPT);
        m.key = key;
        expect(&stage, m, MTAES_KEY, "equal halves");
        m = good_message(&stage, MTAES_DECRYPT);
        m.key = key;
        m.dst = back;
        ck_assert(mtaes_run(stage.scene.one, &m, 1) == MTAES_OK);
        /* One bit makes it a key like any other. */
        material[half - 1] ^= 1;
        mtaes_key *other = key_for(stage.scene.kernel, mode, material, 2 * half);
        m = good_message(&stage, MTAES_ENCRYPT);
        m.key = other;
        m.dst = back;
        ck_assert(mtaes_run(stage.scene.one, &m, 1) == MTAES_OK);
        mtaes_key_free(other);
        mtaes_key_free(key);
        free(back);
    }
    stage_end(&stage);
}
END_TEST

/* ------------------------------------------------------------------------------------------------
 * arguments and lengths */

START_TEST(arguments)
{
    struct stage stage;
    stage_begin(&stage, _i);
    for (int d = 0; d < 2; d++) {
        const mtaes_direction direction = d ? MTAES_DECRYPT : MTAES_ENCRYPT;
        mtaes_message m = good_message(&stage, direction);
        m.key = NULL;
        expect(&stage, m, MTAES_ARG, "no key");
        m = good_message(&stage, direction);
        m.src = NULL;
        expect(&stage, m, MTAES_ARG, "no src");
        m = good_message(&stage, direction);
        m.dst = NULL;
        expect(&stage, m, MTAES_ARG, "no dst");
        m = good_message(&stage, direction);
        m.direction = (mtaes_direction)2;
        expect(&stage, m, MTAES_ARG, "no such direction");
        if (stage.scene.info.iv_bytes_max > 0) {
            m = good_message(&stage, direction);
            m.iv = NULL;
            expect(&stage, m, MTAES_ARG, "no IV where one is announced");
        }
        if (stage.scene.info.authenticates) {
            m = good_message(&stage, direction);
            m.tag = NULL;
            expect(&stage, m, MTAES_ARG, "no tag");
            m = good_message(&stage, direction);
            m.aad = NULL;
            m.aad_bytes = 1;
            expect(&stage, m, MTAES_ARG, "no aad where some is announced");
        } else {
            m = good_message(&stage, direction);
            m.aad = "a";
            m.aad_bytes = 1;
            expect(&stage, m, MTAES_ARG, "aad for a mode that has none");
        }
        if (!stage.scene.mode->units) {
            m = good_message(&stage, direction);
            m.unit_bytes = 512;
            expect(&stage, m, MTAES_ARG, "units for a mode that has none");
        }
    }
    mtaes_message m = good_message(&stage, MTAES_ENCRYPT);
    ck_assert(mtaes_run(NULL, &m, 1) == MTAES_ARG);
    ck_assert(mtaes_run(stage.scene.one, NULL, 1) == MTAES_ARG);
    ck_assert(mtaes_run(stage.scene.one, NULL, 0) == MTAES_OK);
    ck_assert(mtaes_run(stage.scene.one, &m, 0) == MTAES_OK);
    ck_assert(all_bytes(stage.dst, BYTES, FILL));
    stage_end(&stage);
}
END_TEST

/* The IV and the tag are of the exact length. */
START_TEST(iv_and_tag_lengths)
{
    static uint8_t long_iv[4096];
    struct stage stage;
    stage_begin(&stage, _i);
    const mtaes_mode_info info = stage.scene.info;
    for (int d = 0; d < 2; d++) {
        const mtaes_direction direction = d ? MTAES_DECRYPT : MTAES_ENCRYPT;
        for (size_t n = 0; n <= sizeof long_iv; n += n < 40 ? 1 : 507) {
            mtaes_message m = good_message(&stage, direction);
            m.iv = long_iv;
            m.iv_bytes = n;
            if (n < info.iv_bytes_min || n > info.iv_bytes_max)
                expect(&stage, m, MTAES_IV, "wrong length of the IV");
        }
        for (size_t n = 0; n <= 32; n++) {
            mtaes_message m = good_message(&stage, direction);
            m.tag = stage.tag;
            m.tag_bytes = n;
            if (n != info.tag_bytes)
                expect(&stage, m, MTAES_TAG, "wrong length of the tag");
        }
    }
    stage_end(&stage);
}
END_TEST

static void check_unit_lengths(struct stage *stage, mtaes_direction direction)
{
    static const struct {
        size_t bytes, unit;
    } wrong[] = {{4096, 15},   {4096, 1},
                 {32, 17},     {4096 - 1, 4080},
                 {513, 512},   {15, 0},
                 {4096, 4081}, {4096, 4095},
                 {0, 0},       {0, 16},
                 {15, 16},     {527, 512},
                 {15, 512},    {4096, (16 << 20) + 1}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        mtaes_message m = good_message(stage, direction);
        char what[80];
        m.bytes = wrong[i].bytes;
        m.unit_bytes = wrong[i].unit;
        snprintf(what, sizeof what, "%zu bytes in units of %zu", m.bytes, m.unit_bytes);
        expect(stage, m, MTAES_LENGTH, what);
    }
    /* Refused before anything is read: so the buffers need not be as long as they say. */
    mtaes_message m = good_message(stage, direction);
    m.dst = stage->dst;
    m.src = stage->dst;
    m.bytes = (size_t)(16 << 20) + 1;
    expect(stage, m, MTAES_LENGTH, "one unit of more than 16 MiB");
}

/* The number of the last unit may be 2^128-1, and no more. */
static void check_last_unit(struct stage *stage)
{
    uint8_t number[16], *out = malloc(BYTES);
    memset(number, 0xff, sizeof number);
    number[0] = 0xf9; /* the first of seven that are left */
    mtaes_message m = good_message(stage, MTAES_ENCRYPT);
    m.iv = number;
    m.unit_bytes = 512; /* eight units */
    expect(stage, m, MTAES_IV, "units past the last number");
    m.bytes = 7 * 512 - 11;
    m.dst = out;
    ck_assert(mtaes_run(stage->scene.one, &m, 1) == MTAES_OK);
    free(out);
}

START_TEST(text_lengths)
{
    struct stage stage;
    stage_begin(&stage, _i);
    const mtaes_mode_info info = stage.scene.info;
    for (int d = 0; d < 2; d++) {
        const mtaes_direction direction = d ? MTAES_DECRYPT : MTAES_ENCRYPT;
        if (stage.scene.mode->units) {
            check_unit_lengths(&stage, direction);
            continue;
        }
        for (size_t n = 0; n <= 100; n++) {
            mtaes_message m = good_message(&stage, direction);
            m.bytes = n;
            if (n % info.multiple_bytes != 0)
                expect(&stage, m, MTAES_LENGTH, "not a multiple");
        }
        if (info.bytes_max < SIZE_MAX / 2) {
            mtaes_message m = good_message(&stage, direction);
            m.src = m.dst;
            m.bytes = info.bytes_max + info.multiple_bytes;
            expect(&stage, m, MTAES_LENGTH, "one more than the mode's limit");
            m.bytes = SIZE_MAX / 4;
            expect(&stage, m, MTAES_LENGTH, "far past the mode's limit");
        }
        if (info.authenticates) {
            mtaes_message m = good_message(&stage, direction);
            m.aad_bytes = (size_t)1 << 61;
            expect(&stage, m, MTAES_LENGTH, "2^61 bytes of aad");
        }
    }
    if (stage.scene.mode->units)
        check_last_unit(&stage);
    stage_end(&stage);
}
END_TEST

/* The limits that the standards set; each mode of the library must be known here or have none. */
START_TEST(stated_limits)
{
    static const struct {
        const char *mode;
        uint64_t min, max;
        size_t iv_min, tag;
    } known[] = {
        {"gcm", 0, ((uint64_t)1 << 36) - 32, 1, 16}, /* SP 800-38D, 5.2.1.1 */
        {"xts", 16, (uint64_t)16 << 20, 16, 0},      /* SP 800-38E, 4: 2^20 blocks a unit */
        {"ecb", 0, 0, 0, 0},                         /* 0: no limit */
    };
    const mtaes_mode *mode = mode_at(_i);
    const mtaes_mode_info info = mtaes_mode_describe(mode);
    bool found = false;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(known[i].mode, mtaes_mode_name(mode)) != 0)
            continue;
        found = true;
        ck_assert_uint_eq(info.bytes_min, known[i].min);
        ck_assert_uint_eq(info.iv_bytes_min, known[i].iv_min);
        ck_assert_uint_eq(info.tag_bytes, known[i].tag);
        if (known[i].max != 0)
            ck_assert_uint_eq(info.bytes_max, known[i].max);
        else
            ck_assert(info.bytes_max >= SIZE_MAX / 16 * 16);
    }
    if (!found) { /* a mode with an IV of one block */
        ck_assert_uint_eq(info.iv_bytes_min, 16);
        ck_assert_uint_eq(info.iv_bytes_max, 16);
        ck_assert_uint_eq(info.tag_bytes, 0);
    }
    ck_assert(info.authenticates == (info.tag_bytes != 0));
    ck_assert(info.multiple_bytes == 1 || info.multiple_bytes == 16);
}
END_TEST

/* ------------------------------------------------------------------------------------------------
 * aliasing */

/* src and dst overlap by all but `distance` bytes. */
static void check_overlap(struct stage *stage, mtaes_direction direction, ptrdiff_t distance,
                          size_t bytes)
{
    const size_t room = 3 * (size_t)BYTES;
    uint8_t *memory = malloc(room), *before = malloc(room), tag[16];
    random_fill(&stage->scene.random, memory, room);
    memcpy(before, memory, room);
    mtaes_message m = text_message(&stage->scene, &stage->text, direction, memory + BYTES,
                                   memory + BYTES + distance, tag);
    m.bytes = bytes;
    const size_t apart = (size_t)(distance < 0 ? -distance : distance);
    const mtaes_status status = mtaes_run(stage->scene.one, &m, 1);
    if (apart >= bytes) {
        ck_assert_msg(status == MTAES_OK || status == MTAES_AUTH, "%td bytes apart: %s", distance,
                      mtaes_status_text(status));
    } else {
        ck_assert_msg(status == MTAES_OVERLAP, "%s, %td of %zu bytes apart: %s",
                      mtaes_mode_name(stage->scene.mode), distance, bytes,
                      mtaes_status_text(status));
        ck_assert_mem_eq(memory, before, room);
    }
    free(memory);
    free(before);
}

START_TEST(overlaps)
{
    static const ptrdiff_t distances[] = {1, 15, 16, 17, 64, 1000, 1039, 1040, 1041, 1056};
    struct stage stage;
    stage_begin(&stage, _i);
    for (size_t i = 0; i < sizeof distances / sizeof *distances; i++)
        for (int d = 0; d < 2; d++) {
            const mtaes_direction direction = d ? MTAES_DECRYPT : MTAES_ENCRYPT;
            check_overlap(&stage, direction, distances[i], 1040);
            check_overlap(&stage, direction, -distances[i], 1040);
        }
    stage_end(&stage);
}
END_TEST

/* What must not lie in dst: moved over both of its ends. */
static void check_inside(struct stage *stage, mtaes_direction direction, ptrdiff_t at, int what)
{
    uint8_t *memory = calloc(1, BYTES + 2 * MARGIN), *before = calloc(1, BYTES + 2 * MARGIN);
    uint8_t *dst = memory + MARGIN, *place = dst + at, tag[16];
    mtaes_message m = text_message(&stage->scene, &stage->text, direction,
                                   text_source(&stage->text, direction), dst, tag);
    const size_t bytes = what == 0 ? m.iv_bytes : 16;
    if (what == 0) {
        m.iv = place;
    } else if (what == 1) {
        m.tag = place;
    } else {
        m.aad = place;
        m.aad_bytes = bytes;
    }
    const bool outside = at + (ptrdiff_t)bytes <= 0 || at >= BYTES;
    const mtaes_status status = mtaes_run(stage->scene.one, &m, 1);
    if (outside) {
        ck_assert_msg(status == MTAES_OK || status == MTAES_AUTH, "%td: %s", at,
                      mtaes_status_text(status));
    } else {
        ck_assert_msg(status == MTAES_OVERLAP, "%s, %d at %td in dst: %s",
                      mtaes_mode_name(stage->scene.mode), what, at, mtaes_status_text(status));
        ck_assert_mem_eq(memory, before, BYTES + 2 * MARGIN);
    }
    free(memory);
    free(before);
}

START_TEST(inside_dst)
{
    static const ptrdiff_t places[] = {-40, -16,  -15,       -12,        -11,   -1,       0,
                                       1,   2000, BYTES - 1, BYTES - 16, BYTES, BYTES + 1};
    struct stage stage;
    stage_begin(&stage, _i);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        for (int d = 0; d < 2; d++) {
            const mtaes_direction direction = d ? MTAES_DECRYPT : MTAES_ENCRYPT;
            if (stage.scene.info.iv_bytes_max > 0)
                check_inside(&stage, direction, places[i], 0);
            if (stage.scene.info.authenticates) {
                check_inside(&stage, direction, places[i], 1);
                check_inside(&stage, direction, places[i], 2);
            }
        }
    stage_end(&stage);
}
END_TEST

/* Nothing to do is done: no text, and NULL for it. */
START_TEST(empty)
{
    struct stage stage;
    stage_begin(&stage, _i);
    if (length_is_legal(stage.scene.mode, 0, 0)) {
        struct text text = text_create(&stage.scene, 0, 0, NULL);
        uint8_t tag[16];
        mtaes_message m = text_message(&stage.scene, &text, MTAES_ENCRYPT, NULL, NULL, tag);
        ck_assert(mtaes_run(stage.scene.one, &m, 1) == MTAES_OK);
        ck_assert(difference(tag, text.tag, stage.scene.info.tag_bytes) == NULL);
        m.direction = MTAES_DECRYPT;
        ck_assert(mtaes_run(stage.scene.one, &m, 1) == MTAES_OK);
        if (stage.scene.info.authenticates) {
            tag[3] ^= 8;
            ck_assert(mtaes_run(stage.scene.one, &m, 1) == MTAES_AUTH);
        }
        text_free(&text);
    }
    stage_end(&stage);
}
END_TEST

/* All statuses have a text of their own, and what is no status has one too. */
START_TEST(texts)
{
    for (int i = MTAES_OK; i <= MTAES_UNSUPPORTED; i++) {
        ck_assert(strlen(mtaes_status_text((mtaes_status)i)) > 3);
        for (int j = MTAES_OK; j < i; j++)
            ck_assert_str_ne(mtaes_status_text((mtaes_status)i),
                             mtaes_status_text((mtaes_status)j));
    }
    ck_assert_ptr_nonnull(mtaes_status_text((mtaes_status)-1));
    ck_assert_ptr_nonnull(mtaes_status_text((mtaes_status)(MTAES_UNSUPPORTED + 1)));
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", MTAES_VERSION_MAJOR, MTAES_VERSION_MINOR,
             MTAES_VERSION_PATCH);
    ck_assert_str_eq(mtaes_version(), version);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("validate");
    TCase *tcase = tcase_create("validate");
    const int modes = mode_count();
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, keys, 0, modes);
    tcase_add_test(tcase, foreign_kernels);
    tcase_add_loop_test(tcase, equal_halves, 0, modes);
    tcase_add_loop_test(tcase, arguments, 0, modes);
    tcase_add_loop_test(tcase, iv_and_tag_lengths, 0, modes);
    tcase_add_loop_test(tcase, text_lengths, 0, modes);
    tcase_add_loop_test(tcase, stated_limits, 0, modes);
    tcase_add_loop_test(tcase, overlaps, 0, modes);
    tcase_add_loop_test(tcase, inside_dst, 0, modes);
    tcase_add_loop_test(tcase, empty, 0, modes);
    tcase_add_test(tcase, texts);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
