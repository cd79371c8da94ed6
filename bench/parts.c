/* parts.c: how one message is cut for peers that have no threads of their own. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "parts.h"

#include <stdbool.h>

/* As the library's own scheduler cuts: parts of whole 64 KiB, some 32 of them a thread, so that a
   thread that loses time to others does not hold up the whole. */
enum { PER_THREAD = 32 };
static const size_t part_min = (size_t)64 << 10;

static size_t part_bytes(size_t bytes, size_t threads, size_t granule)
{
    if (threads < 2 || bytes < 2 * part_min)
        return bytes;
    const size_t wanted = threads < PARTS_MAX / PER_THREAD ? threads * PER_THREAD : PARTS_MAX;
    const size_t part = (bytes / wanted / part_min + 1) * part_min;
    if (granule == 0)
        return part;
    return granule > part ? granule : part / granule * granule;
}

void parts_make(struct parts *parts, size_t bytes, size_t threads, size_t granule)
{
    const size_t part = part_bytes(bytes, threads, granule);
    parts->count = 0;
    parts->at[0] = 0;
    while (parts->at[parts->count] < bytes) {
        const size_t at = parts->at[parts->count], rest = bytes - at;
        const bool last = rest <= part || parts->count == PARTS_MAX - 1;
        parts->at[++parts->count] = at + (last ? rest : part);
    }
}
