/* aes_x86.h: template of the AES kernels for x86, included once per instruction set. Source: FIPS 197. */
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The including file defines TARGET and VB, includes x86_vector.h, and defines for its vector V:
 *
 *   v_stream(p, v)                    store, aligned and non-temporal
 *   v_enc v_dec                       (state, round key), as AESENC and AESDEC
 *   v_add32(a, b)                     by 32-bit words
 *   v_left_bytes(v, n) v_right_bytes(v, n)    each block, by constant bytes
 *   v_after(carry, v)                 the blocks of v one place later, the last block of carry in front
 *   v_before(v)                       block i is the xor of blocks 0 .. i-1 of v (0 for i = 0)
 *   v_sum(v)                          the xor of all blocks, in all places
 *
 *   v_fold(v)                         may be defined: see fold
 *   v_tops(a, b, c, d)                may be defined, with v_left32 and v_right32: the top 32 bits of each block of a
 *                                     to d, side by side in the block's place: see folds_of_four
 *
 * and gets `bulk` and `each_block` of its row in the table; `chain` comes with aes_chain_x86.h, `gcm` with aes_gcm_x86.h,
 * and the key expansion is common to all (aes_key.h).
 * Eight vectors are in flight: AESENC has a latency of 3 to 4 cycles, and two start in each. Round keys are loaded in
 * each round, which costs nothing beside eight AESENC; so the number of rounds need not be a constant. The last XOR of
 * each mode goes into the key operand of AESENCLAST.
 */

/* Keeps a state in one register from round to round; left alone, gcc 12 gives it two in turn and spills for want of them.
   (Not where the memory sanitizer is to follow secrets: it loses track at an asm.) */
#if FOLLOWS_SECRETS
#define PIN(x) ((void)0)
#else
#define PIN(x) __asm__("" : "+v"(x))
#endif

enum { WIDE = 8, STEP_BLOCKS = WIDE * VB, PREFETCH_PAGE_BYTES = 4096 };

/* What goes from step to step. */
struct progress {
    const uint8_t *src[KERNEL_LANES];
    uint8_t *dst[KERNEL_LANES];
    V carry
        [KERNEL_LANES]; /* CTR: next counter, little-endian, in all places. CBC, CFB: last place holds the
                              previous ciphertext block. PCBC: the state, in all places */
    size_t ahead;       /* of the text, to fetch into the cache; 0 asks for what is there */
};

/* small_numbers[i] is i as a 128-bit little-endian number. */
static const uint64_t small_numbers[STEP_BLOCKS + 1][2] __attribute__((aligned(64))) = {
#define N4(i)                       \
    {i, 0}, {i + 1, 0}, {i + 2, 0}, \
    {                               \
        i + 3, 0                    \
    }
    N4(0),           N4(4),
#if VB > 1
    N4(8),           N4(12),
#endif
#if VB > 2
    N4(16),          N4(20), N4(24), N4(28),
#endif
    {STEP_BLOCKS, 0}};
#undef N4

INLINE const uint8_t *number(size_t i)
{
    return (const uint8_t *)small_numbers[i];
}

/* out * (x^7 + x^2 + x + 1), out being the few bits that left a tweak at the top. Additions run on more ports than shifts. */
#ifndef v_fold
#define v_fold(out) fold(out)
INLINE V fold(V out)
{
    const V twice = v_add64(out, out);
    return v_xor(v_xor(out, twice), v_xor(v_add64(twice, twice), v_left64(out, 7)));
}
#endif

/* t * x^(8 VB) in GF(2^128) as IEEE 1619 writes it is what takes a tweak WIDE vectors on. */
#ifdef v_tops
/* What leaves the top of a block is so short that that of four vectors is folded in one, 32 bits each: words i of the result
   belong to t[i]. */
INLINE V folds_of_four(const V *t)
{
    const V out = v_right32(v_tops(t[0], t[1], t[2], t[3]), 32 - 8 * VB);
    const V twice = v_add32(out, out);
    return v_xor(v_xor(out, twice), v_xor(v_add32(twice, twice), v_left32(out, 7)));
}

/* Takes word i of each block to its bottom. */
static const uint8_t to_bottom[4][BLOCK_BYTES] __attribute__((aligned(16))) = {
#define WORD(i)                                                                                 \
    {                                                                                           \
        4 * (i), 4 * (i) + 1, 4 * (i) + 2, 4 * (i) + 3, 128, 128, 128, 128, 128, 128, 128, 128, \
            128, 128, 128, 128                                                                  \
    }
    WORD(0), WORD(1), WORD(2), WORD(3)
#undef WORD
};

INLINE void tweak_past_wide(V *next, const V *t, unsigned j, V *folds)
{
    if (j % 4 == 0)
        *folds = folds_of_four(t + j);
    next[j] = v_xor(v_left_bytes(t[j], VB), v_shuffle(*folds, v_repeat(to_bottom[j % 4])));
}
#else
INLINE void tweak_past_wide(V *next, const V *t, unsigned j, V *folds)
{
    (void)folds;
    next[j] = v_xor(v_left_bytes(t[j], VB), v_fold(v_right_bytes(t[j], 16 - VB)));
}
#endif

/* t * x^(2 VB): the same for a lane of KERNEL_LANES, which takes a fourth of each step. */
INLINE V tweak_past_lane(V t)
{
    static const uint64_t low_word[2] = {~0ULL, 0};
    const V carry = v_swap64(v_right64(t, 64 - 2 * VB));
    const V out = v_and(carry, v_repeat(low_word));
    return v_xor(v_xor(v_left64(t, 2 * VB), v_xor(carry, out)), v_fold(out));
}

INLINE V load_part(const uint8_t *src, const size_t part)
{
    return part ? v_load_some(src, part) : v_load(src);
}

/*
 * One step: n vectors, n / lanes from each lane. part: 0, or (n == 1) that only so many blocks of the vector exist.
 * All arguments but ks, p, part and the tweaks are constants of the caller, so each call becomes straight code. All
 * loads come before the first store, as dst may be src. XEX: tweak holds those of this step; if there is a next one, those
 * of the next step are written to next_tweak between the rounds, where they cost least.
 */
INLINE void step(const struct aes_schedule *ks, struct progress *p, const enum form form,
                 const bool decrypt, const unsigned n, const unsigned lanes, const bool around,
                 size_t part, const V *tweak, V *next_tweak)
{
    const unsigned per = n / lanes;
    const bool inverse =
        (form == FORM_ECB || form == FORM_XEX) ? decrypt : form == FORM_CBC || form == FORM_PCBC;
    const uint8_t(*const key)[16] = inverse ? ks->decrypt : ks->encrypt;
    const bool feeds_back = form == FORM_CBC || form == FORM_CFB;
    V x0, x1, x2, x3, x4, x5, x6, x7;
    V folds = x1 = x2 = x3 = x4 = x5 = x6 = x7 = v_repeat(key[0]);

#define LANE(j) ((j) / per)
#define SRC(j) (p->src[LANE(j)] + (size_t)((j) % per) * VB * BLOCK_BYTES)
#define DST(j) (p->dst[LANE(j)] + (size_t)((j) % per) * VB * BLOCK_BYTES)
#define TEXT(j) load_part(SRC(j), part)
#define PREVIOUS(j) ((j) % per ? v_load(SRC(j) - BLOCK_BYTES) : v_after(p->carry[LANE(j)], TEXT(j)))
#define ADD(a, b) (form == FORM_CTR32 ? v_add32(a, b) : v_add64(a, b))

    V k = v_repeat(key[0]);
#define ENTER(j)                                                                            \
    x##j = v_xor(k, form == FORM_CTR || form == FORM_CTR32                                  \
                        ? v_reverse(ADD(p->carry[LANE(j)], v_load(number((j) % per * VB)))) \
                    : form == FORM_CFB ? PREVIOUS(j)                                        \
                    : form == FORM_XEX ? v_xor(TEXT(j), tweak[j])                           \
                                       : TEXT(j))
    EACH(n, ENTER);

    uint32_t r = 1;
#define ROUND(j)                                          \
    do {                                                  \
        x##j = inverse ? v_dec(x##j, k) : v_enc(x##j, k); \
        PIN(x##j);                                        \
    } while (0)
#define ALL_ROUND(r)          \
    do {                      \
        k = v_repeat(key[r]); \
        EACH(n, ROUND);       \
    } while (0)
#define TWEAK_ROUND(r)                                         \
    do {                                                       \
        ALL_ROUND(r);                                          \
        if (lanes == 1)                                        \
            tweak_past_wide(next_tweak, tweak, (r)-1, &folds); \
        else                                                   \
            next_tweak[(r)-1] = tweak_past_lane(tweak[(r)-1]); \
    } while (0)
    if (form == FORM_XEX &&
        n == WIDE) { /* without a loop, whose own instructions would be too many beside these */
        TWEAK_ROUND(1);
        TWEAK_ROUND(2);
        TWEAK_ROUND(3);
        TWEAK_ROUND(4);
        TWEAK_ROUND(5);
        TWEAK_ROUND(6);
        TWEAK_ROUND(7);
        TWEAK_ROUND(8);
        ALL_ROUND(9);
        r = 10;
    }
    for (; r < ks->rounds; r++)
        ALL_ROUND(r);

    k = v_repeat(key[ks->rounds]);
#define LAST(j)                                                                   \
    do {                                                                          \
        const V last = form == FORM_CTR || form == FORM_CTR32 || form == FORM_CFB \
                           ? v_xor(k, TEXT(j))                                    \
                       : form == FORM_CBC ? v_xor(k, PREVIOUS(j))                 \
                       : form == FORM_XEX ? v_xor(k, tweak[j])                    \
                                          : k;                                    \
        x##j = inverse ? v_declast(x##j, last) : v_enclast(x##j, last);           \
        if (form == FORM_PCBC) {                                                  \
            const V both = v_xor(x##j, TEXT(j));                                  \
            x##j = v_xor(x##j, v_xor(p->carry[LANE(j)], v_before(both)));         \
            p->carry[LANE(j)] = v_xor(p->carry[LANE(j)], v_sum(both));            \
        }                                                                         \
    } while (0)
    EACH(n, LAST);

    for (unsigned l = 0; l < lanes && !part; l++) {
        if (form == FORM_CTR || form == FORM_CTR32)
            p->carry[l] = ADD(p->carry[l], v_repeat(number(per * VB)));
        else if (feeds_back)
            p->carry[l] = v_load(p->src[l] + (size_t)(per - 1) * VB * BLOCK_BYTES);
        for (size_t line = 0; line < (size_t)per * VB * BLOCK_BYTES; line += 64)
            _mm_prefetch((const char *)p->src[l] + p->ahead + line, _MM_HINT_T0);
    }

#define LEAVE(j)                              \
    do {                                      \
        if (part)                             \
            v_store_some(DST(j), x##j, part); \
        else if (around)                      \
            v_stream(DST(j), x##j);           \
        else                                  \
            v_store(DST(j), x##j);            \
    } while (0)
    EACH(n, LEAVE);

    for (unsigned l = 0; l < lanes; l++) {
        p->src[l] += (size_t)per * VB * BLOCK_BYTES;
        p->dst[l] += (size_t)per * VB * BLOCK_BYTES;
    }
#undef LANE
#undef SRC
#undef DST
#undef TEXT
#undef PREVIOUS
#undef ADD
#undef ENTER
#undef ROUND
#undef ALL_ROUND
#undef TWEAK_ROUND
#undef LAST
#undef LEAVE
}

/* The tweaks of the first `vectors` vectors from the first block's. */
INLINE void begin_tweaks(V *tweak, const uint8_t state[BLOCK_BYTES], const unsigned vectors)
{
    uint8_t block[WIDE * VB][BLOCK_BYTES];
    uint64_t low = load_le64(state), high = load_le64(state + 8);
    for (unsigned i = 0; i < vectors * VB; i++) {
        store_le64(block[i], low);
        store_le64(block[i] + 8, high);
        const uint64_t out = high >> 63;
        high = high << 1 | low >> 63;
        low = low << 1 ^ (0x87 & (0 - out));
    }
    for (unsigned j = 0; j < vectors; j++)
        tweak[j] = v_load(block[j * VB]);
    wipe(block, sizeof block);
}

/* One form over 1 or KERNEL_LANES lanes, all but ks, lane, blocks and reach being constants;
   around is what reach says. */
INLINE void bulk_form(const struct aes_schedule *ks, const enum form form, const bool decrypt,
                      struct lane *lane, const unsigned lanes, size_t blocks, enum reach reach,
                      const bool around)
{
    const bool counts = form == FORM_CTR || form == FORM_CTR32;
    const bool feeds_back = form == FORM_CBC || form == FORM_CFB || form == FORM_PCBC;
    struct progress p = {.ahead = reach == REACH_CACHE ? 0 : lanes * PREFETCH_PAGE_BYTES};
    V tweaks[2][WIDE], *tweak = tweaks[0], *next_tweak = tweaks[1]; /* XEX: they change places */
    uint8_t last[KERNEL_LANES]
                [BLOCK_BYTES]; /* the last ciphertext blocks, before they may be overwritten */
    for (unsigned l = 0; l < lanes; l++) {
        p.src[l] = lane[l].src;
        p.dst[l] = lane[l].dst;
        if (form != FORM_ECB)
            p.carry[l] = v_repeat(lane[l].state);
        if (counts)
            p.carry[l] = v_reverse(p.carry[l]);
        if (feeds_back)
            memcpy(last[l], lane[l].src + (blocks - 1) * BLOCK_BYTES, BLOCK_BYTES);
        if (form == FORM_XEX)
            begin_tweaks(tweaks[0] + l * (WIDE / lanes), lane[l].state, WIDE / lanes);
    }

    size_t left = blocks;
    for (; left >= STEP_BLOCKS / lanes; left -= STEP_BLOCKS / lanes) {
        step(ks, &p, form, decrypt, WIDE, lanes, around, 0, tweak, next_tweak);
        if (form == FORM_XEX) {
            V *const done = tweak;
            tweak = next_tweak;
            next_tweak = done;
        }
    }
    if (lanes == 1 && !around) {
#define NARROW(n)                                                 \
    if (left >= (n)*VB) {                                         \
        step(ks, &p, form, decrypt, n, 1, false, 0, tweak, NULL); \
        left -= (n)*VB;                                           \
        tweak += n;                                               \
    }
        NARROW(4)
        NARROW(2)
        NARROW(1)
#undef NARROW
        if (VB > 1 && left)
            step(ks, &p, form, decrypt, 1, 1, false, left, tweak, NULL);
    }
    if (around)
        _mm_sfence();

    for (unsigned l = 0; l < lanes; l++) {
        if (form == FORM_CTR) {
            add_be128(lane[l].state, blocks);
        } else if (form == FORM_CTR32) {
            store_be32(lane[l].state + 12, load_be32(lane[l].state + 12) + (uint32_t)blocks);
        } else if (form == FORM_CBC || form == FORM_CFB) {
            memcpy(lane[l].state, last[l], BLOCK_BYTES);
        } else if (form == FORM_PCBC) {
            xor_block(lane[l].state, last[l], lane[l].dst + (blocks - 1) * BLOCK_BYTES);
        } else if (form == FORM_XEX) {
            const V *const next = tweak + l * (WIDE / lanes);
            memcpy(lane[l].state, (const uint8_t *)next + (lanes == 1 ? left : 0) * BLOCK_BYTES,
                   BLOCK_BYTES);
        }
    }
    if (form == FORM_XEX)
        wipe(tweaks, sizeof tweaks);
}

static TARGET void run_bulk(const void *ks, enum form form, bool decrypt, struct lane *lane,
                            size_t lanes, size_t blocks, enum reach reach);

/* The part of one lane from block `from` on, as a call of its own. */
static TARGET void bulk_piece(const void *ks, enum form form, bool decrypt, struct lane *lane,
                              size_t from, size_t blocks)
{
    struct lane piece = {.src = lane->src + from * BLOCK_BYTES,
                         .dst = lane->dst + from * BLOCK_BYTES};
    memcpy(piece.state, lane->state, BLOCK_BYTES);
    run_bulk(ks, form, decrypt, &piece, 1, blocks, REACH_CACHE);
    memcpy(lane->state, piece.state, BLOCK_BYTES);
}

/* Whether the low 64 bits of some lane's counter wrap before its last block: the vectors count with 64 bits only. */
INLINE bool some_counter_wraps(const struct lane *lane, size_t lanes, size_t blocks)
{
    for (size_t l = 0; l < lanes; l++)
        if (load_be64(lane[l].state + 8) + (blocks - 1) < blocks - 1)
            return true;
    return false;
}

INLINE void bulk_direction(const struct aes_schedule *ks, const enum form form, const bool decrypt,
                           struct lane *lane, size_t lanes, size_t blocks, enum reach reach)
{
    /* Only the plain path knows the steps that are not whole. */
    const bool around = reach == REACH_AROUND, plain = lanes == 1 && !around;
    const size_t whole = plain ? blocks : blocks - blocks % (STEP_BLOCKS / lanes);
    if (plain)
        bulk_form(ks, form, decrypt, lane, 1, whole, reach, false);
    else if (whole && lanes == 1)
        bulk_form(ks, form, decrypt, lane, 1, whole, reach, true);
    else if (whole && around)
        bulk_form(ks, form, decrypt, lane, KERNEL_LANES, whole, reach, true);
    else if (whole)
        bulk_form(ks, form, decrypt, lane, KERNEL_LANES, whole, reach, false);
    for (size_t l = 0; l < lanes && whole < blocks; l++)
        bulk_piece(ks, form, decrypt, lane + l, whole, blocks - whole);
}

static TARGET void run_bulk(const void *schedule, enum form form, bool decrypt, struct lane *lane,
                            size_t lanes, size_t blocks, enum reach reach)
{
    const struct aes_schedule *const ks = schedule;
    if (blocks == 0)
        return;
    if (form == FORM_CTR && some_counter_wraps(lane, lanes, blocks)) {
        for (size_t l = 0; l < lanes; l++) {
            const uint64_t to_wrap = 0 - load_be64(lane[l].state + 8);
            const size_t first = to_wrap && to_wrap < blocks ? (size_t)to_wrap : blocks;
            bulk_piece(ks, form, decrypt, lane + l, 0, first);
            bulk_piece(ks, form, decrypt, lane + l, first, blocks - first);
        }
        return;
    }
    switch (form) {
    case FORM_ECB:
        if (decrypt)
            bulk_direction(ks, FORM_ECB, true, lane, lanes, blocks, reach);
        else
            bulk_direction(ks, FORM_ECB, false, lane, lanes, blocks, reach);
        break;
    case FORM_CTR:
        bulk_direction(ks, FORM_CTR, false, lane, lanes, blocks, reach);
        break;
    case FORM_CTR32:
        bulk_direction(ks, FORM_CTR32, false, lane, lanes, blocks, reach);
        break;
    case FORM_CBC:
        bulk_direction(ks, FORM_CBC, true, lane, lanes, blocks, reach);
        break;
    case FORM_CFB:
        bulk_direction(ks, FORM_CFB, true, lane, lanes, blocks, reach);
        break;
    case FORM_PCBC:
        bulk_direction(ks, FORM_PCBC, true, lane, lanes, blocks, reach);
        break;
    case FORM_XEX:
        if (decrypt)
            bulk_direction(ks, FORM_XEX, true, lane, lanes, blocks, reach);
        else
            bulk_direction(ks, FORM_XEX, false, lane, lanes, blocks, reach);
        break;
    }
}

static TARGET void bulk(const void *ks, enum form form, bool decrypt, struct lane *lane,
                        size_t lanes, size_t blocks, enum reach reach)
{
    run_bulk(ks, form, decrypt, lane, lanes, blocks, reach);
    v_forget();
}

static TARGET void each_block(const void *ks, bool decrypt, uint8_t *dst, const uint8_t *src,
                              size_t n)
{
    struct lane lane = {.src = src, .dst = dst};
    bulk(ks, FORM_ECB, decrypt, &lane, 1, n, REACH_CACHE);
}
