/* rates.c: what threads, streams, jobs and batches gain over one plain call, as ratios of interleaved runs. */
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 *   rates [RUNS]
 *
 * Each line compares two ways of doing the same work, in turn, RUNS times (21), and prints the median rate of both and
 * the median of the ratios. Always ends with 0 where the work itself succeeds: how fast it is depends on what else the
 * machine does.
 */
#include "mtaes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    MIB = 1 << 20,
    LARGE_BYTES = 64 * MIB,
    PIECE_BYTES = MIB,
    IN_FLIGHT = 4,
    STREAMS = 16,
    STREAM_BYTES = 4096,
    MOST_RUNS = 501
};

static mtaes_engine *engines[3]; /* by threads */
static uint8_t *text, *result;

/* One way of doing the work: `bytes` of a message, made of `parts`. */
struct work {
    const char *mode;
    const mtaes_key *key;
    mtaes_direction direction;
    size_t threads, bytes, count;
};

static void must(bool ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "rates: %s failed\n", what);
        exit(EXIT_FAILURE);
    }
}

static mtaes_key *key_of(const char *mode)
{
    uint8_t material[32];
    for (size_t i = 0; i < sizeof material; i++)
        material[i] = (uint8_t)(i * 7 + 1);
    mtaes_key *key = NULL;
    const bool two = strcmp(mode, "xts") == 0;
    must(mtaes_key_create(&key, mtaes_kernel_find("aes"), mtaes_mode_find(mode), material,
                          two ? 32 : 16) == MTAES_OK,
         mode);
    return key;
}

/* The part of the text from `at` on as a message. */
static mtaes_message message_of(const struct work *work, size_t at, size_t bytes, uint8_t tag[16])
{
    static const uint8_t iv[16];
    const mtaes_mode_info info = mtaes_mode_describe(mtaes_mode_find(work->mode));
    return (mtaes_message){
        .key = work->key,
        .direction = work->direction,
        .src = text + at,
        .dst = result + at,
        .bytes = bytes,
        .iv = info.iv_bytes_max ? iv : NULL,
        .iv_bytes = info.authenticates ? 12 : info.iv_bytes_min,
        .tag = info.authenticates ? tag : NULL,
        .tag_bytes = info.tag_bytes,
        .unit_bytes = strcmp(work->mode, "xts") == 0 ? 4096 : 0,
    };
}

static void one_call(const struct work *work)
{
    static uint8_t tag[16];
    mtaes_message m = message_of(work, 0, work->bytes, tag);
    must(mtaes_run(engines[work->threads], &m, 1) == MTAES_OK, "a call");
}

static void batch(const struct work *work)
{
    mtaes_message m[STREAMS];
    for (size_t i = 0; i < work->count; i++)
        m[i] =
            message_of(work, i * (work->bytes / work->count + 64), work->bytes / work->count, NULL);
    must(mtaes_run(engines[work->threads], m, work->count) == MTAES_OK, "a batch");
}

static void stream(const struct work *work)
{
    static const uint8_t iv[16];
    mtaes_stream *s = NULL;
    size_t written;
    must(mtaes_stream_create(&s, engines[work->threads], work->key, work->direction, iv,
                             sizeof iv) == MTAES_OK,
         "a stream");
    for (size_t at = 0; at < work->bytes; at += PIECE_BYTES)
        must(mtaes_stream_update(s, text + at, PIECE_BYTES, result + at, PIECE_BYTES, &written) ==
                 MTAES_OK,
             "an update");
    mtaes_stream_free(s);
}

static void jobs(const struct work *work)
{
    mtaes_message m[IN_FLIGHT];
    mtaes_job *job[IN_FLIGHT] = {NULL};
    for (size_t at = 0, i = 0; at < work->bytes; at += PIECE_BYTES, i = (i + 1) % IN_FLIGHT) {
        if (job[i])
            must(mtaes_job_wait(job[i]) == MTAES_OK, "a job");
        m[i] = message_of(work, at, PIECE_BYTES, NULL);
        must(mtaes_submit(engines[work->threads], &m[i], 1, NULL, &job[i]) == MTAES_OK, "a job");
    }
    for (size_t i = 0; i < IN_FLIGHT; i++)
        must(mtaes_job_wait(job[i]) == MTAES_OK, "a job");
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Bytes a nanosecond; small work is repeated until it can be timed. */
static double rate(void (*way)(const struct work *), const struct work *work)
{
    enum { ENOUGH_BYTES = 16 * MIB };
    size_t bytes = 0;
    const double begin = seconds();
    do {
        way(work);
        bytes += work->bytes;
    } while (bytes < ENOUGH_BYTES);
    return (double)bytes / (seconds() - begin) * 1e-9;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void line(size_t runs, const char *what, void (*way)(const struct work *),
                 const struct work *work, void (*base)(const struct work *),
                 const struct work *base_work, const char *wanted)
{
    static double of_way[MOST_RUNS], of_base[MOST_RUNS], ratio[MOST_RUNS];
    rate(base, base_work);
    rate(way, work);
    for (size_t i = 0; i < runs; i++) {
        of_base[i] = rate(base, base_work);
        of_way[i] = rate(way, work);
        ratio[i] = of_way[i] / of_base[i];
    }
    qsort(of_way, runs, sizeof *of_way, compare);
    qsort(of_base, runs, sizeof *of_base, compare);
    qsort(ratio, runs, sizeof *ratio, compare);
    printf("%-52s %6.2f over %6.2f GB/s: %5.2f  (%s)\n", what, of_way[runs / 2], of_base[runs / 2],
           ratio[runs / 2], wanted);
    fflush(stdout);
}

static void threads_line(size_t runs, const char *mode, mtaes_direction direction, size_t bytes,
                         const char *wanted)
{
    mtaes_key *const key = key_of(mode);
    const struct work two = {mode, key, direction, 2, bytes, 1},
                      one = {mode, key, direction, 1, bytes, 1};
    char what[80];
    snprintf(what, sizeof what, "%s %s, %zu MiB, 2 threads over 1", mode,
             direction == MTAES_ENCRYPT ? "encryption" : "decryption", bytes / MIB);
    line(runs, what, one_call, &two, one_call, &one, wanted);
    mtaes_key_free(key);
}

static void calls_lines(size_t runs, size_t threads)
{
    mtaes_key *const key = key_of("ctr");
    const struct work work = {"ctr", key, MTAES_ENCRYPT, threads, LARGE_BYTES, 1};
    char what[80];
    snprintf(what, sizeof what, "ctr, stream fed 1 MiB pieces over one call, %zu threads", threads);
    line(runs, what, stream, &work, one_call, &work, "asked: 0.9");
    snprintf(what, sizeof what, "ctr, 4 jobs of 1 MiB in flight over one call, %zu threads",
             threads);
    line(runs, what, jobs, &work, one_call, &work, "asked: 0.9");
    mtaes_key_free(key);
}

static void streams_line(size_t runs)
{
    mtaes_key *const key = key_of("cbc");
    const struct work many = {"cbc",  key, MTAES_ENCRYPT, 1, (size_t)STREAMS * STREAM_BYTES,
                              STREAMS};
    const struct work one = {"cbc", key, MTAES_ENCRYPT, 1, (size_t)STREAMS * STREAM_BYTES, 1};
    line(runs, "cbc encryption, 16 streams of 4 KiB over one", batch, &many, one_call, &one,
         "asked: 6");
    mtaes_key_free(key);
}

int main(int argc, char **argv)
{
    size_t runs = argc > 1 ? strtoull(argv[1], NULL, 10) : 21;
    runs = runs < 1 ? 1 : runs > MOST_RUNS ? MOST_RUNS : runs;
    text = aligned_alloc(2 * MIB, LARGE_BYTES);
    result = aligned_alloc(2 * MIB, LARGE_BYTES);
    must(text && result, "memory");
    memset(text, 1, LARGE_BYTES);
    memset(result, 2, LARGE_BYTES);
    for (size_t threads = 1; threads <= 2; threads++)
        must(mtaes_engine_create(&engines[threads], &(mtaes_engine_options){.threads = threads}) ==
                 MTAES_OK,
             "an engine");
    threads_line(runs, "cbc", MTAES_DECRYPT, LARGE_BYTES, "asked: 1.6");
    threads_line(runs, "cfb", MTAES_DECRYPT, LARGE_BYTES, "asked: 1.6");
    threads_line(runs, "xts", MTAES_ENCRYPT, LARGE_BYTES, "asked: 1.6");
    threads_line(runs, "xts", MTAES_DECRYPT, LARGE_BYTES, "asked: 1.6");
    threads_line(runs, "gcm", MTAES_ENCRYPT, LARGE_BYTES, "asked: 1.6");
    threads_line(runs, "pcbc", MTAES_DECRYPT, 4 * MIB, "asked: 1.4");
    calls_lines(runs, 1);
    calls_lines(runs, 2);
    streams_line(runs);
    for (size_t threads = 1; threads <= 2; threads++)
        must(mtaes_engine_free(engines[threads]) == MTAES_OK, "the engines' end");
    free(text);
    free(result);
    return EXIT_SUCCESS;
}
