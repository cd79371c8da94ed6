/* tool_fault.c: preloaded by tests: makes chosen system calls fail, be short, or kill the process. */
/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/*
 * FAULT="CALL:N:WHAT": the Nth call (from 1; 0: every one) of CALL does WHAT. CALL: write (all
 * kinds of it), read (all kinds), fsync, rename, pwrite, thread (its start). WHAT: an errno number;
 * "short" (one byte only); "again" (EINTR and EAGAIN in turn, every second call); "kill" (the
 * process dies before the call); "half" (half of it is written, then the process dies); "stop"
 * (fsync: the process stops before the call, which then goes on as usual).
 */
static atomic_int calls;

static const char *what(const char *call)
{
    const char *const fault = getenv("FAULT");
    const size_t length = strlen(call);
    if (fault == NULL || strncmp(fault, call, length) != 0 || fault[length] != ':')
        return NULL;
    char *end;
    const long wanted = strtol(fault + length + 1, &end, 10);
    const int now = atomic_fetch_add(&calls, 1) + 1;
    return wanted == 0 || wanted == now ? end + 1 : NULL;
}

/* True: fail now, errno is set. */
static int fails(const char *action)
{
    if (action == NULL || strcmp(action, "short") == 0 || strcmp(action, "half") == 0)
        return 0;
    if (strcmp(action, "kill") == 0)
        raise(SIGKILL);
    if (strcmp(action, "stop") == 0)
        return raise(SIGSTOP);
    if (strcmp(action, "again") == 0) {
        static atomic_int turn;
        const int t = atomic_fetch_add(&turn, 1);
        errno = t % 4 == 0 ? EINTR : EAGAIN;
        return t % 2 == 0;
    }
    errno = atoi(action);
    return 1;
}

#define REAL(name) ((__typeof__(name) *)dlsym(RTLD_NEXT, #name))

static struct iovec first_byte(const struct iovec *v, int count)
{
    for (int i = 0; i < count; i++)
        if (v[i].iov_len != 0)
            return (struct iovec){v[i].iov_base, 1};
    return (struct iovec){NULL, 0};
}

ssize_t readv(int fd, const struct iovec *v, int count)
{
    const char *const action = what("read");
    if (fails(action))
        return -1;
    const struct iovec one = first_byte(v, count);
    return action != NULL ? REAL(readv)(fd, &one, 1) : REAL(readv)(fd, v, count);
}

ssize_t preadv(int fd, const struct iovec *v, int count, off_t at)
{
    const char *const action = what("read");
    if (fails(action))
        return -1;
    const struct iovec one = first_byte(v, count);
    return action != NULL ? REAL(preadv)(fd, &one, 1, at) : REAL(preadv)(fd, v, count, at);
}

ssize_t writev(int fd, const struct iovec *v, int count)
{
    const char *const action = what("write");
    if (fails(action))
        return -1;
    const struct iovec one = first_byte(v, count);
    return action != NULL ? REAL(writev)(fd, &one, 1) : REAL(writev)(fd, v, count);
}

ssize_t pwritev(int fd, const struct iovec *v, int count, off_t at)
{
    const char *const action = what("write");
    if (fails(action))
        return -1;
    const struct iovec one = first_byte(v, count);
    return action != NULL ? REAL(pwritev)(fd, &one, 1, at) : REAL(pwritev)(fd, v, count, at);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at)
{
    const char *const action = what("pwrite");
    if (fails(action))
        return -1;
    if (action == NULL)
        return REAL(pwrite)(fd, bytes, count, at);
    const size_t part = strcmp(action, "half") == 0 ? count / 2 : 1;
    const ssize_t n = REAL(pwrite)(fd, bytes, part, at);
    if (strcmp(action, "half") == 0)
        raise(SIGKILL);
    return n;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *argument)
{
    return fails(what("thread")) ? errno : REAL(pthread_create)(thread, attributes, run, argument);
}

int fsync(int fd)
{
    return fails(what("fsync")) ? -1 : REAL(fsync)(fd);
}

int rename(const char *from, const char *to)
{
    return fails(what("rename")) ? -1 : REAL(rename)(from, to);
}

int renameat2(int a, const char *from, int b, const char *to, unsigned flags)
{
    return fails(what("rename")) ? -1 : REAL(renameat2)(a, from, b, to, flags);
}
