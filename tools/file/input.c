/* input.c: reading files at any place and streams in order, without ever mapping them. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { PIPE_BYTES = 1 << 20 }; /* the default limit for unprivileged processes */

void enlarge_pipe(int fd)
{
    const int now = fcntl(fd, F_GETPIPE_SZ);
    if (now > 0 && now < PIPE_BYTES)
        (void)fcntl(fd, F_SETPIPE_SZ, PIPE_BYTES); /* a wish: the system may refuse it */
}

void wait_ready(int fd, short events)
{
    struct pollfd poll_fd = {.fd = fd, .events = events};
    (void)poll(&poll_fd, 1, -1); /* whatever it says, the next read or write finds out */
}

int spread(struct iovec *vectors, uint8_t *buffer, size_t width, size_t stride, size_t skip,
           size_t bytes)
{
    if (width == stride) {
        vectors[0] = (struct iovec){.iov_base = buffer + skip, .iov_len = bytes - skip};
        return 1;
    }
    int count = 0;
    while (skip < bytes && count < SPREAD_PIECES) {
        const size_t piece = skip / width, inside = skip % width;
        size_t length = width - inside;
        if (length > bytes - skip)
            length = bytes - skip;
        vectors[count++] =
            (struct iovec){.iov_base = buffer + piece * stride + inside, .iov_len = length};
        skip += length;
    }
    return count;
}

/* Find out whether any part can be read at any time, from where, and how much there is. */
static bool measure(struct input *input, struct problem *problem)
{
    if (fstat(input->fd, &input->status) != 0)
        return problem_system(problem, errno, "%s", input->name);
    const mode_t mode = input->status.st_mode;
    if (S_ISDIR(mode))
        return problem_system(problem, EISDIR, "%s", input->name);
    if (!S_ISBLK(mode) && !(S_ISREG(mode) && input->status.st_size > 0)) {
        enlarge_pipe(input->fd);
        return true;
    }
    const off_t start = lseek(input->fd, 0, SEEK_CUR);
    off_t end = input->status.st_size;
    if (S_ISBLK(mode)) {
        end = lseek(input->fd, 0, SEEK_END);
        if (end < 0 || lseek(input->fd, start, SEEK_SET) < 0)
            return problem_system(problem, errno, "%s", input->name);
    }
    if (start < 0 || start > end)
        return true; /* reading in order finds what there is to find */
    input->positioned = true;
    input->start = (uint64_t)start;
    input->length = (uint64_t)(end - start);
    (void)posix_fadvise(input->fd, start, 0, POSIX_FADV_SEQUENTIAL);
    return true;
}

bool input_from_fd(struct input *input, int fd, const char *name, struct problem *problem)
{
    *input = (struct input){.fd = fd, .name = name, .wake_fd = -1};
    return measure(input, problem);
}

bool input_open(struct input *input, const char *path, struct problem *problem)
{
    if (path == NULL || strcmp(path, "-") == 0)
        return input_from_fd(input, STDIN_FILENO, "standard input", problem);
    *input = (struct input){.fd = -1, .name = path, .wake_fd = -1};
    do
        input->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    while (input->fd < 0 && errno == EINTR);
    if (input->fd < 0)
        return problem_system(problem, errno, "%s", path);
    input->owned = true;
    if (measure(input, problem))
        return true;
    input_close(input);
    return false;
}

/* Wait for the stream to have something; false when reading is to end early. */
static bool wait_stream(const struct input *input)
{
    struct pollfd fds[2] = {{.fd = input->fd, .events = POLLIN},
                            {.fd = input->wake_fd, .events = POLLIN}};
    while (poll(fds, 2, -1) < 0 && errno == EINTR)
        ;
    return fds[1].revents == 0;
}

bool input_read_spread(struct input *input, uint64_t at, uint8_t *buffer, size_t width,
                       size_t stride, size_t bytes, size_t *got, struct problem *problem)
{
    struct iovec vectors[SPREAD_PIECES];
    *got = 0;
    while (*got < bytes) {
        if (input->wake_fd >= 0 && !wait_stream(input))
            return problem_set(problem, EXIT_OTHER, "%s: reading was ended early", input->name);
        const int count = spread(vectors, buffer, width, stride, *got, bytes);
        const ssize_t n = input->positioned
                              ? preadv(input->fd, vectors, count, (off_t)(input->start + at + *got))
                              : readv(input->fd, vectors, count);
        if (n > 0)
            *got += (size_t)n;
        else if (n == 0)
            break;
        else if (errno == EAGAIN)
            wait_ready(input->fd, POLLIN);
        else if (errno != EINTR)
            return problem_system(problem, errno, "%s: reading", input->name);
    }
    if (*got == bytes || !input->positioned)
        return true;
    return problem_set(problem, EXIT_IO,
                       "%s: shrank while it was read: %llu bytes at first, now %llu", input->name,
                       (unsigned long long)input->length, (unsigned long long)(at + *got));
}

bool input_read(struct input *input, void *buffer, size_t bytes, size_t *got,
                struct problem *problem)
{
    if (input->positioned && bytes > input->length - input->position)
        bytes = (size_t)(input->length - input->position);
    if (!input_read_spread(input, input->position, buffer, bytes, bytes, bytes, got, problem))
        return false;
    input->position += *got;
    return true;
}

bool input_check_end(struct input *input, struct problem *problem)
{
    if (!input->positioned)
        return true;
    struct stat now;
    if (fstat(input->fd, &now) != 0)
        return problem_system(problem, errno, "%s", input->name);
    const uint64_t end = input->start + input->length;
    if (S_ISREG(now.st_mode) && (uint64_t)now.st_size != end)
        return problem_set(problem, EXIT_IO,
                           "%s: %s while it was read: %llu bytes at first, now %llu", input->name,
                           (uint64_t)now.st_size < end ? "shrank" : "grew", (unsigned long long)end,
                           (unsigned long long)now.st_size);
    if (!input->owned)
        (void)lseek(input->fd, (off_t)end, SEEK_SET); /* a courtesy to whoever reads on */
    return true;
}

void input_close(struct input *input)
{
    if (input->owned)
        close(input->fd);
    input->owned = false;
    input->fd = -1;
}
