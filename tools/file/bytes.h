/* bytes.h: big-endian numbers and hexadecimal digits for the container library. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MTAES_TOOLS_BYTES_H
#define MTAES_TOOLS_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline uint64_t get_be(const uint8_t *bytes, size_t count)
{
    uint64_t value = 0;
    for (size_t i = 0; i < count; i++)
        value = value << 8 | bytes[i];
    return value;
}

static inline void put_be(uint8_t *bytes, size_t count, uint64_t value)
{
    for (size_t i = count; i-- > 0; value >>= 8)
        bytes[i] = (uint8_t)value;
}

/* The value of a hexadecimal digit of either case, or -1. Arithmetic only: key files are read with
   this, and a table indexed by a digit would tell the cache about it. */
static inline int hex_value(char digit)
{
    const unsigned c = (unsigned char)digit;
    const unsigned decimal = c - '0', letter = (c | 0x20) - 'a';
    const unsigned is_decimal = 0u - (unsigned)(decimal < 10),
                   is_letter = 0u - (unsigned)(letter < 6);
    const unsigned value = (decimal & is_decimal) | ((letter + 10) & is_letter);
    return (int)(value | ~(is_decimal | is_letter));
}

/* digits[0..2 * count) to bytes[0..count); false at a character that is no digit. */
static inline bool hex_decode(uint8_t *bytes, const char *digits, size_t count)
{
    int bad = 0;
    for (size_t i = 0; i < count; i++) {
        const int high = hex_value(digits[2 * i]), low = hex_value(digits[2 * i + 1]);
        bad |= high | low;
        bytes[i] = (uint8_t)((unsigned)high << 4 | ((unsigned)low & 15));
    }
    return bad >= 0;
}

/* Two digits a byte, lower case, no terminator; arithmetic only, as above. */
static inline void hex_encode(char *digits, const uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < 2 * count; i++) {
        const unsigned value = i & 1 ? bytes[i / 2] & 15u : bytes[i / 2] >> 4;
        digits[i] = (char)('0' + value + ((0u - (unsigned)(value > 9)) & ('a' - '0' - 10)));
    }
}

#endif
