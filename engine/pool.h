/* pool.h: worker threads that run fn(arg, i) for every i. Knows nothing of ciphers. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MTAES_ENGINE_POOL_H
#define MTAES_ENGINE_POOL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pool;

/*
 * A task is one or more rounds of independent items. It belongs to its owner, and lies wherever he likes; from post to
 * wait's return (or release's) only the pool touches it. Tasks take turns item by item.
 */
struct pool_task {
    /* Set by the owner. */
    void (*item)(void *arg, size_t i);
    /* Plan the next round: its number of items, or 0 when the task is done. Called by one thread at a time, without any
       lock: once when the task is posted, then by whoever ended a round's last item. */
    size_t (*next_round)(void *arg);
    /* Called by whoever ended the task, last of all, before wait returns; may post and wait for other tasks. May be
       NULL. */
    void (*finished)(void *arg);
    void *arg;
    /* The pool's, under its lock but for the atomics. */
    size_t count, next;
    struct pool_task *after;   /* in the ring of tasks with items to give out */
    _Atomic size_t unfinished; /* items of this round */
    _Atomic bool done;
};

/* Start up to `workers` threads; fewer, even none, is no error. spin: whether idle workers look out for work for a while
   before they sleep. NULL: no memory. */
struct pool *pool_create(size_t workers, bool spin);

/* Wait for the tasks posted to end, and stop the threads; tasks may still be waited for. In a forked
   child: nothing. */
void pool_stop(struct pool *pool);

/* After pool_stop, and the last wait. */
void pool_free(struct pool *pool);

size_t pool_workers(const struct pool *pool);

/* Whether a worker is awake and, as no other task is under way, would take up work at once. A hint: the answer may be
   stale. */
bool pool_is_awake(const struct pool *pool);

/* Asked about work that is too small to wake a worker for, and takes about so many nanoseconds: whether the same was
   asked just before, and no other task is under way. So, one woken now would still be awake when the next comes. */
bool pool_is_in_demand(struct pool *pool, uint64_t work);

/* True in a child forked after the pool was made: its threads are not there. */
bool pool_is_forked(const struct pool *pool);

/* Hand a task to the workers and return. */
void pool_post(struct pool *pool, struct pool_task *task);

/* Work on the task until all its items are given out, then wait for the others; returns when it is done. */
void pool_wait(struct pool *pool, struct pool_task *task);

/* Post and wait in one: a little faster. */
void pool_run(struct pool *pool, struct pool_task *task);

/* Run a task on the calling thread alone. */
void pool_run_inline(struct pool_task *task);

#endif
