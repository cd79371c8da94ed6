/* fanout.c: a few warm threads for peers that have none of their own. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "fanout.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "clock.h"
#include "memory.h"
#include "mtaes.h"

/*
 * A run is one word: its number, how many calls it has, and the next one. A call is claimed by
 * moving the word on, which succeeds only while that run is under way; so a worker that wakes up
 * late can never touch a run that is over, and no run waits for a worker that has not begun.
 */
struct fanout {
    _Atomic uint64_t word;            /* any thread: run << 32 | count << 16 | next */
    _Alignas(64) _Atomic size_t done; /* calls that returned; reset by the caller between runs */
    _Alignas(64) void (*fn)(void *arg,
                            size_t i); /* these two: written by the caller between runs */
    void *arg;
    _Atomic bool stop; /* set once, by free */
    _Atomic size_t asleep;
    pthread_mutex_t mutex; /* for the condition alone */
    pthread_cond_t wake;
    uint64_t spin_ns;
    size_t workers;
    pthread_t worker[];
};

static uint64_t run_of(uint64_t word)
{
    return word >> 32;
}

static void breathe(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#else
    sched_yield();
#endif
}

static void help(struct fanout *f)
{
    uint64_t word = atomic_load(&f->word);
    while ((word & 0xffff) < (word >> 16 & 0xffff)) {
        if (!atomic_compare_exchange_weak(&f->word, &word, word + 1))
            continue;
        f->fn(f->arg, word & 0xffff);
        atomic_fetch_add(&f->done, 1);
        word = atomic_load(&f->word);
    }
}

/* Wait for a run other than `seen`: spin for a while, then sleep. */
static uint64_t next_run(struct fanout *f, uint64_t seen)
{
    const uint64_t start_ns = clock_ns();
    do {
        for (int i = 0; i < 32; i++) {
            const uint64_t now = run_of(atomic_load(&f->word));
            if (now != seen)
                return now;
            breathe();
        }
    } while (clock_ns() - start_ns < f->spin_ns);

    pthread_mutex_lock(&f->mutex);
    atomic_fetch_add(&f->asleep, 1); /* before the word is looked at again: see fanout_run */
    while (run_of(atomic_load(&f->word)) == seen)
        pthread_cond_wait(&f->wake, &f->mutex);
    atomic_fetch_sub(&f->asleep, 1);
    pthread_mutex_unlock(&f->mutex);
    return run_of(atomic_load(&f->word));
}

static void *work(void *argument)
{
    struct fanout *const f = argument;
    uint64_t seen = 0;
    while (!atomic_load(&f->stop)) {
        help(f);
        seen = next_run(f, seen);
    }
    return NULL;
}

/* Make a run known, and wake who sleeps. */
static void publish(struct fanout *f, size_t count)
{
    const uint64_t number = (run_of(atomic_load(&f->word)) + 1) & 0xffffffff;
    atomic_store(&f->done, 0);
    atomic_store(&f->word, number << 32 | (uint64_t)count << 16);
    if (atomic_load(&f->asleep)) {
        pthread_mutex_lock(&f->mutex);
        pthread_cond_broadcast(&f->wake);
        pthread_mutex_unlock(&f->mutex);
    }
}

struct fanout *fanout_create(size_t threads)
{
    struct fanout *f = NULL;
    const size_t bytes = (sizeof *f + threads * sizeof f->worker[0] + 63) / 64 * 64;
    f = aligned_alloc(64, bytes);
    if (!f)
        return NULL;
    *f = (struct fanout){.workers = 0};
    f->spin_ns = mtaes_threads_available().chosen > 1 ? 100000 : 0;
    pthread_mutex_init(&f->mutex, NULL);
    pthread_cond_init(&f->wake, NULL);

    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (f->workers + 1 < threads && pthread_create(&f->worker[f->workers], NULL, work, f) == 0)
        f->workers++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return f;
}

void fanout_free(struct fanout *f)
{
    if (!f)
        return;
    atomic_store(&f->stop, true);
    publish(f, 0);
    for (size_t i = 0; i < f->workers; i++)
        pthread_join(f->worker[i], NULL);
    pthread_cond_destroy(&f->wake);
    pthread_mutex_destroy(&f->mutex);
    free(f);
}

size_t fanout_threads(const struct fanout *f)
{
    return f->workers + 1;
}

void fanout_run(struct fanout *f, void (*fn)(void *arg, size_t i), void *arg, size_t count)
{
    if (f->workers == 0 || count < 2) {
        for (size_t i = 0; i < count; i++)
            fn(arg, i);
        return;
    }
    f->fn = fn;
    f->arg = arg;
    publish(f, count);
    help(f);
    for (size_t spins = 0; atomic_load(&f->done) < count; spins++) {
        if (spins < 10000)
            breathe();
        else
            sched_yield();
    }
}
