/* sets.h: the sets of published vectors in tests/vectors, and how a kernel is run through one. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MTAES_TESTS_SETS_H
#define MTAES_TESTS_SETS_H

#include "replay.h"

enum set_format { SET_RSP, SET_EVP, SET_JSON };

struct vector_set {
    const char *path;   /* a file, or a folder of which every file but LICENSE* is read */
    const char *cipher; /* that the vectors are of */
    enum set_format format;
    const char *mode; /* where the files do not name one */
    bool monte_carlo;
    int files, cases; /* that must be there */
};

extern const struct vector_set vector_sets[];
extern const int vector_set_count;

/*
 * Run the kernel of `replay` through the set, and print a line a file, a line a flag, and a line a
 * reason for which cases were skipped. Returns the number of faults: cases that failed, files or
 * cases missing, a file no case of which could be run though its mode is in the library, a flag no
 * case of which was run.
 */
int set_run(const struct vector_set *set, const char *folder, struct replay *replay);

#endif
