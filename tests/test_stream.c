/* test_stream.c: messages in pieces: the same bytes and tag as in one call, and nothing else. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "pieces.h"
#include "scene.h"
#include "stream.h"

#include <check.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const mtaes_direction directions[2] = {MTAES_ENCRYPT, MTAES_DECRYPT};

static bool pair_at(int index, const mtaes_kernel **kernel, const mtaes_mode **mode)
{
    *kernel = kernel_at(index / mode_count());
    *mode = mode_at(index % mode_count());
    return kernel_is_tested(*kernel) && key_bytes_at(*kernel, *mode, 0) != 0;
}

/* The scene that does for tests in which the kernel does not matter. */
static void scene_for_mode(struct scene *scene, int mode_index)
{
    const mtaes_mode *mode = mode_at(mode_index);
    int k = 0;
    while (!mtaes_kernel_runs_here(kernel_at(k)) || key_bytes_at(kernel_at(k), mode, 0) == 0)
        k++;
    scene_begin(scene, kernel_at(k), mode, key_bytes_at(kernel_at(k), mode, 0));
}

static mtaes_stream *stream_for(const struct scene *scene, const struct text *text,
                                mtaes_engine *engine, mtaes_direction direction)
{
    mtaes_stream *stream = NULL;
    ck_assert(mtaes_stream_create(&stream, engine, scene->key, direction,
                                  text->iv_bytes ? text->iv : NULL, text->iv_bytes) == MTAES_OK);
    ck_assert_ptr_nonnull(stream);
    if (text->aad_bytes > 0)
        ck_assert(mtaes_stream_aad(stream, text->aad, text->aad_bytes) == MTAES_OK);
    return stream;
}

/* Feed [from, to) of the text in random pieces of at most `most` bytes; *total counts what has come
   out. In place where dst is the source. */
static void feed(mtaes_stream *stream, struct random *random, const uint8_t *src, uint8_t *dst,
                 size_t from, size_t to, size_t most, size_t *total)
{
    while (from < to) {
        const size_t drawn = random_below(random, most + 1), left = to - from;
        const size_t n = drawn < left ? drawn : left, held = mtaes_stream_held(stream);
        size_t written = SIZE_MAX;
        ck_assert_uint_eq(held, from - *total);
        ck_assert(mtaes_stream_update(stream, src + from, n, dst + *total, n + held, &written) ==
                  MTAES_OK);
        ck_assert_uint_le(written, n + held);
        from += n;
        *total += written;
    }
}

/* Finish, and compare all with what one call makes. */
static void finish(const struct scene *scene, const struct text *text, mtaes_stream *stream,
                   mtaes_direction direction, uint8_t *dst, size_t total)
{
    const mtaes_mode_info info = scene->info;
    uint8_t tag[16];
    size_t written = SIZE_MAX;
    memcpy(tag, text->tag, 16);
    if (direction == MTAES_ENCRYPT)
        memset(tag, 0, 16);
    ck_assert_uint_eq(mtaes_stream_held(stream), text->bytes - total);
    const mtaes_status status =
        mtaes_stream_finish(stream, dst + total, text->bytes - total, &written,
                            info.tag_bytes ? tag : NULL, info.tag_bytes);
    ck_assert_msg(status == MTAES_OK, "%s %s: finish: %s", scene->kernel->name,
                  mtaes_mode_name(scene->mode), mtaes_status_text(status));
    ck_assert_uint_eq(total + written, text->bytes);
    const char *fault = difference(dst, text_result(text, direction), text->bytes);
    if (fault == NULL)
        fault = difference(tag, text->tag, info.tag_bytes);
    ck_assert_msg(fault == NULL, "%s %s, %s, %zu bytes: %s", scene->kernel->name,
                  mtaes_mode_name(scene->mode), direction ? "decryption" : "encryption",
                  text->bytes, fault);
}

/* ------------------------------------------------------------------------------------------------
 * the same as in one call */

static void check_pieces(struct scene *scene, size_t bytes, mtaes_engine *engine, size_t most,
                         bool in_place)
{
    struct text text = text_create(scene, legal_length(scene->mode, bytes), 0, NULL);
    for (int d = 0; d < 2; d++) {
        uint8_t *src = malloc(text.bytes + 1), *dst = in_place ? src : malloc(text.bytes + 1);
        size_t total = 0;
        memcpy(src, text_source(&text, directions[d]), text.bytes);
        mtaes_stream *stream = stream_for(scene, &text, engine, directions[d]);
        feed(stream, &scene->random, src, dst, 0, text.bytes, most, &total);
        finish(scene, &text, stream, directions[d], dst, total);
        mtaes_stream_free(stream);
        if (!in_place)
            free(dst);
        free(src);
    }
    text_free(&text);
}

START_TEST(small_pieces)
{
    const mtaes_kernel *kernel;
    const mtaes_mode *mode;
    if (!pair_at(_i, &kernel, &mode))
        return;
    for (int k = 0; key_bytes_at(kernel, mode, k) != 0; k++) {
        struct scene scene;
        scene_begin(&scene, kernel, mode, key_bytes_at(kernel, mode, k));
        for (size_t n = 0; n < 260; n += UNDER_SANITIZER ? 9 : k > 0 ? 4 : 1) {
            check_pieces(&scene, n, scene.one, 1 + n % 70, false);
            check_pieces(&scene, n, scene.one, 1 + n % 41, true);
        }
        scene_end(&scene);
    }
}
END_TEST

/* Pieces that go over threads, among others that do not. */
START_TEST(large_pieces)
{
    const mtaes_kernel *kernel;
    const mtaes_mode *mode;
    if (!pair_at(_i, &kernel, &mode))
        return;
    struct scene scene;
    scene_begin(&scene, kernel, mode, key_bytes_at(kernel, mode, 0));
    const bool slow = UNDER_SANITIZER || kernel == portable_of(kernel) ||
                      !scene.info.encrypt_parallel; /* then the portable one's answer is slow */
    const size_t bytes = slow ? 400003 : 3000007;
    for (size_t i = 0; i < THREAD_COUNTS; i += slow ? 2 : 1) {
        mtaes_engine *engine = engine_with(thread_counts[i]);
        check_pieces(&scene, bytes, engine, bytes, i % 2);
        check_pieces(&scene, bytes / 2, engine, 70000, !(i % 2));
        ck_assert(mtaes_engine_free(engine) == MTAES_OK);
    }
    mtaes_engine *engine = engine_backwards(5);
    check_pieces(&scene, bytes / 2, engine, bytes / 3, true);
    ck_assert(mtaes_engine_free(engine) == MTAES_OK);
    scene_end(&scene);
}
END_TEST

/* What an update would write, by trying it on a copy. */
static size_t would_write(mtaes_stream *stream, const uint8_t *src, size_t bytes)
{
    mtaes_stream *copy = NULL;
    uint8_t scratch[600];
    size_t written = 0;
    ck_assert(mtaes_stream_copy(&copy, stream) == MTAES_OK);
    ck_assert(mtaes_stream_update(copy, src, bytes, scratch, sizeof scratch, &written) == MTAES_OK);
    mtaes_stream_free(copy);
    return written;
}

/* Source and destination flush with pages that may not be touched, and not one byte more room. */
START_TEST(guard_pages)
{
    const mtaes_kernel *kernel;
    const mtaes_mode *mode;
    if (!pair_at(_i, &kernel, &mode))
        return;
    struct scene scene;
    scene_begin(&scene, kernel, mode, key_bytes_at(kernel, mode, 0));
    struct guarded in = guarded_create(4096), out = guarded_create(4096);
    for (size_t piece = 1; piece <= 200; piece += UNDER_SANITIZER ? 17 : 1) {
        struct text text = text_create(&scene, legal_length(mode, 3 * piece + 100), 0, NULL);
        mtaes_stream *stream = stream_for(&scene, &text, scene.one, MTAES_ENCRYPT);
        uint8_t *result = malloc(text.bytes);
        size_t total = 0;
        for (size_t at = 0; at < text.bytes;) {
            const size_t n = text.bytes - at < piece ? text.bytes - at : piece;
            uint8_t *src = at % 2 ? guarded_first(&in) : guarded_last(&in, n);
            size_t written = 0;
            memcpy(src, text.plaintext + at, n);
            const size_t expected = would_write(stream, src, n);
            uint8_t *dst = at % 3 ? guarded_last(&out, expected) : guarded_first(&out);
            ck_assert(mtaes_stream_update(stream, src, n, dst, expected, &written) == MTAES_OK);
            ck_assert_uint_eq(written, expected);
            memcpy(result + total, dst, written);
            total += written;
            at += n;
        }
        finish(&scene, &text, stream, MTAES_ENCRYPT, result, total);
        mtaes_stream_free(stream);
        free(result);
        text_free(&text);
    }
    guarded_free(&in);
    guarded_free(&out);
    scene_end(&scene);
}
END_TEST

/* ------------------------------------------------------------------------------------------------
 * copies and new beginnings */

/* A copy goes its own way, and both come to the same end; also after the other is gone. */
START_TEST(copies)
{
    struct scene scene;
    scene_for_mode(&scene, _i);
    for (size_t n = 0; n < 300; n += 7) {
        struct text text = text_create(&scene, legal_length(scene.mode, n), 0, NULL);
        for (int d = 0; d < 2; d++) {
            const uint8_t *src = text_source(&text, directions[d]);
            uint8_t *one = malloc(text.bytes + 1), *two = malloc(text.bytes + 1);
            mtaes_stream *stream = stream_for(&scene, &text, scene.one, directions[d]), *copy;
            size_t total = 0, total_copy;
            const size_t middle = random_below(&scene.random, text.bytes + 1);
            feed(stream, &scene.random, src, one, 0, middle, 40, &total);
            copy = NULL;
            ck_assert(mtaes_stream_copy(&copy, stream) == MTAES_OK);
            memcpy(two, one, total);
            total_copy = total;
            feed(stream, &scene.random, src, one, middle, text.bytes, 50, &total);
            finish(&scene, &text, stream, directions[d], one, total);
            mtaes_stream_free(stream);
            feed(copy, &scene.random, src, two, middle, text.bytes, 30, &total_copy);
            finish(&scene, &text, copy, directions[d], two, total_copy);
            mtaes_stream_free(copy);
            free(one);
            free(two);
        }
        text_free(&text);
    }
    scene_end(&scene);
}
END_TEST

/* One stream for many messages, each left in another state: fresh, half done, finished. */
START_TEST(resets)
{
    struct scene scene;
    scene_for_mode(&scene, _i);
    for (int d = 0; d < 2; d++) {
        mtaes_stream *stream = NULL;
        for (size_t i = 0; i < 60; i++) {
            struct text text = text_create(&scene, legal_length(scene.mode, 5 * i), 0, NULL);
            uint8_t *dst = malloc(text.bytes + 1);
            size_t total = 0;
            if (stream == NULL)
                stream = stream_for(&scene, &text, scene.one, directions[d]);
            else
                ck_assert(mtaes_stream_reset(stream, text.iv_bytes ? text.iv : NULL,
                                             text.iv_bytes) == MTAES_OK);
            if (i > 0 && text.aad_bytes > 0)
                ck_assert(mtaes_stream_aad(stream, text.aad, text.aad_bytes) == MTAES_OK);
            const size_t end = i % 3 ? text.bytes : random_below(&scene.random, text.bytes + 1);
            feed(stream, &scene.random, text_source(&text, directions[d]), dst, 0, end, 33, &total);
            if (end == text.bytes)
                finish(&scene, &text, stream, directions[d], dst, total);
            free(dst);
            text_free(&text);
        }
        const size_t wrong = scene.info.iv_bytes_max == 0 ? 16 : 0;
        ck_assert(mtaes_stream_reset(stream, "0123456789abcdef", wrong) == MTAES_IV);
        mtaes_stream_free(stream);
    }
    scene_end(&scene);
}
END_TEST

/* ------------------------------------------------------------------------------------------------
 * what is refused */

START_TEST(create_arguments)
{
    struct scene scene;
    scene_for_mode(&scene, _i);
    struct text text = text_create(&scene, 1024, 0, NULL);
    const void *iv = text.iv_bytes ? text.iv : NULL;
    mtaes_stream *stream = (mtaes_stream *)1;
    ck_assert(mtaes_stream_create(NULL, scene.one, scene.key, MTAES_ENCRYPT, iv, text.iv_bytes) ==
              MTAES_ARG);
    ck_assert(mtaes_stream_create(&stream, NULL, scene.key, MTAES_ENCRYPT, iv, text.iv_bytes) ==
              MTAES_ARG);
    ck_assert_ptr_null(stream);
    ck_assert(mtaes_stream_create(&stream, scene.one, NULL, MTAES_ENCRYPT, iv, text.iv_bytes) ==
              MTAES_ARG);
    ck_assert(mtaes_stream_create(&stream, scene.one, scene.key, (mtaes_direction)9, iv,
                                  text.iv_bytes) == MTAES_ARG);
    if (text.iv_bytes > 0)
        ck_assert(mtaes_stream_create(&stream, scene.one, scene.key, MTAES_ENCRYPT, NULL,
                                      text.iv_bytes) == MTAES_ARG);
    static const uint8_t long_iv[64];
    for (size_t n = 0; n <= sizeof long_iv; n++)
        if (n < scene.info.iv_bytes_min || n > scene.info.iv_bytes_max) {
            stream = (mtaes_stream *)1;
            ck_assert(mtaes_stream_create(&stream, scene.one, scene.key, MTAES_ENCRYPT, long_iv,
                                          n) == MTAES_IV);
            ck_assert_ptr_null(stream);
        }
    ck_assert_uint_eq(mtaes_stream_held(NULL), 0);
    mtaes_stream_free(NULL);
    text_free(&text);
    scene_end(&scene);
}
END_TEST

/* Equal halves decrypt, but do not encrypt. */
START_TEST(weak_keys)
{
    struct scene scene;
    scene_for_mode(&scene, _i);
    if (scene.mode->two_keys) {
        uint8_t material[32];
        memset(material, 7, sizeof material);
        mtaes_key *key = key_for(scene.kernel, scene.mode, material, sizeof material);
        mtaes_stream *stream = NULL;
        ck_assert(mtaes_stream_create(&stream, scene.one, key, MTAES_ENCRYPT, material, 16) ==
                  MTAES_KEY);
        ck_assert(mtaes_stream_create(&stream, scene.one, key, MTAES_DECRYPT, material, 16) ==
                  MTAES_OK);
        mtaes_stream_free(stream);
        mtaes_key_free(key);
    }
    scene_end(&scene);
}
END_TEST

/* A piece that is refused changes nothing: the message goes on as if it had not been. */
START_TEST(refused_pieces)
{
    enum { ROOM = 600 };
    struct scene scene;
    scene_for_mode(&scene, _i);
    for (size_t first = 0; first < 70; first++) {
        struct text text = text_create(&scene, legal_length(scene.mode, 300), 0, NULL);
        mtaes_stream *stream = stream_for(&scene, &text, scene.one, MTAES_ENCRYPT);
        uint8_t memory[ROOM], before[ROOM], out[ROOM];
        size_t total = 0, written = 0;
        feed(stream, &scene.random, text.plaintext, out, 0, first, 64, &total);
        const size_t held = mtaes_stream_held(stream);
        const size_t ready = would_write(stream, text.plaintext, 100);
        random_fill(&scene.random, memory, ROOM);
        memcpy(before, memory, ROOM);
        /* the overlaps: src lies at 200, dst anywhere near but where "in place" puts it */
        for (size_t at = 201 - ready; at < 200 + 100; at++)
            if (at + held != 200)
                ck_assert_msg(mtaes_stream_update(stream, memory + 200, 100, memory + at, ROOM - at,
                                                  &written) != MTAES_OK &&
                                  written == 0,
                              "%zu before src", 200 - at);
        ck_assert(mtaes_stream_update(stream, memory, 100, out + 300, ready - 1, &written) ==
                  MTAES_LENGTH);
        ck_assert(mtaes_stream_update(stream, NULL, 100, out + 300, 300, &written) == MTAES_ARG);
        ck_assert(mtaes_stream_update(stream, memory, 100, NULL, 300, &written) == MTAES_ARG);
        ck_assert(mtaes_stream_update(stream, memory, 100, out, 300, NULL) == MTAES_ARG);
        ck_assert(mtaes_stream_update(NULL, memory, 100, out, 300, &written) == MTAES_ARG);
        ck_assert_mem_eq(memory, before, ROOM);
        ck_assert_uint_eq(mtaes_stream_held(stream), held);
        feed(stream, &scene.random, text.plaintext, out, first, text.bytes, 64, &total);
        finish(&scene, &text, stream, MTAES_ENCRYPT, out, total);
        mtaes_stream_free(stream);
        text_free(&text);
    }
    scene_end(&scene);
}
END_TEST

START_TEST(refused_ends)
{
    struct scene scene;
    scene_for_mode(&scene, _i);
    const size_t tag_bytes = scene.info.tag_bytes;
    struct text text = text_create(&scene, 1024, 0, NULL);
    uint8_t out[1100], tag[48] = {0};
    for (size_t bytes = 0; bytes < 100; bytes++) {
        mtaes_stream *stream = stream_for(&scene, &text, scene.one, MTAES_ENCRYPT);
        size_t total = 0, written = 7;
        feed(stream, &scene.random, text.plaintext, out, 0, bytes, 50, &total);
        for (size_t n = 0; n < 33; n++)
            if (n != tag_bytes)
                ck_assert(mtaes_stream_finish(stream, out + total, 100, &written, tag, n) ==
                          MTAES_TAG);
        ck_assert(mtaes_stream_finish(stream, out, 100, NULL, tag, tag_bytes) == MTAES_ARG);
        ck_assert(mtaes_stream_finish(NULL, out, 100, &written, tag, tag_bytes) == MTAES_ARG);
        if (tag_bytes > 0)
            ck_assert(mtaes_stream_finish(stream, out, 100, &written, NULL, tag_bytes) ==
                      MTAES_ARG);
        const size_t held = mtaes_stream_held(stream);
        if (held > 0)
            ck_assert(mtaes_stream_finish(stream, out + total, held - 1, &written,
                                          tag_bytes ? tag : NULL, tag_bytes) == MTAES_LENGTH);
        const mtaes_status status = mtaes_stream_finish(stream, out + total, held, &written,
                                                        tag_bytes ? tag : NULL, tag_bytes);
        const bool legal = length_is_legal(scene.mode, bytes, 0);
        ck_assert_msg(status == (legal ? MTAES_OK : MTAES_LENGTH), "%s, %zu bytes: %s",
                      mtaes_mode_name(scene.mode), bytes, mtaes_status_text(status));
        ck_assert_uint_eq(written, legal ? held : 0);
        mtaes_stream_free(stream);
    }
    text_free(&text);
    scene_end(&scene);
}
END_TEST

/* After the end there is only reset and free; AAD comes before the text, where there is any. */
START_TEST(out_of_order)
{
    struct scene scene;
    scene_for_mode(&scene, _i);
    const size_t tag_bytes = scene.info.tag_bytes;
    struct text text = text_create(&scene, 1024, 0, NULL);
    uint8_t *out = malloc(2048), tag[16];
    mtaes_stream *stream = stream_for(&scene, &text, scene.one, MTAES_ENCRYPT);
    size_t total = 0, written = 0;
    if (!scene.info.authenticates)
        ck_assert(mtaes_stream_aad(stream, "a", 1) == MTAES_UNSUPPORTED);
    ck_assert(mtaes_stream_aad(NULL, "a", 1) == MTAES_ARG);
    ck_assert(mtaes_stream_aad(stream, NULL, 1) == MTAES_ARG);
    feed(stream, &scene.random, text.plaintext, out, 0, 17, 17, &total);
    if (scene.info.authenticates)
        ck_assert(mtaes_stream_aad(stream, "a", 1) == MTAES_ARG);
    feed(stream, &scene.random, text.plaintext, out, 17, text.bytes, 100, &total);
    finish(&scene, &text, stream, MTAES_ENCRYPT, out, total);
    ck_assert(mtaes_stream_update(stream, text.plaintext, 16, out, 100, &written) == MTAES_ARG);
    ck_assert(mtaes_stream_finish(stream, out, 100, &written, tag_bytes ? tag : NULL, tag_bytes) ==
              MTAES_ARG);
    if (scene.info.authenticates)
        ck_assert(mtaes_stream_aad(stream, "a", 1) == MTAES_ARG);
    mtaes_stream_free(stream);
    free(out);
    text_free(&text);
    scene_end(&scene);
}
END_TEST

/* A wrong tag, text or aad is told by finish. */
START_TEST(forgeries)
{
    struct scene scene;
    scene_for_mode(&scene, _i);
    for (size_t i = 0; scene.info.authenticates && i < 128; i++) {
        struct text text = text_create(&scene, i, 0, NULL);
        uint8_t out[200], tag[16];
        size_t total = 0, written;
        memcpy(tag, text.tag, 16);
        tag[i / 8] ^= (uint8_t)(1 << i % 8);
        mtaes_stream *stream = stream_for(&scene, &text, scene.one, MTAES_DECRYPT);
        feed(stream, &scene.random, text.ciphertext, out, 0, text.bytes, 20, &total);
        ck_assert(mtaes_stream_finish(stream, out, 0, &written, tag, 16) == MTAES_AUTH);
        mtaes_stream_free(stream);
        text_free(&text);
    }
    scene_end(&scene);
}
END_TEST

/* ------------------------------------------------------------------------------------------------
 * limits */

/* As if the mode's limit had nearly been reached: the last bytes pass, one more does not, and then
   there is no tag either. */
START_TEST(limit)
{
    struct scene scene;
    scene_for_mode(&scene, _i);
    const uint64_t most = scene.info.bytes_max;
    struct text text = text_create(&scene, 1024, 0, NULL);
    if (most < SIZE_MAX / 32) {
        const size_t tag_bytes = scene.info.tag_bytes;
        uint8_t out[100], tag[16];
        size_t written = 9;
        mtaes_stream *stream = stream_for(&scene, &text, scene.one, MTAES_ENCRYPT);
        ck_assert(mtaes_stream_update(stream, text.plaintext, 16, out, 100, &written) == MTAES_OK);
        stream_set_text_bytes(stream, most - 16);
        ck_assert(mtaes_stream_update(stream, text.plaintext, 17, out, 100, &written) ==
                  MTAES_LENGTH);
        mtaes_stream_free(stream);

        stream = stream_for(&scene, &text, scene.one, MTAES_ENCRYPT);
        stream_set_text_bytes(stream, most - 16);
        ck_assert(mtaes_stream_update(stream, text.plaintext, 16, out, 100, &written) == MTAES_OK);
        memset(out, 0x5a, sizeof out);
        ck_assert(mtaes_stream_update(stream, text.plaintext, 1, out, 100, &written) ==
                  MTAES_LENGTH);
        ck_assert_uint_eq(written, 0);
        ck_assert(all_bytes(out, sizeof out, 0x5a));
        ck_assert(mtaes_stream_finish(stream, out, 100, &written, tag_bytes ? tag : NULL,
                                      tag_bytes) == MTAES_LENGTH);
        mtaes_stream_free(stream);
    }
    text_free(&text);
    scene_end(&scene);
}
END_TEST

/* ------------------------------------------------------------------------------------------------
 * two threads */

struct intruder {
    mtaes_stream *stream;
    int busy, calls;
};

/* Runs in the middle of an update of the stream. */
static void *intrude(void *arg)
{
    struct intruder *intruder = arg;
    mtaes_stream *stream = intruder->stream, *copy = NULL;
    uint8_t src[32] = {0}, dst[64], tag[16];
    size_t written;
    intruder->busy += mtaes_stream_update(stream, src, 32, dst, 64, &written) == MTAES_BUSY;
    intruder->busy += mtaes_stream_aad(stream, src, 1) == MTAES_BUSY;
    intruder->busy += mtaes_stream_finish(stream, dst, 64, &written, tag, 16) == MTAES_BUSY;
    intruder->busy += mtaes_stream_reset(stream, src, 16) == MTAES_BUSY;
    intruder->busy += mtaes_stream_copy(&copy, stream) == MTAES_BUSY;
    intruder->calls += 5;
    return NULL;
}

static void run_with_intruder(void *context, void (*fn)(void *arg, size_t i), void *arg,
                              size_t count)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, intrude, context) != 0)
        exit(99);
    pthread_join(thread, NULL);
    for (size_t i = 0; i < count; i++)
        fn(arg, i);
}

/* An executor of the caller's stands in the middle of an update: there another thread tries. */
START_TEST(two_threads)
{
    struct scene scene;
    scene_for_mode(&scene, _i);
    struct intruder intruder = {0};
    const mtaes_engine_options options = {.threads = 4,
                                          .executor = MTAES_EXECUTOR_CALLER,
                                          .run = run_with_intruder,
                                          .run_context = &intruder};
    mtaes_engine *engine = NULL;
    ck_assert(mtaes_engine_create(&engine, &options) == MTAES_OK);
    struct text text = text_create(&scene, legal_length(scene.mode, 600000), 0, NULL);
    for (int d = 0; d < 2; d++) {
        const bool parallel = d ? scene.info.decrypt_parallel : scene.info.encrypt_parallel;
        uint8_t *dst = malloc(text.bytes);
        size_t total = 0;
        intruder.stream = stream_for(&scene, &text, engine, directions[d]);
        intruder.busy = intruder.calls = 0;
        ck_assert(mtaes_stream_update(intruder.stream, text_source(&text, directions[d]),
                                      text.bytes, dst, text.bytes, &total) == MTAES_OK);
        ck_assert_int_eq(intruder.busy, intruder.calls);
        ck_assert((intruder.calls > 0) == parallel);
        finish(&scene, &text, intruder.stream, directions[d], dst, total);
        mtaes_stream_free(intruder.stream);
        free(dst);
    }
    text_free(&text);
    ck_assert(mtaes_engine_free(engine) == MTAES_OK);
    scene_end(&scene);
}
END_TEST

struct rival {
    mtaes_stream *stream;
    const uint8_t *src;
    size_t calls; /* of each; all together no more than the mode takes in one message */
    atomic_size_t done, refused, wrong;
};

static void *feed_blocks(void *arg)
{
    struct rival *rival = arg;
    uint8_t dst[256];
    for (size_t i = 0; i < rival->calls; i++) {
        size_t written;
        const mtaes_status status =
            mtaes_stream_update(rival->stream, rival->src, 64, dst, sizeof dst, &written);
        if (status == MTAES_OK)
            atomic_fetch_add(&rival->done, 1);
        else
            atomic_fetch_add(status == MTAES_BUSY ? &rival->refused : &rival->wrong, 1);
    }
    return NULL;
}

/* Two that do not know of each other: each call is done or refused, and the stream is sound. */
START_TEST(rivals)
{
    struct scene scene;
    scene_for_mode(&scene, _i);
    struct text text = text_create(&scene, 64, 0, NULL);
    pthread_t threads[2];
    const uint64_t most = scene.info.bytes_max / 64 / 2;
    struct rival rival = {.src = text.plaintext,
                          .calls = most < 20000 && !scene.mode->units ? (size_t)most : 20000};
    rival.stream = stream_for(&scene, &text, scene.one, MTAES_ENCRYPT);
    for (int i = 0; i < 2; i++)
        ck_assert(pthread_create(&threads[i], NULL, feed_blocks, &rival) == 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    ck_assert_uint_eq(atomic_load(&rival.wrong), 0);
    ck_assert_uint_eq(atomic_load(&rival.done) + atomic_load(&rival.refused), 2 * rival.calls);
    ck_assert_uint_gt(atomic_load(&rival.done), 0);
    mtaes_stream_free(rival.stream);
    text_free(&text);
    scene_end(&scene);
}
END_TEST

static void add_tests(TCase *tcase)
{
    const int modes = mode_count(), pairs = kernel_count() * modes;
    tcase_add_loop_test(tcase, small_pieces, 0, pairs);
    tcase_add_loop_test(tcase, large_pieces, 0, pairs);
    tcase_add_loop_test(tcase, guard_pages, 0, pairs);
    tcase_add_loop_test(tcase, copies, 0, modes);
    tcase_add_loop_test(tcase, resets, 0, modes);
    tcase_add_loop_test(tcase, create_arguments, 0, modes);
    tcase_add_loop_test(tcase, weak_keys, 0, modes);
    tcase_add_loop_test(tcase, refused_pieces, 0, modes);
    tcase_add_loop_test(tcase, refused_ends, 0, modes);
    tcase_add_loop_test(tcase, out_of_order, 0, modes);
    tcase_add_loop_test(tcase, forgeries, 0, modes);
    tcase_add_loop_test(tcase, limit, 0, modes);
    tcase_add_loop_test(tcase, two_threads, 0, modes);
    tcase_add_loop_test(tcase, rivals, 0, modes);
}

int main(void)
{
    coverage_begin();
    Suite *suite = suite_create("stream");
    TCase *tcase = tcase_create("stream");
    tcase_set_timeout(tcase, 300);
    add_tests(tcase);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return coverage_report() + failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
