/* stream.h: what tests may do to a stream beside its public functions. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MTAES_ENGINE_STREAM_H
#define MTAES_ENGINE_STREAM_H

#include "mtaes.h"

/* As if so many bytes, a multiple of 16, had been processed: to come near a mode's limit in no time. */
void stream_set_text_bytes(mtaes_stream *stream, uint64_t bytes);

#endif
