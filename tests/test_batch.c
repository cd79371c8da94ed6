/* test_batch.c: many messages in one call: mixed, chained side by side, and some of them bad. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "scene.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 300, ENGINES = THREAD_COUNTS + 2, FILL = 0x5a, KEYS_A_MODE = 3, MARGIN = 32 };

/* One message, what it must give, and what it is. */
struct item {
    const struct scene *scene;
    struct text text;
    mtaes_direction direction;
    bool in_place;
    mtaes_status expected;
    uint8_t *src, *dst; /* dst has MARGIN bytes of FILL behind it */
    uint8_t tag[16];
    mtaes_message message;
};

static void engines_begin(mtaes_engine *engines[ENGINES])
{
    for (int i = 0; i < THREAD_COUNTS; i++)
        engines[i] = engine_with(thread_counts[i]);
    engines[THREAD_COUNTS] = engine_backwards(3);
    engines[THREAD_COUNTS + 1] = engine_backwards(16);
}

static void engines_end(mtaes_engine *engines[ENGINES])
{
    for (int i = 0; i < ENGINES; i++)
        ck_assert(mtaes_engine_free(engines[i]) == MTAES_OK);
}

static void item_create(struct item *item, struct scene *scene, struct random *random, size_t bytes)
{
    *item = (struct item){.scene = scene};
    item->text = text_create(scene, legal_length(scene->mode, bytes), 0, NULL);
    item->direction = random_below(random, 2) ? MTAES_DECRYPT : MTAES_ENCRYPT;
    item->in_place = random_below(random, 3) == 0;
    item->src = malloc(item->text.bytes + MARGIN);
    item->dst = item->in_place ? item->src : malloc(item->text.bytes + MARGIN);
}

static void item_free(struct item *item)
{
    text_free(&item->text);
    if (!item->in_place)
        free(item->dst);
    free(item->src);
}

/* Fill the buffers and write the message anew; `spoil` makes it one that is refused. */
static void item_prepare(struct item *item, size_t spoil)
{
    const struct text *text = &item->text;
    memset(item->dst, FILL, text->bytes + MARGIN);
    memcpy(item->src, text_source(text, item->direction), text->bytes);
    memset(item->tag, FILL, sizeof item->tag);
    item->message =
        text_message(item->scene, text, item->direction, item->src, item->dst, item->tag);
    item->message.status = MTAES_MEMORY; /* whatever was there */
    item->expected = MTAES_OK;
    mtaes_message *m = &item->message;
    if (spoil == 1) {
        m->key = NULL, item->expected = MTAES_ARG;
    } else if (spoil == 2) {
        m->tag_bytes ^= 8, item->expected = MTAES_TAG;
    } else if (spoil == 3) {
        m->iv_bytes += m->iv_bytes ? (size_t)0 - m->iv_bytes : 16, item->expected = MTAES_IV;
    } else if (spoil == 4 && text->bytes > 2) {
        m->dst = item->src + 1, m->bytes = text->bytes, item->expected = MTAES_OVERLAP;
        m->src = item->src;
    } else if (spoil == 5 && item->scene->info.authenticates && item->direction == MTAES_DECRYPT) {
        item->tag[7] ^= 1, item->expected = MTAES_AUTH;
    }
}

static const char *item_fault(const struct item *item)
{
    const struct text *text = &item->text;
    if (item->message.status != item->expected)
        return mtaes_status_text(item->message.status);
    if (item->expected == MTAES_AUTH)
        return all_bytes(item->dst, text->bytes, 0) ? NULL : "unauthentic text was left";
    if (item->expected != MTAES_OK) {
        if (item->in_place || item->expected == MTAES_OVERLAP)
            return difference(item->src, text_source(text, item->direction), text->bytes);
        return all_bytes(item->dst, text->bytes + MARGIN, FILL) ? NULL : "refused, and written";
    }
    const char *fault = difference(item->dst, text_result(text, item->direction), text->bytes);
    if (fault == NULL && !item->in_place && !all_bytes(item->dst + text->bytes, MARGIN, FILL))
        fault = "bytes behind dst were written";
    return fault ? fault : difference(item->tag, text->tag, item->scene->info.tag_bytes);
}

/* Run all of them in one call, and look at each. */
static void check_batch(struct item *items, size_t count, mtaes_engine *engine, const char *what)
{
    mtaes_message *messages = malloc(count * sizeof *messages);
    mtaes_status first = MTAES_OK;
    for (size_t i = 0; i < count; i++) {
        messages[i] = items[i].message;
        if (first == MTAES_OK)
            first = items[i].expected;
    }
    const mtaes_status status = mtaes_run(engine, messages, count);
    for (size_t i = 0; i < count; i++) {
        items[i].message = messages[i];
        const char *fault = item_fault(&items[i]);
        ck_assert_msg(fault == NULL, "%s, message %zu of %zu (%s, %zu bytes, %s), %zu threads: %s",
                      what, i, count, mtaes_mode_name(items[i].scene->mode), items[i].text.bytes,
                      items[i].direction ? "decryption" : "encryption",
                      mtaes_engine_threads(engine), fault);
    }
    ck_assert_msg(status == first, "%s: %s is returned", what, mtaes_status_text(status));
    free(messages);
}

/* Mostly small ones, some of many parts. */
static size_t draw_bytes(struct random *random)
{
    const size_t kind = random_below(random, 40);
    if (kind == 0 && !UNDER_SANITIZER)
        return 130000 + random_below(random, 200000);
    if (kind < 4)
        return random_below(random, 20000);
    return random_below(random, 600);
}

/* ------------------------------------------------------------------------------------------------
 * everything at once */

static size_t scenes_begin(struct scene *scenes, const mtaes_kernel *kernel)
{
    size_t count = 0;
    for (int m = 0, modes = mode_count(); m < modes; m++)
        for (int k = 0; k < KEYS_A_MODE; k++) {
            const size_t key_bytes = key_bytes_at(kernel, mode_at(m), k);
            if (key_bytes != 0)
                scene_begin(&scenes[count++], kernel, mode_at(m), key_bytes);
        }
    return count;
}

START_TEST(mixed)
{
    const mtaes_kernel *kernel = kernel_at(_i);
    if (!kernel_is_tested(kernel))
        return;
    struct scene *scenes = calloc((size_t)mode_count() * KEYS_A_MODE, sizeof *scenes);
    struct item *items = calloc(MOST, sizeof *items);
    mtaes_engine *engines[ENGINES];
    engines_begin(engines);
    const size_t scene_count = scenes_begin(scenes, kernel);
    struct random random = {99};
    const size_t count = UNDER_TSAN ? 40 : UNDER_SANITIZER ? 80 : MOST;
    for (size_t i = 0; i < count; i++)
        item_create(&items[i], &scenes[random_below(&random, scene_count)], &random,
                    draw_bytes(&random));
    for (int spoilt = 0; spoilt < 2; spoilt++)
        for (int e = 0; e < ENGINES; e++) {
            for (size_t i = 0; i < count; i++)
                item_prepare(&items[i], spoilt ? random_below(&random, 30) : 0);
            check_batch(items, count, engines[e], kernel->name);
        }
    for (size_t i = 0; i < count; i++)
        item_free(&items[i]);
    for (size_t i = 0; i < scene_count; i++)
        scene_end(&scenes[i]);
    engines_end(engines);
    free(items);
    free(scenes);
}
END_TEST

/* ------------------------------------------------------------------------------------------------
 * one key, one direction: what goes side by side */

static void check_lanes(struct scene *scene, mtaes_direction direction, size_t count,
                        bool same_length, mtaes_engine *const engines[ENGINES],
                        struct random *random)
{
    struct item *items = calloc(count, sizeof *items);
    const size_t length = random_below(random, 3000);
    for (size_t i = 0; i < count; i++) {
        item_create(&items[i], scene, random,
                    same_length
                        ? length
                        : random_below(random, i % 7 == 0 ? (UNDER_TSAN ? 1000 : 9000) : 400));
        items[i].direction = direction;
    }
    for (int e = 0; e < ENGINES; e += 2) {
        for (size_t i = 0; i < count; i++)
            item_prepare(&items[i], random_below(random, 60)); /* now and then a bad one */
        check_batch(items, count, engines[e], "side by side");
    }
    for (size_t i = 0; i < count; i++)
        item_free(&items[i]);
    free(items);
}

START_TEST(side_by_side)
{
    static const size_t counts[] = {1, 2, 5, 8, 15, 16, 17, 33, 70};
    const mtaes_kernel *kernel = kernel_at(_i / mode_count());
    const mtaes_mode *mode = mode_at(_i % mode_count());
    if (!kernel_is_tested(kernel) || key_bytes_at(kernel, mode, 0) == 0)
        return;
    mtaes_engine *engines[ENGINES];
    engines_begin(engines);
    struct random random = {5};
    for (int k = 0; key_bytes_at(kernel, mode, k) != 0 && k < (UNDER_TSAN ? 1 : 3); k++) {
        struct scene scene;
        scene_begin(&scene, kernel, mode, key_bytes_at(kernel, mode, k));
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c += UNDER_TSAN        ? 3
                                                                    : UNDER_SANITIZER ? 2
                                                                                      : 1)
            for (int d = 0; d < 2; d++) {
                check_lanes(&scene, d ? MTAES_DECRYPT : MTAES_ENCRYPT, counts[c], true, engines,
                            &random);
                check_lanes(&scene, d ? MTAES_DECRYPT : MTAES_ENCRYPT, counts[c], false, engines,
                            &random);
            }
        scene_end(&scene);
    }
    engines_end(engines);
}
END_TEST

/* One long chain among short ones: its blocks are still in order, and all come to their end. */
START_TEST(long_chain)
{
    const mtaes_kernel *kernel = kernel_at(_i / mode_count());
    const mtaes_mode *mode = mode_at(_i % mode_count());
    if (!kernel_is_tested(kernel) || key_bytes_at(kernel, mode, 0) == 0)
        return;
    enum { COUNT = 20 };
    struct item items[COUNT];
    struct scene scene;
    mtaes_engine *engines[ENGINES];
    engines_begin(engines);
    scene_begin(&scene, kernel, mode, key_bytes_at(kernel, mode, 0));
    struct random random = {6};
    for (size_t i = 0; i < COUNT; i++)
        item_create(&items[i], &scene, &random, i == 3 ? (UNDER_TSAN ? 140000 : 300000) : 100 * i);
    for (int e = 0; e < ENGINES; e += 3) {
        for (size_t i = 0; i < COUNT; i++)
            item_prepare(&items[i], 0);
        check_batch(items, COUNT, engines[e], "one long one");
    }
    for (size_t i = 0; i < COUNT; i++)
        item_free(&items[i]);
    scene_end(&scene);
    engines_end(engines);
}
END_TEST

int main(void)
{
    coverage_begin();
    Suite *suite = suite_create("batch");
    TCase *tcase = tcase_create("batch");
    const int pairs = kernel_count() * mode_count();
    tcase_set_timeout(tcase, 300);
    tcase_add_loop_test(tcase, mixed, 0, kernel_count());
    tcase_add_loop_test(tcase, side_by_side, 0, pairs);
    tcase_add_loop_test(tcase, long_chain, 0, pairs);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return coverage_report() + failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
