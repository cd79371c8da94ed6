/* workload.h: what all engines are asked to do. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_WORKLOAD_H
#define BENCH_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mtaes.h"
#include "structure.h"

struct workload {
    char cipher[32];   /* "aes-128" */
    char family[24];   /* "aes" */
    unsigned key_bits; /* 128, 192 or 256 */
    const mtaes_mode *mode;
    const char *mode_name;
    mtaes_mode_info info;
    enum structure structure;
    const mtaes_kernel *kernel; /* asked for by name; NULL: the fastest */
    uint8_t key[64], iv[BLOCK];
    size_t key_bytes, iv_bytes;
    size_t unit_bytes; /* XTS; else 0 */
    size_t bytes;      /* of the one message; of all of them in a batch */
    size_t streams;    /* 0 or 1: one message; more: a batch of so many, of the same length */
    bool in_place;
};

/* Split "aes-128" into family and bits; false: there is no kernel of such a family, or no such key
   length. */
bool workload_set_cipher(struct workload *work, const char *name);

/* All names that workload_set_cipher takes, separated by ", ". */
void workload_cipher_names(char *text, size_t room);

void workload_set_mode(struct workload *work, const mtaes_mode *mode);

enum { STREAMS_MAX = 64 };

/* The messages of a workload: 1, or those of a batch. */
static inline size_t workload_streams(const struct workload *work)
{
    return work->streams > 1 ? work->streams : 1;
}

/* One message of a batch as a workload of its own, with an IV of its own; the first one's is that
   of the batch. */
struct workload workload_stream(const struct workload *work, size_t i);

/* Key and IV of the right lengths from the seed; after cipher and mode. */
void workload_set_key(struct workload *work, uint64_t seed);

/* The message's size, and the XTS unit: unit_bytes, or 0 for the smaller of size and 16 MiB. False:
   the mode does not take such a message, and reason says what it takes. */
bool workload_set_bytes(struct workload *work, size_t bytes, size_t unit_bytes, char *reason,
                        size_t reason_room);

#endif
