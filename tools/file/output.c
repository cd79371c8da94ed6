/* output.c: files that appear whole or not at all (temporary file, fsync, rename), and streams. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "output.h"

#include "bytes.h"
#include "kdf.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* What the signal handler unlinks; `armed` is set last and cleared first. */
static char armed_path[PATH_MAX];
static volatile sig_atomic_t armed;

void output_abort_in_handler(void)
{
    if (armed)
        unlink(armed_path);
}

static void arm(const char *path)
{
    armed = 0;
    atomic_signal_fence(memory_order_seq_cst);
    if (path == NULL)
        return;
    strcpy(armed_path, path); /* both PATH_MAX */
    atomic_signal_fence(memory_order_seq_cst);
    armed = 1;
}

/* Whether what is written to one is read from the other. A terminal and a socket are both ends of
   something, and a node of a block device only names it. */
static bool same_file(const struct stat *a, const struct stat *b)
{
    if (S_ISBLK(a->st_mode) && S_ISBLK(b->st_mode))
        return a->st_rdev == b->st_rdev;
    return !S_ISCHR(a->st_mode) && !S_ISSOCK(a->st_mode) && a->st_dev == b->st_dev &&
           a->st_ino == b->st_ino;
}

static bool refuse_same(const char *name, const char *input, struct problem *problem)
{
    return problem_set(problem, EXIT_USAGE, "%s: is the input %s; the output must be another file",
                       name, input);
}

static bool refuse_input(const struct input *input, const struct stat *target, const char *name,
                         struct problem *problem)
{
    return input == NULL || !same_file(&input->status, target) ||
           refuse_same(name, input->name, problem);
}

static bool refuse_existing(const char *name, struct problem *problem)
{
    return problem_set(problem, EXIT_OTHER, "%s: exists; -f replaces it", name);
}

bool output_refuse_input(const char *path, const char *input, struct problem *problem)
{
    struct stat to, from;
    return path == NULL || input == NULL || stat(path, &to) != 0 || stat(input, &from) != 0 ||
           !same_file(&from, &to) || refuse_same(path, input, problem);
}

static bool open_stdout(struct output *output, const struct input *input, struct problem *problem)
{
    struct stat status;
    output_from_fd(output, STDOUT_FILENO, "standard output");
    if (fstat(output->fd, &status) != 0)
        return problem_system(problem, errno, "%s", output->name);
    enlarge_pipe(output->fd);
    output->disk = S_ISBLK(status.st_mode);
    return refuse_input(input, &status, output->name, problem);
}

/* A device, a FIFO, a socket's path: written as it is. */
static bool open_special(struct output *output, const char *path, struct problem *problem)
{
    do
        output->fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    while (output->fd < 0 && errno == EINTR);
    if (output->fd < 0)
        return problem_system(problem, errno, "%s", path);
    output->owned = true;
    enlarge_pipe(output->fd);
    return true;
}

/* "folder/.name.mtaes-0123456789abcdef", shortened where the name would be too long. */
static bool name_temporary(struct output *output, struct problem *problem)
{
    uint8_t random[8];
    char digits[2 * sizeof random + 1] = "";
    if (!random_bytes(random, sizeof random, problem))
        return false;
    hex_encode(digits, random, sizeof random);
    const char *const slash = strrchr(output->path, '/');
    const size_t folder = slash == NULL ? 0 : (size_t)(slash - output->path) + 1;
    const int n = snprintf(output->temporary, sizeof output->temporary, "%.*s.%.*s.mtaes-%s",
                           (int)folder, output->path, 200, output->path + folder, digits);
    return (n > 0 && (size_t)n < sizeof output->temporary) ||
           problem_system(problem, ENAMETOOLONG, "%s", output->path);
}

static bool open_temporary(struct output *output, struct problem *problem)
{
    for (int attempt = 0; attempt < 16; attempt++) {
        if (!name_temporary(output, problem))
            return false;
        arm(output->temporary);
        output->fd = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (output->fd >= 0) {
            output->file = output->owned = output->disk = true;
            return true;
        }
        arm(NULL);
        if (errno != EEXIST && errno != EINTR)
            break;
    }
    return problem_system(problem, errno, "%s: a temporary file beside it", output->path);
}

/* The file that is behind a path: links are followed, so that the target is replaced, not the
   link. What is no file keeps its path: /dev/stdout leads to a pipe that has no other name. */
static bool resolve(struct output *output, const char *path, struct problem *problem)
{
    struct stat status;
    const bool special = stat(path, &status) == 0 && !S_ISREG(status.st_mode);
    if (!special && lstat(path, &status) == 0 && S_ISLNK(status.st_mode))
        return realpath(path, output->path) != NULL ||
               problem_system(problem, errno, "%s: following the link", path);
    if (strlen(path) >= sizeof output->path)
        return problem_system(problem, ENAMETOOLONG, "%s", path);
    strcpy(output->path, path);
    return true;
}

bool output_open(struct output *output, const char *path, bool replace, const struct input *input,
                 struct problem *problem)
{
    if (path == NULL || strcmp(path, "-") == 0)
        return open_stdout(output, input, problem);
    struct stat status;
    *output = (struct output){.fd = -1, .name = path, .replace = replace};
    if (!resolve(output, path, problem))
        return false;
    if (stat(output->path, &status) != 0)
        return errno == ENOENT ? open_temporary(output, problem)
                               : problem_system(problem, errno, "%s", path);
    if (S_ISDIR(status.st_mode))
        return problem_system(problem, EISDIR, "%s", path);
    if (!refuse_input(input, &status, path, problem))
        return false;
    if (!replace && (S_ISREG(status.st_mode) || S_ISBLK(status.st_mode)))
        return refuse_existing(path, problem);
    output->disk = S_ISBLK(status.st_mode);
    return S_ISREG(status.st_mode) ? open_temporary(output, problem)
                                   : open_special(output, output->path, problem);
}

void output_from_fd(struct output *output, int fd, const char *name)
{
    *output = (struct output){.fd = fd, .name = name};
}

bool output_write_spread(struct output *output, const uint64_t *at, uint8_t *buffer, size_t width,
                         size_t stride, size_t skip, size_t bytes, struct problem *problem)
{
    struct iovec vectors[SPREAD_PIECES];
    size_t done = skip;
    while (done < bytes) {
        const int count = spread(vectors, buffer, width, stride, done, bytes);
        const ssize_t n = at != NULL
                              ? pwritev(output->fd, vectors, count, (off_t)(*at + done - skip))
                              : writev(output->fd, vectors, count);
        if (n > 0)
            done += (size_t)n;
        else if (n < 0 && errno == EAGAIN)
            wait_ready(output->fd, POLLOUT);
        else if (n == 0 || errno != EINTR)
            return problem_system(problem, n == 0 ? EIO : errno, "%s: writing", output->name);
    }
    return true;
}

bool output_write(struct output *output, const void *buffer, size_t bytes, struct problem *problem)
{
    /* vectors are not const, though writing only reads through them */
    return output_write_spread(output, NULL, (uint8_t *)(uintptr_t)buffer, bytes, bytes, 0, bytes,
                               problem);
}

/* Give the file its name. Without `replace` a file that has come to be meanwhile is kept. */
static bool give_name(const struct output *output, struct problem *problem)
{
    const char *const from = output->temporary, *const to = output->path;
    if (output->replace)
        return rename(from, to) == 0 || problem_system(problem, errno, "%s: renaming", to);
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
        return true;
    if (errno == EINVAL || errno == ENOSYS) { /* not on this file system */
        if (link(from, to) == 0) {
            unlink(from);
            return true;
        }
        if (errno != EEXIST && rename(from, to) == 0) /* nor hard links */
            return true;
    }
    return errno == EEXIST ? refuse_existing(to, problem)
                           : problem_system(problem, errno, "%s: renaming", to);
}

static bool sync_folder(const char *path, struct problem *problem)
{
    char folder[PATH_MAX] = ".";
    const char *const slash = strrchr(path, '/');
    if (slash != NULL)
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - path) + 1, path);
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return errno == EACCES || problem_system(problem, errno, "%s", folder);
    const bool right = fsync(fd) == 0 || errno == EINVAL; /* some file systems cannot */
    const int error = errno;
    close(fd);
    return right || problem_system(problem, error, "%s: syncing", folder);
}

bool output_commit(struct output *output, struct problem *problem)
{
    if (output->disk && fsync(output->fd) != 0)
        return problem_system(problem, errno, "%s: syncing", output->name);
    if (!output->owned)
        return true;
    const int fd = output->fd;
    output->fd = -1;
    output->owned = false;
    if (close(fd) != 0 && errno != EINTR)
        return problem_system(problem, errno, "%s: closing", output->name);
    if (!output->file)
        return true;
    if (!give_name(output, problem))
        return false;
    arm(NULL);
    output->file = false;
    return sync_folder(output->path, problem);
}

void output_abort(struct output *output)
{
    if (output->file) {
        unlink(output->temporary);
        arm(NULL);
    }
    if (output->owned)
        close(output->fd);
    output->fd = -1;
    output->file = output->owned = false;
}
