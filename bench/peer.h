/* peer.h: what an engine in the bench is. Adding one: one file, one row in peers.c. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_PEER_H
#define BENCH_PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "workload.h"

enum { REASON_ROOM = 256 };

struct executor;
struct spread;

/* One message to process, whole: work->bytes of it; or a batch of work->streams messages, which
   stand one behind the other. */
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
    struct spread *spread;      /* of peers that have no threads of their own */
    void *state;                /* the peer's own */
};

struct peer {
    const char *name;
    const char *summary;
    bool threaded;       /* takes the number of threads; else always one */
    bool batches;        /* takes workloads of several messages (workload.h: streams) */
    bool copies;         /* not a cipher: the output is the input */
    const char *package; /* not built in: what configure looked for; else NULL */
    /* mtaes engines: where their threads come from; NULL: the library's own pool */
    const struct executor *executor;
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

/* Whether the work is AES, with keys of a length that its mode has; else lacks says so. */
bool peer_has_cipher(struct contender *contender);

/* The `prepare` and `free` of a peer that was left out of this build. */
void peer_not_built(struct contender *contender);
void peer_no_state(struct contender *contender);

/* The `run` of peers whose work is done by contender->spread, and the `free` of those that have no
   more than this. */
bool peer_run_spread(struct contender *contender, const struct task *task);
void peer_free_spread(struct contender *contender);

/* The same work as the `run` of an engine of this library, by mtaes_submit and mtaes_job_wait, so
   that it goes to the engine's threads however small it is. */
bool peer_mtaes_submit(struct contender *contender, const struct task *task);

extern const struct peer peer_mtaes, peer_mtaes_openmp, peer_mtaes_caller, peer_mtaes_spawn;
extern const struct peer peer_openssl, peer_openssl_mt;
extern const struct peer peer_ipsec_mb, peer_libgcrypt, peer_nettle; /* or that they lack */
extern const struct peer peer_memcpy, peer_rmw;

#endif
