/* input.h: where bytes come from: a file read at any place, or a stream read in order. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MTAES_TOOLS_INPUT_H
#define MTAES_TOOLS_INPUT_H

#include "problem.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

struct input {
    int fd;
    const char *name; /* for messages */
    bool owned;       /* closed by input_close */
    int wake_fd;      /* a stream: becomes readable when reading is to end early; -1: never */
    bool positioned;  /* any part can be read at any time: a regular file or a block device */
    uint64_t start;  /* positioned: where the input begins in the file; `length` counts from here */
    uint64_t length; /* positioned: as it was at opening */
    uint64_t position; /* of input_read, from the start */
    struct stat status;
};

/* Open a path, or standard input for NULL and "-". A regular file that claims to be empty is read
   as a stream, as those in /proc are. */
bool input_open(struct input *input, const char *path, struct problem *problem);

/* Take over an open descriptor, which stays the caller's. */
bool input_from_fd(struct input *input, int fd, const char *name, struct problem *problem);

/* Read on until `bytes` are there or the input ends; *got tells. One thread at a time. */
bool input_read(struct input *input, void *buffer, size_t bytes, size_t *got,
                struct problem *problem);

/*
 * The same for bytes that are to stand in pieces of `width`, `stride` apart. For a positioned
 * input `at` counts from the start, any thread may call it, and fewer bytes than asked for are an
 * error (the input has shrunk); a stream ignores `at`.
 */
bool input_read_spread(struct input *input, uint64_t at, uint8_t *buffer, size_t width,
                       size_t stride, size_t bytes, size_t *got, struct problem *problem);

/* After the last read: an error if a positioned input is no longer as long as it was. Leaves a
   shared descriptor behind what was read. */
bool input_check_end(struct input *input, struct problem *problem);

void input_close(struct input *input);

/* Ask for the largest pipe that an unprivileged process may have; harmless on anything else. */
void enlarge_pipe(int fd);

/* Wait until a non-blocking descriptor is ready. */
void wait_ready(int fd, short events);

struct iovec;
enum { SPREAD_PIECES = 65 };

/* Describe bytes [skip, bytes) of what stands in pieces of `width`, `stride` apart, in at most
   SPREAD_PIECES vectors; returns how many are set. */
int spread(struct iovec *vectors, uint8_t *buffer, size_t width, size_t stride, size_t skip,
           size_t bytes);

#endif
