/* stream.c: one message in pieces. No mode knows of pieces: what is no whole block is kept here. */
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Modes of whole blocks (and XTS) hold bytes back until a block is full. Modes that make a key stream give each byte
 * out at once: the bytes of a block that is not full are kept, and the block is processed again from the state before
 * it when more of it comes.
 */
#include "stream.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "execute.h"
#include "util.h"
#include "validate.h"

enum { HELD_MOST = 31, SMALL_PIECE = 64 };

struct mtaes_stream {
    atomic_flag busy; /* by whoever is inside a call; guards all that follows */
    mtaes_engine *engine;
    const mtaes_key *key;
    mtaes_direction direction;
    uint8_t *iv; /* a copy */
    size_t iv_bytes;
    struct state state;       /* after the last whole block */
    uint8_t held[HELD_MOST];  /* text after it */
    uint8_t aad[BLOCK_BYTES]; /* AAD after its last whole block */
    size_t held_bytes, aad_held_bytes;
    uint64_t text_bytes, aad_bytes; /* so far */
    bool text_begun, finished;
    bool over_limit; /* something was refused: what came until then is not the whole message */
};

static bool enter(mtaes_stream *stream)
{
    return !atomic_flag_test_and_set_explicit(&stream->busy, memory_order_acquire);
}

static mtaes_status leave(mtaes_stream *stream, mtaes_status status)
{
    atomic_flag_clear_explicit(&stream->busy, memory_order_release);
    return status;
}

static const struct mtaes_mode *mode_of(const mtaes_stream *stream)
{
    return stream->key->mode;
}

static bool holds_back(const mtaes_stream *stream)
{
    return mode_of(stream)->multiple_bytes > 1 || mode_of(stream)->units;
}

static struct mtaes_message piece_of(const mtaes_stream *stream, const void *src, void *dst,
                                     size_t bytes)
{
    return (struct mtaes_message){
        .key = stream->key,
        .direction = stream->direction,
        .src = src,
        .dst = dst,
        .bytes = bytes,
        .iv = stream->iv,
        .iv_bytes = stream->iv_bytes,
    };
}

/* Process bytes from `state` on: on the engine's threads where that pays. */
static void process(mtaes_stream *stream, const uint8_t *src, uint8_t *dst, size_t bytes,
                    struct state *state)
{
    struct mtaes_message piece = piece_of(stream, src, dst, bytes);
    const struct direction *const direction = message_direction(&piece);
    if (bytes == 0)
        return;
    const struct segment_limits limits = execute_limits(stream->engine, false);
    if (!direction->cut || execute_is_small(stream->engine, bytes)) {
        direction->run(&piece, 0, bytes, state, bytes >= limits.large_bytes);
        return;
    }
    struct segment_job job;
    segment_begin(&job, &piece, 1, state, &limits);
    execute_run(stream->engine, &job, false);
}

static mtaes_status begin(mtaes_stream *stream, const void *iv, size_t iv_bytes)
{
    const mtaes_status status = validate_iv(mode_of(stream), iv, iv_bytes);
    if (status != MTAES_OK)
        return status;
    uint8_t *const copy = malloc(iv_bytes ? iv_bytes : 1);
    if (!copy)
        return MTAES_MEMORY;
    if (iv_bytes)
        memcpy(copy, iv, iv_bytes);
    free(stream->iv);
    stream->iv = copy;
    stream->iv_bytes = iv_bytes;
    stream->held_bytes = stream->aad_held_bytes = 0;
    stream->text_bytes = stream->aad_bytes = 0;
    stream->text_begun = stream->finished = stream->over_limit = false;
    const struct mtaes_message whole = piece_of(stream, NULL, NULL, 0);
    segment_begin_message(&whole, &stream->state);
    return MTAES_OK;
}

mtaes_status mtaes_stream_create(mtaes_stream **created, mtaes_engine *engine, const mtaes_key *key,
                                 mtaes_direction direction, const void *iv, size_t iv_bytes)
{
    if (!created)
        return MTAES_ARG;
    *created = NULL;
    if (!engine || !key || (direction != MTAES_ENCRYPT && direction != MTAES_DECRYPT))
        return MTAES_ARG;
    if (key->weak && direction == MTAES_ENCRYPT)
        return MTAES_KEY;
    mtaes_stream *const stream = calloc(1, sizeof *stream);
    if (!stream)
        return MTAES_MEMORY;
    atomic_flag_clear(&stream->busy);
    stream->engine = engine;
    stream->key = key;
    stream->direction = direction;
    const mtaes_status status = begin(stream, iv, iv_bytes);
    if (status != MTAES_OK)
        mtaes_stream_free(stream);
    else
        *created = stream;
    return status;
}

/* ------------------------------------------------------------------------------------ AAD */

static mtaes_status take_aad(mtaes_stream *stream, const uint8_t *aad, size_t bytes)
{
    if (!mode_of(stream)->absorb)
        return MTAES_UNSUPPORTED;
    if (stream->text_begun || stream->finished)
        return MTAES_ARG;
    if (bytes > VALIDATE_AAD_BYTES_MAX - stream->aad_bytes) {
        stream->over_limit = true;
        return MTAES_LENGTH;
    }
    const struct mtaes_message whole = piece_of(stream, NULL, NULL, 0);
    stream->aad_bytes += bytes;
    while (bytes) {
        if (stream->aad_held_bytes == 0 && bytes >= BLOCK_BYTES) {
            const size_t blocks = bytes / BLOCK_BYTES * BLOCK_BYTES;
            mode_of(stream)->absorb(&whole, &stream->state, aad, blocks);
            aad += blocks;
            bytes -= blocks;
            continue;
        }
        stream->aad[stream->aad_held_bytes++] = *aad++;
        bytes--;
        if (stream->aad_held_bytes == BLOCK_BYTES) {
            mode_of(stream)->absorb(&whole, &stream->state, stream->aad, BLOCK_BYTES);
            stream->aad_held_bytes = 0;
        }
    }
    return MTAES_OK;
}

mtaes_status mtaes_stream_aad(mtaes_stream *stream, const void *aad, size_t aad_bytes)
{
    if (!stream || (!aad && aad_bytes))
        return MTAES_ARG;
    if (!enter(stream))
        return MTAES_BUSY;
    return leave(stream, take_aad(stream, aad, aad_bytes));
}

/* The text begins, so the AAD is over. */
static void end_aad(mtaes_stream *stream)
{
    if (stream->aad_held_bytes) {
        const struct mtaes_message whole = piece_of(stream, NULL, NULL, 0);
        mode_of(stream)->absorb(&whole, &stream->state, stream->aad, stream->aad_held_bytes);
        stream->aad_held_bytes = 0;
    }
    stream->text_begun = true;
}

/* ----------------------------------------------------------------------------------- text */

/* The kept part of a block and `bytes` more of it, at most up to its end, which alone go to dst. */
static void extend_block(mtaes_stream *stream, const uint8_t *src, uint8_t *dst, size_t bytes)
{
    const size_t before = stream->held_bytes, after = before + bytes;
    uint8_t out[BLOCK_BYTES];
    struct state state = stream->state;
    memcpy(stream->held + before, src, bytes);
    process(stream, stream->held, out, after, &state);
    memcpy(dst, out + before, bytes);
    stream->held_bytes = after % BLOCK_BYTES;
    if (stream->held_bytes == 0)
        stream->state = state;
    wipe(out, sizeof out);
    wipe(&state, sizeof state);
}

static void update_key_stream(mtaes_stream *stream, const uint8_t *src, size_t bytes, uint8_t *dst)
{
    if (stream->held_bytes && bytes) {
        const size_t room = BLOCK_BYTES - stream->held_bytes, head = bytes < room ? bytes : room;
        extend_block(stream, src, dst, head);
        src += head;
        dst += head;
        bytes -= head;
    }
    const size_t whole = bytes / BLOCK_BYTES * BLOCK_BYTES;
    process(stream, src, dst, whole, &stream->state);
    if (bytes > whole)
        extend_block(stream, src + whole, dst + whole, bytes - whole);
}

/* `ready` bytes of what is held and of src can be processed now; the rest is held. */
static void update_blocks(mtaes_stream *stream, const uint8_t *src, size_t bytes, uint8_t *dst,
                          size_t ready)
{
    uint8_t head[SMALL_PIECE];
    size_t taken = bytes; /* of src, by way of head */
    if (stream->held_bytes + bytes > sizeof head)
        taken = (BLOCK_BYTES - stream->held_bytes % BLOCK_BYTES) % BLOCK_BYTES;
    const size_t in_head = stream->held_bytes + taken;
    const size_t from_head = ready < in_head ? ready : in_head;
    memcpy(head, stream->held, stream->held_bytes);
    if (taken)
        memcpy(head + stream->held_bytes, src, taken);
    process(stream, head, head, from_head, &stream->state);
    if (from_head)
        memcpy(dst, head, from_head);
    process(stream, src + taken, dst + from_head, ready - from_head, &stream->state);

    /* What is left stands at the end of head or of src, never in both. */
    stream->held_bytes += bytes - ready;
    if (taken == bytes)
        memcpy(stream->held, head + from_head, stream->held_bytes);
    else
        memcpy(stream->held, src + bytes - stream->held_bytes, stream->held_bytes);
    wipe(head, sizeof head);
}

static mtaes_status check_update(mtaes_stream *stream, const uint8_t *src, size_t bytes,
                                 const uint8_t *dst, size_t room, size_t *ready)
{
    const struct mtaes_message all = piece_of(stream, NULL, NULL, stream->held_bytes + bytes);
    if (stream->finished)
        return MTAES_ARG;
    if (bytes > mode_of(stream)->bytes_max - stream->text_bytes) {
        stream->over_limit = true;
        return MTAES_LENGTH;
    }
    const size_t held = holds_back(stream) ? stream->held_bytes : 0;
    *ready = bytes;
    if (holds_back(stream)) {
        const struct direction *const direction = message_direction(&all);
        *ready = direction->cut ? direction->cut(&all, all.bytes, false)
                                : all.bytes / BLOCK_BYTES * BLOCK_BYTES;
    }
    if (*ready > room)
        return MTAES_LENGTH;
    if (*ready && !dst)
        return MTAES_ARG;
    return (uintptr_t)src - held == (uintptr_t)dst || validate_disjoint(src, bytes, dst, *ready)
               ? MTAES_OK
               : MTAES_OVERLAP;
}

mtaes_status mtaes_stream_update(mtaes_stream *stream, const void *src, size_t src_bytes, void *dst,
                                 size_t dst_room, size_t *written)
{
    if (!stream || !written || (!src && src_bytes))
        return MTAES_ARG;
    if (!enter(stream))
        return MTAES_BUSY;
    size_t ready;
    const mtaes_status status = check_update(stream, src, src_bytes, dst, dst_room, &ready);
    if (status == MTAES_OK && src_bytes) {
        end_aad(stream);
        if (holds_back(stream))
            update_blocks(stream, src, src_bytes, dst, ready);
        else
            update_key_stream(stream, src, src_bytes, dst);
        stream->text_bytes += src_bytes;
    }
    *written = status == MTAES_OK ? ready : 0;
    return leave(stream, status);
}

size_t mtaes_stream_held(const mtaes_stream *stream)
{
    return stream && holds_back(stream) ? stream->held_bytes : 0;
}

/* --------------------------------------------------------------------------------- finish */

static mtaes_status check_finish(const mtaes_stream *stream, const void *dst, size_t room,
                                 const void *tag, size_t tag_bytes)
{
    const struct mtaes_mode *const mode = mode_of(stream);
    if (stream->finished)
        return MTAES_ARG;
    if (tag_bytes != mode->tag_bytes)
        return MTAES_TAG;
    if (mode->tag_bytes && !tag)
        return MTAES_ARG;
    if (stream->over_limit || stream->text_bytes < mode->bytes_min)
        return MTAES_LENGTH;
    if (!holds_back(stream) || stream->held_bytes == 0)
        return MTAES_OK;
    if (!mode->units || room < stream->held_bytes)
        return MTAES_LENGTH;
    return dst ? MTAES_OK : MTAES_ARG;
}

static mtaes_status finish(mtaes_stream *stream, uint8_t *dst, uint8_t *tag)
{
    uint8_t last[HELD_MOST];
    end_aad(stream);
    if (stream->held_bytes) {
        process(stream, stream->held, last, stream->held_bytes, &stream->state);
        if (holds_back(stream))
            memcpy(dst, last, stream->held_bytes);
        wipe(last, sizeof last);
    }
    stream->finished = true;
    return segment_end_message(&(struct mtaes_message){.key = stream->key,
                                                       .direction = stream->direction,
                                                       .iv = stream->iv,
                                                       .iv_bytes = stream->iv_bytes,
                                                       .tag = tag},
                               &stream->state);
}

mtaes_status mtaes_stream_finish(mtaes_stream *stream, void *dst, size_t dst_room, size_t *written,
                                 void *tag, size_t tag_bytes)
{
    if (!stream || !written)
        return MTAES_ARG;
    if (!enter(stream))
        return MTAES_BUSY;
    mtaes_status status = check_finish(stream, dst, dst_room, tag, tag_bytes);
    *written = 0;
    if (status == MTAES_OK) {
        *written = holds_back(stream) ? stream->held_bytes : 0;
        status = finish(stream, dst, tag);
    }
    return leave(stream, status);
}

/* ------------------------------------------------------------------------ copy, reset, free */

mtaes_status mtaes_stream_copy(mtaes_stream **copy, mtaes_stream *stream)
{
    if (!copy)
        return MTAES_ARG;
    *copy = NULL;
    if (!stream)
        return MTAES_ARG;
    if (!enter(stream))
        return MTAES_BUSY;
    mtaes_stream *const made = malloc(sizeof *made);
    uint8_t *const iv = malloc(stream->iv_bytes ? stream->iv_bytes : 1);
    if (!made || !iv) {
        free(made);
        free(iv);
        return leave(stream, MTAES_MEMORY);
    }
    memcpy(iv, stream->iv, stream->iv_bytes);
    memcpy(made, stream, sizeof *made);
    atomic_flag_clear(&made->busy);
    made->iv = iv;
    *copy = made;
    return leave(stream, MTAES_OK);
}

mtaes_status mtaes_stream_reset(mtaes_stream *stream, const void *iv, size_t iv_bytes)
{
    if (!stream)
        return MTAES_ARG;
    if (!enter(stream))
        return MTAES_BUSY;
    return leave(stream, begin(stream, iv, iv_bytes));
}

void mtaes_stream_free(mtaes_stream *stream)
{
    if (!stream)
        return;
    free(stream->iv);
    wipe(stream, sizeof *stream);
    free(stream);
}

void stream_set_text_bytes(mtaes_stream *stream, uint64_t bytes)
{
    stream->text_bytes = bytes;
    stream->state.done = bytes;
}
