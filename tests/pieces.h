/* pieces.h: a message through mtaes_stream, in pieces. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MTAES_TESTS_PIECES_H
#define MTAES_TESTS_PIECES_H

#include "support.h"

/* A size of pieces: so many bytes, or drawn anew for each. */
enum { PIECES_RANDOM = 0 };
enum { PIECE_SIZES = 7 };
extern const size_t piece_sizes[PIECE_SIZES];

/* Whether this build has streams. */
bool pieces_exist(void);

/*
 * What mtaes_run would do, by a stream fed `piece` bytes at a time (aad too); dst may be src.
 * Returns the first status that is not OK; the tag is written or compared as by mtaes_run. When
 * the stream writes another number of bytes than it was fed, *fault says so; else it is NULL.
 */
mtaes_status pieces_run(mtaes_engine *engine, const mtaes_message *message, size_t piece,
                        struct random *random, const char **fault);

#endif
