/* secret.c: key files; passphrases from files, descriptors, environment and commands. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "secret.h"

#include "bytes.h"
#include "input.h"
#include "kdf.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct secrets *secrets_create(struct problem *problem)
{
    struct secrets *const secrets = secret_alloc(sizeof *secrets);
    if (secrets == NULL)
        problem_set(problem, EXIT_OTHER, "no memory for secrets");
    return secrets;
}

void secrets_free(struct secrets *secrets)
{
    secret_free(secrets, sizeof *secrets);
}

struct secret *secrets_next(struct secrets *secrets, struct problem *problem)
{
    if (secrets->count < SECRETS_MOST)
        return &secrets->list[secrets->count];
    problem_set(problem, EXIT_USAGE, "more than %d keys and passphrases", SECRETS_MOST);
    return NULL;
}

bool secrets_from(const struct secrets *secrets, const struct stat *file)
{
    for (size_t i = 0; i < secrets->count; i++)
        if (secrets->list[i].from_file && secrets->list[i].device == file->st_dev &&
            secrets->list[i].inode == file->st_ino)
            return true;
    return false;
}

bool secrets_spared(const struct secrets *secrets, const char *path, struct problem *problem)
{
    struct stat status;
    const bool standard = path == NULL || strcmp(path, "-") == 0;
    if ((standard ? fstat(STDOUT_FILENO, &status) : stat(path, &status)) != 0)
        return true; /* opening it will tell */
    return !secrets_from(secrets, &status) ||
           problem_set(problem, EXIT_USAGE,
                       "%s: is a key or passphrase of this very command; the output must be "
                       "another file",
                       standard ? "standard output" : path);
}

/* Read until the buffer is full or the end. */
static bool read_all(int fd, uint8_t *buffer, size_t room, size_t *got)
{
    *got = 0;
    while (*got < room) {
        const ssize_t n = read(fd, buffer + *got, room - *got);
        if (n == 0)
            break;
        if (n > 0)
            *got += (size_t)n;
        else if (errno == EAGAIN)
            wait_ready(fd, POLLIN);
        else if (errno != EINTR)
            return false;
    }
    return true;
}

static bool allowed_bytes(const size_t *allowed, size_t bytes)
{
    for (; *allowed != 0; allowed++)
        if (*allowed == bytes)
            return true;
    return false;
}

static bool refuse_length(const char *path, size_t bytes, bool more, const size_t *allowed,
                          struct problem *problem)
{
    char lengths[64] = "";
    for (size_t used = 0; *allowed != 0 && used < sizeof lengths; allowed++)
        used += (size_t)snprintf(lengths + used, sizeof lengths - used, "%s%zu",
                                 used == 0         ? ""
                                 : allowed[1] == 0 ? " or "
                                                   : ", ",
                                 *allowed);
    return problem_set(problem, EXIT_USAGE,
                       "%s: %s%zu bytes are no key; a key has %s raw bytes, or two hexadecimal "
                       "digits for each and an optional newline",
                       path, more ? "more than " : "", bytes, lengths);
}

/* text[0..got) to the key itself, in place. */
static bool parse_key(struct secret *secret, size_t got, const char *path, const size_t *allowed,
                      struct problem *problem)
{
    uint8_t decoded[SECRET_BYTES_MOST / 2];
    const size_t digits = got % 2 == 1 && secret->data[got - 1] == '\n' ? got - 1 : got;
    bool hex = allowed_bytes(allowed, digits / 2) && digits % 2 == 0 &&
               hex_decode(decoded, (const char *)secret->data, digits / 2);
    secret->bytes = got;
    if (hex) {
        memcpy(secret->data, decoded, digits / 2);
        secret_wipe(secret->data + digits / 2, got - digits / 2);
        secret->bytes = digits / 2;
    }
    secret_wipe(decoded, sizeof decoded);
    return hex || allowed_bytes(allowed, got) ||
           refuse_length(path, got, got == SECRET_BYTES_MOST, allowed, problem);
}

bool secret_shares_stdin(int fd)
{
    struct stat status, data;
    return fstat(fd, &status) == 0 && fstat(STDIN_FILENO, &data) == 0 &&
           status.st_dev == data.st_dev && status.st_ino == data.st_ino;
}

/* All that has room, and which file it is from. */
static bool read_file(struct secret *secret, const char *path, bool stdin_is_data, size_t *got,
                      struct problem *problem)
{
    struct stat status;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return problem_system(problem, errno, "%s", path);
    bool right = fstat(fd, &status) == 0;
    const bool eats = right && stdin_is_data && !S_ISREG(status.st_mode) && secret_shares_stdin(fd);
    right = right && !eats && read_all(fd, secret->data, sizeof secret->data, got);
    const int error = errno;
    close(fd);
    if (eats)
        return problem_set(problem, EXIT_USAGE,
                           "%s: standard input is the data; another file is right", path);
    if (!right)
        return problem_system(problem, error, "%s: reading", path);
    secret->from_file = S_ISREG(status.st_mode);
    secret->device = status.st_dev;
    secret->inode = status.st_ino;
    return true;
}

bool secret_from_key_file(struct secret *secret, const char *path, bool stdin_is_data,
                          const size_t *allowed, struct problem *problem)
{
    size_t got;
    secret->kind = SECRET_KEY;
    return read_file(secret, path, stdin_is_data, &got, problem) &&
           parse_key(secret, got, path, allowed, problem);
}

/* Cut at the first line's end; what is not part of the passphrase is wiped. */
static bool take_line(struct secret *secret, size_t got, const char *name, struct problem *problem)
{
    const uint8_t *const newline = memchr(secret->data, '\n', got);
    size_t bytes = newline != NULL ? (size_t)(newline - secret->data) : got;
    if (newline == NULL && got == SECRET_BYTES_MOST)
        return problem_set(problem, EXIT_USAGE, "%s: a passphrase has at most %d bytes", name,
                           SECRET_BYTES_MOST - 1);
    if (newline != NULL && bytes > 0 && secret->data[bytes - 1] == '\r')
        bytes--;
    secret_wipe(secret->data + bytes, sizeof secret->data - bytes);
    secret->kind = SECRET_PASSPHRASE;
    secret->bytes = bytes;
    return bytes != 0 || problem_set(problem, EXIT_USAGE,
                                     "%s: the passphrase is empty; it has at least one byte", name);
}

bool secret_from_file(struct secret *secret, const char *path, bool stdin_is_data,
                      struct problem *problem)
{
    size_t got;
    return read_file(secret, path, stdin_is_data, &got, problem) &&
           take_line(secret, got, path, problem);
}

bool secret_from_fd(struct secret *secret, int fd, const char *name, struct problem *problem)
{
    size_t got = 0, n = 1;
    while (n == 1 && got < sizeof secret->data && (got == 0 || secret->data[got - 1] != '\n')) {
        if (!read_all(fd, secret->data + got, 1, &n))
            return problem_system(problem, errno, "%s: reading", name);
        got += n;
    }
    return take_line(secret, got, name, problem);
}

bool secret_from_environment(struct secret *secret, const char *variable, struct problem *problem)
{
    char *const value = getenv(variable);
    if (value == NULL)
        return problem_set(problem, EXIT_USAGE, "--passphrase-env: there is no variable %s",
                           variable);
    const size_t bytes = strlen(value);
    const size_t kept = bytes < sizeof secret->data ? bytes : sizeof secret->data;
    memcpy(secret->data, value, kept);
    secret_wipe(value, bytes); /* it would stay readable in /proc/PID/environ */
    unsetenv(variable);
    if (memchr(secret->data, '\n', kept) != NULL)
        return problem_set(problem, EXIT_USAGE, "%s: a passphrase has one line", variable);
    return take_line(secret, kept, variable, problem);
}

/* Run the command with its output in a pipe; signals as they were at the start of the program. */
static bool spawn_shell(const char *command, pid_t *child, int *output, struct problem *problem)
{
    int ends[2];
    char shell[] = "sh", option[] = "-c";
    char *const copy = strdup(command);
    if (copy == NULL || pipe2(ends, O_CLOEXEC) != 0) {
        free(copy);
        return problem_system(problem, errno, "--passphrase-command");
    }
    char *const arguments[] = {shell, option, copy, NULL};
    sigset_t defaults;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    /* standard input is the data's: a command must not eat it */
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    const int error = posix_spawn(child, "/bin/sh", &actions, &attributes, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    free(copy);
    close(ends[1]);
    *output = ends[0];
    if (error == 0)
        return true;
    close(ends[0]);
    return problem_system(problem, error, "--passphrase-command: /bin/sh");
}

/* Read on to the end, so that a writer with more to say does not die of it. */
static bool drain(int fd)
{
    uint8_t rest[512];
    size_t got = sizeof rest;
    bool right = true;
    while (right && got == sizeof rest)
        right = read_all(fd, rest, sizeof rest, &got);
    secret_wipe(rest, sizeof rest);
    return right;
}

bool secret_from_command(struct secret *secret, const char *command, struct problem *problem)
{
    pid_t child;
    int output, status = 0;
    size_t got;
    if (!spawn_shell(command, &child, &output, problem))
        return false;
    const bool right = read_all(output, secret->data, sizeof secret->data, &got) && drain(output);
    const int error = errno;
    close(output);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (!right)
        return problem_system(problem, error, "--passphrase-command: reading");
    if (WIFSIGNALED(status))
        return problem_set(problem, EXIT_OTHER, "--passphrase-command: '%s' died of signal %d",
                           command, WTERMSIG(status));
    if (WEXITSTATUS(status) != 0)
        return problem_set(problem, EXIT_OTHER, "--passphrase-command: '%s' failed with code %d",
                           command, WEXITSTATUS(status));
    return take_line(secret, got, "--passphrase-command", problem);
}
