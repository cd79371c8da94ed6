/* problem.h: what went wrong, as an exit code and one line of English. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MTAES_TOOLS_PROBLEM_H
#define MTAES_TOOLS_PROBLEM_H

#include <stdbool.h>

/* The exit codes of mtaes; mtaes(1) lists them. */
enum exit_code {
    EXIT_DONE = 0,
    EXIT_OTHER = 1,     /* none of those below */
    EXIT_USAGE = 2,     /* what the caller gave is wrong */
    EXIT_DAMAGED = 3,   /* bytes are wrong, or the message ends inside a chunk */
    EXIT_TRUNCATED = 4, /* the length alone proves that the end is missing */
    EXIT_NO_SLOT = 5,   /* no key slot opens with the secrets given */
    EXIT_FORMAT = 6,    /* magic, version, suite or a critical flag is not known */
    EXIT_IO = 7,        /* the system refused to read or write */
};

struct problem {
    enum exit_code code;
    char text[1024];
};

/* Record a problem and return false, so that `return problem_set(...)` ends a function. The first
   one recorded stays: what follows is usually its consequence. */
bool problem_set(struct problem *problem, enum exit_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same with EXIT_IO and the system's words for `error` (an errno value) at the end. */
bool problem_system(struct problem *problem, int error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
