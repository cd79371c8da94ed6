/* aes_chain_x86.h: template of the chained directions for x86: one stream, or many side by side. Source: NIST SP 800-38A. */
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Included after aes_x86.h, whose parameters it uses. It gives the function `chain`.
 */

/*
 * One stream: nothing but AESENC may stand on the path from block to block, as any other instruction would cost a cycle
 * or two of bypass. So the XOR with the first round key and with the text goes into the key operand of AESENCLAST:
 * w = E's input for the next block = y ^ m, and y = w ^ m is found beside the path.
 */
INLINE void chain_one(const struct aes_schedule *ks, const unsigned shape, struct lane *lane,
                      size_t blocks_left, const unsigned rounds)
{
    const uint8_t *src = lane->src;
    uint8_t *dst = lane->dst;
    const __m128i zero = _mm_setzero_si128();
    /* Read where they stand: copies would stay on the stack. */
    const __m128i *const key = (const __m128i *)(const void *)ks->encrypt;
    __m128i text = _mm_loadu_si128((const __m128i *)src);
    __m128i w = _mm_xor_si128(_mm_loadu_si128((const __m128i *)lane->state), key[0]);
    if (shape & CHAIN_IN)
        w = _mm_xor_si128(w, text);
    for (;;) {
        const bool more = --blocks_left != 0;
        const __m128i next = more ? _mm_loadu_si128((const __m128i *)(src + BLOCK_BYTES)) : zero;
        __m128i m = key[0];
        if (shape & CHAIN_NEXT)
            m = _mm_xor_si128(m, text);
        if (shape & CHAIN_IN)
            m = _mm_xor_si128(m, next);
        const __m128i last = _mm_xor_si128(m, key[rounds]);
#define ROUND(r) w = _mm_aesenc_si128(w, key[r])
        ROUND(1);
        ROUND(2);
        ROUND(3);
        ROUND(4);
        ROUND(5);
        ROUND(6);
        ROUND(7);
        ROUND(8);
        ROUND(9);
        if (rounds > 10) {
            ROUND(10);
            ROUND(11);
        }
        if (rounds > 12) {
            ROUND(12);
            ROUND(13);
        }
#undef ROUND
        w = _mm_aesenclast_si128(w, last);
        const __m128i y = _mm_xor_si128(w, m);
        _mm_storeu_si128((__m128i *)dst, shape & CHAIN_OUT ? _mm_xor_si128(y, text) : y);
        if (!more) {
            const __m128i state = shape & CHAIN_NEXT ? _mm_xor_si128(y, text) : y;
            _mm_storeu_si128((__m128i *)lane->state, state);
            return;
        }
        text = next;
        src += BLOCK_BYTES;
        dst += BLOCK_BYTES;
    }
}

enum {
    CHAIN_VECTORS = CHAIN_LANES / VB < WIDE ? CHAIN_LANES / VB : WIDE,
    GROUP_LANES = CHAIN_VECTORS * VB, /* as many as go side by side */
    GROUP_BLOCKS =
        4, /* that are fetched from each at a time: a cache line, since single blocks at a
                                         power-of-two distance would fight for the same lines again and again */
};

INLINE size_t group_blocks(size_t blocks_each, size_t at)
{
    return blocks_each - at < GROUP_BLOCKS ? blocks_each - at : GROUP_BLOCKS;
}

/* `count` blocks of each lane from block `at` on: text[i][l] is block i of lane l. `ahead`: what comes after them, and
   where they go to, is called into the cache: so many streams are more than the CPU follows by itself. */
INLINE void chain_fetch(uint8_t (*text)[GROUP_LANES][BLOCK_BYTES], const struct lane *lane,
                        size_t lanes, size_t at, size_t count, bool ahead)
{
    for (size_t l = 0; l < lanes; l++) {
        const uint8_t *const src = lane[l].src + at * BLOCK_BYTES;
        for (size_t i = 0; i < count; i++)
            _mm_store_si128((__m128i *)text[i][l],
                            _mm_loadu_si128((const __m128i *)(src + i * BLOCK_BYTES)));
        if (ahead) {
            _mm_prefetch((const char *)(src + GROUP_BLOCKS * BLOCK_BYTES), _MM_HINT_T0);
            _mm_prefetch((const char *)(lane[l].dst + at * BLOCK_BYTES), _MM_HINT_T0);
        }
    }
}

INLINE void chain_deliver(uint8_t (*text)[GROUP_LANES][BLOCK_BYTES], const struct lane *lane,
                          size_t lanes, size_t at, size_t count)
{
    for (size_t l = 0; l < lanes; l++)
        for (size_t i = 0; i < count; i++)
            _mm_storeu_si128((__m128i *)(lane[l].dst + (at + i) * BLOCK_BYTES),
                             _mm_load_si128((const __m128i *)text[i][l]));
}

/* Several streams side by side, up to GROUP_LANES, as in the one-stream form (w, m) but on vectors. */
INLINE void chain_group(const struct aes_schedule *ks, const unsigned shape, struct lane *lane,
                        size_t lanes, size_t blocks_each)
{
    /* The next blocks are fetched while these are processed: a wide load right behind the narrow stores would have to
       wait until they are all in the cache. */
    uint8_t fetched[2][GROUP_BLOCKS][GROUP_LANES][BLOCK_BYTES] __attribute__((aligned(64)));
    uint8_t state[GROUP_LANES][BLOCK_BYTES] __attribute__((aligned(64)));
    V w0, w1, w2, w3, w4, w5, w6, w7;
    memset(fetched, 0, sizeof fetched);
    memset(state, 0, sizeof state);
    for (size_t l = 0; l < lanes; l++)
        memcpy(state[l], lane[l].state, BLOCK_BYTES);
    size_t count = group_blocks(blocks_each, 0);
    /* Whole pages apart, the streams share a few places in the cache, and what is called early pushes out the rest. */
    const bool ahead = ((uintptr_t)lane[1].src - (uintptr_t)lane[0].src) % PREFETCH_PAGE_BYTES != 0;
    chain_fetch(fetched[0], lane, lanes, 0, count, ahead);
    const V first = v_repeat(ks->encrypt[0]);
    uint8_t(*next)[BLOCK_BYTES] = fetched[0][0];
#define TO_NEXT(j) (shape & CHAIN_IN ? v_xor(first, v_load(next[(j)*VB])) : first)
#define BEGIN(j) w##j = v_xor(v_load(state[(j)*VB]), TO_NEXT(j))
    EACH(CHAIN_VECTORS, BEGIN);
    for (size_t at = 0; count; at += count, count = group_blocks(blocks_each, at)) {
        uint8_t(*const text)[GROUP_LANES][BLOCK_BYTES] = fetched[at / GROUP_BLOCKS % 2];
        uint8_t(*const after)[GROUP_LANES][BLOCK_BYTES] = fetched[(at / GROUP_BLOCKS + 1) % 2];
        chain_fetch(after, lane, lanes, at + count, group_blocks(blocks_each, at + count), ahead);
        for (size_t i = 0; i < count; i++) {
            next = i + 1 < count ? text[i + 1] : after[0];
            V k;
            for (uint32_t r = 1; r < ks->rounds; r++) {
                k = v_repeat(ks->encrypt[r]);
#define ROUND(j)               \
    do {                       \
        w##j = v_enc(w##j, k); \
        PIN(w##j);             \
    } while (0)
                EACH(CHAIN_VECTORS, ROUND);
            }
            k = v_repeat(ks->encrypt[ks->rounds]);
#define LEAVE(j)                                                                      \
    do {                                                                              \
        uint8_t *const place = text[i][(j)*VB];                                       \
        const V t = v_load(place);                                                    \
        const V m = shape & CHAIN_NEXT ? v_xor(TO_NEXT(j), t) : TO_NEXT(j);           \
        w##j = v_enclast(w##j, v_xor(m, k));                                          \
        v_store(place, shape &CHAIN_OUT ? v_xor(v_xor(w##j, m), t) : v_xor(w##j, m)); \
    } while (0)
            EACH(CHAIN_VECTORS, LEAVE);
        }
        chain_deliver(text, lane, lanes, at, count);
    }
#define END(j) v_store(state[(j)*VB], v_xor(w##j, TO_NEXT(j)))
    EACH(CHAIN_VECTORS, END);
#undef TO_NEXT
#undef BEGIN
#undef ROUND
#undef LEAVE
#undef END
    for (size_t l = 0; l < lanes; l++)
        memcpy(lane[l].state, state[l], BLOCK_BYTES);
    wipe(fetched, sizeof fetched); /* the one place where text was copied to */
    wipe(state, sizeof state);
}

INLINE void chain_shape(const struct aes_schedule *ks, const unsigned shape, struct lane *lane,
                        size_t lanes, size_t blocks_each)
{
    for (size_t l = 0; l < lanes; l += GROUP_LANES) {
        const size_t now = lanes - l < GROUP_LANES ? lanes - l : GROUP_LANES;
        if (now > 1)
            chain_group(ks, shape, lane + l, now, blocks_each);
        else if (ks->rounds == 10)
            chain_one(ks, shape, lane + l, blocks_each, 10);
        else if (ks->rounds == 12)
            chain_one(ks, shape, lane + l, blocks_each, 12);
        else
            chain_one(ks, shape, lane + l, blocks_each, 14);
    }
}

static TARGET void chain(const void *schedule, unsigned shape, struct lane *lane, size_t lanes,
                         size_t blocks_each)
{
    const struct aes_schedule *const ks = schedule;
    if (blocks_each == 0)
        return;
    switch (shape) {
    case SHAPE_CBC:
        chain_shape(ks, SHAPE_CBC, lane, lanes, blocks_each);
        break;
    case SHAPE_CFB:
        chain_shape(ks, SHAPE_CFB, lane, lanes, blocks_each);
        break;
    case SHAPE_OFB:
        chain_shape(ks, SHAPE_OFB, lane, lanes, blocks_each);
        break;
    case SHAPE_PCBC:
        chain_shape(ks, SHAPE_PCBC, lane, lanes, blocks_each);
        break;
    }
    v_forget();
}
