/* test_secrets.c: no branch and no index depends on a key or a text. For a build with clang's memory sanitizer. */
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Keys and texts are marked as unknown; the sanitizer ends the program where a branch, an address or a system call
 * depends on what is unknown. Each pair of kernel and mode runs in a child of its own. That a child is ended at all is
 * shown with children that do branch on, and index by, a secret. In other builds the program is skipped (status 77).
 *
 * Two answers are public by nature, and equal_constant_time says so to the sanitizer: whether a tag is right, and
 * whether the halves of an XTS key are equal.
 */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#if TEST_HAS_FEATURE(memory_sanitizer)
#include <sanitizer/msan_interface.h>

enum { LONGEST = 70000 };

static int checks, failures;

static void report(bool good, const char *what, const char *detail)
{
    checks++;
    failures += !good;
    if (!good)
        printf("FAILED: %s: %s\n", what, detail);
}

/* Whether a child that calls fn(arg) comes to its end. */
static bool survives(void (*fn)(const void *), const void *arg, bool quiet)
{
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        if (quiet && !freopen("/dev/null", "w", stderr))
            _exit(3);
        fn(arg);
        _exit(0);
    }
    int status = -1;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static volatile int sink;

static void branch_on(const void *secret)
{
    if (*(const uint8_t *)secret & 1)
        sink = 1;
}

static void index_by(const void *secret)
{
    static const int table[256] = {1, 2, 3};
    sink = table[*(const uint8_t *)secret];
}

static void touch(const void *secret)
{
    uint8_t copy = *(const uint8_t *)secret;
    sink = copy ^ 1; /* moved and computed with: no harm */
}

static void check_that_it_is_seen(void)
{
    static uint8_t secret = 5;
    __msan_poison(&secret, sizeof secret);
    report(!survives(branch_on, &secret, true), "the sanitizer", "does not see a branch");
    report(!survives(index_by, &secret, true), "the sanitizer", "does not see an index");
    report(survives(touch, &secret, false), "the sanitizer", "sees what is not there");
}

struct pair {
    const mtaes_kernel *kernel;
    const mtaes_mode *mode;
    size_t key_bytes;
};

/* One message both ways, key and text unknown, the result made known again afterwards. */
static void run_length(mtaes_engine *engine, const mtaes_key *key, const struct pair *pair,
                       size_t bytes, size_t iv_bytes)
{
    static uint8_t text[LONGEST], result[LONGEST], back[LONGEST], iv[16], aad[21], tag[16];
    const mtaes_mode_info info = mtaes_mode_describe(pair->mode);
    mtaes_message m = {.key = key, .src = text, .dst = result, .bytes = bytes};
    m.iv = info.iv_bytes_max ? iv : NULL;
    m.iv_bytes = iv_bytes;
    m.aad = info.authenticates ? aad : NULL;
    m.aad_bytes = info.authenticates ? sizeof aad : 0;
    m.tag = info.authenticates ? tag : NULL;
    m.tag_bytes = info.tag_bytes;
    for (size_t i = 0; i < bytes; i++)
        text[i] = (uint8_t)(i * 11 + bytes);
    __msan_poison(text, bytes);
    __msan_poison(aad, sizeof aad);
    if (mtaes_run(engine, &m, 1) != MTAES_OK)
        _exit(4);
    m.direction = MTAES_DECRYPT;
    m.src = result;
    m.dst = back;
    if (mtaes_run(engine, &m, 1) != MTAES_OK)
        _exit(5);
    __msan_unpoison(text, bytes);
    __msan_unpoison(result, bytes);
    __msan_unpoison(back, bytes);
    __msan_unpoison(tag, sizeof tag);
    if (bytes && (memcmp(back, text, bytes) != 0 || memcmp(result, text, bytes) == 0))
        _exit(6);
}

/* GCM hashes an IV that has not the usual 12 bytes: its counter then depends on the key. */
static void run_ivs(mtaes_engine *engine, const mtaes_key *key, const struct pair *pair,
                    size_t bytes)
{
    const mtaes_mode_info info = mtaes_mode_describe(pair->mode);
    run_length(engine, key, pair, bytes, usual_iv_bytes(pair->mode));
    if (info.iv_bytes_min != info.iv_bytes_max)
        run_length(engine, key, pair, bytes, 16);
}

static void run_pair(const void *arg)
{
    static const size_t lengths[] = {16, 31, 32, 100, 128, 255, 256, 513, 1024, 4097, LONGEST};
    const struct pair *const pair = arg;
    uint8_t material[64];
    for (size_t i = 0; i < sizeof material; i++)
        material[i] = (uint8_t)(i * 37 + 5);
    __msan_poison(material, sizeof material);
    mtaes_key *const key = key_for(pair->kernel, pair->mode, material, pair->key_bytes);
    mtaes_engine *engines[2] = {engine_with(1), engine_with(3)};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (size_t t = 0; t < 2; t++)
            if (length_is_legal(pair->mode, lengths[i], 0))
                run_ivs(engines[t], key, pair, lengths[i]);
    mtaes_key_free(key);
    for (size_t t = 0; t < 2; t++)
        if (mtaes_engine_free(engines[t]) != MTAES_OK)
            _exit(7);
}

static void run_kernel(const mtaes_kernel *kernel)
{
    char what[100];
    for (int m = 0; m < mode_count(); m++)
        for (int n = 0; key_bytes_at(kernel, mode_at(m), n); n++) {
            const struct pair pair = {kernel, mode_at(m), key_bytes_at(kernel, mode_at(m), n)};
            snprintf(what, sizeof what, "%s, %s, key of %zu bytes", kernel->name,
                     mtaes_mode_name(pair.mode), pair.key_bytes);
            coverage_mark(kernel);
            report(survives(run_pair, &pair, false), what, "depends on a secret: see above");
        }
}

int main(void)
{
    coverage_begin();
    check_that_it_is_seen();
    for (int k = 0; k < kernel_count(); k++) {
        const mtaes_kernel *const kernel = kernel_at(k);
        if (!mtaes_kernel_runs_here(kernel))
            continue;
        if (strcmp(kernel->cipher, "aes") == 0)
            run_kernel(kernel);
        else
            printf("%s: left out, the cipher's definition looks up by secrets\n", kernel->name);
    }
    printf("%d%%: Checks: %d, Failures: %d, Errors: 0\n", 100 * (checks - failures) / checks,
           checks, failures);
    return failures != 0;
}

#else
int main(void)
{
    printf("skipped: this build has no memory sanitizer (CC=clang, --with-sanitizer=memory)\n");
    return 77;
}
#endif
