/* verify.h: is what an engine wrote right? */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_VERIFY_H
#define BENCH_VERIFY_H

#include "buffers.h"
#include "peer.h"

/* Position of the first byte that differs, or `bytes`. */
size_t verify_compare(const uint8_t *a, const uint8_t *b, size_t bytes);

/*
 * Compare the ciphertext cipher[0..work->bytes) of plain[] with what the cipher's portable kernel
 * makes of it: whole up to 64 MiB, with the tag; beyond, the first and last MiB and 4 KiB around
 * each edge of each set of parts. all_bytes, which decides on that, is work->bytes, or in a batch
 * those of all messages. scratch is as large as the text. False: reason says what is wrong.
 */
bool verify_portable(const struct workload *work, size_t all_bytes, const size_t *threads,
                     size_t thread_counts, const uint8_t *plain, const uint8_t *cipher,
                     const uint8_t *tag, uint8_t *scratch, char *reason, size_t reason_room);

/* --- a few bytes that are spoilt before each timed run, and must be right after it ----------- */

enum { PROBES = 64 };

struct probes {
    size_t at[PROBES];
    uint8_t plain[PROBES], cipher[PROBES];
};

/* Choose places in the two texts, the first and the last byte among them, and note what is
   there. */
void probes_take(struct probes *probes, const uint8_t *plain, const uint8_t *cipher, size_t bytes,
                 uint64_t seed);
/* Make them all wrong in a buffer that is to be written with plain or cipher text. */
void probes_spoil(const struct probes *probes, bool plain, uint8_t *buffer);
/* NULL: all are right; else where one is not. */
const size_t *probes_wrong(const struct probes *probes, bool plain, const uint8_t *buffer);

#endif
