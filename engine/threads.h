/* threads.h: how many threads this process may use. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MTAES_ENGINE_THREADS_H
#define MTAES_ENGINE_THREADS_H

#include <stddef.h>

struct thread_limits {
    size_t online, affinity, quota; /* CPUs; 0: not known, or no such limit */
    size_t chosen;                  /* the smallest of these, at least 1 */
};

/* root is put before the paths of the system's files: "" but in tests. */
struct thread_limits thread_limits(const char *root);

#endif
