/* executors.c: where the threads of an engine of this library may come from. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "executors.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "fanout.h"
#include "memory.h"

/* --- warm threads ---------------------------------------------------------------------------- */

static void *create_caller(size_t threads)
{
    return fanout_create(threads);
}

static void run_caller(void *context, void (*fn)(void *arg, size_t i), void *arg, size_t count)
{
    fanout_run(context, fn, arg, count);
}

static void free_caller(void *context)
{
    fanout_free(context);
}

/* --- new threads in each call ---------------------------------------------------------------- */

struct spawner {
    size_t threads;
    pthread_t thread[];
};

struct call {
    void (*fn)(void *arg, size_t i);
    void *arg;
    size_t count;
    _Atomic size_t next;
};

static void *create_spawner(size_t threads)
{
    struct spawner *s = NULL;
    s = allocate(1, sizeof *s + threads * sizeof s->thread[0]);
    s->threads = threads;
    return s;
}

static void *work(void *argument)
{
    struct call *const call = argument;
    for (size_t i; (i = atomic_fetch_add(&call->next, 1)) < call->count;)
        call->fn(call->arg, i);
    return NULL;
}

static void run_spawner(void *context, void (*fn)(void *arg, size_t i), void *arg, size_t count)
{
    struct spawner *const s = context;
    struct call call = {.fn = fn, .arg = arg, .count = count};
    size_t started = 0;
    while (started + 1 < s->threads && started + 1 < count &&
           pthread_create(&s->thread[started], NULL, work, &call) == 0)
        started++;
    work(&call);
    while (started)
        pthread_join(s->thread[--started], NULL);
}

/* --------------------------------------------------------------------------------------------- */

const struct executor executor_openmp = {.kind = MTAES_EXECUTOR_OPENMP};

const struct executor executor_caller = {
    .kind = MTAES_EXECUTOR_CALLER, .create = create_caller, .run = run_caller, .free = free_caller};

const struct executor executor_spawn = {
    .kind = MTAES_EXECUTOR_CALLER, .create = create_spawner, .run = run_spawner, .free = free};
