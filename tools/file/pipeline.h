/* pipeline.h: a message from input to output: reading, encryption and writing at the same time. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MTAES_TOOLS_PIPELINE_H
#define MTAES_TOOLS_PIPELINE_H

#include "cobblestone.h"
#include "input.h"
#include "output.h"
#include "problem.h"

enum {
    PIPELINE_THREADS_MOST = 128,
    PIPELINE_BYTES_MOST = 56 << 20, /* of all buffers together */
};

struct transfer {
    const struct cobblestone *message;
    mtaes_direction direction;
    size_t threads; /* that encrypt or decrypt at the same time; 1 or more */

    struct input *input;  /* a stream: stands at the first chunk */
    uint64_t message_at;  /* where the message (its salt) begins in the input */
    uint64_t first_chunk; /* positioned: begin with this chunk */
    uint64_t in_bytes;    /* positioned: bytes to read; a stream is read to its end */
    bool to_the_end;      /* what is read ends with the last chunk */

    struct output *output; /* NULL: only verify */
    uint64_t output_at;    /* a file of our own: where the result begins in it */
    uint64_t skip, most;   /* of the result, drop the first `skip` bytes, write at most `most` */

    /* Called now and then on the calling thread; total is 0 when it is not known. May be NULL. */
    void (*progress)(void *context, uint64_t done_bytes, uint64_t total_bytes);
    void *progress_context;
};

struct transfer_result {
    uint64_t in_bytes, out_bytes, chunks;
    size_t buffer_bytes, threads; /* that were used */
};

/*
 * Process all chunks. Text that decryption writes is verified, and to a stream it is written in
 * order up to the first chunk that is wrong. Of several problems the one that comes first in the
 * input is reported. The input's length is checked at the end (input_check_end).
 */
bool transfer_run(const struct transfer *transfer, struct transfer_result *result,
                  struct problem *problem);

#endif
