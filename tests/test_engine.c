/* test_engine.c: engines and jobs among threads, processes, signals, and systems short of threads. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "execute.h"
#include "scene.h"
#include "selftest.h"
#include "threads.h"

#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LARGE = UNDER_SANITIZER ? 700001 : 3000001, CALLERS = 8 };

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

/* The first mode of which both directions are cut, and the first kernel that runs it here: what is
   tested here does not hang on the cipher. */
static void usual_scene(struct scene *scene)
{
    for (int i = 0, modes = mode_count(); i < modes; i++) {
        const mtaes_mode_info info = mtaes_mode_describe(mode_at(i));
        const mtaes_kernel *kernel = mtaes_kernel_find("aes");
        if (info.encrypt_parallel && info.decrypt_parallel && info.iv_bytes_max == 16) {
            scene_begin(scene, kernel, mode_at(i), 16);
            return;
        }
    }
    ck_abort_msg("no mode with an IV is parallel");
}

/* Encrypt the text on the engine and compare. */
static const char *work(struct scene *scene, const struct text *text, mtaes_engine *engine)
{
    uint8_t *dst = malloc(text->bytes + 1);
    const char *fault = text_run(scene, text, engine, MTAES_ENCRYPT, text->plaintext, dst);
    if (fault == NULL)
        fault = text_run(scene, text, engine, MTAES_DECRYPT, text->ciphertext, dst);
    free(dst);
    return fault;
}

static void check_work(struct scene *scene, const struct text *text, mtaes_engine *engine,
                       const char *what)
{
    const char *fault = work(scene, text, engine);
    ck_assert_msg(fault == NULL, "%s: %s", what, fault);
}

static int task_count(void)
{
    DIR *folder = opendir("/proc/self/task");
    int count = 0;
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(folder);
    return count;
}

/* ------------------------------------------------------------------------------------------------
 * making and freeing */

static void run_nothing(void *context, void (*fn)(void *arg, size_t i), void *arg, size_t count)
{
    (void)context, (void)fn, (void)arg, (void)count;
}

START_TEST(engine_options)
{
    mtaes_engine *engine = (mtaes_engine *)1;
    mtaes_engine_options wrong = {.executor = (mtaes_executor)77};
    ck_assert(mtaes_engine_create(NULL, NULL) == MTAES_ARG);
    ck_assert(mtaes_engine_create(&engine, &wrong) == MTAES_ARG && engine == NULL);
    wrong = (mtaes_engine_options){.executor = MTAES_EXECUTOR_CALLER};
    engine = (mtaes_engine *)1;
    ck_assert(mtaes_engine_create(&engine, &wrong) == MTAES_ARG && engine == NULL);
    ck_assert(mtaes_engine_free(NULL) == MTAES_OK);
    ck_assert_uint_eq(mtaes_engine_threads(NULL), 0);

    ck_assert(mtaes_engine_create(&engine, NULL) == MTAES_OK);
    ck_assert_uint_eq(mtaes_engine_threads(engine), mtaes_threads_available().chosen);
    ck_assert(mtaes_engine_free(engine) == MTAES_OK);
    const mtaes_engine_options own = {
        .threads = 5, .executor = MTAES_EXECUTOR_CALLER, .run = run_nothing};
    ck_assert(mtaes_engine_create(&engine, &own) == MTAES_OK);
    ck_assert_uint_eq(mtaes_engine_threads(engine), 5);
    ck_assert(mtaes_engine_free(engine) == MTAES_OK);
}
END_TEST

/* Far more threads than anybody has: clamped, or as many as can be had. */
START_TEST(too_many_threads)
{
    if (UNDER_SANITIZER) {
        printf("too_many_threads: skipped under the %s\n", sanitizer_name());
        return;
    }
    struct scene scene;
    usual_scene(&scene);
    struct text text = text_create(&scene, LARGE, 0, NULL);
    static const size_t counts[] = {300, 100000, SIZE_MAX};
    for (size_t i = 0; i < 3; i++) {
        mtaes_engine *engine = engine_with(counts[i]);
        ck_assert_uint_ge(mtaes_engine_threads(engine), 1);
        ck_assert_uint_le(mtaes_engine_threads(engine), counts[i]);
        check_work(&scene, &text, engine, "many threads");
        ck_assert(mtaes_engine_free(engine) == MTAES_OK);
    }
    text_free(&text);
    scene_end(&scene);
}
END_TEST

START_TEST(failing_threads)
{
    struct scene scene;
    usual_scene(&scene);
    struct text text = text_create(&scene, LARGE, 0, NULL);
    for (int threads = 1; threads <= 7; threads++)
        for (int failing = 1; failing <= threads; failing++) {
            const mtaes_engine_options options = {.threads = (size_t)threads};
            mtaes_engine *engine = NULL;
            atomic_store(&calls, 0);
            atomic_store(&failing_call, failing);
            ck_assert(mtaes_engine_create(&engine, &options) == MTAES_OK);
            atomic_store(&failing_call, 0);
            ck_assert_uint_eq(mtaes_engine_threads(engine), (size_t)failing);
            check_work(&scene, &text, engine, "fewer workers");
            ck_assert(mtaes_engine_free(engine) == MTAES_OK);
        }
    text_free(&text);
    scene_end(&scene);
}
END_TEST

/* No thread and no memory is left behind by many short lives. */
START_TEST(cycles)
{
    struct scene scene;
    usual_scene(&scene);
    struct text small = text_create(&scene, 1000, 0, NULL);
    struct text medium = text_create(&scene, 140000, 0, NULL);
    const int before = task_count(), count = UNDER_TSAN ? 50 : UNDER_SANITIZER ? 500 : 5000;
    for (int i = 0; i < count; i++) {
        mtaes_engine *engine = engine_with(1 + (size_t)i % 4);
        check_work(&scene, i % 50 ? &small : &medium, engine, "a short life");
        ck_assert(mtaes_engine_free(engine) == MTAES_OK);
    }
    /* A thread that was joined may still be on its way out of the system's list. */
    for (int i = 0; i < 1000 && task_count() != before; i++)
        usleep(1000);
    /* A thread that was joined may still be listed for a moment; TSan starts one of its own. */
    for (int i = 0; i < 1000 && task_count() > before; i++) {
        const struct timespec pause = {0, 2000000};
        nanosleep(&pause, NULL);
    }
    ck_assert_int_le(task_count(), before + UNDER_TSAN);
    text_free(&small);
    text_free(&medium);
    scene_end(&scene);
}
END_TEST

/* ------------------------------------------------------------------------------------------------
 * several callers */

struct caller {
    struct scene *scene;
    struct text *large, *small;
    mtaes_engine *engine;
    const char *fault;
    int number;
};

/* Large and small ones in turn, under the one key, on the one engine. */
static void *call_repeatedly(void *arg)
{
    struct caller *caller = arg;
    const int count = UNDER_SANITIZER ? 3 : 12;
    for (int i = 0; i < count && caller->fault == NULL; i++)
        caller->fault =
            work(caller->scene, (i + caller->number) % 3 ? caller->small : caller->large,
                 caller->engine);
    return NULL;
}

static void check_callers(mtaes_engine *engine)
{
    struct scene scene;
    struct caller callers[CALLERS];
    pthread_t threads[CALLERS];
    usual_scene(&scene);
    struct text large = text_create(&scene, LARGE, 0, NULL);
    struct text small = text_create(&scene, 70001, 0, NULL);
    for (int i = 0; i < CALLERS; i++) {
        callers[i] = (struct caller){&scene, &large, &small, engine, NULL, i};
        ck_assert(__real_pthread_create(&threads[i], NULL, call_repeatedly, &callers[i]) == 0);
    }
    for (int i = 0; i < CALLERS; i++) {
        pthread_join(threads[i], NULL);
        ck_assert_msg(callers[i].fault == NULL, "caller %d: %s", i, callers[i].fault);
    }
    text_free(&large);
    text_free(&small);
    scene_end(&scene);
}

START_TEST(several_callers)
{
    for (int i = 0; i < THREAD_COUNTS; i++) {
        mtaes_engine *engine = engine_with(thread_counts[i]);
        check_callers(engine);
        ck_assert(mtaes_engine_free(engine) == MTAES_OK);
    }
}
END_TEST

/* ------------------------------------------------------------------------------------------------
 * what one thread wrote, read by another */

/* A large buffer is written past the caches; without a fence behind that, a thread that is told "it is
   there" could still read what was there before. The texts differ from round to round, and the reader
   begins with what was written last. */
struct handover {
    struct scene *scene;
    struct text texts[2];
    uint8_t *dst;
    atomic_int written, read; /* rounds */
    atomic_bool stale;
};

enum { HANDOVERS = UNDER_SANITIZER ? 40 : 600, HANDOVER_BYTES = 4 << 20, HANDOVER_TAIL = 4096 };

static void *read_what_was_written(void *arg)
{
    struct handover *handover = arg;
    for (int round = 1; round <= HANDOVERS; round++) {
        while (atomic_load_explicit(&handover->written, memory_order_acquire) < round)
            if (UNDER_SANITIZER)
                sched_yield();
        const uint8_t *expected = handover->texts[round % 2].ciphertext;
        for (size_t i = HANDOVER_BYTES; i > HANDOVER_BYTES - HANDOVER_TAIL; i -= 16)
            if (memcmp(handover->dst + i - 16, expected + i - 16, 16) != 0)
                atomic_store(&handover->stale, true);
        if (memcmp(handover->dst, expected, HANDOVER_BYTES) != 0)
            atomic_store(&handover->stale, true);
        atomic_store_explicit(&handover->read, round, memory_order_release);
    }
    return NULL;
}

START_TEST(written_is_there)
{
    struct scene scene;
    usual_scene(&scene);
    struct handover handover = {.scene = &scene};
    mtaes_engine *engine = engine_with((size_t)_i);
    pthread_t reader;
    for (int i = 0; i < 2; i++)
        handover.texts[i] = text_create(&scene, HANDOVER_BYTES, 0, NULL);
    handover.dst = aligned_alloc(64, HANDOVER_BYTES);
    ck_assert_ptr_nonnull(handover.dst);
    ck_assert(__real_pthread_create(&reader, NULL, read_what_was_written, &handover) == 0);
    for (int round = 1; round <= HANDOVERS; round++) {
        const struct text *text = &handover.texts[round % 2];
        uint8_t tag[16];
        mtaes_message m =
            text_message(&scene, text, MTAES_ENCRYPT, text->plaintext, handover.dst, tag);
        ck_assert(mtaes_run(engine, &m, 1) == MTAES_OK);
        atomic_store_explicit(&handover.written, round, memory_order_release);
        while (atomic_load_explicit(&handover.read, memory_order_acquire) < round)
            sched_yield();
    }
    pthread_join(reader, NULL);
    ck_assert_msg(!atomic_load(&handover.stale), "another thread read what was there before");
    free(handover.dst);
    for (int i = 0; i < 2; i++)
        text_free(&handover.texts[i]);
    ck_assert(mtaes_engine_free(engine) == MTAES_OK);
    scene_end(&scene);
}
END_TEST

/* ------------------------------------------------------------------------------------------------
 * other executors */

struct own_pool {
    atomic_int calls;
    atomic_size_t items;
};

struct own_round {
    void (*fn)(void *arg, size_t i);
    void *arg;
    size_t count;
    atomic_size_t next;
};

static void *own_worker(void *arg)
{
    struct own_round *round = arg;
    for (size_t i; (i = atomic_fetch_add(&round->next, 1)) < round->count;)
        round->fn(round->arg, i);
    return NULL;
}

/* Three threads made for the occasion, and the caller. */
static void own_run(void *context, void (*fn)(void *arg, size_t i), void *arg, size_t count)
{
    struct own_pool *pool = context;
    struct own_round round = {fn, arg, count, 0};
    pthread_t threads[3];
    atomic_fetch_add(&pool->calls, 1);
    atomic_fetch_add(&pool->items, count);
    for (int i = 0; i < 3; i++)
        if (__real_pthread_create(&threads[i], NULL, own_worker, &round) != 0)
            exit(99);
    own_worker(&round);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
}

START_TEST(callers_executor)
{
    struct own_pool pool = {0, 0};
    const mtaes_engine_options options = {
        .threads = 4, .executor = MTAES_EXECUTOR_CALLER, .run = own_run, .run_context = &pool};
    mtaes_engine *engine = NULL;
    const int before = task_count();
    ck_assert(mtaes_engine_create(&engine, &options) == MTAES_OK);
    ck_assert_int_eq(task_count(), before); /* no threads of its own */
    check_callers(engine);
    ck_assert_int_gt(atomic_load(&pool.calls), 0);
    ck_assert_uint_gt(atomic_load(&pool.items), (size_t)atomic_load(&pool.calls));
    ck_assert(mtaes_engine_free(engine) == MTAES_OK);
}
END_TEST

START_TEST(openmp_executor)
{
    const mtaes_engine_options options = {.threads = 3, .executor = MTAES_EXECUTOR_OPENMP};
    mtaes_engine *engine = NULL;
    const mtaes_status status = mtaes_engine_create(&engine, &options);
    if (status == MTAES_UNSUPPORTED) {
        printf("openmp_executor: this build has no OpenMP\n");
        ck_assert_ptr_null(engine);
        return;
    }
    ck_assert(status == MTAES_OK);
    ck_assert_uint_eq(mtaes_engine_threads(engine), 3);
    if (UNDER_TSAN)
        printf("openmp_executor: not run, the thread sanitizer does not know OpenMP's barriers\n");
    else
        check_callers(engine);
    ck_assert(mtaes_engine_free(engine) == MTAES_OK);
}
END_TEST

/* ------------------------------------------------------------------------------------------------
 * fork */

/* The allocators of these sanitizers do not know fork: a child that is born while another thread is in
   one waits for ever for its lock. */
static bool fork_is_safe(const char *test)
{
    const bool safe = !UNDER_ASAN && !UNDER_MSAN;
    if (!safe)
        printf("%s: skipped, the %s's allocator does not survive fork\n", test, sanitizer_name());
    return safe;
}

/* What a child may do with what the parent made: all of it, on the calling thread. */
static _Noreturn void be_child(struct scene *scene, const struct text *large,
                               const struct text *small, mtaes_engine *engine)
{
    signal(SIGALRM, SIG_DFL); /* Check's handler, inherited, would kill the parent as well */
    alarm(20);
    if (work(scene, small, engine) != NULL)
        _exit(1);
    if (work(scene, large, engine) != NULL)
        _exit(2);
    mtaes_key *key = NULL;
    if (mtaes_key_create(&key, scene->kernel, scene->mode, scene->material, scene->key_bytes) !=
        MTAES_OK)
        _exit(3);
    mtaes_key_free(key);
    mtaes_engine *own = NULL;
    const mtaes_engine_options options = {.threads = 3};
    if (!UNDER_TSAN) { /* which allows no threads in the child of a program with threads */
        if (mtaes_engine_create(&own, &options) != MTAES_OK || work(scene, large, own) != NULL ||
            mtaes_engine_free(own) != MTAES_OK)
            _exit(4);
    }
    /* A job begun here is done in wait. */
    struct text text = *small;
    uint8_t *dst = malloc(text.bytes + 1), tag[16];
    mtaes_message m = text_message(scene, &text, MTAES_ENCRYPT, text.plaintext, dst, tag);
    mtaes_job *job = NULL;
    if (mtaes_submit(engine, &m, 1, NULL, &job) != MTAES_OK || mtaes_job_wait(job) != MTAES_OK ||
        difference(dst, text.ciphertext, text.bytes) != NULL)
        _exit(5);
    free(dst);
    if (mtaes_engine_free(engine) != MTAES_OK)
        _exit(6);
    _exit(0);
}

static void check_child(pid_t child)
{
    int status = 0;
    ck_assert(child > 0);
    ck_assert(waitpid(child, &status, 0) == child);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "child: %s %d",
                  WIFEXITED(status) ? "step" : "signal",
                  WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
}

/* The parent works before and after; the child does all that it may. Frees the engine. */
static void check_fork_of(struct scene *scene, const struct text *large, const struct text *small,
                          mtaes_engine *engine)
{
    check_work(scene, large, engine, "before fork");
    const pid_t child = fork();
    if (child == 0)
        be_child(scene, large, small, engine);
    check_child(child);
    check_work(scene, large, engine, "after fork");
    ck_assert(mtaes_engine_free(engine) == MTAES_OK);
}

START_TEST(forked)
{
    if (!fork_is_safe("forked"))
        return;
    struct scene scene;
    usual_scene(&scene);
    struct text large = text_create(&scene, LARGE, 0, NULL);
    struct text small = text_create(&scene, 5000, 0, NULL);
    for (int i = 0; i < THREAD_COUNTS; i++) {
        mtaes_engine *engine = engine_with(thread_counts[i]);
        check_fork_of(&scene, &large, &small, engine);
    }
    text_free(&large);
    text_free(&small);
    scene_end(&scene);
}
END_TEST

/* Also where the threads are not the library's: neither OpenMP nor a caller's pool outlives fork. */
START_TEST(forked_executors)
{
    if (!fork_is_safe("forked_executors"))
        return;
    struct scene scene;
    usual_scene(&scene);
    struct text large = text_create(&scene, LARGE, 0, NULL);
    struct text small = text_create(&scene, 5000, 0, NULL);
    struct own_pool pool = {0, 0};
    const mtaes_engine_options options[] = {
        {.threads = 3, .executor = MTAES_EXECUTOR_OPENMP},
        {.threads = 3, .executor = MTAES_EXECUTOR_CALLER, .run = own_run, .run_context = &pool}};
    for (size_t i = 0; i < 2; i++) {
        mtaes_engine *engine = NULL;
        const mtaes_status status = mtaes_engine_create(&engine, &options[i]);
        const bool openmp = options[i].executor == MTAES_EXECUTOR_OPENMP;
        ck_assert(status == MTAES_OK || (openmp && status == MTAES_UNSUPPORTED));
        if (engine == NULL) {
            printf("forked_executors: this build has no OpenMP\n");
            continue;
        }
        if (openmp && UNDER_TSAN) { /* which does not know OpenMP's barriers */
            ck_assert(mtaes_engine_free(engine) == MTAES_OK);
            continue;
        }
        check_fork_of(&scene, &large, &small, engine);
    }
    text_free(&large);
    text_free(&small);
    scene_end(&scene);
}
END_TEST

struct background {
    struct caller caller;
    atomic_bool stop;
};

static void *work_until_stopped(void *arg)
{
    struct background *background = arg;
    struct caller *caller = &background->caller;
    while (!atomic_load(&background->stop) && caller->fault == NULL)
        caller->fault = work(caller->scene, caller->large, caller->engine);
    return NULL;
}

/* The child is born while locks are held and parts are half done. */
START_TEST(forked_at_work)
{
    if (!fork_is_safe("forked_at_work"))
        return;
    struct scene scene;
    usual_scene(&scene);
    struct text large = text_create(&scene, LARGE, 0, NULL);
    struct text small = text_create(&scene, 5000, 0, NULL);
    mtaes_engine *engine = engine_with(3);
    struct background background = {.caller = {&scene, &large, &small, engine, NULL, 0}};
    pthread_t thread;
    ck_assert(__real_pthread_create(&thread, NULL, work_until_stopped, &background) == 0);
    for (int i = 0; i < (UNDER_SANITIZER ? 5 : 40); i++) {
        const struct timespec pause = {0, 300000 + 170000 * (i % 7)};
        nanosleep(&pause, NULL);
        const pid_t child = fork();
        if (child == 0)
            be_child(&scene, &small, &small, engine);
        check_child(child);
    }
    atomic_store(&background.stop, true);
    pthread_join(thread, NULL);
    ck_assert_msg(background.caller.fault == NULL, "the parent: %s", background.caller.fault);
    ck_assert(mtaes_engine_free(engine) == MTAES_OK);
    text_free(&large);
    text_free(&small);
    scene_end(&scene);
}
END_TEST

/* ------------------------------------------------------------------------------------------------
 * signals */

static void count_signal(int number)
{
    (void)number;
}

/* A field of a thread's status file, as hexadecimal; false when the thread is not there. */
static bool status_field(const char *thread, const char *field, unsigned long long *value)
{
    char path[300], line[256];
    snprintf(path, sizeof path, "/proc/self/task/%s/status", thread);
    FILE *file = fopen(path, "r");
    bool found = false;
    while (file != NULL && !found && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, field, strlen(field)) == 0)
            found = sscanf(line + strlen(field), " %llx", value) == 1;
    if (file != NULL)
        fclose(file);
    return found;
}

/* All but those that cannot be blocked, and the two that the C library keeps for itself. */
START_TEST(signals_blocked)
{
    if (UNDER_TSAN) {
        printf("signals_blocked: skipped, the thread sanitizer has a thread of its own\n");
        return;
    }
    mtaes_engine *engine = engine_with(4);
    DIR *folder = opendir("/proc/self/task");
    char self[32];
    int workers = 0;
    snprintf(self, sizeof self, "%d", (int)getpid());
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        unsigned long long blocked = 0;
        if (entry->d_name[0] == '.' || strcmp(entry->d_name, self) == 0)
            continue;
        ck_assert(status_field(entry->d_name, "SigBlk:", &blocked));
        for (int signal = 1; signal <= 64; signal++)
            if (signal != SIGKILL && signal != SIGSTOP && signal != 32 && signal != 33)
                ck_assert_msg(blocked >> (signal - 1) & 1, "signal %d is not blocked", signal);
        workers++;
    }
    closedir(folder);
    ck_assert_int_eq(workers, 3);
    sigset_t now;
    ck_assert(sigprocmask(SIG_SETMASK, NULL, &now) == 0 && sigismember(&now, SIGUSR1) == 0);
    ck_assert(mtaes_engine_free(engine) == MTAES_OK);
}
END_TEST

/* 1,000 signals a second all through, and the library leaves all handlers as they are. */
START_TEST(signal_storm)
{
    struct scene scene;
    struct sigaction before[65], after;
    const struct sigaction action = {.sa_handler = count_signal}; /* without SA_RESTART */
    const struct itimerval storm = {{0, 1000}, {0, 1000}}, calm = {{0, 0}, {0, 0}};
    ck_assert(sigaction(SIGALRM, &action, NULL) == 0);
    for (int i = 1; i < 65; i++)
        if (sigaction(i, NULL, &before[i]) != 0)
            before[i].sa_handler = SIG_ERR;
    usual_scene(&scene);
    struct text text = text_create(&scene, LARGE, 0, NULL);
    ck_assert(setitimer(ITIMER_REAL, &storm, NULL) == 0);
    for (int i = 0; i < 5; i++) {
        mtaes_engine *engine = engine_with(3);
        for (int j = 0; j < 10; j++)
            check_work(&scene, &text, engine, "amid signals");
        ck_assert(mtaes_engine_free(engine) == MTAES_OK);
    }
    ck_assert(setitimer(ITIMER_REAL, &calm, NULL) == 0);
    for (int i = 1; i < 65; i++)
        if (sigaction(i, NULL, &after) == 0 && before[i].sa_handler != SIG_ERR)
            ck_assert_msg(after.sa_handler == before[i].sa_handler, "signal %d", i);
    text_free(&text);
    scene_end(&scene);
}
END_TEST

/* ------------------------------------------------------------------------------------------------
 * limits of the system */

START_TEST(affinity)
{
    cpu_set_t all, one;
    ck_assert(sched_getaffinity(0, sizeof all, &all) == 0);
    CPU_ZERO(&one);
    for (size_t i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; i++)
        if (CPU_ISSET(i, &all))
            CPU_SET(i, &one);
    ck_assert_uint_eq(mtaes_threads_available().affinity, (size_t)CPU_COUNT(&all));
    ck_assert(sched_setaffinity(0, sizeof one, &one) == 0);
    const mtaes_thread_limits limits = mtaes_threads_available();
    ck_assert_uint_eq(limits.affinity, 1);
    ck_assert_uint_eq(limits.chosen, 1);
    mtaes_engine *engine = engine_with(0);
    ck_assert_uint_eq(mtaes_engine_threads(engine), 1);
    ck_assert(mtaes_engine_free(engine) == MTAES_OK);
    engine = engine_with(3); /* who asks for more gets more */
    ck_assert_uint_eq(mtaes_engine_threads(engine), 3);
    struct scene scene;
    usual_scene(&scene);
    struct text text = text_create(&scene, LARGE, 0, NULL);
    check_work(&scene, &text, engine, "three threads on one CPU");
    text_free(&text);
    scene_end(&scene);
    ck_assert(mtaes_engine_free(engine) == MTAES_OK);
    ck_assert(sched_setaffinity(0, sizeof all, &all) == 0);
}
END_TEST

/* An ordinary user who may have few threads. */
static _Noreturn void be_limited(struct scene *scene, const struct text *text)
{
    const struct rlimit few = {4, 4};
    alarm(60);
    if (setrlimit(RLIMIT_NPROC, &few) != 0 || setresgid(65534, 65534, 65534) != 0 ||
        setresuid(65534, 65534, 65534) != 0)
        _exit(77);
    const mtaes_engine_options options = {.threads = 16};
    mtaes_engine *engine = NULL;
    if (mtaes_engine_create(&engine, &options) != MTAES_OK)
        _exit(1);
    if (mtaes_engine_threads(engine) > 4)
        _exit(2);
    if (work(scene, text, engine) != NULL || mtaes_engine_free(engine) != MTAES_OK)
        _exit(3);
    _exit(0);
}

START_TEST(thread_limit)
{
    if (geteuid() != 0 || UNDER_SANITIZER) {
        printf("thread_limit: skipped, %s\n", UNDER_SANITIZER ? sanitizer_name() : "not root");
        return;
    }
    struct scene scene;
    usual_scene(&scene);
    struct text text = text_create(&scene, LARGE, 0, NULL);
    const pid_t child = fork();
    if (child == 0)
        be_limited(&scene, &text);
    int status = 0;
    ck_assert(child > 0 && waitpid(child, &status, 0) == child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
        printf("thread_limit: skipped, this system does not let root become another user\n");
    else
        ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "step %d",
                      WEXITSTATUS(status));
    text_free(&text);
    scene_end(&scene);
}
END_TEST

/* ------------------------------------------------------------------------------------------------
 * secrets */

enum { SAMPLES = 24, LONGEST = 96, SKIP = 512 };

/* Bytes that must be gone, kept inverted so that this record is not itself a find. */
struct traces {
    struct {
        uint8_t inverted[LONGEST];
        size_t bytes;
    } sample[SAMPLES];
    int count;
};

/* How many of the bytes differ from the one before: what is too plain is found anywhere. */
static size_t changes(const uint8_t *p, size_t bytes)
{
    size_t count = 0;
    for (size_t i = 1; i < bytes; i++)
        count += p[i] != p[i - 1];
    return count;
}

/* Take a short sample where the bytes are random, a longer one where a schedule spreads its bits. */
static void remember(struct traces *traces, const uint8_t *p, size_t bytes)
{
    const size_t n = changes(p, 16) >= 13 ? 16 : LONGEST;
    if (n > bytes || changes(p, n) < 13 || traces->count == SAMPLES)
        return;
    for (size_t i = 0; i < n; i++)
        ((volatile uint8_t *)traces->sample[traces->count].inverted)[i] = p[i] ^ 0xff;
    traces->sample[traces->count++].bytes = n;
}

static bool is_sample(const uint8_t *p, const uint8_t *inverted, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if ((p[i] ^ inverted[i]) != 0xff)
            return false;
    return true;
}

static const char *find_traces(const struct traces *traces, const uint8_t *p, size_t bytes)
{
    bool begins[256] = {false};
    for (int i = 0; i < traces->count; i++)
        begins[traces->sample[i].inverted[0] ^ 0xff] = true;
    for (size_t at = 0; at + LONGEST <= bytes; at++) {
        if (at + 2 * SKIP < bytes && all_bytes(p + at, 2 * SKIP, 0)) {
            at += SKIP; /* most memory was never used; no sample has so many zeros */
            continue;
        }
        for (int i = 0; begins[p[at]] && i < traces->count; i++)
            if (is_sample(p + at, traces->sample[i].inverted, traces->sample[i].bytes))
                return i == 0 ? "the key" : "a part of the schedule";
    }
    return NULL;
}

/* Read all of this process's memory that can be written, and look. The buffer used for it is left
   out; it is wiped before each use. */
static const char *scan_memory(const struct traces *traces)
{
    enum { CHUNK = 1 << 20 };
    static uint8_t buffer[CHUNK + LONGEST];
    char line[512];
    const char *found = NULL;
    FILE *maps = fopen("/proc/self/maps", "r"), *memory = fopen("/proc/self/mem", "r");
    ck_assert(maps != NULL && memory != NULL);
    setvbuf(memory, NULL, _IONBF, 0);
    while (found == NULL && fgets(line, sizeof line, maps) != NULL) {
        unsigned long from, to;
        char mode[8];
        if (sscanf(line, "%lx-%lx %7s", &from, &to, mode) != 3 || mode[0] != 'r' || mode[1] != 'w')
            continue;
        for (unsigned long at = from; found == NULL && at < to; at += CHUNK) {
            const size_t n = to - at < CHUNK + LONGEST ? to - at : CHUNK + LONGEST;
            if ((uintptr_t)buffer < at + n && at < (uintptr_t)buffer + sizeof buffer)
                continue;
            if (fseek(memory, (long)at, SEEK_SET) == 0 && fread(buffer, 1, n, memory) == n)
                found = find_traces(traces, buffer, n);
        }
        memset(buffer, 0, sizeof buffer);
    }
    fclose(maps);
    fclose(memory);
    return found;
}

/* Make a key from bytes that no one else has, use it on several threads, free it. */
static void use_key(const mtaes_kernel *kernel, const mtaes_mode *mode, size_t key_bytes,
                    struct traces *traces)
{
    uint8_t material[64], iv[16] = {1}, tag[16];
    const size_t bytes = legal_length(mode, 300000);
    uint8_t *text = calloc(1, bytes);
    struct random random = {(uint64_t)(key_bytes + (uintptr_t)mode) ^ 0xabcdef};
    random_fill(&random, material, sizeof material);
    mtaes_key *key = key_for(kernel, mode, material, key_bytes);
    traces->count = 0;
    remember(traces, material, key_bytes);
    const uint8_t *schedule = key->schedule;
    for (size_t at = 0; at + 16 <= kernel->schedule_bytes; at += 32)
        remember(traces, schedule + at, kernel->schedule_bytes - at);
    memset(material, 0, sizeof material);
    __asm__ volatile("" : : "r"(material) : "memory");
    mtaes_engine *engine = engine_with(3);
    for (int i = 0; i < 4; i++) {
        mtaes_message m = {.key = key, .src = text, .dst = text, .bytes = bytes};
        m.direction = i % 2 ? MTAES_DECRYPT : MTAES_ENCRYPT;
        m.iv_bytes = usual_iv_bytes(mode);
        m.iv = m.iv_bytes ? iv : NULL;
        m.tag_bytes = mtaes_mode_describe(mode).tag_bytes;
        m.tag = m.tag_bytes ? tag : NULL;
        ck_assert(mtaes_run(engine, &m, 1) == MTAES_OK);
    }
    ck_assert_msg(scan_memory(traces) != NULL, "the scan does not find a key that is there");
    mtaes_key_free(key);
    ck_assert(mtaes_engine_free(engine) == MTAES_OK);
    free(text);
}

START_TEST(wiped)
{
    const mtaes_kernel *kernel = kernel_at(_i / mode_count());
    const mtaes_mode *mode = mode_at(_i % mode_count());
    if (!mtaes_kernel_runs_here(kernel) || key_bytes_at(kernel, mode, 0) == 0)
        return;
    if (UNDER_SANITIZER) {
        printf("wiped: skipped, the %s keeps copies\n", sanitizer_name());
        return;
    }
    const size_t key_bytes = key_bytes_at(kernel, mode, _i % 2);
    struct traces traces;
    use_key(kernel, mode, key_bytes, &traces);
    const char *found = scan_memory(&traces);
    ck_assert_msg(found == NULL, "%s %s, key of %zu bytes: %s is still in memory", kernel->name,
                  mtaes_mode_name(mode), key_bytes, found);
}
END_TEST

/* Locked while there is room for it; without, a key is as good as ever. */
#if defined(__x86_64__) && defined(__GNUC__)
enum { REGISTERS = 16, REGISTER_BYTES = 32 };

/* The vector registers as they are; nothing may come between this and what left them so. */
__attribute__((noinline, target("avx"))) static void take_registers(uint8_t (*to)[REGISTER_BYTES])
{
#define TAKE(n) "vmovdqu %%ymm" #n ", 32*" #n "(%0)\n\t"
    __asm__ volatile(TAKE(0) TAKE(1) TAKE(2) TAKE(3) TAKE(4) TAKE(5) TAKE(6) TAKE(7) TAKE(8) TAKE(9)
                         TAKE(10) TAKE(11) TAKE(12) TAKE(13) TAKE(14) TAKE(15)
                     :
                     : "r"(to)
                     : "memory");
#undef TAKE
}

/* Round keys left in registers go to the stack with the next call that saves them, as the dynamic linker
   does: they are cleared. */
START_TEST(registers_cleared)
{
    const mtaes_kernel *kernel = kernel_at(_i / mode_count());
    const mtaes_mode *mode = mode_at(_i % mode_count());
    if (!__builtin_cpu_supports("avx") || UNDER_SANITIZER || !mtaes_kernel_runs_here(kernel) ||
        kernel == portable_of(kernel) || key_bytes_at(kernel, mode, 0) == 0)
        return;
    struct scene scene;
    scene_begin(&scene, kernel, mode, key_bytes_at(kernel, mode, 0));
    mtaes_engine *engine = engine_with(1);
    struct text text = text_create(&scene, legal_length(mode, 4096), 0, NULL);
    uint8_t *dst = malloc(text.bytes), tag[16], registers[REGISTERS][REGISTER_BYTES];
    for (int d = 0; d < 2; d++) {
        const mtaes_direction direction = d ? MTAES_DECRYPT : MTAES_ENCRYPT;
        mtaes_message m =
            text_message(&scene, &text, direction, text_source(&text, direction), dst, tag);
        const mtaes_status status = mtaes_run(engine, &m, 1);
        take_registers(registers);
        ck_assert(status == MTAES_OK);
        for (size_t r = 0; r < REGISTERS; r++)
            for (size_t half = 0; half < REGISTER_BYTES; half += 16)
                for (size_t at = 0; at + 16 <= kernel->schedule_bytes; at += 16) {
                    const uint8_t *key = (const uint8_t *)scene.key->schedule + at;
                    ck_assert_msg(all_bytes(key, 16, 0) ||
                                      memcmp(registers[r] + half, key, 16) != 0,
                                  "%s %s: register %zu holds the schedule's bytes from %zu",
                                  kernel->name, mtaes_mode_name(mode), r, at);
                }
    }
    free(dst);
    text_free(&text);
    ck_assert(mtaes_engine_free(engine) == MTAES_OK);
    scene_end(&scene);
}
END_TEST
#endif

START_TEST(locked)
{
    struct scene scene;
    usual_scene(&scene);
    const struct rlimit none = {0, 0};
    struct text text = text_create(&scene, 1000, 0, NULL);
    ck_assert(!mtaes_key_is_locked(NULL));
    if (geteuid() == 0)
        ck_assert(mtaes_key_is_locked(scene.key)); /* nothing limits root */
    if (setrlimit(RLIMIT_MEMLOCK, &none) == 0) {
        mtaes_key *key = key_for(scene.kernel, scene.mode, scene.material, scene.key_bytes);
        mtaes_key_free(scene.key);
        scene.key = key;
        check_work(&scene, &text, scene.one, "a key that could not be locked");
    }
    text_free(&text);
    scene_end(&scene);
}
END_TEST

/* A kernel whose self test fails makes no key. */
START_TEST(failed_self_test)
{
    const uint8_t material[64] = {1, 2, 3};
    for (int i = 0, n = kernel_count(); i < n; i++) {
        mtaes_key *key = (mtaes_key *)1;
        if (!mtaes_kernel_runs_here(kernel_at(i)))
            continue;
        selftest_reset(true);
        ck_assert(mtaes_key_create(&key, kernel_at(i), mode_at(0), material, 16) ==
                  MTAES_UNSUPPORTED);
        ck_assert_ptr_null(key);
        selftest_reset(false);
        key = key_for(kernel_at(i), mode_at(0), material, 16);
        mtaes_key_free(key);
    }
}
END_TEST

/* ------------------------------------------------------------------------------------------------
 * jobs */

enum { JOBS = 6 };

struct flight {
    struct text text;
    uint8_t *dst, tag[16];
    mtaes_message message;
    mtaes_job *job;
    atomic_int finished;
    mtaes_status status;
};

static void count_finished(void *context, mtaes_status status)
{
    struct flight *flight = context;
    flight->status = status;
    atomic_fetch_add(&flight->finished, 1);
}

static void take_off(struct flight *flight, struct scene *scene, mtaes_engine *engine, size_t bytes,
                     bool good)
{
    const mtaes_job_options options = {.finished = count_finished, .context = flight};
    flight->text = text_create(scene, bytes, 0, NULL);
    flight->dst = malloc(bytes + 1);
    flight->message = text_message(scene, &flight->text, MTAES_ENCRYPT, flight->text.plaintext,
                                   flight->dst, flight->tag);
    if (!good)
        flight->message.iv_bytes++;
    atomic_init(&flight->finished, 0);
    ck_assert(mtaes_submit(engine, &flight->message, 1, &options, &flight->job) == MTAES_OK);
    ck_assert_ptr_nonnull(flight->job);
}

static void land(struct flight *flight, bool good)
{
    const mtaes_status expected = good ? MTAES_OK : MTAES_IV;
    ck_assert(mtaes_job_wait(flight->job) == expected);
    ck_assert_int_eq(atomic_load(&flight->finished), 1);
    ck_assert(flight->status == expected && flight->message.status == expected);
    if (good)
        ck_assert(difference(flight->dst, flight->text.ciphertext, flight->text.bytes) == NULL);
    text_free(&flight->text);
    free(flight->dst);
}

START_TEST(jobs)
{
    struct scene scene;
    usual_scene(&scene);
    mtaes_engine *engines[THREAD_COUNTS + 1];
    for (int i = 0; i < THREAD_COUNTS; i++)
        engines[i] = engine_with(thread_counts[i]);
    engines[THREAD_COUNTS] = engine_backwards(3);
    for (int e = 0; e <= THREAD_COUNTS; e++)
        for (int order = 0; order < 2; order++) {
            struct flight flights[JOBS];
            for (int i = 0; i < JOBS; i++)
                take_off(&flights[i], &scene, engines[e], (size_t)(i % 2 ? 100 : LARGE) / 2,
                         i != 4);
            for (int i = 0; i < JOBS; i++) {
                const int which = order ? JOBS - 1 - i : i;
                land(&flights[which], which != 4);
            }
        }
    for (int i = 0; i <= THREAD_COUNTS; i++)
        ck_assert(mtaes_engine_free(engines[i]) == MTAES_OK);
    scene_end(&scene);
}
END_TEST

START_TEST(job_arguments)
{
    mtaes_engine *engine = engine_with(2);
    mtaes_message m = {0};
    mtaes_job *job = (mtaes_job *)1;
    ck_assert(mtaes_submit(NULL, &m, 1, NULL, &job) == MTAES_ARG && job == NULL);
    ck_assert(mtaes_submit(engine, &m, 1, NULL, NULL) == MTAES_ARG);
    ck_assert(mtaes_submit(engine, NULL, 1, NULL, &job) == MTAES_ARG && job == NULL);
    ck_assert(mtaes_job_wait(NULL) == MTAES_ARG);
    ck_assert(mtaes_submit(engine, NULL, 0, NULL, &job) == MTAES_OK);
    ck_assert(mtaes_job_wait(job) == MTAES_OK);
    ck_assert(mtaes_submit(engine, &m, 1, NULL, &job) == MTAES_OK);
    ck_assert(mtaes_job_wait(job) == MTAES_ARG);
    ck_assert(mtaes_engine_free(engine) == MTAES_OK);
}
END_TEST

struct elsewhere {
    mtaes_job *job;
    pthread_t waiter;
    mtaes_status status;
};

static void *wait_elsewhere(void *arg)
{
    struct elsewhere *elsewhere = arg;
    elsewhere->status = mtaes_job_wait(elsewhere->job);
    return NULL;
}

/* The callback takes so long that who waits falls asleep. */
static void start_waiter(void *context, mtaes_status status)
{
    struct elsewhere *elsewhere = context;
    const struct timespec pause = {0, 50000000};
    (void)status;
    if (pthread_create(&elsewhere->waiter, NULL, wait_elsewhere, elsewhere) != 0)
        abort();
    nanosleep(&pause, NULL);
}

/* A job with nothing to do ends within submit; another thread may have begun to wait for it, as its callback ran. */
START_TEST(nothing_to_do)
{
    mtaes_message wrong = {0};
    for (size_t count = 0; count < 2; count++)
        for (size_t threads = 2; threads <= 16;
             threads += 14) { /* spins; on fewer CPUs: does not */
            mtaes_engine *engine = engine_with(threads);
            struct elsewhere elsewhere = {.status = MTAES_BUSY};
            const mtaes_job_options options = {start_waiter, &elsewhere};
            ck_assert(mtaes_submit(engine, &wrong, count, &options, &elsewhere.job) == MTAES_OK);
            alarm(20);
            ck_assert(pthread_join(elsewhere.waiter, NULL) == 0);
            alarm(0);
            ck_assert(elsewhere.status == (count ? MTAES_ARG : MTAES_OK));
            ck_assert(mtaes_engine_free(engine) == MTAES_OK);
        }
}
END_TEST

/* Small calls stay with their thread; of some that come one after another, the second wakes the workers. */
START_TEST(series_of_calls)
{
    enum { SOME = 128 * 1024, ENOUGH = 512 * 1024 };
    const struct timespec pause = {0, 3000000};
    mtaes_engine *engine = engine_with(2);
    bool first_inline = false, second_woke = false;
    for (int i = 0; i < 200 && !(first_inline && second_woke); i++) {
        nanosleep(&pause, NULL); /* longer than workers look out for work */
        first_inline |= execute_is_small(engine, SOME);
        second_woke |= !execute_is_small(engine, SOME);
        ck_assert(execute_is_small(engine, SOME / 2 - 1));
        ck_assert(!execute_is_small(engine, ENOUGH));
    }
    ck_assert_msg(first_inline, "a small call wakes sleeping workers");
    ck_assert_msg(second_woke || thread_limits("").chosen < 2, "no small call does");
    ck_assert(mtaes_engine_free(engine) == MTAES_OK);
}
END_TEST

static void *free_engine(void *arg)
{
    return mtaes_engine_free(arg) == MTAES_OK ? NULL : arg;
}

/* Freeing waits for jobs in flight, which are still waited for afterwards. */
START_TEST(freed_in_flight)
{
    struct scene scene;
    usual_scene(&scene);
    for (int i = 0; i < (UNDER_SANITIZER ? 3 : 30); i++) {
        mtaes_engine *engine = engine_with(1 + (size_t)i % 4);
        struct flight flights[3];
        pthread_t thread;
        void *fault = NULL;
        for (int j = 0; j < 3; j++)
            take_off(&flights[j], &scene, engine, (size_t)LARGE / 3, true);
        if (i % 2) {
            ck_assert(mtaes_engine_free(engine) == MTAES_OK);
        } else {
            ck_assert(__real_pthread_create(&thread, NULL, free_engine, engine) == 0);
            pthread_join(thread, &fault);
            ck_assert_ptr_null(fault);
        }
        for (int j = 0; j < 3; j++)
            land(&flights[j], true);
    }
    scene_end(&scene);
}
END_TEST

/* What a callback tries, and how it went. */
struct nested {
    struct scene *scene;
    struct text *large, *small;
    mtaes_engine *engine;
    struct flight follower;
    const char *fault;
    mtaes_status free_status;
    atomic_int calls;
};

static void work_from_callback(void *context, mtaes_status status)
{
    struct nested *nested = context;
    nested->fault = status == MTAES_OK ? NULL : mtaes_status_text(status);
    if (nested->fault == NULL)
        nested->fault = work(nested->scene, nested->small, nested->engine);
    if (nested->fault == NULL)
        nested->fault = work(nested->scene, nested->large, nested->engine);
    nested->free_status = mtaes_engine_free(nested->engine);
    take_off(&nested->follower, nested->scene, nested->engine, 200000, true);
    atomic_fetch_add(&nested->calls, 1);
}

/* A callback runs and submits more work on its own engine; it cannot free it. */
START_TEST(callbacks)
{
    struct scene scene;
    usual_scene(&scene);
    struct text large = text_create(&scene, LARGE / 2, 0, NULL);
    struct text small = text_create(&scene, 300, 0, NULL);
    for (int i = 0; i < THREAD_COUNTS + 1; i++)
        for (int repeat = 0; repeat < (UNDER_SANITIZER ? 1 : 10); repeat++) {
            mtaes_engine *engine =
                i < THREAD_COUNTS ? engine_with(thread_counts[i]) : engine_backwards(4);
            struct nested nested = {
                .scene = &scene, .large = &large, .small = &small, .engine = engine};
            const mtaes_job_options options = {work_from_callback, &nested};
            struct text text = text_create(&scene, repeat % 2 ? 64 : 200000, 0, NULL);
            uint8_t *dst = malloc(text.bytes), tag[16];
            mtaes_message m = text_message(&scene, &text, MTAES_ENCRYPT, text.plaintext, dst, tag);
            mtaes_job *job = NULL;
            alarm(60); /* a deadlock ends here */
            ck_assert(mtaes_submit(engine, &m, 1, &options, &job) == MTAES_OK);
            ck_assert(mtaes_job_wait(job) == MTAES_OK);
            ck_assert_int_eq(atomic_load(&nested.calls), 1);
            ck_assert_msg(nested.fault == NULL, "in the callback: %s", nested.fault);
            ck_assert(nested.free_status == MTAES_BUSY);
            land(&nested.follower, true);
            ck_assert(difference(dst, text.ciphertext, text.bytes) == NULL);
            ck_assert(mtaes_engine_free(engine) == MTAES_OK);
            free(dst);
            text_free(&text);
        }
    alarm(0);
    text_free(&large);
    text_free(&small);
    scene_end(&scene);
}
END_TEST

struct own_wait {
    _Atomic(mtaes_job *) job;
    mtaes_status status;
};

static void wait_for_own_job(void *context, mtaes_status status)
{
    struct own_wait *own = context;
    mtaes_job *job;
    (void)status;
    while ((job = atomic_load(&own->job)) == NULL)
        sched_yield();
    own->status = mtaes_job_wait(job);
}

/* A callback within a callback: of what is under way outside, nothing can be waited for or freed. */
struct within {
    struct scene *scene;
    struct text *small;
    mtaes_engine *outer_engine, *inner_engine;
    _Atomic(mtaes_job *) outer_job;
    mtaes_status wait_status, free_status;
    int outer_calls, inner_calls;
};

static void within_inner(void *context, mtaes_status status)
{
    struct within *within = context;
    (void)status;
    within->inner_calls++;
    within->wait_status = mtaes_job_wait(atomic_load(&within->outer_job));
    within->free_status = mtaes_engine_free(within->outer_engine);
}

static void within_outer(void *context, mtaes_status status)
{
    struct within *within = context;
    const mtaes_job_options options = {within_inner, within};
    uint8_t tag[16], *dst = malloc(within->small->bytes);
    mtaes_message m = text_message(within->scene, within->small, MTAES_ENCRYPT,
                                   within->small->plaintext, dst, tag);
    mtaes_job *job = NULL;
    (void)status;
    within->outer_calls++;
    while (atomic_load(&within->outer_job) == NULL)
        sched_yield();
    if (mtaes_submit(within->inner_engine, &m, 1, &options, &job) != MTAES_OK ||
        mtaes_job_wait(job) != MTAES_OK)
        within->inner_calls = -1;
    free(dst);
}

START_TEST(callback_within)
{
    struct scene scene;
    usual_scene(&scene);
    struct text small = text_create(&scene, 300, 0, NULL);
    for (size_t threads = 1; threads <= 2; threads++) {
        struct within within = {.scene = &scene,
                                .small = &small,
                                .outer_engine = engine_with(threads),
                                .inner_engine = engine_with(1)}; /* works in wait, on this thread */
        const mtaes_job_options options = {within_outer, &within};
        uint8_t tag[16], *dst = malloc(small.bytes);
        mtaes_message m = text_message(&scene, &small, MTAES_ENCRYPT, small.plaintext, dst, tag);
        mtaes_job *job = NULL;
        alarm(60); /* a deadlock ends here */
        ck_assert(mtaes_submit(within.outer_engine, &m, 1, &options, &job) == MTAES_OK);
        atomic_store(&within.outer_job, job);
        ck_assert(mtaes_job_wait(job) == MTAES_OK);
        ck_assert_int_eq(within.outer_calls, 1);
        ck_assert_int_eq(within.inner_calls, 1);
        ck_assert(within.wait_status == MTAES_BUSY);
        ck_assert(within.free_status == MTAES_BUSY);
        ck_assert(mtaes_engine_free(within.outer_engine) == MTAES_OK);
        ck_assert(mtaes_engine_free(within.inner_engine) == MTAES_OK);
        free(dst);
    }
    alarm(0);
    text_free(&small);
    scene_end(&scene);
}
END_TEST

/* With workers the callback may run on one of them, before submit has returned. */
START_TEST(own_job)
{
    struct scene scene;
    usual_scene(&scene);
    struct text text = text_create(&scene, LARGE / 2, 0, NULL);
    mtaes_engine *engine = engine_with(3);
    for (int i = 0; i < 20; i++) {
        struct own_wait own = {NULL, MTAES_OK};
        const mtaes_job_options options = {wait_for_own_job, &own};
        uint8_t *dst = malloc(text.bytes), tag[16];
        mtaes_message m = text_message(&scene, &text, MTAES_ENCRYPT, text.plaintext, dst, tag);
        mtaes_job *job = NULL;
        ck_assert(mtaes_submit(engine, &m, 1, &options, &job) == MTAES_OK);
        atomic_store(&own.job, job);
        ck_assert(mtaes_job_wait(job) == MTAES_OK);
        ck_assert(own.status == MTAES_BUSY);
        free(dst);
    }
    ck_assert(mtaes_engine_free(engine) == MTAES_OK);
    text_free(&text);
    scene_end(&scene);
}
END_TEST

/* In a forked child, a job of the parent's is nobody's: BUSY, and no hang. */
START_TEST(forked_job)
{
    struct scene scene;
    usual_scene(&scene);
    mtaes_engine *engine = engine_with(3);
    for (int i = 0; i < 10; i++) {
        struct flight flight;
        take_off(&flight, &scene, engine, LARGE, true);
        const pid_t child = fork();
        if (child == 0) {
            alarm(10);
            const mtaes_status status = mtaes_job_wait(flight.job);
            _exit(status == MTAES_BUSY && mtaes_engine_free(engine) == MTAES_OK ? 0 : 1);
        }
        land(&flight, true);
        check_child(child);
    }
    ck_assert(mtaes_engine_free(engine) == MTAES_OK);
    scene_end(&scene);
}
END_TEST

/* The process may end while the workers are alive. */
START_TEST(exit_alive)
{
    for (int i = 0; i < 10; i++) {
        const pid_t child = fork();
        if (child == 0) {
            struct scene scene;
            alarm(20);
            usual_scene(&scene);
            mtaes_engine *engine = engine_with(4);
            struct text text = text_create(&scene, 200000, 0, NULL);
            _exit(work(&scene, &text, engine) == NULL ? 0 : 1);
        }
        check_child(child);
    }
}
END_TEST

static void add_tests(TCase *tcase)
{
    tcase_add_test(tcase, engine_options);
    tcase_add_test(tcase, too_many_threads);
    tcase_add_test(tcase, failing_threads);
    tcase_add_test(tcase, cycles);
    tcase_add_test(tcase, several_callers);
    tcase_add_loop_test(tcase, written_is_there, 1, 3);
    tcase_add_test(tcase, callers_executor);
    tcase_add_test(tcase, openmp_executor);
    tcase_add_test(tcase, forked);
    tcase_add_test(tcase, forked_executors);
    tcase_add_test(tcase, forked_at_work);
    tcase_add_test(tcase, signals_blocked);
    tcase_add_test(tcase, signal_storm);
    tcase_add_test(tcase, affinity);
    tcase_add_test(tcase, thread_limit);
    tcase_add_loop_test(tcase, wiped, 0, kernel_count() * mode_count());
#if defined(__x86_64__) && defined(__GNUC__)
    tcase_add_loop_test(tcase, registers_cleared, 0, kernel_count() * mode_count());
#endif
    tcase_add_test(tcase, locked);
    tcase_add_test(tcase, failed_self_test);
    tcase_add_test(tcase, jobs);
    tcase_add_test(tcase, job_arguments);
    tcase_add_test(tcase, nothing_to_do);
    tcase_add_test(tcase, series_of_calls);
    tcase_add_test(tcase, freed_in_flight);
    tcase_add_test(tcase, callbacks);
    tcase_add_test(tcase, callback_within);
    tcase_add_test(tcase, own_job);
    tcase_add_test(tcase, forked_job);
    tcase_add_test(tcase, exit_alive);
}

int main(void)
{
    coverage_begin();
    Suite *suite = suite_create("engine");
    TCase *tcase = tcase_create("engine");
    tcase_set_timeout(tcase, 300);
    add_tests(tcase);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return coverage_report() + failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
