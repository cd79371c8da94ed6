/* gecko_x86.h: template of the Gecko kernels for x86, included once per instruction set. */
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The including file defines TARGET and VB, includes x86_vector.h, and defines
 *
 *   v_xor3(a, b, c)
 *   v_rot(v) v_rot_back(v)            each block as a number: by 6 bits to the left, to the right
 *   v_pull(own, below)                each byte: own << 6 | below >> 2
 *   v_pull_back(own, above)           each byte: own >> 6 | above << 2
 *   MASK, v_mask(p), v_by(v, mask)    a shuffle's mask for all blocks from the one at p; shuffle
 *   KEY_WORDS, v_key(p)               a byte in all places, from KEY_WORDS uint32_t at p full of it
 *   one_rot(v), one_xor3(a, b, c)     as v_rot and v_xor3, on one block (__m128i)
 *
 * and gets the cipher on many blocks; what a row of the table needs comes with gecko_forms_x86.h.
 *
 * Two forms of the cipher stand here. Steps of SLICE_BLOCKS blocks go by slices, fewer by blocks.
 *
 * By blocks: AESENCLAST with S(q) ^ q as its key is SUB and KEY in one; what its ShiftRows will do
 * is undone in advance by the shuffles before it. Those are three byte shuffles and two XOR for
 * SWAP and MIX; ROT takes one more shuffle and shifts. So a round is mostly shuffles, of which a
 * CPU does one or two a cycle. Decryption is the same; but AESDECLAST adds its key behind the
 * S-box, one layer too late, so the keys are taken back through the linear layers.
 *
 * By slices: vector j holds byte j of 16 VB blocks. Then SWAP, and the choice of the bytes that MIX
 * works on, are choices of addresses and cost no instruction; MIX is eight XOR; ROT is two shifts
 * and a selection a vector. AESENCLAST's ShiftRows moves blocks, all slices alike, and four times
 * is none. The price is to turn blocks to slices and back, and that addresses come from the key.
 */

enum {
    SLICES = BLOCK_BYTES,
    SLICE_BLOCKS = SLICES * VB,
    VECTOR_BYTES = VB * BLOCK_BYTES,
    WIDE = 8
};

/* What stands behind the pointer is to be read again when it is needed: the compiler would load
   keys and work out addresses long before, and for want of registers leave them on the stack. */
#define FORGET(pointer) __asm__("" : "+r"(pointer))

/* ---- by blocks ---- */

/* n vectors; part: 0, or (n == 1) that only so many blocks of the vector exist. */
INLINE void crypt_vectors(const struct gecko_way *way, const uint32_t rounds, const bool decrypt,
                          uint8_t *dst, const uint8_t *src, const unsigned n, const size_t part)
{
    V x0, x1, x2, x3, x4, x5, x6, x7;
    MASK mask0;
    MASK mask1;
    MASK mask2;
    V key;
#define MASKS(layer)                                                     \
    (mask0 = v_mask((layer)->term[0]), mask1 = v_mask((layer)->term[1]), \
     mask2 = v_mask((layer)->term[2]))
#define SUM(x) v_xor3(v_by(x, mask0), v_by(x, mask1), v_by(x, mask2))
#define ENTER(j)                                                                          \
    do {                                                                                  \
        x##j = part ? v_load_some(src, part) : v_load(src + (j)*VECTOR_BYTES);            \
        x##j = decrypt ? v_rot_back(SUM(v_xor(x##j, v_repeat(way->whiten)))) : SUM(x##j); \
    } while (0)
#define ROUND(j)                                          \
    do {                                                  \
        if (decrypt)                                      \
            x##j = v_rot_back(SUM(v_declast(x##j, key))); \
        else                                              \
            x##j = SUM(v_rot(v_enclast(x##j, key)));      \
    } while (0)
#define LEAVE(j)                                                                   \
    do {                                                                           \
        if (decrypt)                                                               \
            x##j = SUM(v_declast(x##j, key));                                      \
        else                                                                       \
            x##j = v_xor(SUM(v_rot(v_enclast(x##j, key))), v_repeat(way->whiten)); \
        if (part)                                                                  \
            v_store_some(dst, x##j, part);                                         \
        else                                                                       \
            v_store(dst + (j)*VECTOR_BYTES, x##j);                                 \
    } while (0)
    FORGET(way);
    MASKS(&way->begin);
    EACH(n, ENTER);
    MASKS(&way->round);
    for (uint32_t r = 0; r < rounds - 1; r++) {
        key = v_repeat(way->key[r]);
        EACH(n, ROUND);
    }
    FORGET(way);
    MASKS(&way->end);
    key = v_repeat(way->key[rounds - 1]);
    EACH(n, LEAVE);
#undef MASKS
#undef SUM
#undef ENTER
#undef ROUND
#undef LEAVE
}

INLINE void crypt_few(const struct gecko_way *way, uint32_t rounds, const bool decrypt,
                      uint8_t *dst, const uint8_t *src, size_t blocks)
{
#define STEP(n)                                              \
    do {                                                     \
        crypt_vectors(way, rounds, decrypt, dst, src, n, 0); \
        dst += (n)*VECTOR_BYTES;                             \
        src += (n)*VECTOR_BYTES;                             \
        blocks -= (n)*VB;                                    \
    } while (0)
    while (blocks >= WIDE * VB)
        STEP(WIDE);
    if (blocks >= 4 * VB)
        STEP(4);
    if (blocks >= 2 * VB)
        STEP(2);
    if (blocks >= VB)
        STEP(1);
    if (VB > 1 && blocks)
        crypt_vectors(way, rounds, decrypt, dst, src, 1, blocks);
#undef STEP
}

/* ---- by slices ---- */

struct slices {
    uint8_t bytes[SLICES * VECTOR_BYTES];
} __attribute__((aligned(64)));

/* place: 16 times the number of the slice. */
INLINE V take(const struct slices *s, size_t place)
{
    return v_load(s->bytes + place * VB);
}

INLINE void put(struct slices *s, size_t place, V v)
{
    v_store(s->bytes + place * VB, v);
}

/* How a pass works, always a constant. */
enum { PASS_PULL = 1 /* ROT */, PASS_SUB = 2, PASS_PUT = 4 /* to put[t]; otherwise to slice t */ };

INLINE V pass_take(const struct gecko_pass *pass, const struct slices *from, const unsigned how,
                   const bool decrypt, const uint32_t *key, const size_t t)
{
    V v = take(from, pass->first[t]);
    if (how & PASS_PULL) {
        const V neighbour = take(from, pass->second[t]);
        v = decrypt ? v_pull_back(v, neighbour) : v_pull(v, neighbour);
    }
    return decrypt && how & PASS_SUB ? v_declast(v, v_key(key + t * KEY_WORDS)) : v;
}

INLINE void pass_put(const struct gecko_pass *pass, struct slices *to, const unsigned how,
                     const bool decrypt, const uint32_t *key, const size_t t, V v)
{
    if (!decrypt && how & PASS_SUB)
        v = v_enclast(v, v_key(key + t * KEY_WORDS));
    put(to, how & PASS_PUT ? pass->put[t] : t * BLOCK_BYTES, v);
}

/* Take, MIX, put. MIX goes round the eight bytes in a ring, so the first is kept to the end. */
INLINE void run_pass(const struct gecko_pass *pass, struct slices *to, const struct slices *from,
                     const unsigned how, const bool decrypt, const uint32_t *key)
{
#define TAKE(t) pass_take(pass, from, how, decrypt, key, t)
#define PUT(t, v) pass_put(pass, to, how, decrypt, key, t, v)
    /* The bytes t - 2 and t - 1 are ready but for what byte t adds to them. */
#define LINK(t, even, odd, next)                            \
    do {                                                    \
        const V odd_done = v_xor(odd, next);                \
        PUT((t)-1, odd_done);                               \
        PUT((t)-2, decrypt ? v_xor(even, odd_done) : even); \
    } while (0)
    const V a0 = TAKE(0), odd0 = TAKE(1), even0 = decrypt ? a0 : v_xor(a0, odd0);
    const V a1 = TAKE(2), odd1 = TAKE(3), even1 = decrypt ? a1 : v_xor(a1, odd1);
    LINK(2, even0, odd0, even1);
    const V a2 = TAKE(4), odd2 = TAKE(5), even2 = decrypt ? a2 : v_xor(a2, odd2);
    LINK(4, even1, odd1, even2);
    const V a3 = TAKE(6), odd3 = TAKE(7), even3 = decrypt ? a3 : v_xor(a3, odd3);
    LINK(6, even2, odd2, even3);
    LINK(8, even3, odd3, even0);
    PUT(8, TAKE(8));
    PUT(9, TAKE(9));
    PUT(10, TAKE(10));
    PUT(11, TAKE(11));
    PUT(12, TAKE(12));
    PUT(13, TAKE(13));
    PUT(14, TAKE(14));
    PUT(15, TAKE(15));
#undef TAKE
#undef PUT
#undef LINK
}

/*
 * Turn 16 vectors about: byte i of each block of vector j goes to byte j of the block at the same
 * place of vector i. Each of four like steps moves the highest bit of the vector's number to the
 * lowest of the byte's, and the highest of that one back.
 */
INLINE void turn(V x[SLICES])
{
    V y[SLICES];
#define PAIR(to, from, i)                        \
    to[2 * (i)] = v_low(from[i], from[(i) + 8]); \
    to[2 * (i) + 1] = v_high(from[i], from[(i) + 8])
#define STAGE(to, from) \
    PAIR(to, from, 0);  \
    PAIR(to, from, 1);  \
    PAIR(to, from, 2);  \
    PAIR(to, from, 3);  \
    PAIR(to, from, 4);  \
    PAIR(to, from, 5);  \
    PAIR(to, from, 6);  \
    PAIR(to, from, 7)
    STAGE(y, x);
    STAGE(x, y);
    STAGE(y, x);
    STAGE(x, y);
#undef PAIR
#undef STAGE
}

#define EACH_SLICE(op) \
    op(0);             \
    op(1);             \
    op(2);             \
    op(3);             \
    op(4);             \
    op(5);             \
    op(6);             \
    op(7);             \
    op(8);             \
    op(9);             \
    op(10);            \
    op(11);            \
    op(12);            \
    op(13);            \
    op(14);            \
    op(15)

/*
 * What goes by slices works in this. Rounds go from one of a batch's two states to the other. Two
 * batches take turns: each fills the time in which the other's stores are not yet fit to be loaded.
 */
enum { BATCHES = 2 };

struct slice_work {
    struct slices state[BATCHES][2];
    uint32_t key[GECKO_SUBKEYS - 1][SLICES * KEY_WORDS]
        __attribute__((aligned(64))); /* each byte 4 * KEY_WORDS times */
};

INLINE void slice_keys(struct slice_work *work, const struct gecko_way *way, uint32_t rounds)
{
    const __m128i first =
        KEY_WORDS == 4 ? _mm_setzero_si128() : _mm_set_epi32(0x03030303, 0x02020202, 0x01010101, 0);
    for (uint32_t r = 0; r < rounds; r++) {
        const __m128i bytes =
            _mm_shuffle_epi8(one_load(way->key[r]), one_load(way->slice_key[r > 0]));
        __m128i which = first;
        for (size_t i = 0; i < 4 * KEY_WORDS; i++) {
            one_store(work->key[r] + 4 * i, _mm_shuffle_epi8(bytes, which));
            which = _mm_add_epi8(which, _mm_set1_epi8(4 / KEY_WORDS));
        }
    }
}

/* To slices, and as far as the first SUB. */
INLINE void slice_begin(struct slice_work *work, struct slices *state, const struct gecko_way *way,
                        const bool decrypt, const uint8_t *src)
{
    V x[SLICES];
#define TEXT(i) v_load(src + (i)*VECTOR_BYTES)
#define ENTER(i) x[i] = decrypt ? v_xor(TEXT(i), v_repeat(way->whiten)) : TEXT(i)
    EACH_SLICE(ENTER);
#undef ENTER
#undef TEXT
    turn(x);
#define ENTER(i) put(state, (i)*BLOCK_BYTES, x[i])
    EACH_SLICE(ENTER);
#undef ENTER
    if (decrypt)
        run_pass(&way->slice_begin, state + 1, state, 0, true, NULL);
    else
        run_pass(&way->slice_begin, state + 1, state, PASS_SUB | PASS_PUT, false, work->key[0]);
}

/* The end, from state[from], and back to blocks. */
INLINE void slice_end(struct slice_work *work, struct slices *state, size_t from,
                      const struct gecko_way *way, uint32_t rounds, const bool decrypt,
                      uint8_t *dst)
{
    V x[SLICES];
    struct slices *const to = state + (from ^ 1);
    if (decrypt)
        run_pass(&way->slice_end, to, state + from, PASS_PULL | PASS_SUB | PASS_PUT, true,
                 work->key[rounds - 1]);
    else
        run_pass(&way->slice_end, to, state + from, PASS_PULL | PASS_PUT, false, NULL);
#define LEAVE(i) x[i] = take(to, (i)*BLOCK_BYTES)
    EACH_SLICE(LEAVE);
#undef LEAVE
    turn(x);
    /* ShiftRows 10 or 14 times is as twice, and moves odd blocks by 8; 12 times is as none. */
    const size_t moved = rounds % 4 ? 8 * VECTOR_BYTES : 0;
#define LEAVE(i)                                                             \
    v_store(dst + ((i) % 2 ? ((i)*VECTOR_BYTES ^ moved) : (i)*VECTOR_BYTES), \
            decrypt ? x[i] : v_xor(x[i], v_repeat(way->whiten)))
    EACH_SLICE(LEAVE);
#undef LEAVE
}

/* 1 to BATCHES times SLICE_BLOCKS blocks. */
INLINE void crypt_slices(struct slice_work *work, const struct gecko_way *way, uint32_t rounds,
                         const bool decrypt, uint8_t *dst, const uint8_t *src, size_t batches)
{
    for (size_t i = 0; i < batches; i++)
        slice_begin(work, work->state[i], way, decrypt, src + i * SLICE_BLOCKS * BLOCK_BYTES);
    size_t from = 1;
    for (uint32_t r = 1; r < rounds; r++, from ^= 1) {
        for (size_t i = 0; i < batches; i++) {
            const struct slices *source = work->state[i] + from;
            const struct gecko_pass *pass = &way->slice_round;
            FORGET(source);
            FORGET(pass);
            run_pass(pass, work->state[i] + (from ^ 1), source, PASS_PULL | PASS_SUB, decrypt,
                     work->key[decrypt ? r - 1 : r]);
        }
    }
    for (size_t i = 0; i < batches; i++)
        slice_end(work, work->state[i], from, way, rounds, decrypt,
                  dst + i * SLICE_BLOCKS * BLOCK_BYTES);
}
