/* verify.c: is what an engine wrote right? */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "verify.h"

#include <string.h>

#include "random.h"

size_t verify_compare(const uint8_t *a, const uint8_t *b, size_t bytes)
{
    const size_t stretch = (size_t)1 << 20;
    for (size_t at = 0; at < bytes; at += stretch) {
        const size_t length = bytes - at < stretch ? bytes - at : stretch;
        if (memcmp(a + at, b + at, length) == 0)
            continue;
        while (a[at] == b[at])
            at++;
        return at;
    }
    return bytes;
}

void probes_take(struct probes *probes, const uint8_t *plain, const uint8_t *cipher, size_t bytes,
                 uint64_t seed)
{
    for (size_t i = 0; i < PROBES; i++) {
        const size_t at = i == 0   ? 0
                          : i == 1 ? bytes - 1
                                   : (size_t)(random_word(seed, RANDOM_PROBES, i) % bytes);
        probes->at[i] = at;
        probes->plain[i] = plain[at];
        probes->cipher[i] = cipher[at];
    }
}

void probes_spoil(const struct probes *probes, bool plain, uint8_t *buffer)
{
    const uint8_t *const right = plain ? probes->plain : probes->cipher;
    for (size_t i = 0; i < PROBES; i++)
        buffer[probes->at[i]] = (uint8_t)~right[i];
}

const size_t *probes_wrong(const struct probes *probes, bool plain, const uint8_t *buffer)
{
    const uint8_t *const right = plain ? probes->plain : probes->cipher;
    for (size_t i = 0; i < PROBES; i++) {
        if (buffer[probes->at[i]] != right[i])
            return &probes->at[i];
    }
    return NULL;
}
