/* segment.h: the scheduler: cuts messages into parts, finds the state of each, and runs them all. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MTAES_ENGINE_SEGMENT_H
#define MTAES_ENGINE_SEGMENT_H

#include <pthread.h>

#include "mode.h"

enum {
    SEGMENT_PARTS = 256,             /* of one message, or lanes of chains, at the most */
    SEGMENT_PART_BYTES = 64 * 1024,  /* a part is at least this long, */
    SEGMENT_LEAST_BYTES = 32 * 1024, /* or this, where there would be too few for all threads */
    SEGMENT_CHAIN_BYTES = 64 * 1024, /* of each lane, before a worker turns to other jobs */
};

/* What the scheduler must know of the engine. */
struct segment_limits {
    size_t threads;     /* that may work on one job */
    size_t large_bytes; /* a message from here on is larger than the caches */
};

struct part {
    size_t at;
    struct state state; /* before the part; after it, once it has run */
    /* Of a mode that settles; under the job's lock. */
    bool is_true; /* it ran from the state that is truly before it: nothing to settle */
    bool has_run;
};

/* One of many chained messages that go side by side. */
struct chain_lane {
    struct mtaes_message *message; /* NULL: free */
    size_t at;
    uint8_t state[BLOCK_BYTES];
};

enum segment_phase { PHASE_NEXT, PHASE_WHOLE, PHASE_PARTS, PHASE_CHAINS };

/*
 * A list of validated messages on its way, as rounds of independent items: what pool_task wants. Written by next_round
 * only, while no item runs; items write their own part or lanes. Those marked are shared by all items.
 */
struct segment_job {
    struct mtaes_message *messages;
    size_t count;
    struct segment_limits limits;
    struct state *
        range; /* not NULL: the one message is a piece of a longer one, without begin and end; the state
                            before it, and in the end after it */
    enum segment_phase phase;
    size_t most_parts;  /* that any window of the message had */
    size_t first, next; /* messages of this round; the first after it */
    size_t per_item;    /* PHASE_WHOLE: messages an item. PHASE_CHAINS: lanes an item */
    size_t items;
    size_t window_end; /* PHASE_PARTS: up to where the message is cut */
    struct state now;  /* PHASE_PARTS: before the window */
    /* PHASE_PARTS: the parts get a second pass; `now` and the rest are shared by all items then. */
    bool settles;
    pthread_mutex_t lock;
    size_t joined;        /* parts up to which the states are known: `now` is that after them */
    size_t settled;       /* parts that were given to somebody to settle */
    _Atomic size_t taken; /* PHASE_CHAINS: messages given to lanes; shared */
    union {
        struct part part[SEGMENT_PARTS];
        struct chain_lane lane[SEGMENT_PARTS];
    };
};

/* range: NULL, or see above. Messages whose status is not MTAES_OK are passed over. */
void segment_begin(struct segment_job *job, struct mtaes_message *messages, size_t count,
                   struct state *range, const struct segment_limits *limits);

/* As pool_task's, with the job as arg. */
size_t segment_next_round(void *job);
void segment_item(void *job, size_t i);

/* The state before a message's first block, its AAD taken in. */
void segment_begin_message(const struct mtaes_message *message, struct state *state);

/* Write or compare the tag, and wipe the state. The one thing that can go wrong once a message was found
   valid is that the tag is not right (MTAES_AUTH): dst is wiped then, so that nobody sees what was
   decrypted. */
mtaes_status segment_end_message(const struct mtaes_message *message, struct state *state);

/* Process one validated message on the calling thread. */
void segment_whole(struct mtaes_message *message, bool large);

#endif
