/* quick.c: the quick set, as one static program for other CPUs: under an emulator, or copied to a machine. */
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 *   quick [--expect=KERNEL] [VECTORS]
 *
 * All vectors in the folder VECTORS once a kernel; every length from 0 to 1088 against the portable kernel, between
 * guard pages, in place and not, both ways; with 1 and 3 threads; in a forked child. KERNEL is what "aes" must be here.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sets.h"

enum { LENGTH_MOST = 1088, LONG_BYTES = 300000 };

static int passed, failed;

static void report(bool good, const char *kernel, const char *what, const char *detail)
{
    passed += good;
    failed += !good;
    if (!good)
        printf("FAILED: %s %s: %s\n", kernel, what, detail);
}

static mtaes_message message_of(const mtaes_key *key, const mtaes_mode *mode, size_t bytes,
                                const uint8_t *iv, uint8_t *tag)
{
    const mtaes_mode_info info = mtaes_mode_describe(mode);
    return (mtaes_message){.key = key,
                           .bytes = bytes,
                           .iv = info.iv_bytes_max ? iv : NULL,
                           .iv_bytes = info.iv_bytes_max ? usual_iv_bytes(mode) : 0,
                           .tag = info.tag_bytes ? tag : NULL,
                           .tag_bytes = info.tag_bytes};
}

/* One length: encrypt apart, decrypt in place, and compare both with what is expected. */
static const char *one_length(mtaes_engine *engine, const mtaes_key *key, const mtaes_key *portable,
                              const mtaes_mode *mode, size_t bytes, struct guarded map[3],
                              struct random *random)
{
    uint8_t iv[16], tag[16], wanted_tag[16];
    random_fill(random, iv, sizeof iv);
    memset(iv + 8, 0xff, bytes % 2 ? 7 : 0); /* counters that are about to carry */
    uint8_t *const text = guarded_last(&map[0], bytes), *const out = guarded_last(&map[1], bytes),
                   *const wanted = guarded_first(&map[2]);
    random_fill(random, text, bytes);
    memset(out, 0xaa, bytes);
    mtaes_message message = message_of(portable, mode, bytes, iv, wanted_tag);
    message.src = text;
    message.dst = wanted;
    if (mtaes_run(engine, &message, 1) != MTAES_OK)
        return "the portable kernel refused it";
    message.key = key;
    message.dst = out;
    message.tag = message.tag_bytes ? tag : NULL;
    if (mtaes_run(engine, &message, 1) != MTAES_OK || memcmp(out, wanted, bytes) != 0)
        return "encryption differs from the portable kernel's";
    if (message.tag_bytes && memcmp(tag, wanted_tag, sizeof tag) != 0)
        return "the tag differs from the portable kernel's";
    message.direction = MTAES_DECRYPT;
    message.src = out;
    if (mtaes_run(engine, &message, 1) != MTAES_OK || memcmp(out, text, bytes) != 0)
        return "decryption does not give the text back";
    return NULL;
}

static void all_lengths(mtaes_engine *engine, const mtaes_kernel *kernel, const mtaes_mode *mode,
                        const size_t *lengths, size_t count)
{
    struct random random = {count};
    uint8_t material[64];
    char detail[120];
    struct guarded map[3];
    random_fill(&random, material, sizeof material);
    for (int m = 0; m < 3; m++)
        map[m] = guarded_create(lengths[count - 1]);
    for (int n = 0; key_bytes_at(kernel, mode, n); n++) {
        const size_t key_bytes = key_bytes_at(kernel, mode, n);
        mtaes_key *const key = key_for(kernel, mode, material, key_bytes);
        mtaes_key *const portable = key_for(portable_of(kernel), mode, material, key_bytes);
        const char *fault = NULL;
        for (size_t i = 0; i < count && !fault; i++) {
            if (!length_is_legal(mode, lengths[i], 0))
                continue;
            fault = one_length(engine, key, portable, mode, lengths[i], map, &random);
            snprintf(detail, sizeof detail, "%zu bytes, key of %zu: %s", lengths[i], key_bytes,
                     fault ? fault : "");
        }
        report(!fault, kernel->name, mtaes_mode_name(mode), detail);
        mtaes_key_free(key);
        mtaes_key_free(portable);
    }
    for (int m = 0; m < 3; m++)
        guarded_free(&map[m]);
}

/* A child uses the engine of its parent, whose threads it does not have. */
static void forked(mtaes_engine *engine, const mtaes_kernel *kernel)
{
    const size_t length[] = {LONG_BYTES / 16 * 16};
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        alarm(60);
        failed = 0;
        all_lengths(engine, kernel, mtaes_mode_find("ctr"), length, 1);
        fflush(stdout);
        _exit(failed != 0 || mtaes_engine_free(engine) != MTAES_OK);
    }
    int status = -1;
    const bool good = child > 0 && waitpid(child, &status, 0) == child && status == 0;
    report(good, kernel->name, "fork", "the child failed");
}

static void run_kernel(mtaes_engine *engines[2], const mtaes_kernel *kernel, const char *vectors)
{
    static size_t lengths[LENGTH_MOST + 1];
    const size_t long_length[] = {LONG_BYTES / 16 * 16};
    for (size_t i = 0; i <= LENGTH_MOST; i++)
        lengths[i] = i;
    for (int m = 0; m < mode_count(); m++) {
        const mtaes_mode *const mode = mode_at(m);
        if (!key_bytes_at(kernel, mode, 0))
            continue;
        all_lengths(engines[0], kernel, mode, lengths, LENGTH_MOST + 1);
        all_lengths(engines[1], kernel, mode, long_length, 1);
    }
    forked(engines[1], kernel);
    for (int s = 0; vectors && s < vector_set_count; s++) {
        struct replay replay = {.kernel = kernel, .random = {1}};
        if (kernel == portable_of(kernel) &&
            (vector_sets[s].monte_carlo || strstr(vector_sets[s].path, "long"))) {
            printf("%s, %s: left to the full suite, as they take longer than all others\n",
                   vector_sets[s].path, kernel->name);
            continue;
        }
        for (int i = 0; i < THREAD_COUNTS; i++)
            replay.engines[i] = engines[thread_counts[i] == 3];
        if (strcmp(vector_sets[s].cipher, kernel->cipher) == 0)
            report(set_run(&vector_sets[s], vectors, &replay) == 0, kernel->name,
                   vector_sets[s].path, "see above");
    }
}

int main(int argc, char **argv)
{
    const char *expected = NULL, *vectors = NULL;
    char features[200], missing[200];
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--expect=", 9) == 0)
            expected = argv[i] + 9;
        else if (argv[i][0] == '-')
            return fprintf(stderr, "quick: %s: only --expect=KERNEL is known\n", argv[i]), 2;
        else
            vectors = argv[i];
    }
    mtaes_kernel_features(NULL, false, features, sizeof features);
    printf("CPU features: %s\n", features);
    const mtaes_kernel *const found = mtaes_kernel_find("aes");
    if (expected)
        report(strcmp(expected, mtaes_kernel_name(found)) == 0, "aes", "is another kernel",
               mtaes_kernel_name(found));
    mtaes_engine *engines[2] = {engine_with(1), engine_with(3)};
    for (int k = 0; k < kernel_count(); k++) {
        if (mtaes_kernel_runs_here(kernel_at(k))) {
            run_kernel(engines, kernel_at(k), vectors);
            continue;
        }
        mtaes_kernel_features(kernel_at(k), true, missing, sizeof missing);
        printf("%s: not on this CPU, which lacks %s\n", kernel_at(k)->name, missing);
    }
    for (int i = 0; i < 2; i++)
        report(mtaes_engine_free(engines[i]) == MTAES_OK, "engine", "free", "failed");
    printf("kernels that ran here: \"aes\" is %s\n", mtaes_kernel_name(found));
    printf("%d%%: Checks: %d, Failures: %d, Errors: 0\n", 100 * passed / (passed + failed),
           passed + failed, failed);
    return failed != 0;
}
