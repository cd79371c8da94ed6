/* memory.h: allocation for a command-line program: it succeeds, or the program ends and says so. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_MEMORY_H
#define BENCH_MEMORY_H

#include <stddef.h>

/* count * bytes, zeroed; free() it. */
void *allocate(size_t count, size_t bytes);

/* Grow an array to count elements of the given size; old may be NULL. New ones are not zeroed. */
void *reallocate(void *old, size_t count, size_t bytes);

char *copy_text(const char *text);

#endif
