/* workload.c: what all engines are asked to do. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "workload.h"

#include <stdio.h>
#include <string.h>

#include "random.h"

static const unsigned key_bits[] = {128, 192, 256};
enum { KEY_LENGTHS = sizeof key_bits / sizeof key_bits[0] };
static const size_t unit_max = (size_t)16 << 20;

/* The next cipher after the row's; the kernels of one stand together. */
static const mtaes_kernel *next_family(const mtaes_kernel *row)
{
    const mtaes_kernel *next = mtaes_kernel_next(row);
    while (row && next && strcmp(mtaes_kernel_cipher(next), mtaes_kernel_cipher(row)) == 0)
        next = mtaes_kernel_next(next);
    return next;
}

bool workload_set_cipher(struct workload *work, const char *name)
{
    for (const mtaes_kernel *row = next_family(NULL); row; row = next_family(row)) {
        for (size_t i = 0; i < KEY_LENGTHS; i++) {
            snprintf(work->family, sizeof work->family, "%s", mtaes_kernel_cipher(row));
            snprintf(work->cipher, sizeof work->cipher, "%s-%u", work->family, key_bits[i]);
            work->key_bits = key_bits[i];
            if (strcmp(work->cipher, name) == 0)
                return true;
        }
    }
    return false;
}

void workload_cipher_names(char *text, size_t room)
{
    size_t used = 0;
    text[0] = 0;
    for (const mtaes_kernel *row = next_family(NULL); row; row = next_family(row)) {
        for (size_t i = 0; i < KEY_LENGTHS && used < room; i++)
            used += (size_t)snprintf(text + used, room - used, "%s%s-%u", used ? ", " : "",
                                     mtaes_kernel_cipher(row), key_bits[i]);
    }
}

void workload_set_mode(struct workload *work, const mtaes_mode *mode)
{
    work->mode = mode;
    work->mode_name = mtaes_mode_name(mode);
    work->info = mtaes_mode_describe(mode);
    work->structure = structure_of(work->mode_name);
}

void workload_set_key(struct workload *work, uint64_t seed)
{
    const bool two_keys = work->structure == STRUCTURE_UNIT;
    work->key_bytes = work->key_bits / 8 * (two_keys ? 2 : 1);
    random_fill(seed, RANDOM_KEY, work->key, sizeof work->key);

    const size_t usual = work->structure == STRUCTURE_GCM ? 12 : BLOCK;
    const size_t most = work->info.iv_bytes_max < usual ? work->info.iv_bytes_max : usual;
    work->iv_bytes = most;
    random_fill(seed, RANDOM_IV, work->iv, sizeof work->iv);
    if (two_keys)
        work->iv[BLOCK - 1] = 0; /* so that the number of no unit passes the last there is */
}

struct workload workload_stream(const struct workload *work, size_t i)
{
    struct workload one = *work;
    one.streams = 1;
    one.bytes = work->bytes / workload_streams(work);
    one.iv[0] = (uint8_t)(work->iv[0] ^ i);
    return one;
}

/* XTS: every unit but the last is whole, and none is shorter than a block. */
static bool set_units(struct workload *work, size_t unit_bytes, char *reason, size_t reason_room)
{
    if (unit_bytes == 0)
        unit_bytes = unit_max;
    if (unit_bytes > work->bytes)
        unit_bytes = work->bytes;
    work->unit_bytes = unit_bytes;
    const size_t rest = work->bytes % unit_bytes;
    if (work->bytes < BLOCK)
        snprintf(reason, reason_room, "size %zu: mode %s needs 16 bytes or more", work->bytes,
                 work->mode_name);
    else if (rest > 0 && rest < BLOCK)
        snprintf(
            reason, reason_room,
            "size %zu leaves a last unit of %zu bytes; units of %zu bytes need a rest of 0, or "
            "of 16 or more",
            work->bytes, rest, unit_bytes);
    else
        return true;
    return false;
}

bool workload_set_bytes(struct workload *work, size_t bytes, size_t unit_bytes, char *reason,
                        size_t reason_room)
{
    work->bytes = bytes;
    work->unit_bytes = 0;
    if (work->structure == STRUCTURE_UNIT)
        return set_units(work, unit_bytes, reason, reason_room);
    const size_t streams = workload_streams(work);
    if (streams > 1 && bytes % (streams * BLOCK)) {
        snprintf(reason, reason_room, "size %zu: %zu messages need a multiple of %zu bytes", bytes,
                 streams, streams * BLOCK);
        return false;
    }
    if (work->info.multiple_bytes > 1 && bytes % work->info.multiple_bytes) {
        snprintf(reason, reason_room, "size %zu: mode %s needs a multiple of %zu bytes", bytes,
                 work->mode_name, work->info.multiple_bytes);
        return false;
    }
    if (bytes < work->info.bytes_min || bytes > work->info.bytes_max) {
        snprintf(reason, reason_room, "size %zu: mode %s takes %llu to %llu bytes", bytes,
                 work->mode_name, (unsigned long long)work->info.bytes_min,
                 (unsigned long long)work->info.bytes_max);
        return false;
    }
    return true;
}
