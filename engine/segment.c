/* segment.c: the scheduler. It knows directions, not modes or ciphers: cut, seek all, run all, join, settle. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "segment.h"

#include <stdatomic.h>
#include <string.h>

#include "util.h"

enum { PARTS_A_THREAD = 32 }; /* so that the last one to finish is not waited for long */

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t larger(size_t a, size_t b)
{
    return a < b ? b : a;
}

void segment_begin_message(const struct mtaes_message *message, struct state *state)
{
    memset(state, 0, sizeof *state);
    if (message->key->mode->begin)
        message->key->mode->begin(message, state);
    else if (message->iv_bytes)
        memcpy(state->chain, message->iv, BLOCK_BYTES);
    if (message->aad_bytes)
        message->key->mode->absorb(message, state, message->aad, message->aad_bytes);
}

mtaes_status segment_end_message(const struct mtaes_message *message, struct state *state)
{
    mtaes_status status = MTAES_OK;
    if (message->key->mode->end) {
        uint8_t tag[BLOCK_BYTES];
        message->key->mode->end(message, state, tag);
        if (message->direction == MTAES_ENCRYPT) {
            memcpy(message->tag, tag, sizeof tag);
        } else if (!equal_constant_time(tag, message->tag, sizeof tag)) {
            if (message->bytes)
                wipe(message->dst, message->bytes);
            status = MTAES_AUTH;
        }
        wipe(tag, sizeof tag); /* of a forgery: nobody shall learn what it should have been */
    }
    wipe(state, sizeof *state);
    return status;
}

void segment_whole(struct mtaes_message *message, bool large)
{
    struct state state;
    segment_begin_message(message, &state);
    message_direction(message)->run(message, 0, message->bytes, &state, large);
    message->status = segment_end_message(message, &state);
}

void segment_begin(struct segment_job *job, struct mtaes_message *messages, size_t count,
                   struct state *range, const struct segment_limits *limits)
{
    job->messages = messages;
    job->count = count;
    job->range = range;
    job->limits = *limits;
    job->phase = PHASE_NEXT;
    job->first = job->next = 0;
}

static bool is_large(const struct segment_job *job, const struct mtaes_message *message)
{
    return message->bytes >= job->limits.large_bytes;
}

/* Whether a message is worth cutting: alone, or where there are too few to keep the threads busy, or because it is so
   long that the others would wait for its end. */
static bool is_cut(const struct segment_job *job, const struct mtaes_message *message)
{
    const size_t few = 2 * SEGMENT_LEAST_BYTES, many = 16 * SEGMENT_PART_BYTES;
    if (job->range)
        return true;
    return message_direction(message)->cut && job->limits.threads > 1 &&
           message->bytes >= (job->count < 2 * job->limits.threads ? few : many);
}

static bool is_chain(const struct mtaes_message *message)
{
    return !message_direction(message)->cut;
}

static bool goes_with(const struct mtaes_message *a, const struct mtaes_message *b)
{
    return a->key == b->key && a->direction == b->direction;
}

/* ----------------------------------------------------------------------------------------------- one message in parts */

/* How long a part shall be: where there is enough, of whole SEGMENT_PART_BYTES, so that parts begin at the same place in
   a page as the message; with a second pass short, so that a part is still in its thread's cache then. */
static size_t part_bytes(const struct segment_job *job, size_t bytes)
{
    const size_t threads = smaller(job->limits.threads, SEGMENT_PARTS), page = 4096;
    if (threads == 1)
        return bytes;
    if (bytes < threads * SEGMENT_PART_BYTES)
        return larger(SEGMENT_LEAST_BYTES,
                      ((bytes + threads - 1) / threads + page - 1) / page * page);
    if (job->settles)
        return SEGMENT_PART_BYTES;
    const size_t wanted = smaller(SEGMENT_PARTS, PARTS_A_THREAD * threads);
    return (bytes / wanted / SEGMENT_PART_BYTES + 1) * SEGMENT_PART_BYTES;
}

/* Cut the next window of the message into parts, and find the state before each: all of them before
   the first one runs, as in place a part destroys what the next one's state is read from. Returns
   the number of parts. */
static size_t plan_parts(struct segment_job *job, size_t window_start)
{
    const struct mtaes_message *const message = &job->messages[job->first];
    const struct direction *const direction = message_direction(message);
    job->settles = direction->settle && job->limits.threads > 1;
    const size_t step = part_bytes(job, message->bytes - window_start);
    size_t end = message->bytes, parts = 0;
    if (job->settles && end - window_start > SEGMENT_PARTS * step)
        end = direction->cut(message, window_start + SEGMENT_PARTS * step, true);

    for (size_t at = window_start, next;; at = next) {
        job->part[parts++] = (struct part){.at = at};
        if (!direction->cut || parts == SEGMENT_PARTS || end - at <= step)
            break;
        next = direction->cut(message, at + step, true);
        if (next <= at || next >= end)
            break;
    }
    for (size_t k = 0; k < parts; k++) {
        if (parts > 1)
            direction->seek(message, &job->now, job->part[k].at, &job->part[k].state);
        else
            job->part[k].state = job->now;
    }
    job->joined = job->settled = 0;
    job->window_end = end;
    job->items = parts;
    job->most_parts = parts > job->most_parts ? parts : job->most_parts;
    job->phase = PHASE_PARTS;
    return parts;
}

static size_t part_length(const struct segment_job *job, size_t k)
{
    return (k + 1 < job->items ? job->part[k + 1].at : job->window_end) - job->part[k].at;
}

static void run_part(struct segment_job *job, size_t k)
{
    const struct mtaes_message *const message = &job->messages[job->first];
    struct part *const part = &job->part[k];
    message_direction(message)->run(message, part->at, part_length(job, k), &part->state,
                                    is_large(job, message));
}

/* Take the state that part k left into the total; in the part stays the state before it. */
static void join_part(struct segment_job *job, size_t k)
{
    const struct mtaes_message *const message = &job->messages[job->first];
    struct part *const part = &job->part[k];
    struct state before = job->now;
    if (part->is_true)
        job->now = part->state;
    else
        message_direction(message)->join(message, &job->now, &part->state, part_length(job, k));
    part->state = before;
    wipe(&before, sizeof before);
}

/* Run a part of a mode that settles, and settle whatever can be by then: mostly this very part, still in this thread's
   cache. Nobody ever waits for another part, as its item may not have begun: whoever ends a part that others stood
   behind finds them all joined, and what he does not get to, the next to come takes. */
static void run_settled_part(struct segment_job *job, size_t k)
{
    const struct mtaes_message *const message = &job->messages[job->first];
    struct part *const part = &job->part[k];
    pthread_mutex_lock(&job->lock);
    part->is_true = job->joined == k;
    if (part->is_true)
        part->state = job->now;
    pthread_mutex_unlock(&job->lock);
    run_part(job, k);
    pthread_mutex_lock(&job->lock);
    part->has_run = true;
    for (; job->joined < job->items && job->part[job->joined].has_run; job->joined++)
        join_part(job, job->joined);
    while (job->settled < job->joined) {
        const size_t s = job->settled++;
        if (job->part[s].is_true)
            continue;
        pthread_mutex_unlock(&job->lock);
        message_direction(message)->settle(message, job->part[s].at, part_length(job, s),
                                           &job->part[s].state);
        pthread_mutex_lock(&job->lock);
    }
    pthread_mutex_unlock(&job->lock);
}

/* After all parts have run: the state after the window. */
static void join_parts(struct segment_job *job)
{
    if (job->settles)
        return; /* joined one by one */
    if (!message_direction(&job->messages[job->first])->join || job->items == 1) {
        job->now = job->part[job->items - 1].state;
        return;
    }
    for (size_t k = 0; k < job->items; k++)
        join_part(job, k);
}

static size_t begin_parts(struct segment_job *job)
{
    struct mtaes_message *const message = &job->messages[job->first];
    job->next = job->first + 1;
    job->most_parts = 0;
    pthread_mutex_init(&job->lock, NULL); /* cannot fail without attributes */
    if (job->range)
        job->now = *job->range;
    else
        segment_begin_message(message, &job->now);
    return plan_parts(job, 0);
}

static void end_parts(struct segment_job *job)
{
    if (job->range)
        *job->range = job->now;
    else
        job->messages[job->first].status =
            segment_end_message(&job->messages[job->first], &job->now);
    pthread_mutex_destroy(&job->lock);
    wipe(job->part, sizeof *job->part * job->most_parts);
    wipe(&job->now, sizeof job->now);
}

/* ------------------------------------------------------------------ chains side by side */

/* The next message of the round that no lane has; NULL: none is left. */
static struct mtaes_message *take_chain(struct segment_job *job)
{
    for (;;) {
        const size_t i = atomic_fetch_add_explicit(&job->taken, 1, memory_order_relaxed);
        if (i >= job->next)
            return NULL;
        struct mtaes_message *const message = &job->messages[i];
        if (message->status == MTAES_OK)
            return message;
    }
}

/* Give a lane its next message. A remainder at the end that is no whole block, and a message without
   one, are the mode's own matter. */
static void load_lane(struct segment_job *job, struct chain_lane *lane)
{
    struct state state;
    while ((lane->message = take_chain(job)) != NULL) {
        segment_begin_message(lane->message, &state);
        memcpy(lane->state, state.chain, BLOCK_BYTES);
        wipe(&state, sizeof state);
        lane->at = 0;
        if (lane->message->bytes >= BLOCK_BYTES)
            return;
        segment_whole(lane->message, false);
    }
}

/* The end of a lane's message, once its whole blocks are done. */
static void finish_lane(struct chain_lane *lane)
{
    struct mtaes_message *const message = lane->message;
    struct state state = {.done = lane->at};
    memcpy(state.chain, lane->state, BLOCK_BYTES);
    if (lane->at < message->bytes)
        message_direction(message)->run(message, lane->at, message->bytes - lane->at, &state,
                                        false);
    message->status = segment_end_message(message, &state);
    wipe(lane, sizeof *lane);
}

/* One item: some blocks of each of its lanes, the shortest setting the pace; lanes that come to the
   end of their message get another. */
static void run_chains(struct segment_job *job, size_t i)
{
    struct chain_lane *const mine = &job->lane[i * job->per_item];
    struct lane lane[CHAIN_LANES];
    struct chain_lane *owner[CHAIN_LANES];
    const struct mtaes_message *const any = &job->messages[job->first];
    const struct mtaes_key *const key = any->key;
    for (size_t budget = SEGMENT_CHAIN_BYTES / BLOCK_BYTES; budget;) {
        size_t lanes = 0, blocks = budget;
        for (size_t l = 0; l < job->per_item; l++) {
            if (!mine[l].message)
                load_lane(job, &mine[l]);
            const struct mtaes_message *const message = mine[l].message;
            if (!message)
                continue;
            lane[lanes].src = (const uint8_t *)message->src + mine[l].at;
            lane[lanes].dst = (uint8_t *)message->dst + mine[l].at;
            memcpy(lane[lanes].state, mine[l].state, BLOCK_BYTES);
            owner[lanes++] = &mine[l];
            blocks = smaller(blocks, (message->bytes - mine[l].at) / BLOCK_BYTES);
        }
        if (lanes == 0)
            break;
        kernel_chain(key->kernel, key->schedule, message_direction(any)->shape, lane, lanes,
                     blocks);
        for (size_t l = 0; l < lanes; l++) {
            memcpy(owner[l]->state, lane[l].state, BLOCK_BYTES);
            owner[l]->at += blocks * BLOCK_BYTES;
            if (owner[l]->message->bytes - owner[l]->at < BLOCK_BYTES)
                finish_lane(owner[l]);
        }
        budget -= blocks;
    }
    wipe(lane, sizeof lane);
}

static size_t begin_chains(struct segment_job *job)
{
    size_t count = 1;
    while (job->first + count < job->count &&
           goes_with(&job->messages[job->first], &job->messages[job->first + count]))
        count++;
    const size_t workers =
        smaller(smaller(job->limits.threads, count), SEGMENT_PARTS / CHAIN_LANES);
    job->next = job->first + count;
    job->items = workers;
    job->per_item = smaller((count + workers - 1) / workers, CHAIN_LANES);
    atomic_store_explicit(&job->taken, job->first, memory_order_relaxed);
    memset(job->lane, 0, sizeof *job->lane * job->items * job->per_item);
    job->phase = PHASE_CHAINS;
    return job->items;
}

/* Whether a lane is still on its way, or a message without a lane. */
static bool chains_go_on(struct segment_job *job)
{
    if (atomic_load_explicit(&job->taken, memory_order_relaxed) < job->next)
        return true;
    for (size_t l = 0; l < job->items * job->per_item; l++)
        if (job->lane[l].message)
            return true;
    return false;
}

/* ------------------------------------------------------------------------ whole messages */

/* Messages that are not cut, as many as stand one after another. */
static size_t begin_whole(struct segment_job *job)
{
    size_t end = job->first + 1;
    while (end < job->count &&
           (job->messages[end].status != MTAES_OK ||
            (!is_chain(&job->messages[end]) && !is_cut(job, &job->messages[end]))))
        end++;
    const size_t count = end - job->first;
    job->next = end;
    job->per_item = count / (4 * job->limits.threads) + 1;
    job->items = (count + job->per_item - 1) / job->per_item;
    job->phase = PHASE_WHOLE;
    return job->items;
}

static void run_whole(struct segment_job *job, size_t i)
{
    const size_t begin = job->first + i * job->per_item;
    const size_t end = smaller(begin + job->per_item, job->next);
    for (size_t m = begin; m < end; m++)
        if (job->messages[m].status == MTAES_OK)
            segment_whole(&job->messages[m], is_large(job, &job->messages[m]));
}

/* ----------------------------------------------------------------------------- the rounds */

/* What comes after the round that has just ended within the same messages; 0: nothing. */
static size_t go_on(struct segment_job *job)
{
    switch (job->phase) {
    case PHASE_PARTS:
        join_parts(job);
        if (job->window_end < job->messages[job->first].bytes)
            return plan_parts(job, job->window_end);
        end_parts(job);
        return 0;
    case PHASE_CHAINS:
        return chains_go_on(job) ? job->items : 0;
    case PHASE_WHOLE:
    case PHASE_NEXT:
        break;
    }
    return 0;
}

size_t segment_next_round(void *arg)
{
    struct segment_job *const job = arg;
    const size_t more = go_on(job);
    if (more)
        return more;
    job->first = job->next;
    while (job->first < job->count && job->messages[job->first].status != MTAES_OK)
        job->first++;
    job->next = job->first;
    job->phase = PHASE_NEXT;
    if (job->first == job->count)
        return 0;
    const struct mtaes_message *const message = &job->messages[job->first];
    if (is_cut(job, message))
        return begin_parts(job);
    return is_chain(message) ? begin_chains(job) : begin_whole(job);
}

void segment_item(void *arg, size_t i)
{
    struct segment_job *const job = arg;
    switch (job->phase) {
    case PHASE_PARTS:
        if (job->settles)
            run_settled_part(job, i);
        else
            run_part(job, i);
        break;
    case PHASE_CHAINS:
        run_chains(job, i);
        break;
    case PHASE_WHOLE:
        run_whole(job, i);
        break;
    case PHASE_NEXT:
        break;
    }
}
