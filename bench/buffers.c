/* buffers.c: the one source, destination and check buffer that all engines share. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "buffers.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "random.h"
#include "system.h"

enum { BUFFERS = 3 };
static const size_t alignment = (size_t)2 << 20, reserve = (size_t)64 << 20;

const char buffers_description[] =
    "one source, one destination and one check buffer for all engines, 2 MiB aligned, "
    "madvise(MADV_HUGEPAGE), all pages touched before the clock starts";

/* Map `mapped` bytes at a multiple of the alignment; NULL: no memory. */
static uint8_t *map_aligned(size_t mapped, bool *huge)
{
    uint8_t *const raw =
        mmap(NULL, mapped + alignment, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (raw == MAP_FAILED)
        return NULL;
    const size_t before = (alignment - (uintptr_t)raw % alignment) % alignment;
    if (before)
        munmap(raw, before);
    if (alignment - before)
        munmap(raw + before + mapped, alignment - before);
    if (madvise(raw + before, mapped, MADV_HUGEPAGE) != 0)
        *huge = false;
    return raw + before;
}

/* Whether three buffers of this size fit; reason says what is missing. */
static bool fits(size_t bytes, size_t *mapped, char *reason, size_t reason_room)
{
    size_t needed;
    const bool sane =
        !__builtin_add_overflow(bytes, alignment - 1, mapped) &&
        !__builtin_mul_overflow(*mapped / alignment * alignment, (size_t)BUFFERS, &needed) &&
        !__builtin_add_overflow(needed, reserve, &needed);
    *mapped = *mapped / alignment * alignment;
    const uint64_t available = system_memory_available();
    if (sane && (available == 0 || needed <= available))
        return true;
    snprintf(reason, reason_room,
             "%d buffers of %zu bytes do not fit the available memory of %llu MiB", BUFFERS, bytes,
             (unsigned long long)(available >> 20));
    return false;
}

bool buffers_create(struct buffers *buffers, size_t bytes, uint64_t seed, char *reason,
                    size_t reason_room)
{
    *buffers = (struct buffers){.bytes = bytes, .huge = true};
    if (!fits(bytes, &buffers->mapped_bytes, reason, reason_room))
        return false;
    uint8_t **const all[BUFFERS] = {&buffers->source, &buffers->target, &buffers->check};
    for (size_t i = 0; i < BUFFERS; i++) {
        *all[i] = map_aligned(buffers->mapped_bytes, &buffers->huge);
        if (!*all[i]) {
            snprintf(reason, reason_room, "mapping %zu bytes: %s", buffers->mapped_bytes,
                     strerror(errno));
            buffers_free(buffers);
            return false;
        }
    }
    random_fill(seed, RANDOM_TEXT, buffers->source, bytes);
    memset(buffers->target, 0x5a, bytes);
    memset(buffers->check, 0x5a, bytes);
    return true;
}

void buffers_free(struct buffers *buffers)
{
    uint8_t *const all[BUFFERS] = {buffers->source, buffers->target, buffers->check};
    for (size_t i = 0; i < BUFFERS; i++) {
        if (all[i])
            munmap(all[i], buffers->mapped_bytes);
    }
    *buffers = (struct buffers){0};
}
