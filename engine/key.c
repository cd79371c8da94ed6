/* key.c: keys: one mapping each, locked, kept out of core dumps, wiped. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <sys/mman.h>
#include <unistd.h>

#include "cpu.h"
#include "mode.h"
#include "registry.h"
#include "util.h"

enum { ALIGNMENT = 64 };

static size_t aligned(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* The row that goes with the kernel, or the first below it in the table that runs here. */
static const struct mtaes_ghash *ghash_for(const struct mtaes_kernel *kernel)
{
    bool at_or_below = false;
    for (size_t i = 0; registry_ghash[i]; i++) {
        const struct mtaes_ghash *const row = registry_ghash[i];
        at_or_below = at_or_below || !strcmp(row->name, kernel->ghash);
        if (at_or_below && (row->needs & ~cpu_features()) == 0)
            return row;
    }
    return NULL;
}

static mtaes_status check_pair(const struct mtaes_kernel *kernel, const struct mtaes_mode *mode)
{
    if (!mtaes_kernel_runs_here(kernel) || (mode->hashes && !ghash_for(kernel)))
        return MTAES_UNSUPPORTED;
    if (mode->cipher && strcmp(mode->cipher, kernel->cipher) != 0)
        return MTAES_UNSUPPORTED;
    return MTAES_OK;
}

/* A mapping of its own, as pages are what can be locked and kept out of dumps. */
static struct mtaes_key *map_key(size_t bytes)
{
    void *const p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    struct mtaes_key *const key = p;
    key->mapped_bytes = bytes;
    key->locked = mlock(p, bytes) == 0;
    madvise(p, bytes, MADV_DONTDUMP);
    return key;
}

mtaes_status mtaes_key_create(mtaes_key **created, const mtaes_kernel *kernel,
                              const mtaes_mode *mode, const void *key_material, size_t key_bytes)
{
    if (!created)
        return MTAES_ARG;
    *created = NULL;
    if (!kernel || !mode || !key_material)
        return MTAES_ARG;
    const mtaes_status status = check_pair(kernel, mode);
    if (status != MTAES_OK)
        return status;
    const struct mtaes_ghash *const ghash = mode->hashes ? ghash_for(kernel) : NULL;
    const size_t schedule = aligned(sizeof(struct mtaes_key));
    const size_t extra = schedule + aligned(kernel->schedule_bytes);
    const size_t extra_bytes = ghash            ? ghash->key_bytes
                               : mode->two_keys ? kernel->schedule_bytes
                                                : 0;
    struct mtaes_key *const key = map_key(extra + extra_bytes);
    if (!key)
        return MTAES_MEMORY;
    key->kernel = kernel;
    key->mode = mode;
    key->ghash = ghash;
    key->schedule = (uint8_t *)key + schedule;
    key->extra = (uint8_t *)key + extra;
    const bool halves = !mode->two_keys || key_bytes % 2 == 0;
    if (!halves ||
        !kernel->expand((uint8_t *)key + schedule, key_material,
                        mode->two_keys ? key_bytes / 2 : key_bytes) ||
        (mode->prepare && !mode->prepare(key, key_material, key_bytes))) {
        mtaes_key_free(key);
        return MTAES_KEY;
    }
    *created = key;
    return MTAES_OK;
}

void mtaes_key_free(mtaes_key *key)
{
    if (!key)
        return;
    const size_t bytes = key->mapped_bytes;
    wipe(key, bytes);
    munmap(key, bytes);
}

bool mtaes_key_is_locked(const mtaes_key *key)
{
    return key && key->locked;
}
