/* pool.c: the worker pool: one lock, a ring of tasks, idle workers that spin a little and then sleep. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "pool.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* How long an idle thread looks out for work. Waking a sleeping thread takes 30 to 100 us, so it pays to stay awake for
   about as long; any longer only burns what another process could use. */
enum { SPIN_NANOSECONDS = 60000, PAUSES_A_LOOK = 32, CACHE_LINE_BYTES = 64 };

/* What is written at different times by different threads stands in cache lines of its own: who looks out reads `changes`
   all the time, and should not take away the line that somebody needs to get at the tasks. */
struct pool {
    pthread_mutex_t lock;   /* of what follows, up to `stop`; `posted` is also read without it */
    struct pool_task *ring; /* the task whose turn is next */
    _Atomic size_t posted;  /* tasks posted and not done */
    size_t sleeping_waiters;
    bool stop;
    pthread_cond_t work; /* a task came into the ring, or stop: workers sleep on it */
    pthread_cond_t end;  /* a task got a new round, or is done: waiters sleep on it */
    char apart[CACHE_LINE_BYTES];
    _Atomic unsigned
        changes; /* counts what `work` and `end` are signalled for: spinning threads watch it */
    char apart_too[CACHE_LINE_BYTES];
    _Atomic size_t sleeping_workers; /* written under the lock */
    _Atomic uint64_t asked;          /* when pool_is_in_demand was */
    /* Never changed after pool_create has returned. */
    bool spin;
    pid_t process;
    size_t workers;
    pthread_t thread[];
};

static uint64_t nanoseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void pause_cpu(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/* Look out, without the lock, until something changes or the time is up. */
static void spin_until_change(struct pool *pool, unsigned seen)
{
    const uint64_t end = nanoseconds() + SPIN_NANOSECONDS;
    do {
        for (int i = 0; i < PAUSES_A_LOOK; i++) {
            if (atomic_load_explicit(&pool->changes, memory_order_acquire) != seen)
                return;
            pause_cpu();
        }
    } while (nanoseconds() < end);
}

/* Under the lock: tell all who look out, and wake as many sleepers as there are items for. */
static void announce_work(struct pool *pool, size_t items)
{
    atomic_fetch_add_explicit(&pool->changes, 1, memory_order_release);
    const size_t sleeping = atomic_load_explicit(&pool->sleeping_workers, memory_order_relaxed);
    if (items >= sleeping && sleeping > 1)
        pthread_cond_broadcast(&pool->work);
    else
        for (size_t i = 0; i < items && i < sleeping; i++)
            pthread_cond_signal(&pool->work);
    if (pool->sleeping_waiters)
        pthread_cond_broadcast(&pool->end);
}

static void ring_add(struct pool *pool, struct pool_task *task)
{
    if (pool->ring) {
        task->after = pool->ring->after;
        pool->ring->after = task;
    } else {
        task->after = task;
    }
    pool->ring = pool->ring ? pool->ring : task;
}

static void ring_remove(struct pool *pool, struct pool_task *task)
{
    struct pool_task *before = task;
    while (before->after != task)
        before = before->after;
    before->after = task->after;
    if (pool->ring == task)
        pool->ring = task->after == task ? NULL : task->after;
}

static bool is_done(const struct pool_task *task)
{
    return atomic_load_explicit(&task->done, memory_order_acquire);
}

/* Under the lock: a round of items. */
static void give_out(struct pool *pool, struct pool_task *task, size_t count)
{
    task->next = 0;
    task->count = count;
    atomic_store_explicit(&task->unfinished, count, memory_order_relaxed);
    ring_add(pool, task);
    announce_work(pool, count);
}

/* Begin the next round (or the first, of a task just posted), or end the task. Takes the lock; once it is released, a
   task that is done may be freed. */
static void begin_round(struct pool *pool, struct pool_task *task, bool first)
{
    const size_t count = task->next_round(task->arg);
    if (count == 0 && task->finished)
        task->finished(task->arg);
    pthread_mutex_lock(&pool->lock);
    if (count) {
        pool->posted += first;
        give_out(pool, task, count);
    } else {
        pool->posted -= !first;
        atomic_store_explicit(&task->done, true, memory_order_release);
        announce_work(pool, 0);
    }
}

/* Under the lock, which is released meanwhile: run one item of a task that has one. */
static void run_item(struct pool *pool, struct pool_task *task)
{
    const size_t i = task->next++;
    if (task->next == task->count)
        ring_remove(pool, task);
    pthread_mutex_unlock(&pool->lock);
    task->item(task->arg, i);
    if (atomic_fetch_sub_explicit(&task->unfinished, 1, memory_order_acq_rel) == 1)
        begin_round(pool, task, false);
    else
        pthread_mutex_lock(&pool->lock);
}

static void *worker(void *arg)
{
    struct pool *const pool = arg;
    pthread_mutex_lock(&pool->lock);
    for (bool looked = !pool->spin;;) {
        if (pool->ring) {
            struct pool_task *const task = pool->ring;
            pool->ring = task->after; /* each task in its turn */
            run_item(pool, task);
            looked = !pool->spin;
        } else if (pool->stop) {
            break;
        } else if (!looked) {
            const unsigned seen = atomic_load_explicit(&pool->changes, memory_order_relaxed);
            pthread_mutex_unlock(&pool->lock);
            spin_until_change(pool, seen);
            pthread_mutex_lock(&pool->lock);
            looked = atomic_load_explicit(&pool->changes, memory_order_relaxed) == seen;
        } else {
            atomic_fetch_add_explicit(&pool->sleeping_workers, 1, memory_order_relaxed);
            pthread_cond_wait(&pool->work, &pool->lock);
            atomic_fetch_sub_explicit(&pool->sleeping_workers, 1, memory_order_relaxed);
            looked = !pool->spin;
        }
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

/* Start the workers with all signals blocked: they inherit the mask of the thread that makes them. */
static void start_workers(struct pool *pool, size_t workers)
{
    sigset_t all, old;
    sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &old) != 0)
        return;
    while (pool->workers < workers &&
           pthread_create(&pool->thread[pool->workers], NULL, worker, pool) == 0)
        pool->workers++;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

struct pool *pool_create(size_t workers, bool spin)
{
    struct pool *const pool = calloc(1, sizeof *pool + workers * sizeof *pool->thread);
    pthread_mutexattr_t
        adaptive; /* holders leave within some 100 ns: trying again beats sleeping */
    if (!pool)
        return NULL;
    if (pthread_mutexattr_init(&adaptive) != 0) {
        free(pool);
        return NULL;
    }
    pthread_mutexattr_settype(&adaptive, PTHREAD_MUTEX_ADAPTIVE_NP);
    const bool ok = pthread_mutex_init(&pool->lock, &adaptive) == 0 &&
                    pthread_cond_init(&pool->work, NULL) == 0 &&
                    pthread_cond_init(&pool->end, NULL) == 0;
    pthread_mutexattr_destroy(&adaptive);
    if (!ok) {
        free(pool);
        return NULL;
    }
    pool->spin = spin;
    pool->process = getpid();
    start_workers(pool, workers);
    return pool;
}

void pool_stop(struct pool *pool)
{
    if (pool_is_forked(pool))
        return;
    pthread_mutex_lock(&pool->lock);
    while (pool->posted) {
        pool->sleeping_waiters++;
        pthread_cond_wait(&pool->end, &pool->lock);
        pool->sleeping_waiters--;
    }
    pool->stop = true;
    announce_work(pool, pool->workers);
    pthread_mutex_unlock(&pool->lock);
    for (size_t i = 0; i < pool->workers; i++)
        pthread_join(pool->thread[i], NULL);
}

void pool_free(struct pool *pool)
{
    if (!pool_is_forked(pool)) { /* a child's copies may be locked for ever */
        pthread_cond_destroy(&pool->end);
        pthread_cond_destroy(&pool->work);
        pthread_mutex_destroy(&pool->lock);
    }
    free(pool);
}

size_t pool_workers(const struct pool *pool)
{
    return pool->workers;
}

bool pool_is_awake(const struct pool *pool)
{
    return atomic_load_explicit(&pool->posted, memory_order_relaxed) == 0 &&
           atomic_load_explicit(&pool->sleeping_workers, memory_order_relaxed) < pool->workers;
}

bool pool_is_in_demand(struct pool *pool, uint64_t work)
{
    const uint64_t now = nanoseconds();
    const uint64_t before = atomic_exchange_explicit(&pool->asked, now, memory_order_relaxed);
    return pool->spin && now - before < work + SPIN_NANOSECONDS / 2 &&
           atomic_load_explicit(&pool->posted, memory_order_relaxed) == 0;
}

bool pool_is_forked(const struct pool *pool)
{
    return pool->process != getpid();
}

/* Take the lock, and give out the first round. */
static void begin(struct pool *pool, struct pool_task *task)
{
    task->count = task->next = 0;
    atomic_init(&task->unfinished, 0);
    atomic_init(&task->done, false);
    begin_round(pool, task, true);
}

/* Under the lock, which is released in the end. */
static void work_and_wait(struct pool *pool, struct pool_task *task)
{
    for (bool looked = !pool->spin; !is_done(task);) {
        if (task->next < task->count) {
            if (pool->ring == task)
                pool->ring = task->after; /* so that the workers turn to the other tasks */
            run_item(pool, task);
            looked = !pool->spin;
        } else if (!looked) {
            const unsigned seen = atomic_load_explicit(&pool->changes, memory_order_relaxed);
            pthread_mutex_unlock(&pool->lock);
            spin_until_change(pool, seen);
            if (is_done(task))
                return;
            pthread_mutex_lock(&pool->lock);
            looked = atomic_load_explicit(&pool->changes, memory_order_relaxed) == seen;
        } else {
            pool->sleeping_waiters++;
            pthread_cond_wait(&pool->end, &pool->lock);
            pool->sleeping_waiters--;
            looked = !pool->spin;
        }
    }
    pthread_mutex_unlock(&pool->lock);
}

void pool_post(struct pool *pool, struct pool_task *task)
{
    begin(pool, task);
    pthread_mutex_unlock(&pool->lock);
}

void pool_wait(struct pool *pool, struct pool_task *task)
{
    if (is_done(task))
        return;
    pthread_mutex_lock(&pool->lock);
    work_and_wait(pool, task);
}

void pool_run(struct pool *pool, struct pool_task *task)
{
    begin(pool, task);
    work_and_wait(pool, task);
}

void pool_run_inline(struct pool_task *task)
{
    for (size_t count; (count = task->next_round(task->arg)) != 0;)
        for (size_t i = 0; i < count; i++)
            task->item(task->arg, i);
    if (task->finished)
        task->finished(task->arg);
}
