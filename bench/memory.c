/* memory.c: allocation for a command-line program: it succeeds, or the program ends and says so. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *checked(void *p)
{
    if (!p) {
        fputs("mtaes-bench: out of memory\n", stderr);
        exit(EXIT_FAILURE);
    }
    return p;
}

void *allocate(size_t count, size_t bytes)
{
    return checked(calloc(count ? count : 1, bytes));
}

void *reallocate(void *old, size_t count, size_t bytes)
{
    return checked(reallocarray(old, count ? count : 1, bytes));
}

char *copy_text(const char *text)
{
    return checked(strdup(text));
}
