/* host.h: the machine on which something was measured. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_HOST_H
#define BENCH_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mtaes.h"

enum { HOST_CACHES = 8, HOST_TEXT = 160 };

struct host_cache {
    unsigned level;
    char type[16]; /* "Data", "Instruction", "Unified" */
    size_t bytes;
    size_t cpus; /* that share it; 0: unknown */
};

struct host {
    char date[32]; /* UTC, ISO 8601 */
    char machine[HOST_TEXT], architecture[32], system[HOST_TEXT], kernel[HOST_TEXT];
    char cpu[HOST_TEXT], features[512]; /* those that the library knows */
    mtaes_thread_limits threads;
    struct host_cache cache[HOST_CACHES];
    size_t caches;
    uint64_t memory_bytes, memory_available_bytes;
    char huge_pages[32]; /* the setting: always, madvise or never */
    char openssl[HOST_TEXT], mtaes[32], compiler[HOST_TEXT];
};

void host_read(struct host *host);

/* "L1 Data 32 KiB, ..." */
void host_caches_text(const struct host *host, char *text, size_t room);

/* Why threads=auto means what it means. */
void host_threads_text(const struct host *host, char *text, size_t room);

/* Which kernel of this one's cipher would be chosen, and why: "aes-vaes256: the first ...". */
void host_choice_text(const char *cipher, char *text, size_t room);

#endif
