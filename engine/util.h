/* util.h: bytes: big- and little-endian words, xor, wiping, constant-time comparison. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MTAES_ENGINE_UTIL_H
#define MTAES_ENGINE_UTIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* 1 in a build in which clang's memory sanitizer follows secrets (tests/test_secrets.c). */
#define FOLLOWS_SECRETS 0
#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#undef FOLLOWS_SECRETS
#define FOLLOWS_SECRETS 1
#endif
#endif

static inline uint64_t load_be64(const uint8_t *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return __builtin_bswap64(v);
}

static inline void store_be64(uint8_t *p, uint64_t v)
{
    v = __builtin_bswap64(v);
    memcpy(p, &v, sizeof v);
}

static inline uint32_t load_be32(const uint8_t *p)
{
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return __builtin_bswap32(v);
}

static inline void store_be32(uint8_t *p, uint32_t v)
{
    v = __builtin_bswap32(v);
    memcpy(p, &v, sizeof v);
}

static inline uint64_t load_le64(const uint8_t *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline void store_le64(uint8_t *p, uint64_t v)
{
    memcpy(p, &v, sizeof v);
}

/* dst = a ^ b, 16 bytes; any of them may be the same. */
static inline void xor_block(uint8_t *dst, const uint8_t *a, const uint8_t *b)
{
    store_le64(dst, load_le64(a) ^ load_le64(b));
    const uint64_t high = load_le64(a + 8) ^ load_le64(b + 8);
    store_le64(dst + 8, high);
}

/* counter += n, as one 128-bit big-endian number that wraps. */
static inline void add_be128(uint8_t counter[16], uint64_t n)
{
    const uint64_t low = load_be64(counter + 8), sum = low + n;
    store_be64(counter + 8, sum);
    store_be64(counter, load_be64(counter) + (sum < low));
}

/* number += n, little-endian; returns true if it wrapped. */
static inline bool add_le128(uint8_t number[16], uint64_t n)
{
    const uint64_t low = load_le64(number), sum = low + n, carry = sum < low;
    const uint64_t high = load_le64(number + 8) + carry;
    store_le64(number, sum);
    store_le64(number + 8, high);
    return carry && high == 0;
}

/* Overwrite with zeros in a way that the optimiser keeps: the empty asm claims to read the memory.
 */
static inline void wipe(void *p, size_t bytes)
{
    memset(p, 0, bytes);
    __asm__ volatile("" : : "r"(p) : "memory");
}

/* Whether the two are equal, in a time that depends on bytes only. */
static inline bool equal_constant_time(const uint8_t *a, const uint8_t *b, size_t bytes)
{
    uint8_t difference = 0;
    for (size_t i = 0; i < bytes; i++)
        difference |= (uint8_t)(a[i] ^ b[i]);
#if FOLLOWS_SECRETS
    __msan_unpoison(&difference, sizeof difference); /* the answer is public */
#else
    __asm__ volatile("" : "+r"(difference)); /* no early way out */
#endif
    return difference == 0;
}

#endif
