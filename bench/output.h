/* output.h: a file that is there in full or not at all. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_OUTPUT_H
#define BENCH_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

struct output {
    FILE *stream;
    char *target, *temporary; /* temporary NULL: written straight */
};

/* Whether such a file could be written, found before hours of work; it is not touched.
   Complains. */
bool output_check(const char *path);

/* Begin. path NULL: standard output; a device or pipe is written straight; anything else through a
   temporary file beside it. Complains. */
bool output_open(struct output *output, const char *path);

/* End: all on disk, and renamed to the target. False: complained, and the target is as before. */
bool output_commit(struct output *output);

/* End, and leave the target as it was. */
void output_abandon(struct output *output);

#endif
