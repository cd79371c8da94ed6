/* test_large.c: lengths around 2^31 and 2^32, on one mapping of 4 GiB. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "definition.h"
#include "reference.h"
#include "scene.h"
#include "util.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { SKIPPED = 77, WINDOW = 4096, WINDOWS = 7, UNIT = 4096 };
static const size_t largest = ((size_t)1 << 32) + 48;
static const size_t memory_needed = (size_t)5 << 30;

/* Places at which the bytes are looked at: begin, 2^31, 2^32 and end, and around them. All are at
   whole units, and the last window ends where the text does. */
static size_t window_at(int i, size_t bytes)
{
    const size_t places[WINDOWS] = {0,
                                    UNIT,
                                    ((size_t)1 << 31) - UNIT,
                                    (size_t)1 << 31,
                                    ((size_t)1 << 32) - 2 * UNIT,
                                    ((size_t)1 << 32) - UNIT,
                                    (bytes - 1) / UNIT * UNIT};
    return places[i] < bytes ? places[i] : (bytes - 1) / UNIT * UNIT;
}

static size_t window_bytes(int i, size_t bytes)
{
    const size_t left = bytes - window_at(i, bytes);
    return left < WINDOW ? left : WINDOW;
}

/* The windows of a text, each with the block before it. */
struct sample {
    uint8_t before[WINDOWS][16];
    uint8_t text[WINDOWS][WINDOW];
};

static void take_sample(struct sample *sample, const uint8_t *text, size_t bytes)
{
    for (int i = 0; i < WINDOWS; i++) {
        const size_t at = window_at(i, bytes);
        if (at > 0)
            memcpy(sample->before[i], text + at - 16, 16);
        memcpy(sample->text[i], text + at, window_bytes(i, bytes));
    }
}

/*
 * The IV with which a message that begins at the window gives what the long one gives there, read
 * off the bytes before it; false: not known for this mode. GCM's key stream is that of CTR from the
 * second counter on, as long as its 32 bits do not wrap, which takes 64 GiB.
 */
static bool iv_at(const char *mode, const uint8_t *iv, size_t at, const uint8_t *plain,
                  const uint8_t *cipher, uint8_t result[16])
{
    memcpy(result, iv, 16);
    if (strcmp(mode, "gcm") == 0) {
        memset(result + 12, 0, 4);
        add_be128(result, 2 + at / 16);
    } else if (strcmp(mode, "ctr") == 0) {
        add_be128(result, at / 16);
    } else if (strcmp(mode, "xts") == 0) {
        add_le128(result, at / UNIT);
    } else if (strcmp(mode, "cbc") == 0 || strcmp(mode, "cfb") == 0) {
        memcpy(result, at ? cipher : iv, 16);
    } else if (strcmp(mode, "ofb") == 0 || strcmp(mode, "pcbc") == 0) {
        xor_block(result, at ? plain : iv, cipher);
        if (at == 0)
            memcpy(result, iv, 16);
    } else if (strcmp(mode, "ecb") != 0) {
        return false;
    }
    return true;
}

/* What libcrypto, or where it has no such mode the definition, makes of each window. */
static void check_windows(const struct scene *scene, const struct text *text,
                          const struct sample *plain, const struct sample *cipher, size_t bytes)
{
    const char *mode = mtaes_mode_name(scene->mode);
    const bool gcm = strcmp(mode, "gcm") == 0;
    const size_t half = scene->mode->two_keys ? scene->key_bytes / 2 : scene->key_bytes;
    struct cipher data = cipher_create(portable_of(scene->kernel), scene->material, half);
    struct cipher tweak =
        cipher_create(portable_of(scene->kernel), scene->material + scene->key_bytes - half, half);
    for (int i = 0; i < WINDOWS; i++) {
        uint8_t iv[16], expected[WINDOW], tag[16];
        mtaes_message m = {.src = plain->text[i], .bytes = window_bytes(i, bytes), .iv = iv};
        if (!iv_at(mode, text->iv, window_at(i, bytes), plain->before[i], cipher->before[i], iv))
            continue;
        m.iv_bytes = scene->info.iv_bytes_max ? 16 : 0;
        if (!reference_message(gcm ? "ctr" : mode, scene->material, scene->key_bytes, &m, expected,
                               tag))
            ck_assert(define_message(&data, &tweak, gcm ? "ctr" : mode, &m, expected, tag));
        const char *fault = difference(cipher->text[i], expected, m.bytes);
        ck_assert_msg(fault == NULL, "%s, %zu bytes, at %zu: %s", mode, bytes, window_at(i, bytes),
                      fault);
    }
    cipher_free(&data);
    cipher_free(&tweak);
}

/* Encrypt in place and look; decrypt in place, and look whether all windows are as they were. */
static void check_length(struct scene *scene, mtaes_engine *engine, uint8_t *memory, size_t bytes)
{
    static struct sample before, after, back;
    uint8_t tag[16];
    struct text text = text_create(scene, 4096, scene->mode->units ? UNIT : 0, NULL);
    if (!length_is_legal(scene->mode, bytes, text.unit_bytes))
        bytes -= bytes % 16;
    take_sample(&before, memory, bytes);
    mtaes_message m = text_message(scene, &text, MTAES_ENCRYPT, memory, memory, tag);
    m.bytes = bytes;
    mtaes_status status = mtaes_run(engine, &m, 1);
    ck_assert_msg(status == MTAES_OK, "%zu bytes: %s", bytes, mtaes_status_text(status));
    take_sample(&after, memory, bytes);
    check_windows(scene, &text, &before, &after, bytes);
    if (strcmp(mtaes_mode_name(scene->mode), "gcm") == 0)
        ck_assert_msg(reference_verifies_gcm(scene->material, scene->key_bytes, &m),
                      "libcrypto finds the tag of %zu bytes wrong", bytes);
    m.direction = MTAES_DECRYPT;
    status = mtaes_run(engine, &m, 1);
    ck_assert_msg(status == MTAES_OK, "decryption of %zu bytes: %s", bytes,
                  mtaes_status_text(status));
    take_sample(&back, memory, bytes);
    for (int i = 0; i < WINDOWS; i++)
        ck_assert_msg(difference(back.text[i], before.text[i], window_bytes(i, bytes)) == NULL,
                      "%s: decryption of %zu bytes does not give the text back at %zu",
                      mtaes_mode_name(scene->mode), bytes, window_at(i, bytes));
    text_free(&text);
}

static uint8_t *map_largest(void)
{
    uint8_t *memory = mmap(NULL, largest, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    ck_assert(memory != MAP_FAILED);
    madvise(memory, largest, MADV_HUGEPAGE);
    return memory;
}

/* All modes in turn over the one mapping, so that its pages are had from the system once. */
START_TEST(lengths)
{
    uint8_t *memory = map_largest();
    mtaes_engine *engine = engine_with(0);
    for (int i = 0, modes = mode_count(); i < modes; i++) {
        const mtaes_mode *mode = mode_at(i);
        const mtaes_kernel *kernel = mtaes_kernel_find("aes");
        struct scene scene;
        if (key_bytes_at(kernel, mode, 0) == 0)
            continue; /* another cipher's mode */
        scene_begin(&scene, kernel, mode, key_bytes_at(kernel, mode, 0));
        /* Something else than zeros: what the mode before this one left is that only at the ends. */
        random_fill(&scene.random, memory, 2 * UNIT);
        random_fill(&scene.random, memory + window_at(3, largest) - UNIT, 2 * UNIT);
        random_fill(&scene.random, memory + largest - 2 * UNIT, 2 * UNIT);
        check_length(&scene, engine, memory, largest);
        if (scene.info.encrypt_parallel && scene.info.iv_bytes_max == 16 && !mode->units) {
            check_length(&scene, engine, memory, ((size_t)1 << 31) - 1);
            check_length(&scene, engine, memory, ((size_t)1 << 31) + 16);
            check_length(&scene, engine, memory, ((size_t)1 << 32) - 1);
        }
        printf("%s with %s: done\n", mtaes_mode_name(mode), mtaes_kernel_name(kernel));
        fflush(stdout);
        scene_end(&scene);
    }
    ck_assert(mtaes_engine_free(engine) == MTAES_OK);
    munmap(memory, largest);
}
END_TEST

static size_t memory_available(void)
{
    char line[200];
    size_t kibibytes = 0;
    FILE *file = fopen("/proc/meminfo", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "MemAvailable: %zu", &kibibytes) == 1)
            break;
    if (file != NULL)
        fclose(file);
    return kibibytes * 1024;
}

int main(void)
{
    if (UNDER_SANITIZER) {
        printf("skipped: 4 GiB are too much under the %s\n", sanitizer_name());
        return SKIPPED;
    }
    if (memory_available() < memory_needed) {
        printf("skipped: %zu MiB of memory are available, %zu are needed\n",
               memory_available() >> 20, memory_needed >> 20);
        return SKIPPED;
    }
    Suite *suite = suite_create("large");
    TCase *tcase = tcase_create("large");
    tcase_set_timeout(tcase, 900);
    tcase_add_test(tcase, lengths);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
