/* gecko_forms_x86.h: template of what the modes call of Gecko on x86: independent blocks, and chains. */
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Included after gecko_x86.h, whose parameters and functions it uses. It gives the functions that a row of the table
 * needs: each_block, bulk, chain.
 */

/* ---- forms ---- */

/* work->key is set if blocks is not below SLICE_BLOCKS. */
INLINE void crypt_blocks(struct slice_work *work, const struct gecko_way *way, uint32_t rounds,
                         const bool decrypt, uint8_t *dst, const uint8_t *src, size_t blocks)
{
    while (blocks >= SLICE_BLOCKS) {
        const size_t batches = blocks < BATCHES * SLICE_BLOCKS ? 1 : BATCHES;
        crypt_slices(work, way, rounds, decrypt, dst, src, batches);
        dst += batches * SLICE_BLOCKS * BLOCK_BYTES;
        src += batches * SLICE_BLOCKS * BLOCK_BYTES;
        blocks -= batches * SLICE_BLOCKS;
    }
    crypt_few(way, rounds, decrypt, dst, src, blocks);
}

static TARGET void crypt(const struct gecko_schedule *ks, bool inverse, struct slice_work *work,
                         uint8_t *dst, const uint8_t *src, size_t blocks)
{
    if (inverse)
        crypt_blocks(work, &ks->decrypt, ks->rounds, true, dst, src, blocks);
    else
        crypt_blocks(work, &ks->encrypt, ks->rounds, false, dst, src, blocks);
}

static TARGET void each_block(const void *schedule, bool decrypt, uint8_t *dst, const uint8_t *src,
                              size_t blocks)
{
    const struct gecko_schedule *const ks = schedule;
    struct slice_work work;
    const bool sliced = blocks >= SLICE_BLOCKS;
    if (sliced)
        slice_keys(&work, decrypt ? &ks->decrypt : &ks->encrypt, ks->rounds);
    crypt(ks, decrypt, &work, dst, src, blocks);
    if (sliced)
        wipe(&work, sizeof work);
    v_forget();
}

enum { CHUNK_BLOCKS = BATCHES * SLICE_BLOCKS };

struct scratch {
    uint8_t text[CHUNK_BLOCKS][BLOCK_BYTES]; /* what goes through the cipher */
    uint8_t pad[CHUNK_BLOCKS][BLOCK_BYTES];  /* the state before each block */
    struct slice_work work;
} __attribute__((aligned(64)));

/* dst = a ^ b, all of them whole or disjoint. */
INLINE void xor_blocks(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t blocks)
{
    size_t at = 0;
    for (; at + VECTOR_BYTES <= blocks * BLOCK_BYTES; at += VECTOR_BYTES)
        v_store(dst + at, v_xor(v_load(a + at), v_load(b + at)));
    for (; at < blocks * BLOCK_BYTES; at += BLOCK_BYTES)
        xor_block(dst + at, a + at, b + at);
}

/* The counters of the next blocks, and the one after them. */
INLINE void pad_counters(uint8_t (*pad)[BLOCK_BYTES], const bool narrow, uint8_t state[BLOCK_BYTES],
                         size_t blocks)
{
    static const uint64_t first[4][2] = {{0, 0}, {1, 0}, {2, 0}, {3, 0}}, step[2] = {VB, 0};
    const uint64_t low = load_be64(state + 8), room = narrow ? UINT32_MAX - (uint32_t)low : ~low;
    if (blocks <= room) { /* nothing to carry */
        V counter = v_add64(v_reverse(v_repeat(state)), v_load(first));
        for (size_t i = 0; i < blocks; i += VB) {
            v_store(pad[i], v_reverse(counter));
            counter = v_add64(counter, v_repeat(step));
        }
        store_be64(state + 8, low + blocks);
        return;
    }
    for (size_t i = 0; i < blocks; i++) {
        memcpy(pad[i], state, BLOCK_BYTES);
        if (narrow)
            store_be32(state + 12, load_be32(state + 12) + 1);
        else
            add_be128(state, 1);
    }
}

/* IEEE 1619, 5.2: the state times x, again and again. */
INLINE void pad_tweaks(uint8_t (*pad)[BLOCK_BYTES], uint8_t state[BLOCK_BYTES], size_t blocks)
{
    uint64_t low = load_le64(state), high = load_le64(state + 8);
    for (size_t i = 0; i < blocks; i++) {
        store_le64(pad[i], low);
        store_le64(pad[i] + 8, high);
        const uint64_t out = high >> 63;
        high = high << 1 | low >> 63;
        low = low << 1 ^ (0x87 & (0 - out));
    }
    store_le64(state, low);
    store_le64(state + 8, high);
}

/* The ciphertext blocks before these. */
INLINE void pad_previous(uint8_t (*pad)[BLOCK_BYTES], uint8_t state[BLOCK_BYTES],
                         const uint8_t *src, size_t blocks)
{
    memcpy(pad[0], state, BLOCK_BYTES);
    memcpy(pad[1], src, (blocks - 1) * BLOCK_BYTES);
    memcpy(state, src + (blocks - 1) * BLOCK_BYTES, BLOCK_BYTES);
}

/* dst = text ^ state; state = dst ^ src. dst may be src. */
INLINE void unchain_pcbc(uint8_t *dst, const uint8_t *src, uint8_t (*text)[BLOCK_BYTES],
                         uint8_t state[BLOCK_BYTES], size_t blocks)
{
    __m128i sum = one_load(state);
    for (size_t i = 0; i < blocks; i++, src += BLOCK_BYTES, dst += BLOCK_BYTES) {
        const __m128i cipher = one_load(src);
        sum = _mm_xor_si128(sum, one_load(text[i]));
        one_store(dst, sum);
        sum = _mm_xor_si128(sum, cipher);
    }
    one_store(state, sum);
}

/* 1 to CHUNK_BLOCKS blocks. dst is written last, as it may be src. */
static TARGET void chunk(const struct gecko_schedule *ks, enum form form, bool inverse,
                         struct scratch *scratch, uint8_t state[BLOCK_BYTES], uint8_t *dst,
                         const uint8_t *src, size_t blocks)
{
    uint8_t(*const text)[BLOCK_BYTES] = scratch->text, (*const pad)[BLOCK_BYTES] = scratch->pad;
    switch (form) {
    case FORM_ECB:
        crypt(ks, inverse, &scratch->work, dst, src, blocks);
        break;
    case FORM_CTR:
    case FORM_CTR32:
    case FORM_CFB:
        if (form == FORM_CFB)
            pad_previous(pad, state, src, blocks);
        else
            pad_counters(pad, form == FORM_CTR32, state, blocks);
        crypt(ks, inverse, &scratch->work, text[0], pad[0], blocks);
        xor_blocks(dst, text[0], src, blocks);
        break;
    case FORM_CBC:
        pad_previous(pad, state, src, blocks);
        crypt(ks, inverse, &scratch->work, text[0], src, blocks);
        xor_blocks(dst, text[0], pad[0], blocks);
        break;
    case FORM_PCBC:
        crypt(ks, inverse, &scratch->work, text[0], src, blocks);
        unchain_pcbc(dst, src, text, state, blocks);
        break;
    case FORM_XEX:
        pad_tweaks(pad, state, blocks);
        xor_blocks(text[0], src, pad[0], blocks);
        crypt(ks, inverse, &scratch->work, text[0], text[0], blocks);
        xor_blocks(dst, text[0], pad[0], blocks);
        break;
    }
}

/* The cipher takes longer than memory, so one lane follows another, and stores are plain ones. */
static TARGET void bulk(const void *schedule, enum form form, bool decrypt, struct lane *lane,
                        size_t lanes, size_t blocks_each, enum reach reach)
{
    const struct gecko_schedule *const ks = schedule;
    const bool inverse = decrypt && form != FORM_CTR && form != FORM_CTR32 && form != FORM_CFB;
    struct scratch scratch;
    (void)reach;
    if (blocks_each >= SLICE_BLOCKS)
        slice_keys(&scratch.work, inverse ? &ks->decrypt : &ks->encrypt, ks->rounds);
    for (size_t l = 0; l < lanes; l++) {
        size_t now;
        for (size_t done = 0; done < blocks_each; done += now) {
            const size_t left = blocks_each - done, at = done * BLOCK_BYTES;
            now = left < CHUNK_BLOCKS ? left : CHUNK_BLOCKS;
            chunk(ks, form, inverse, &scratch, lane[l].state, lane[l].dst + at, lane[l].src + at,
                  now);
        }
    }
    const size_t used = blocks_each < CHUNK_BLOCKS ? blocks_each : CHUNK_BLOCKS;
    if (form != FORM_ECB) {
        wipe(scratch.text, used * BLOCK_BYTES);
        wipe(scratch.pad, used * BLOCK_BYTES);
    }
    if (blocks_each >= SLICE_BLOCKS)
        wipe(&scratch.work, sizeof scratch.work);
    v_forget();
}

/* ---- chains ---- */

/* One stream: what is added before and after the cipher is gathered beside the path from block to
   block, which is left with one XOR. */
INLINE void chain_one(const struct gecko_schedule *ks, const unsigned shape, struct lane *lane,
                      size_t blocks)
{
    const struct gecko_way *const way = &ks->encrypt;
    const __m128i whiten = one_load(way->whiten);
#define MASKS(name, layer)                                                                    \
    const __m128i name##0 = one_load((layer)->term[0]), name##1 = one_load((layer)->term[1]), \
                  name##2 = one_load((layer)->term[2])
#define SUM(v, name)                                                     \
    one_xor3(_mm_shuffle_epi8(v, name##0), _mm_shuffle_epi8(v, name##1), \
             _mm_shuffle_epi8(v, name##2))
    MASKS(begin, &way->begin);
    MASKS(round, &way->round);
    MASKS(end, &way->end);
    const uint8_t *src = lane->src;
    uint8_t *dst = lane->dst;
    __m128i v = one_load(lane->state), add = _mm_setzero_si128();
    for (; blocks > 0; blocks--) {
        const __m128i text = one_load(src);
        v = _mm_xor_si128(v, shape & CHAIN_IN ? _mm_xor_si128(add, text) : add);
        v = SUM(v, begin);
        for (uint32_t r = 0; r < ks->rounds - 1; r++) {
            v = one_rot(_mm_aesenclast_si128(v, one_load(way->key[r])));
            v = SUM(v, round);
        }
        v = one_rot(_mm_aesenclast_si128(v, one_load(way->key[ks->rounds - 1])));
        v = SUM(v, end);
        add = shape & CHAIN_NEXT ? _mm_xor_si128(whiten, text) : whiten;
        one_store(dst, shape & CHAIN_OUT ? one_xor3(v, whiten, text) : _mm_xor_si128(v, whiten));
        src += BLOCK_BYTES;
        dst += BLOCK_BYTES;
    }
    one_store(lane->state, _mm_xor_si128(v, add));
#undef MASKS
#undef SUM
}

static TARGET void encrypt_few(const struct gecko_schedule *ks, uint8_t *dst, const uint8_t *src,
                               size_t blocks)
{
    crypt_few(&ks->encrypt, ks->rounds, false, dst, src, blocks);
}

/* Several streams: a block of each at a time. */
INLINE void chain_many(const struct gecko_schedule *ks, const unsigned shape, struct lane *lane,
                       size_t lanes, size_t blocks)
{
    uint8_t y[CHAIN_LANES][BLOCK_BYTES] __attribute__((aligned(64)));
    for (size_t at = 0; at < blocks * BLOCK_BYTES; at += BLOCK_BYTES) {
        for (size_t l = 0; l < lanes; l++) {
            const __m128i state = one_load(lane[l].state), text = one_load(lane[l].src + at);
            one_store(y[l], shape & CHAIN_IN ? _mm_xor_si128(state, text) : state);
        }
        encrypt_few(ks, y[0], y[0], lanes);
        for (size_t l = 0; l < lanes; l++) {
            const __m128i v = one_load(y[l]), text = one_load(lane[l].src + at);
            const __m128i sum = _mm_xor_si128(v, text);
            one_store(lane[l].state, shape & CHAIN_NEXT ? sum : v);
            one_store(lane[l].dst + at, shape & CHAIN_OUT ? sum : v);
        }
    }
    wipe(y, sizeof y);
}

INLINE void chain_shape(const struct gecko_schedule *ks, const unsigned shape, struct lane *lane,
                        size_t lanes, size_t blocks)
{
    if (lanes == 1)
        chain_one(ks, shape, lane, blocks);
    else
        chain_many(ks, shape, lane, lanes, blocks);
}

static TARGET void chain(const void *schedule, unsigned shape, struct lane *lane, size_t lanes,
                         size_t blocks_each)
{
    const struct gecko_schedule *const ks = schedule;
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
