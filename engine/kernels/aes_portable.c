/* aes_portable.c: AES of FIPS 197 (2001) for any CPU, bitsliced: no tables, no branches on data. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "aes_key.h"

/*
 * A group of blocks is turned about so that a word holds one bit of one row of the state: word
 * 8 * row + bit, and in it place 16 * column + block. The S-box is then a Boolean circuit over
 * eight words, ShiftRows rotates words, and MixColumns is plain XOR between words.
 *
 * A slice is SLICE_LANES such words side by side, so that the vector registers that a compiler has
 * by default (SSE2, NEON) work on as many groups at once; elsewhere it is split into words.
 */
enum { ROW_SLICES = 8, STATE_SLICES = 32, GROUP_BLOCKS = 16, SLICE_LANES = 2 };
enum { PASS_BLOCKS = SLICE_LANES * GROUP_BLOCKS };

typedef uint64_t slice __attribute__((vector_size(8 * SLICE_LANES)));

struct portable_schedule {
    uint64_t round_keys[AES_ROUND_KEYS][STATE_SLICES]; /* the same in each lane */
    uint32_t rounds;
};

/*
 * The S-box (5.1.1): the circuit of 32 AND, 77 XOR and 4 XNOR gates by J. Boyar and R. Peralta ("A
 * new combinational logic minimization technique with applications to cryptology", SEA 2010, and
 * their later SLP_AES_113), signals numbered as there. u0 is the highest bit.
 */
static inline void substitute(slice b[ROW_SLICES])
{
    const slice u0 = b[7], u1 = b[6], u2 = b[5], u3 = b[4];
    const slice u4 = b[3], u5 = b[2], u6 = b[1], u7 = b[0];

    /* to the tower field */
    const slice y14 = u3 ^ u5, y13 = u0 ^ u6, y9 = u0 ^ u3, y8 = u0 ^ u5, t0 = u1 ^ u2;
    const slice y1 = t0 ^ u7, y4 = y1 ^ u3, y12 = y13 ^ y14, y2 = y1 ^ u0, y5 = y1 ^ u6;
    const slice y3 = y5 ^ y8, t1 = u4 ^ y12, y15 = t1 ^ u5, y20 = t1 ^ u1, y6 = y15 ^ u7;
    const slice y10 = y15 ^ t0, y11 = y20 ^ y9, y7 = u7 ^ y11, y17 = y10 ^ y11;
    const slice y19 = y10 ^ y8, y16 = t0 ^ y11, y21 = y13 ^ y16, y18 = u0 ^ y16;

    /* the inverse there */
    const slice t2 = y12 & y15, t3 = y3 & y6, t4 = t3 ^ t2, t5 = y4 & u7, t6 = t5 ^ t2;
    const slice t7 = y13 & y16, t8 = y5 & y1, t9 = t8 ^ t7, t10 = y2 & y7, t11 = t10 ^ t7;
    const slice t12 = y9 & y11, t13 = y14 & y17, t14 = t13 ^ t12, t15 = y8 & y10, t16 = t15 ^ t12;
    const slice t17 = t4 ^ y20, t18 = t6 ^ t16, t19 = t9 ^ t14, t20 = t11 ^ t16;
    const slice t21 = t17 ^ t14, t22 = t18 ^ y19, t23 = t19 ^ y21, t24 = t20 ^ y18;
    const slice t25 = t21 ^ t22, t26 = t21 & t23, t27 = t24 ^ t26, t28 = t25 & t27;
    const slice t29 = t28 ^ t22, t30 = t23 ^ t24, t31 = t22 ^ t26, t32 = t31 & t30;
    const slice t33 = t32 ^ t24, t34 = t23 ^ t33, t35 = t27 ^ t33, t36 = t24 & t35;
    const slice t37 = t36 ^ t34, t38 = t27 ^ t36, t39 = t29 & t38, t40 = t25 ^ t39;
    const slice t41 = t40 ^ t37, t42 = t29 ^ t33, t43 = t29 ^ t40, t44 = t33 ^ t37;
    const slice t45 = t42 ^ t41;
    const slice z0 = t44 & y15, z1 = t37 & y6, z2 = t33 & u7, z3 = t43 & y16, z4 = t40 & y1;
    const slice z5 = t29 & y7, z6 = t42 & y11, z7 = t45 & y17, z8 = t41 & y10, z9 = t44 & y12;
    const slice z10 = t37 & y3, z11 = t33 & y4, z12 = t43 & y13, z13 = t40 & y5, z14 = t29 & y2;
    const slice z15 = t42 & y9, z16 = t45 & y14, z17 = t41 & y8;

    /* and back, with the affine map */
    const slice c1 = z15 ^ z16, c2 = z10 ^ c1, c3 = z9 ^ c2, c4 = z0 ^ z2, c5 = z1 ^ z0;
    const slice c6 = z3 ^ z4, c7 = z12 ^ c4, c8 = z7 ^ c6, c9 = z8 ^ c7, c10 = c8 ^ c9;
    const slice c11 = c6 ^ c5, c12 = z3 ^ z5, c13 = z13 ^ c1, c14 = c4 ^ c12, s3 = c3 ^ c11;
    const slice c16 = z6 ^ c8, c17 = z14 ^ c10, c18 = c13 ^ c14, c20 = z15 ^ c16;
    const slice c21 = c2 ^ z11, c26 = c17 ^ c20;
    b[7] = c3 ^ c16;
    b[6] = ~(s3 ^ c16);
    b[5] = ~(c26 ^ z17);
    b[4] = s3;
    b[3] = c14 ^ s3;
    b[2] = c21 ^ c17;
    b[1] = ~(c10 ^ c18);
    b[0] = ~(z12 ^ c18);
}

/* The inverse of the affine map that ends the S-box (5.1.1): x rotated by 1, 3 and 6, and 5. */
static inline void affine_inverse(slice b[ROW_SLICES])
{
    const slice b0 = b[0], b1 = b[1], b2 = b[2], b3 = b[3];
    const slice b4 = b[4], b5 = b[5], b6 = b[6], b7 = b[7];
    b[0] = ~(b2 ^ b5 ^ b7);
    b[1] = b3 ^ b6 ^ b0;
    b[2] = ~(b4 ^ b7 ^ b1);
    b[3] = b5 ^ b0 ^ b2;
    b[4] = b6 ^ b1 ^ b3;
    b[5] = b7 ^ b2 ^ b4;
    b[6] = b0 ^ b3 ^ b5;
    b[7] = b1 ^ b4 ^ b6;
}

/* S(x) = A(1 / x) gives S^-1(x) = 1 / A^-1(x) = A^-1(S(A^-1(x))). */
static inline void substitute_inverse(slice b[ROW_SLICES])
{
    affine_inverse(b);
    substitute(b);
    affine_inverse(b);
}

static inline slice rotate_right(slice x, unsigned places)
{
    return x >> places | x << (64 - places);
}

/* SubBytes and ShiftRows: column c takes from column c + row. */
static void substitute_and_shift(slice s[STATE_SLICES])
{
    for (unsigned row = 0; row < 4; row++, s += ROW_SLICES) {
        substitute(s);
        for (size_t i = 0; row != 0 && i < ROW_SLICES; i++)
            s[i] = rotate_right(s[i], 16 * row);
    }
}

static void unshift_and_substitute(slice s[STATE_SLICES])
{
    for (unsigned row = 0; row < 4; row++, s += ROW_SLICES) {
        substitute_inverse(s);
        for (size_t i = 0; row != 0 && i < ROW_SLICES; i++)
            s[i] = rotate_right(s[i], 64 - 16 * row);
    }
}

/* b *= x in the field of 4.2; the bits move up, and the highest comes back as 0x1b. */
static inline void times_x(slice b[ROW_SLICES])
{
    const slice top = b[7];
    b[7] = b[6];
    b[6] = b[5];
    b[5] = b[4];
    b[4] = b[3] ^ top;
    b[3] = b[2] ^ top;
    b[2] = b[1];
    b[1] = b[0] ^ top;
    b[0] = top;
}

/* MixColumns: row r becomes r + all + x * (r + next), where all is the sum of the four rows. */
static void mix_columns(slice s[STATE_SLICES])
{
    slice all[ROW_SLICES], sum[4][ROW_SLICES];
    for (size_t i = 0; i < ROW_SLICES; i++) {
        for (size_t row = 0; row < 4; row++)
            sum[row][i] = s[8 * row + i] ^ s[8 * ((row + 1) % 4) + i];
        all[i] = sum[0][i] ^ sum[2][i];
    }
    for (size_t row = 0; row < 4; row++) {
        times_x(sum[row]);
        for (size_t i = 0; i < ROW_SLICES; i++)
            s[8 * row + i] ^= all[i] ^ sum[row][i];
    }
}

/* InvMixColumns: add x * x * (r + the row after the next), then MixColumns. */
static void unmix_columns(slice s[STATE_SLICES])
{
    for (size_t row = 0; row < 2; row++) {
        slice sum[ROW_SLICES];
        for (size_t i = 0; i < ROW_SLICES; i++)
            sum[i] = s[8 * row + i] ^ s[8 * row + 16 + i];
        times_x(sum);
        times_x(sum);
        for (size_t i = 0; i < ROW_SLICES; i++) {
            s[8 * row + i] ^= sum[i];
            s[8 * row + 16 + i] ^= sum[i];
        }
    }
    mix_columns(s);
}

static inline void add_round_key(slice s[STATE_SLICES], const uint64_t round_key[STATE_SLICES])
{
    for (size_t i = 0; i < STATE_SLICES; i++)
        s[i] ^= round_key[i];
}

static void encrypt(const struct portable_schedule *schedule, slice s[STATE_SLICES])
{
    add_round_key(s, schedule->round_keys[0]);
    for (size_t round = 1; round < schedule->rounds; round++) {
        substitute_and_shift(s);
        mix_columns(s);
        add_round_key(s, schedule->round_keys[round]);
    }
    substitute_and_shift(s);
    add_round_key(s, schedule->round_keys[schedule->rounds]);
}

static void decrypt(const struct portable_schedule *schedule, slice s[STATE_SLICES])
{
    add_round_key(s, schedule->round_keys[schedule->rounds]);
    for (size_t round = schedule->rounds - 1; round > 0; round--) {
        unshift_and_substitute(s);
        add_round_key(s, schedule->round_keys[round]);
        unmix_columns(s);
    }
    unshift_and_substitute(s);
    add_round_key(s, schedule->round_keys[0]);
}

/* Each bit has an address: 5 bits say which slice, 6 bits which place in the word. For all bits at
   once, swap one bit of the first number with one of the second. */
static inline void exchange(slice s[STATE_SLICES], unsigned slice_bit, unsigned place_bit)
{
    const size_t step = (size_t)1 << slice_bit;
    const unsigned shift = 1U << place_bit;
    const uint64_t places = UINT64_MAX / (((uint64_t)1 << shift) + 1); /* whose place_bit is 0 */
    for (size_t i = 0; i < STATE_SLICES; i++) {
        if (i & step)
            continue;
        const slice difference = (s[i] >> shift ^ s[i + step]) & places;
        s[i + step] ^= difference;
        s[i] ^= difference << shift;
    }
}

/*
 * Blocks are loaded as slice 16 * (column / 2) + block; a place has 1 bit of the column, 2 of the
 * row and 3 of the bit in the byte. The first exchange puts the columns in order, the others put
 * row and bit into the number of the slice.
 */
static void to_slices(slice s[STATE_SLICES])
{
    exchange(s, 4, 5);
    for (unsigned i = 0; i < 5; i++)
        exchange(s, i, i);
}

static void from_slices(slice s[STATE_SLICES])
{
    for (unsigned i = 0; i < 5; i++)
        exchange(s, i, i);
    exchange(s, 4, 5);
}

static void portable_blocks(const void *ks, bool inverse, uint8_t *dst, const uint8_t *src,
                            size_t n)
{
    slice s[STATE_SLICES] = {{0}};
    while (n > 0) {
        const size_t count = n < PASS_BLOCKS ? n : PASS_BLOCKS;
        for (size_t i = 0; i < count; i++, src += BLOCK_BYTES) {
            s[i % GROUP_BLOCKS][i / GROUP_BLOCKS] = load_le64(src);
            s[GROUP_BLOCKS + i % GROUP_BLOCKS][i / GROUP_BLOCKS] = load_le64(src + 8);
        }
        to_slices(s);
        if (inverse)
            decrypt(ks, s);
        else
            encrypt(ks, s);
        from_slices(s);
        for (size_t i = 0; i < count; i++, dst += BLOCK_BYTES) {
            store_le64(dst, s[i % GROUP_BLOCKS][i / GROUP_BLOCKS]);
            store_le64(dst + 8, s[GROUP_BLOCKS + i % GROUP_BLOCKS][i / GROUP_BLOCKS]);
        }
        n -= count;
    }
    wipe(s, sizeof s);
}

/* The four bytes at places 0, 8, 16 and 24. */
static uint32_t sub_word(uint32_t word)
{
    slice s[ROW_SLICES];
    for (unsigned i = 0; i < ROW_SLICES; i++)
        s[i] = (slice){word >> i & 0x01010101};
    substitute(s);
    uint32_t substituted = 0;
    for (unsigned i = 0; i < ROW_SLICES; i++)
        substituted |= ((uint32_t)s[i][0] & 0x01010101) << i;
    wipe(s, sizeof s);
    return substituted;
}

static bool portable_expand(void *ks, const uint8_t *key, size_t key_bytes)
{
    struct portable_schedule *const schedule = ks;
    uint8_t round_keys[AES_ROUND_KEYS][BLOCK_BYTES];
    if (!aes_expand(round_keys, &schedule->rounds, key, key_bytes, sub_word))
        return false;
    slice s[STATE_SLICES];
    for (size_t round = 0; round <= schedule->rounds; round++) {
        for (size_t i = 0; i < GROUP_BLOCKS; i++) {
            s[i] = (slice){load_le64(round_keys[round])};
            s[GROUP_BLOCKS + i] = (slice){load_le64(round_keys[round] + 8)};
        }
        to_slices(s);
        for (size_t i = 0; i < STATE_SLICES; i++)
            schedule->round_keys[round][i] = s[i][0];
    }
    wipe(s, sizeof s);
    wipe(round_keys, sizeof round_keys);
    return true;
}

const struct mtaes_kernel aes_portable = {
    .name = "aes-portable",
    .cipher = "aes",
    .ghash = "ghash-portable",
    .schedule_bytes = sizeof(struct portable_schedule),
    .expand = portable_expand,
    .blocks = portable_blocks,
};
