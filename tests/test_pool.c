/* test_pool.c: the worker pool runs every item of every round once, whatever the workers. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "pool.h"

#include <check.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_ROUNDS = 8, MOST_ITEMS = 300, WORKER_COUNTS = 5 };
static const size_t worker_counts[WORKER_COUNTS] = {0, 1, 2, 5, 15};

/* pthread_create is wrapped (-Wl,--wrap): it fails from this call on; 0: never. */
static atomic_int failing_call, calls;
int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *argument);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *argument)
{
    const int failing = atomic_load(&failing_call);
    if (failing != 0 && atomic_fetch_add(&calls, 1) + 1 >= failing)
        return EAGAIN;
    return __real_pthread_create(thread, attributes, start, argument);
}

/* A task that notes what happens to it. */
struct work {
    struct pool_task task;
    struct pool *pool;
    size_t rounds, items; /* of each round: items, one less in each next */
    long pause_ns;        /* that an item takes */
    atomic_size_t round;  /* that runs; from 1 */
    atomic_int planning;  /* threads inside next_round */
    atomic_int done[MOST_ROUNDS + 1][MOST_ITEMS];
    atomic_size_t total;
    atomic_int finished, faults;
    struct work *nested; /* what `finished` posts and waits for */
};

static size_t items_of(const struct work *work, size_t round)
{
    return round > work->rounds ? 0 : work->items - round + 1;
}

static void note_item(void *arg, size_t i)
{
    struct work *work = arg;
    const size_t round = atomic_load(&work->round);
    if (i >= items_of(work, round) || atomic_load(&work->planning) != 0)
        atomic_fetch_add(&work->faults, 1);
    else
        atomic_fetch_add(&work->done[round][i], 1);
    if (work->pause_ns > 0) {
        const struct timespec pause = {0, work->pause_ns};
        nanosleep(&pause, NULL);
    }
    if (atomic_load(&work->round) != round) /* the round ended before all its items had */
        atomic_fetch_add(&work->faults, 1);
    atomic_fetch_add(&work->total, 1);
}

static size_t note_round(void *arg)
{
    struct work *work = arg;
    if (atomic_fetch_add(&work->planning, 1) != 0)
        atomic_fetch_add(&work->faults, 1);
    const size_t round = atomic_fetch_add(&work->round, 1) + 1;
    size_t before = 0;
    for (size_t r = 1; r < round; r++)
        before += items_of(work, r);
    if (atomic_load(&work->total) != before)
        atomic_fetch_add(&work->faults, 1);
    atomic_fetch_sub(&work->planning, 1);
    return items_of(work, round);
}

static void note_finished(void *arg)
{
    struct work *work = arg;
    if (work->nested != NULL) {
        pool_post(work->pool, &work->nested->task);
        pool_wait(work->pool, &work->nested->task);
    }
    atomic_fetch_add(&work->finished, 1);
}

static struct work *work_create(struct pool *pool, size_t rounds, size_t items)
{
    struct work *work = calloc(1, sizeof *work);
    ck_assert_ptr_nonnull(work);
    work->pool = pool;
    work->rounds = rounds;
    work->items = items;
    work->task = (struct pool_task){
        .item = note_item, .next_round = note_round, .finished = note_finished, .arg = work};
    return work;
}

/* Each item once, finished once, then freed. */
static void work_end(struct work *work)
{
    ck_assert_int_eq(atomic_load(&work->finished), 1);
    ck_assert_int_eq(atomic_load(&work->faults), 0);
    for (size_t r = 1; r <= work->rounds; r++)
        for (size_t i = 0; i < items_of(work, r); i++)
            ck_assert_msg(atomic_load(&work->done[r][i]) == 1, "item %zu of round %zu: %d times", i,
                          r, atomic_load(&work->done[r][i]));
    free(work);
}

static void run_and_check(struct pool *pool, size_t rounds, size_t items)
{
    for (int at_once = 0; at_once < 2; at_once++) {
        struct work *work = work_create(pool, rounds, items);
        if (at_once) {
            pool_run(pool, &work->task);
        } else {
            pool_post(pool, &work->task);
            pool_wait(pool, &work->task);
        }
        work_end(work);
    }
}

/* _i: which number of workers, spinning or not. */
static struct pool *pool_at(int index)
{
    struct pool *pool = pool_create(worker_counts[index / 2], index % 2);
    ck_assert_ptr_nonnull(pool);
    ck_assert_uint_eq(pool_workers(pool), worker_counts[index / 2]);
    ck_assert(!pool_is_forked(pool));
    return pool;
}

static void pool_end(struct pool *pool)
{
    pool_stop(pool);
    pool_free(pool);
}

START_TEST(every_item_once)
{
    static const size_t items[] = {1, 2, 3, 7, 64, MOST_ITEMS};
    struct pool *pool = pool_at(_i);
    for (int repeat = 0; repeat < 20; repeat++)
        for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
            run_and_check(pool, 0, 0);
            run_and_check(pool, 1, items[i]);
            if (items[i] > MOST_ROUNDS)
                run_and_check(pool, MOST_ROUNDS, items[i]);
        }
    pool_end(pool);
}
END_TEST

START_TEST(run_inline)
{
    struct work *work = work_create(NULL, 3, 9);
    pool_run_inline(&work->task);
    work_end(work);
    work = work_create(NULL, 2, 5);
    work->task.finished = NULL;
    pool_run_inline(&work->task);
    ck_assert_int_eq(atomic_load(&work->finished), 0);
    atomic_store(&work->finished, 1);
    work_end(work);
}
END_TEST

/* Many tasks posted before the first is waited for; waited for in another order. */
START_TEST(many_in_flight)
{
    enum { TASKS = 24 };
    struct pool *pool = pool_at(_i);
    for (int repeat = 0; repeat < 5; repeat++) {
        struct work *works[TASKS];
        for (size_t i = 0; i < TASKS; i++) {
            works[i] = work_create(pool, i % 4, 10 + i);
            pool_post(pool, &works[i]->task);
        }
        for (size_t i = 0; i < TASKS; i++) {
            struct work *work = works[i * 7 % TASKS];
            pool_wait(pool, &work->task);
            work_end(work);
        }
    }
    pool_end(pool);
}
END_TEST

static void *post_and_wait(void *arg)
{
    for (int i = 0; i < 30; i++)
        run_and_check(arg, 1 + (size_t)i % 3, 5 + (size_t)i);
    return NULL;
}

START_TEST(several_threads)
{
    enum { THREADS = 6 };
    struct pool *pool = pool_at(_i);
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        ck_assert(__real_pthread_create(&threads[i], NULL, post_and_wait, pool) == 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    pool_end(pool);
}
END_TEST

/* A short task posted behind a long one is done long before it: tasks take turns. */
START_TEST(turns)
{
    struct pool *pool = pool_at(_i);
    struct work *slow = work_create(pool, 1, MOST_ITEMS), *quick = work_create(pool, 1, 3);
    slow->pause_ns = 3000000;
    pool_post(pool, &slow->task);
    pool_post(pool, &quick->task);
    pool_wait(pool, &quick->task);
    const size_t so_far = atomic_load(&slow->total);
    ck_assert_msg(so_far < MOST_ITEMS / 2, "%zu items of the long task went before", so_far);
    work_end(quick);
    pool_wait(pool, &slow->task);
    work_end(slow);
    pool_end(pool);
}
END_TEST

/* `finished` posts another task to its pool and waits for it, on whichever thread it runs. */
START_TEST(nested)
{
    struct pool *pool = pool_at(_i);
    for (int i = 0; i < 50; i++) {
        struct work *outer = work_create(pool, 1, 1 + (size_t)i % 9);
        struct work *inner = work_create(pool, 2, 8), *innermost = work_create(pool, 1, 2);
        outer->nested = inner;
        inner->nested = innermost;
        pool_post(pool, &outer->task);
        pool_wait(pool, &outer->task);
        work_end(outer);
        work_end(inner);
        work_end(innermost);
    }
    pool_end(pool);
}
END_TEST

/* A pool's task may be what another pool's waits for. */
START_TEST(two_pools)
{
    struct pool *one = pool_at(_i), *other = pool_create(2, false);
    struct work *first = work_create(one, 2, 30), *second = work_create(other, 2, 30);
    pool_post(one, &first->task);
    pool_post(other, &second->task);
    pool_wait(other, &second->task);
    pool_wait(one, &first->task);
    work_end(first);
    work_end(second);
    pool_end(other);
    pool_end(one);
}
END_TEST

/* Stopping waits for what was posted; waiting afterwards returns at once. Without workers, nobody
   but the one who waits does the work: so he waits first. */
START_TEST(stop_in_flight)
{
    struct pool *pool = pool_at(_i);
    struct work *work = work_create(pool, 2, 40);
    work->pause_ns = 100000;
    pool_post(pool, &work->task);
    if (pool_workers(pool) == 0)
        pool_wait(pool, &work->task);
    pool_stop(pool);
    ck_assert_int_eq(atomic_load(&work->finished), 1);
    pool_wait(pool, &work->task);
    work_end(work);
    pool_free(pool);
}
END_TEST

START_TEST(failing_threads)
{
    for (int workers = 1; workers <= 6; workers++)
        for (int failing = 1; failing <= workers; failing++) {
            atomic_store(&calls, 0);
            atomic_store(&failing_call, failing);
            struct pool *pool = pool_create((size_t)workers, workers % 2);
            atomic_store(&failing_call, 0);
            ck_assert_ptr_nonnull(pool);
            ck_assert_uint_eq(pool_workers(pool), (size_t)failing - 1);
            run_and_check(pool, 3, 50);
            pool_end(pool);
        }
}
END_TEST

START_TEST(forked)
{
    struct pool *pool = pool_at(_i);
    run_and_check(pool, 1, 20);
    const pid_t child = fork();
    if (child == 0) {
        alarm(10);
        const bool known = pool_is_forked(pool);
        pool_stop(pool);
        pool_free(pool);
        _exit(known ? 0 : 1);
    }
    int status = -1;
    ck_assert(child > 0 && waitpid(child, &status, 0) == child);
    ck_assert_int_eq(status, 0);
    ck_assert(!pool_is_forked(pool));
    run_and_check(pool, 1, 20);
    pool_end(pool);
}
END_TEST

/* Workers that were awake fall asleep, and wake again for work. */
START_TEST(sleep_and_wake)
{
    struct pool *pool = pool_at(_i);
    for (int i = 0; i < 20; i++) {
        const struct timespec pause = {0, i * 200000};
        run_and_check(pool, 1, 30);
        nanosleep(&pause, NULL);
    }
    for (int i = 0; i < 1000 && pool_is_awake(pool); i++) {
        const struct timespec pause = {0, 5000000};
        nanosleep(&pause, NULL);
    }
    ck_assert_msg(!pool_is_awake(pool), "an idle pool stays awake for five seconds");
    run_and_check(pool, 1, 30);
    pool_end(pool);
}
END_TEST

/* Work is in demand when it was asked about not long before, and only where workers stay awake for more of it. */
START_TEST(demand)
{
    const uint64_t long_ns = UINT64_C(60) * 1000000000;
    const struct timespec pause = {0, 2000000};
    struct pool *pool = pool_at(_i);
    const bool spins = _i % 2 != 0;
    ck_assert(!pool_is_in_demand(pool, 0));
    ck_assert(pool_is_in_demand(pool, long_ns) == spins);
    nanosleep(&pause, NULL);
    ck_assert(!pool_is_in_demand(pool, 0));
    pool_end(pool);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pool");
    TCase *tcase = tcase_create("pool");
    const int pools = 2 * WORKER_COUNTS;
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, every_item_once, 0, pools);
    tcase_add_test(tcase, run_inline);
    tcase_add_loop_test(tcase, many_in_flight, 0, pools);
    tcase_add_loop_test(tcase, several_threads, 0, pools);
    tcase_add_loop_test(tcase, turns, 2, pools); /* without workers, only who waits works */
    tcase_add_loop_test(tcase, nested, 0, pools);
    tcase_add_loop_test(tcase, two_pools, 0, pools);
    tcase_add_loop_test(tcase, stop_in_flight, 0, pools);
    tcase_add_test(tcase, failing_threads);
    tcase_add_loop_test(tcase, forked, 0, pools);
    tcase_add_loop_test(tcase, sleep_and_wake, 0, pools);
    tcase_add_loop_test(tcase, demand, 0, pools);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
