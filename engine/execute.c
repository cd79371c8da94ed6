/* execute.c: engines and jobs: takes a segment job to the pool, to OpenMP, to the caller's own threads. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "execute.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "pool.h"
#include "threads.h"
#include "validate.h"

enum {
    MOST_THREADS = 1024, /* more gain nothing, as a message has at most 256 parts */
    SMALL_BYTES_AWAKE = 2 * SEGMENT_LEAST_BYTES, /* below, one thread is as fast as a hand-over */
    SMALL_BYTES_ASLEEP = 512 * 1024,             /* the same when a worker must be woken first */
    BYTES_A_NANOSECOND = 4,                      /* that one thread does, roughly */
    DEFAULT_L2_BYTES = 512 * 1024,               /* where the system does not tell */
};

struct mtaes_engine {
    mtaes_executor executor;
    size_t threads;    /* that a job may use */
    struct pool *pool; /* MTAES_EXECUTOR_POOL only */
    void (*run)(void *run_context, void (*fn)(void *arg, size_t i), void *arg, size_t count);
    void *run_context;
    size_t large_bytes;
    pid_t process;             /* that made it: in a forked child there are no threads */
    _Atomic size_t references; /* the handle, and each job not yet waited for */
};

struct mtaes_job {
    mtaes_engine *engine;
    struct mtaes_message *messages;
    size_t count;
    mtaes_job_options options;
    bool posted;            /* to the pool; otherwise wait does the work */
    const mtaes_job *outer; /* while the callback runs: the job in whose callback that happens */
    struct pool_task task;
    struct segment_job segments;
};

/* The job whose callback runs on this thread, innermost. */
static _Thread_local __attribute__((tls_model("initial-exec"))) const mtaes_job *finishing;

/* Whether a callback of this job, or of any job of this engine, is under way on this thread. */
static bool is_finishing(const mtaes_engine *engine, const mtaes_job *job)
{
    for (const mtaes_job *j = finishing; j; j = j->outer)
        if (j == job || j->engine == engine)
            return true;
    return false;
}

static bool is_forked(const mtaes_engine *engine)
{
    return engine->process != getpid();
}

static size_t cache_bytes(int name, size_t otherwise)
{
    const long bytes = sysconf(name);
    return bytes > 0 ? (size_t)bytes : otherwise;
}

/* One text, read and written, that fits a thread's L2 is best left in it; larger ones go around the caches. */
static void set_cache_limits(mtaes_engine *engine)
{
    const size_t l2 = cache_bytes(_SC_LEVEL2_CACHE_SIZE, DEFAULT_L2_BYTES);
    engine->large_bytes = l2 * engine->threads;
}

static size_t thread_count(const mtaes_engine_options *options, bool *spin)
{
    const size_t available = thread_limits("").chosen;
    size_t threads = options->threads ? options->threads : available;
    threads = threads > MOST_THREADS ? MOST_THREADS : threads;
    /* With more threads than CPUs, one that spins keeps one that works from running. */
    *spin = available > 1 && threads <= available;
    return threads;
}

mtaes_status mtaes_engine_create(mtaes_engine **created, const mtaes_engine_options *given)
{
    static const mtaes_engine_options defaults;
    const mtaes_engine_options *const options = given ? given : &defaults;
    if (!created)
        return MTAES_ARG;
    *created = NULL;
    if (options->executor != MTAES_EXECUTOR_POOL && options->executor != MTAES_EXECUTOR_OPENMP &&
        options->executor != MTAES_EXECUTOR_CALLER)
        return MTAES_ARG;
    if ((options->executor == MTAES_EXECUTOR_CALLER) != (options->run != NULL))
        return MTAES_ARG;
    if (options->executor == MTAES_EXECUTOR_OPENMP && !executor_openmp_exists())
        return MTAES_UNSUPPORTED;

    mtaes_engine *const engine = calloc(1, sizeof *engine);
    if (!engine)
        return MTAES_MEMORY;
    bool spin;
    engine->executor = options->executor;
    engine->threads = thread_count(options, &spin);
    engine->run = options->run;
    engine->run_context = options->run_context;
    engine->process = getpid();
    atomic_init(&engine->references, 1);
    if (engine->executor == MTAES_EXECUTOR_POOL) {
        engine->pool = pool_create(engine->threads - 1, spin);
        if (!engine->pool) {
            free(engine);
            return MTAES_MEMORY;
        }
        engine->threads = 1 + pool_workers(engine->pool);
    }
    set_cache_limits(engine);
    *created = engine;
    return MTAES_OK;
}

static void release(mtaes_engine *engine)
{
    if (atomic_fetch_sub(&engine->references, 1) != 1)
        return;
    if (engine->pool)
        pool_free(engine->pool);
    free(engine);
}

mtaes_status mtaes_engine_free(mtaes_engine *engine)
{
    if (!engine)
        return MTAES_OK;
    if (is_finishing(engine, NULL))
        return MTAES_BUSY;
    if (engine->pool)
        pool_stop(engine->pool);
    release(engine);
    return MTAES_OK;
}

size_t mtaes_engine_threads(const mtaes_engine *engine)
{
    return engine ? engine->threads : 0;
}

bool execute_is_small(const mtaes_engine *engine, size_t bytes)
{
    if (engine->threads == 1 || bytes < SMALL_BYTES_AWAKE)
        return true;
    return engine->pool && bytes < SMALL_BYTES_ASLEEP && !pool_is_awake(engine->pool) &&
           !pool_is_in_demand(engine->pool, bytes / BYTES_A_NANOSECOND);
}

struct segment_limits execute_limits(const mtaes_engine *engine, bool alone)
{
    return (struct segment_limits){
        .threads = alone ? 1 : engine->threads,
        .large_bytes = engine->large_bytes,
    };
}

void execute_run(mtaes_engine *engine, struct segment_job *job, bool alone)
{
    struct pool_task task = {.item = segment_item, .next_round = segment_next_round, .arg = job};
    if (alone || is_forked(engine)) {
        pool_run_inline(&task);
    } else if (engine->pool) {
        pool_run(engine->pool, &task);
    } else {
        for (size_t count; (count = segment_next_round(job)) != 0;) {
            if (engine->executor == MTAES_EXECUTOR_OPENMP)
                executor_openmp_run(engine->threads, segment_item, job, count);
            else
                engine->run(engine->run_context, segment_item, job, count);
        }
    }
}

/* ------------------------------------------------------------------------------------ run */

static mtaes_status first_failure(const mtaes_message *messages, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (messages[i].status != MTAES_OK)
            return messages[i].status;
    return MTAES_OK;
}

/* Write each message's status; returns the bytes of all that are valid (the most a size_t holds, if more). */
static size_t validate_all(mtaes_message *messages, size_t count)
{
    size_t bytes = 0;
    for (size_t i = 0; i < count; i++) {
        messages[i].status = validate_message(&messages[i]);
        if (messages[i].status == MTAES_OK)
            bytes = bytes + messages[i].bytes < bytes ? SIZE_MAX : bytes + messages[i].bytes;
    }
    return bytes;
}

mtaes_status mtaes_run(mtaes_engine *engine, mtaes_message *messages, size_t count)
{
    if (!engine || (!messages && count))
        return MTAES_ARG;
    const size_t bytes = validate_all(messages, count);
    const bool small = execute_is_small(engine, bytes);
    if (count == 1 && small) {
        if (messages->status == MTAES_OK)
            segment_whole(messages, messages->bytes >= engine->large_bytes);
    } else if (count) {
        const struct segment_limits limits = execute_limits(engine, small);
        struct segment_job job;
        segment_begin(&job, messages, count, NULL, &limits);
        execute_run(engine, &job, small);
    }
    return first_failure(messages, count);
}

/* ------------------------------------------------------------------------------------ jobs */

static void job_item(void *arg, size_t i)
{
    segment_item(&((mtaes_job *)arg)->segments, i);
}

static size_t job_next_round(void *arg)
{
    return segment_next_round(&((mtaes_job *)arg)->segments);
}

static void call_back(void *arg)
{
    mtaes_job *const job = arg;
    if (!job->options.finished)
        return;
    job->outer = finishing;
    finishing = job;
    job->options.finished(job->options.context, first_failure(job->messages, job->count));
    finishing = job->outer;
}

mtaes_status mtaes_submit(mtaes_engine *engine, mtaes_message *messages, size_t count,
                          const mtaes_job_options *options, mtaes_job **submitted)
{
    if (!submitted)
        return MTAES_ARG;
    *submitted = NULL;
    if (!engine || (!messages && count))
        return MTAES_ARG;
    mtaes_job *const job = malloc(sizeof *job);
    if (!job)
        return MTAES_MEMORY;
    job->engine = engine;
    job->messages = messages;
    job->count = count;
    job->options = options ? *options : (mtaes_job_options){0};
    validate_all(messages, count);
    const struct segment_limits limits = execute_limits(engine, false);
    segment_begin(&job->segments, messages, count, NULL, &limits);
    job->task = (struct pool_task){
        .item = job_item, .next_round = job_next_round, .finished = call_back, .arg = job};
    atomic_fetch_add(&engine->references, 1);
    job->posted = engine->pool && engine->threads > 1 && !is_forked(engine);
    *submitted = job; /* before its callback may run */
    if (job->posted)
        pool_post(engine->pool, &job->task);
    return MTAES_OK;
}

mtaes_status mtaes_job_wait(mtaes_job *job)
{
    if (!job)
        return MTAES_ARG;
    if (is_finishing(NULL, job))
        return MTAES_BUSY;
    mtaes_status status = MTAES_BUSY;
    mtaes_engine *const engine = job->engine;
    if (job->posted && is_forked(engine)) {
        /* its parts may be half done, and nobody in this process will end them */
    } else {
        if (job->posted) {
            pool_wait(engine->pool, &job->task);
        } else {
            execute_run(engine, &job->segments, engine->threads == 1);
            call_back(job);
        }
        status = first_failure(job->messages, job->count);
    }
    free(job);
    release(engine);
    return status;
}
