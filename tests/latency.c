/* latency.c: how long small calls take while a large one is under way on the same engine. */
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 *   latency [MEBIBYTES [SECONDS [THREADS]]]
 *
 * One thread encrypts MEBIBYTES (1024) in CTR again and again; another times calls of 4 KiB on the same engine, one
 * every half millisecond. Prints percentiles with and without the large calls; always ends with 0: how long a call
 * takes depends on what else the machine does.
 */
#include "mtaes.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SMALL_BYTES = 4096, MOST_CALLS = 1 << 20, PAUSE_NANOSECONDS = 500000 };

struct large {
    mtaes_engine *engine;
    const mtaes_key *key;
    uint8_t *text;
    size_t bytes;
    atomic_bool stop;
    atomic_int calls;
};

static uint64_t nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static bool encrypt(mtaes_engine *engine, const mtaes_key *key, uint8_t *text, size_t bytes)
{
    static const uint8_t iv[16];
    mtaes_message m = {.key = key, .src = text, .dst = text, .bytes = bytes};
    m.iv = iv;
    m.iv_bytes = sizeof iv;
    return mtaes_run(engine, &m, 1) == MTAES_OK;
}

static void *run_large(void *arg)
{
    struct large *large = arg;
    while (!atomic_load(&large->stop)) {
        if (!encrypt(large->engine, large->key, large->text, large->bytes))
            exit(EXIT_FAILURE);
        atomic_fetch_add(&large->calls, 1);
    }
    return NULL;
}

static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Time small calls for so long, and print what they took. */
static void measure(mtaes_engine *engine, const mtaes_key *key, double seconds, const char *what)
{
    static uint64_t took[MOST_CALLS];
    static uint8_t text[SMALL_BYTES];
    const struct timespec pause = {0, PAUSE_NANOSECONDS};
    const uint64_t end = nanoseconds() + (uint64_t)(seconds * 1e9);
    size_t calls = 0;
    while (nanoseconds() < end && calls < MOST_CALLS) {
        nanosleep(&pause, NULL);
        const uint64_t before = nanoseconds();
        if (!encrypt(engine, key, text, sizeof text))
            exit(EXIT_FAILURE);
        took[calls++] = nanoseconds() - before;
    }
    if (calls == 0)
        return;
    qsort(took, calls, sizeof *took, compare);
    printf(
        "%s: %zu calls of %d bytes, microseconds: median %.1f, 99th percentile %.1f, most %.1f\n",
        what, calls, SMALL_BYTES, (double)took[calls / 2] / 1e3,
        (double)took[calls * 99 / 100] / 1e3, (double)took[calls - 1] / 1e3);
}

int main(int argc, char **argv)
{
    const size_t mebibytes = argc > 1 ? strtoull(argv[1], NULL, 10) : 1024;
    const double seconds = argc > 2 ? strtod(argv[2], NULL) : 3;
    const mtaes_engine_options options = {.threads = argc > 3 ? strtoull(argv[3], NULL, 10) : 0};
    const mtaes_kernel *kernel = mtaes_kernel_find("aes");
    const uint8_t material[16] = {1};
    struct large large = {.bytes = mebibytes << 20};
    mtaes_engine *engine = NULL;
    mtaes_key *key = NULL;
    pthread_t thread;
    large.text = malloc(large.bytes ? large.bytes : 1);
    if (large.text == NULL || mtaes_engine_create(&engine, &options) != MTAES_OK ||
        mtaes_key_create(&key, kernel, mtaes_mode_find("ctr"), material, 16) != MTAES_OK)
        return EXIT_FAILURE;
    memset(large.text, 1, large.bytes);
    large.engine = engine;
    large.key = key;
    printf("%s, %zu threads, large calls of %zu MiB\n", mtaes_kernel_name(kernel),
           mtaes_engine_threads(engine), mebibytes);
    measure(engine, key, seconds, "alone");
    if (pthread_create(&thread, NULL, run_large, &large) != 0)
        return EXIT_FAILURE;
    measure(engine, key, seconds, "beside large calls");
    atomic_store(&large.stop, true);
    pthread_join(thread, NULL);
    printf("large calls meanwhile: %d\n", atomic_load(&large.calls));
    mtaes_key_free(key);
    free(large.text);
    return mtaes_engine_free(engine) == MTAES_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
