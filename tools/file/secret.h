/* secret.h: key files and passphrases, from wherever they come but the command line. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MTAES_TOOLS_SECRET_H
#define MTAES_TOOLS_SECRET_H

#include "problem.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

enum { SECRET_BYTES_MOST = 1024, SECRETS_MOST = 8 };

enum secret_kind { SECRET_KEY, SECRET_PASSPHRASE };

struct secret {
    enum secret_kind kind;
    bool from_file; /* a regular one; then it is device and inode */
    dev_t device;
    ino_t inode;
    size_t bytes;
    uint8_t data[SECRET_BYTES_MOST];
};

/* A list in memory of its own (secret_alloc). */
struct secrets {
    size_t count;
    struct secret list[SECRETS_MOST];
};

struct secrets *secrets_create(struct problem *problem);
void secrets_free(struct secrets *secrets); /* wipes; NULL is fine */

/* The next free place of the list, or NULL when there are SECRETS_MOST already. The caller fills it
   and counts it. */
struct secret *secrets_next(struct secrets *secrets, struct problem *problem);

/* Whether one of the secrets was read from this file. */
bool secrets_from(const struct secrets *secrets, const struct stat *file);

/* Refuse to write to what one of the secrets was read from. path NULL or "-": standard output. */
bool secrets_spared(const struct secrets *secrets, const char *path, struct problem *problem);

/* Whether reading from an open descriptor takes from standard input, of whose offset it has a share
   or may have. */
bool secret_shares_stdin(int fd);

/*
 * A file's bytes as a key of one of the lengths in `allowed` (bytes, ended by 0): twice as many
 * hexadecimal digits and an optional newline, or exactly that many raw bytes. What can be read as
 * digits is. With stdin_is_data a path to standard input is refused, unless opening it anew gives
 * an offset of its own.
 */
bool secret_from_key_file(struct secret *secret, const char *path, bool stdin_is_data,
                          const size_t *allowed, struct problem *problem);

/* The first line of a file; the line's end, "\n" or "\r\n", is not part of it. */
bool secret_from_file(struct secret *secret, const char *path, bool stdin_is_data,
                      struct problem *problem);
/* The next line of an open descriptor, from which no byte more is read. */
bool secret_from_fd(struct secret *secret, int fd, const char *name, struct problem *problem);
/* An environment variable, which is then removed from this process's environment. */
bool secret_from_environment(struct secret *secret, const char *variable, struct problem *problem);
/* The first line that a shell command prints; the command must succeed. */
bool secret_from_command(struct secret *secret, const char *command, struct problem *problem);

/* From the terminal, echo off, and twice when it is to be confirmed. Echo is restored on every way
   out, signals included. (prompt.c) */
bool secret_from_terminal(struct secret *secret, const char *prompt, bool confirm,
                          struct problem *problem);

#endif
