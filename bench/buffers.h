/* buffers.h: the one source, destination and check buffer that all engines share. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_BUFFERS_H
#define BENCH_BUFFERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buffers {
    uint8_t *source, *target, *check; /* 2 MiB aligned, `bytes` each, all pages touched */
    size_t bytes, mapped_bytes;
    bool huge; /* the system took the advice to use huge pages, for all three */
};

/* How the buffers are made, for the reports. */
extern const char buffers_description[];

/* Make and touch all three; source is filled from the seed. False: reason says why not, which is
   when they do not fit the memory that is available. */
bool buffers_create(struct buffers *buffers, size_t bytes, uint64_t seed, char *reason,
                    size_t reason_room);
void buffers_free(struct buffers *buffers);

#endif
