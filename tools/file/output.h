/* output.h: where bytes go: a file that appears whole or not at all, or a stream. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MTAES_TOOLS_OUTPUT_H
#define MTAES_TOOLS_OUTPUT_H

#include "input.h"
#include "problem.h"

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

struct output {
    int fd;
    const char *name; /* for messages */
    bool owned;       /* closed by commit and abort */
    bool file;        /* a new file of our own: may be written at any place, committed or dropped */
    bool disk;        /* a file of our own or a block device: synced by commit */
    bool replace;     /* an existing file may be replaced */
    char path[PATH_MAX];      /* of a file: where it appears at commit */
    char temporary[PATH_MAX]; /* of a file: where it is until then */
};

/*
 * Open standard output (path NULL or "-"), a device or FIFO as it is, or a new file: mode 0600, in
 * the folder of the target, under another name until output_commit. An existing file or block
 * device is refused unless `replace`; a target that is the input itself, by whatever name, is always refused. Nothing
 * is opened for writing before these checks. `input` may be NULL.
 */
bool output_open(struct output *output, const char *path, bool replace, const struct input *input,
                 struct problem *problem);

/* The same refusal before the input is open: opening a FIFO waits for a writer, which would be this
   very process. Either name may be NULL, for a standard stream. */
bool output_refuse_input(const char *path, const char *input, struct problem *problem);

/* Take over an open descriptor, written in order, which stays the caller's. */
void output_from_fd(struct output *output, int fd, const char *name);

/* Write all of it, in order. One thread at a time. */
bool output_write(struct output *output, const void *buffer, size_t bytes, struct problem *problem);

/* Write bytes [skip, bytes) of what stands in pieces of `width`, `stride` apart: in order
   (at == NULL), or, to a file of our own, at *at, from any thread. */
bool output_write_spread(struct output *output, const uint64_t *at, uint8_t *buffer, size_t width,
                         size_t stride, size_t skip, size_t bytes, struct problem *problem);

/* Make the file appear: sync, rename, sync the folder. A device or FIFO is closed, as closing may
   tell of an error, a block device synced before; standard output is left to the caller. */
bool output_commit(struct output *output, struct problem *problem);

/* Remove what there is of the file. Harmless after commit. */
void output_abort(struct output *output);

/* Async-signal-safe: remove the temporary file of the output that is open, if any. */
void output_abort_in_handler(void);

#endif
