/* pieces.c: a message through mtaes_stream, in pieces. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "pieces.h"

const size_t piece_sizes[PIECE_SIZES] = {1, 7, 15, 16, 17, 4095, PIECES_RANDOM};

#ifndef MTAES_TESTS_WITHOUT_STREAMS

bool pieces_exist(void)
{
    return true;
}

/* Random pieces are of any magnitude up to 16 KiB, and sometimes empty. */
static size_t next_piece(size_t piece, struct random *random, size_t left)
{
    if (piece == PIECES_RANDOM)
        piece = random_below(random, (size_t)1 << (1 + random_below(random, 14)));
    return piece < left ? piece : left;
}

static mtaes_status feed_aad(mtaes_stream *stream, const mtaes_message *message, size_t piece,
                             struct random *random)
{
    for (size_t at = 0; at < message->aad_bytes;) {
        const size_t n = next_piece(piece, random, message->aad_bytes - at);
        const mtaes_status status = mtaes_stream_aad(stream, (const uint8_t *)message->aad + at, n);
        if (status != MTAES_OK)
            return status;
        at += n;
    }
    return MTAES_OK;
}

static mtaes_status feed_text(mtaes_stream *stream, const mtaes_message *message, size_t piece,
                              struct random *random, size_t *total)
{
    const uint8_t *src = message->src;
    uint8_t *dst = message->dst;
    for (size_t at = 0; at < message->bytes;) {
        const size_t n = next_piece(piece, random, message->bytes - at);
        size_t written = 0;
        const mtaes_status status = mtaes_stream_update(stream, src + at, n, dst + *total,
                                                        message->bytes - *total, &written);
        if (status != MTAES_OK)
            return status;
        *total += written;
        at += n;
    }
    return MTAES_OK;
}

mtaes_status pieces_run(mtaes_engine *engine, const mtaes_message *message, size_t piece,
                        struct random *random, const char **fault)
{
    mtaes_stream *stream = NULL;
    size_t total = 0, written = 0;
    *fault = NULL;
    mtaes_status status = mtaes_stream_create(&stream, engine, message->key, message->direction,
                                              message->iv, message->iv_bytes);
    if (status != MTAES_OK)
        return status;
    status = feed_aad(stream, message, piece, random);
    if (status == MTAES_OK)
        status = feed_text(stream, message, piece, random, &total);
    if (status == MTAES_OK && mtaes_stream_held(stream) != message->bytes - total)
        *fault = "the stream holds back another number of bytes than it has not written";
    if (status == MTAES_OK)
        status =
            mtaes_stream_finish(stream, (uint8_t *)message->dst + total, message->bytes - total,
                                &written, message->tag, message->tag_bytes);
    if (status == MTAES_OK && total + written != message->bytes)
        *fault = "the stream wrote another number of bytes than it was fed";
    mtaes_stream_free(stream);
    return status;
}

#else

bool pieces_exist(void)
{
    return false;
}

mtaes_status pieces_run(mtaes_engine *engine, const mtaes_message *message, size_t piece,
                        struct random *random, const char **fault)
{
    (void)engine, (void)message, (void)piece, (void)random, (void)fault;
    return MTAES_UNSUPPORTED;
}

#endif
