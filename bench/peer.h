/* peer.h: what an engine in the bench is. Adding one: one file, one row in peers.c. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_PEER_H
#define BENCH_PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "workload.h"

enum { REASON_ROOM = 256 };

/* One message to process: work->bytes of them, whole. */
struct task {
    const uint8_t *src;
    uint8_t *dst; /* == src, or disjoint */
    uint8_t *tag; /* 16 bytes, GCM: written by encryption, read by decryption */
    bool decrypt;
};

/* A peer made ready for one workload. */
struct contender {
    const struct peer *peer;
    const struct workload *work; /* stays valid and unchanged while prepared */
    size_t threads;              /* asked for; prepare sets what is used */
    char kernel[64];             /* set by prepare: what does the work */
    char lacks[2][REASON_ROOM]; /* set by prepare: why it cannot [encrypt], [decrypt]; "": it can */
    char error[REASON_ROOM];    /* set by run when it fails */
    void *state;                /* the peer's own */
};

struct peer {
    const char *name;
    const char *summary;
    bool threaded; /* takes the number of threads; else always one */
    bool copies;   /* not a cipher: the output is the input */
    /* Everything that can be done before the clock starts. Fills what is marked above; on `lacks`
       in both directions state may be NULL. */
    void (*prepare)(struct contender *contender);
    /* Under the clock. False: error is set. */
    bool (*run)(struct contender *contender, const struct task *task);
    void (*free)(struct contender *contender);
};

/* The table, in the order of reports; NULL is the end, and starts. */
const struct peer *peer_next(const struct peer *previous);
const struct peer *peer_find(const char *name);

/* All names, separated by ", ". */
void peer_names(char *text, size_t room);

/* For peers: say why it cannot, in both directions. */
void peer_lacks_all(struct contender *contender, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* One a file. */
extern const struct peer peer_mtaes, peer_openssl, peer_openssl_mt, peer_memcpy;

#endif
