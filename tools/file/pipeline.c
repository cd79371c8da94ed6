/* pipeline.c: a ring of runs of chunks that any thread reads, encrypts or writes, as is due. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "pipeline.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/*
 * The unit of work is a run of RUN_CHUNKS chunks in one buffer. There are no reader or writer
 * threads: whoever is free does what is due, first writing, then encryption, then reading, and a
 * thread that has read a run goes on to encrypt it while it is in its cache. A stream is read by
 * one thread at a time and written in order by one thread at a time; of a positioned input, every
 * thread reads its own runs; into a file of our own, every thread writes its own. Runs retire in
 * order in any case, so that the first problem in the input is the one that is reported.
 */
enum {
    RUN_CHUNKS = 32,
    BUFFER_BYTES = (RUN_CHUNKS * CHUNK_BYTES + 4095) / 4096 * 4096,
    PROGRESS_MS = 250,
};

enum run_state { RUN_FREE, RUN_TAKEN, RUN_READ, RUN_DONE };

struct run {
    uint8_t *buffer; /* the thread that has taken the run; the rest is under the lock */
    uint64_t index;
    size_t in_bytes, chunks, last_text_bytes;
    size_t good; /* chunks that are right */
    enum run_state state;
    struct problem problem;
};

struct pipeline {
    const struct transfer *transfer;
    size_t in_stride;    /* bytes of input for a full chunk */
    bool ordered;        /* the output is written in order */
    uint64_t runs_total; /* positioned input */
    uint8_t *pool;       /* all buffers */

    pthread_mutex_t lock; /* all below */
    pthread_cond_t changed, over;
    struct run *runs;
    size_t run_count;
    uint64_t next_read, next_retire; /* run indexes */
    uint64_t result_at;              /* bytes of result before next_retire */
    size_t encrypting, working;
    int wake_fd;
    bool reading, retiring, input_ended, stopped;
    struct problem problem; /* when stopped */
    struct transfer_result result;
};

static struct run *run_of(struct pipeline *p, uint64_t index)
{
    return &p->runs[index % p->run_count];
}

static size_t out_stride(const struct transfer *t)
{
    return t->direction == MTAES_ENCRYPT ? CHUNK_BYTES : CHUNK_TEXT_BYTES;
}

/* Bytes of result of the first `chunks` chunks of a run. */
static size_t result_bytes(const struct transfer *t, const struct run *run, size_t chunks)
{
    const size_t missing =
        chunks == run->chunks && chunks != 0 ? CHUNK_TEXT_BYTES - run->last_text_bytes : 0;
    return chunks * out_stride(t) - missing;
}

/* Where a chunk begins in the input, for messages. */
static unsigned long long chunk_at(const struct transfer *t, uint64_t chunk)
{
    return t->message_at + PREFIX_BYTES + chunk * CHUNK_BYTES;
}

static void damaged(const struct transfer *t, struct run *run)
{
    const uint64_t chunk = t->first_chunk + run->index * RUN_CHUNKS + run->good;
    problem_set(&run->problem, EXIT_DAMAGED,
                "%s: the chunk at byte %llu (number %llu) is damaged, or the end is cut off inside "
                "it",
                t->input->name, chunk_at(t, chunk), (unsigned long long)chunk);
}

/* From the bytes of input, how many chunks there are and how long the last is. */
static void shape(const struct pipeline *p, struct run *run)
{
    const struct transfer *const t = p->transfer;
    const size_t full = run->in_bytes / p->in_stride, rest = run->in_bytes % p->in_stride;
    run->chunks = full;
    run->last_text_bytes = CHUNK_TEXT_BYTES;
    if (full == RUN_CHUNKS || (rest == 0 && !t->to_the_end))
        return;
    if (t->direction == MTAES_DECRYPT && rest < CHUNK_TAG_BYTES) {
        const uint64_t chunk = t->first_chunk + run->index * RUN_CHUNKS + full;
        problem_set(&run->problem, EXIT_TRUNCATED,
                    "%s: truncated: %zu bytes from byte %llu on, where the last chunk has at least "
                    "%d",
                    t->input->name, rest, chunk_at(t, chunk), CHUNK_TAG_BYTES);
        return;
    }
    run->chunks = full + 1;
    run->last_text_bytes = t->direction == MTAES_ENCRYPT ? rest : rest - CHUNK_TAG_BYTES;
}

static void read_run(const struct pipeline *p, struct run *run)
{
    const struct transfer *const t = p->transfer;
    const uint64_t at = run->index * RUN_CHUNKS * p->in_stride;
    const uint64_t base = t->direction == MTAES_ENCRYPT
                              ? 0
                              : t->message_at + PREFIX_BYTES + t->first_chunk * CHUNK_BYTES;
    size_t wanted = RUN_CHUNKS * p->in_stride;
    if (t->input->positioned && wanted > t->in_bytes - at)
        wanted = (size_t)(t->in_bytes - at);
    run->problem.code = EXIT_DONE;
    run->chunks = run->good = 0;
    if (!input_read_spread(t->input, base + at, run->buffer, p->in_stride, CHUNK_BYTES, wanted,
                           &run->in_bytes, &run->problem))
        return;
    shape(p, run); /* a truncated run still has full chunks to verify */
}

/* Write the result of a run, as far as it is right and inside the window that is wanted. `at` is
   the place of the run's result; it serves the window, and, if in_order is false, as position. */
static bool write_run(const struct pipeline *p, const struct run *run, uint64_t at, bool in_order,
                      struct problem *problem)
{
    const struct transfer *const t = p->transfer;
    const size_t bytes = result_bytes(t, run, run->good);
    const uint64_t window_end = t->skip + t->most < t->skip ? UINT64_MAX : t->skip + t->most;
    if (t->output == NULL || at >= window_end || at + bytes <= t->skip)
        return true;
    const size_t from = at < t->skip ? (size_t)(t->skip - at) : 0;
    const size_t to = at + bytes > window_end ? (size_t)(window_end - at) : bytes;
    const uint64_t place = t->output_at + at;
    return output_write_spread(t->output, in_order ? NULL : &place, run->buffer, out_stride(t),
                               CHUNK_BYTES, from, to, problem);
}

static void encrypt_run(const struct pipeline *p, struct run *run)
{
    const struct transfer *const t = p->transfer;
    struct problem problem = {.code = EXIT_DONE};
    if (run->chunks == 0)
        return;
    const bool done =
        cobblestone_crypt(t->message, t->direction, t->first_chunk + run->index * RUN_CHUNKS,
                          run->buffer, run->chunks, run->last_text_bytes, &run->good, &problem);
    if (done && run->good == run->chunks)
        return;
    run->problem = problem; /* comes before a truncation behind it */
    if (done)
        damaged(t, run);
}

/* ------------------------------------------------------------------------------------------------
 * What is due. All of these are called with the lock held, and give it up for the work itself. Each
 * step makes at most two others possible, of which its own thread takes one: waking one thread is
 * enough, and waking all costs more than the encryption. */

static void wake_reader(struct pipeline *p)
{
    const uint64_t one = 1;
    ssize_t written = 0;
    if (p->wake_fd >= 0)
        written = write(p->wake_fd, &one, sizeof one);
    (void)written; /* an event counter that is not full takes it */
}

static void stop(struct pipeline *p, const struct problem *problem)
{
    if (p->stopped)
        return;
    p->stopped = true;
    p->problem = *problem;
    wake_reader(p);
}

/* Write the next run in order, and give its buffer back. */
static void retire(struct pipeline *p)
{
    struct run *const run = run_of(p, p->next_retire);
    struct problem problem = {.code = EXIT_DONE};
    if (p->ordered) {
        p->retiring = true;
        pthread_mutex_unlock(&p->lock);
        write_run(p, run, p->result_at, true, &problem);
        pthread_mutex_lock(&p->lock);
        p->retiring = false;
    }
    if (problem.code == EXIT_DONE)
        problem = run->problem;
    if (problem.code != EXIT_DONE)
        stop(p, &problem);
    const size_t bytes = result_bytes(p->transfer, run, run->good);
    p->result_at += bytes;
    p->result.in_bytes += run->in_bytes;
    p->result.out_bytes += bytes;
    p->result.chunks += run->good;
    run->state = RUN_FREE;
    p->next_retire++;
    pthread_cond_signal(&p->changed);
}

static void encrypt(struct pipeline *p, struct run *run)
{
    run->state = RUN_TAKEN;
    p->encrypting++;
    pthread_mutex_unlock(&p->lock);
    encrypt_run(p, run);
    if (!p->ordered && run->problem.code == EXIT_DONE)
        write_run(p, run, run->index * RUN_CHUNKS * out_stride(p->transfer), false, &run->problem);
    pthread_mutex_lock(&p->lock);
    p->encrypting--;
    run->state = RUN_DONE;
    if (run->problem.code != EXIT_DONE)
        p->input_ended = true; /* read no further; what was read before is still processed */
    pthread_cond_signal(&p->changed);
}

static void read_next(struct pipeline *p)
{
    const bool positioned = p->transfer->input->positioned;
    struct run *const run = run_of(p, p->next_read);
    run->state = RUN_TAKEN;
    run->index = p->next_read++;
    p->reading = !positioned;
    if (positioned && p->next_read == p->runs_total)
        p->input_ended = true;
    pthread_mutex_unlock(&p->lock);
    read_run(p, run);
    pthread_mutex_lock(&p->lock);
    p->reading = false;
    run->state = RUN_READ;
    if (run->problem.code != EXIT_DONE ||
        (!positioned && run->in_bytes < RUN_CHUNKS * p->in_stride))
        p->input_ended = true;
    pthread_cond_signal(&p->changed);
    if (p->encrypting < p->transfer->threads)
        encrypt(p, run);
}

static struct run *find_unencrypted(struct pipeline *p)
{
    for (uint64_t i = p->next_retire; i < p->next_read; i++)
        if (run_of(p, i)->state == RUN_READ)
            return run_of(p, i);
    return NULL;
}

static bool can_read(struct pipeline *p)
{
    return !p->input_ended && !p->reading && run_of(p, p->next_read)->state == RUN_FREE;
}

static bool can_retire(struct pipeline *p)
{
    return !p->retiring && p->next_retire < p->next_read &&
           run_of(p, p->next_retire)->state == RUN_DONE;
}

static void *work(void *context)
{
    struct pipeline *const p = context;
    pthread_mutex_lock(&p->lock);
    while (!p->stopped && !(p->input_ended && p->next_retire == p->next_read)) {
        struct run *run;
        if (can_retire(p))
            retire(p);
        else if (p->encrypting < p->transfer->threads && (run = find_unencrypted(p)) != NULL)
            encrypt(p, run);
        else if (can_read(p))
            read_next(p);
        else
            pthread_cond_wait(&p->changed, &p->lock);
    }
    p->working--;
    pthread_cond_broadcast(&p->changed);
    pthread_cond_broadcast(&p->over);
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* ------------------------------------------------------------------------------------------------
 * Setting up. */

/* Start up to `wanted` threads with all signals blocked: those are for the calling thread. Fewer
   than wanted is no error. */
static size_t start_threads(struct pipeline *p, pthread_t *threads, size_t wanted)
{
    sigset_t all, before;
    size_t started = 0;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_mutex_lock(&p->lock);
    while (started < wanted && pthread_create(&threads[started], NULL, work, p) == 0)
        started++;
    p->working = started;
    pthread_mutex_unlock(&p->lock);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

static void report(struct pipeline *p)
{
    const struct transfer *const t = p->transfer;
    const uint64_t done = p->result.in_bytes;
    pthread_mutex_unlock(&p->lock);
    t->progress(t->progress_context, done, t->input->positioned ? t->in_bytes : 0);
    pthread_mutex_lock(&p->lock);
}

static void wait_for_threads(struct pipeline *p)
{
    pthread_mutex_lock(&p->lock);
    while (p->working != 0) {
        if (p->transfer->progress == NULL) {
            pthread_cond_wait(&p->over, &p->lock);
            continue;
        }
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += PROGRESS_MS * 1000000L;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        pthread_cond_timedwait(&p->over, &p->lock, &until);
        report(p);
    }
    pthread_mutex_unlock(&p->lock);
}

/* How many runs a positioned input has. What goes to the end of the message ends with a run that
   is not full. */
static uint64_t count_runs(const struct pipeline *p)
{
    const uint64_t run_bytes = RUN_CHUNKS * p->in_stride, bytes = p->transfer->in_bytes;
    const uint64_t full = bytes / run_bytes;
    return full + (p->transfer->to_the_end || bytes % run_bytes != 0);
}

static bool set_up(struct pipeline *p, size_t *threads, struct problem *problem)
{
    const struct transfer *const t = p->transfer;
    p->in_stride = t->direction == MTAES_ENCRYPT ? CHUNK_TEXT_BYTES : CHUNK_BYTES;
    p->ordered = t->output != NULL && (!t->output->file || t->skip != 0 || t->most != UINT64_MAX);
    p->runs_total = t->input->positioned ? count_runs(p) : UINT64_MAX;
    p->input_ended = p->runs_total == 0;
    /* threads that only wait for a pipe come on top of those that encrypt */
    *threads = t->threads + !t->input->positioned + p->ordered;
    if (*threads > PIPELINE_THREADS_MOST)
        *threads = PIPELINE_THREADS_MOST;
    if (*threads > p->runs_total)
        *threads = p->runs_total == 0 ? 1 : (size_t)p->runs_total;
    p->run_count = 2 * *threads + 2;
    if (p->run_count > PIPELINE_BYTES_MOST / BUFFER_BYTES)
        p->run_count = PIPELINE_BYTES_MOST / BUFFER_BYTES;
    if (p->run_count > p->runs_total) /* at least one, which an empty range leaves unused */
        p->run_count = p->runs_total == 0 ? 1 : (size_t)p->runs_total;
    p->runs = calloc(p->run_count, sizeof *p->runs);
    p->pool = aligned_alloc(4096, p->run_count * BUFFER_BYTES);
    if (p->runs == NULL || p->pool == NULL)
        return problem_set(problem, EXIT_OTHER, "no memory for %zu buffers of %d bytes",
                           p->run_count, BUFFER_BYTES);
    for (size_t i = 0; i < p->run_count; i++)
        p->runs[i].buffer = p->pool + i * BUFFER_BYTES;
    p->result.buffer_bytes = p->run_count * BUFFER_BYTES;
    return true;
}

static void prepare_waiting(struct pipeline *p)
{
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->changed, NULL);
    pthread_cond_init(&p->over, &monotonic);
    pthread_condattr_destroy(&monotonic);
    p->wake_fd = -1;
    if (!p->transfer->input->positioned)
        p->transfer->input->wake_fd = p->wake_fd = eventfd(0, EFD_CLOEXEC);
}

static void tear_down(struct pipeline *p)
{
    if (p->wake_fd >= 0)
        close(p->wake_fd);
    p->transfer->input->wake_fd = -1;
    pthread_cond_destroy(&p->over);
    pthread_cond_destroy(&p->changed);
    pthread_mutex_destroy(&p->lock);
    free(p->runs);
    free(p->pool);
}

bool transfer_run(const struct transfer *transfer, struct transfer_result *result,
                  struct problem *problem)
{
    struct pipeline p = {.transfer = transfer};
    pthread_t threads[PIPELINE_THREADS_MOST];
    size_t wanted, started = 0;
    prepare_waiting(&p);
    const bool ready = set_up(&p, &wanted, problem);
    if (ready) {
        if (wanted > 1 || transfer->progress != NULL)
            started = start_threads(&p, threads, wanted);
        if (started == 0) { /* little to do, or no thread to be had: the caller does it all */
            p.working = 1;
            work(&p);
        }
        wait_for_threads(&p);
        for (size_t i = 0; i < started; i++)
            pthread_join(threads[i], NULL);
        p.result.threads = started == 0 ? 1 : started;
    }
    if (ready && p.problem.code != EXIT_DONE)
        *problem = p.problem;
    *result = p.result;
    tear_down(&p);
    return problem->code == EXIT_DONE && input_check_end(transfer->input, problem);
}
