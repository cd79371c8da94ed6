/* aes_gcm_x86.h: template of GCM in one pass for x86: CTR and GHASH interleaved; SP 800-38D. */
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Included after aes_x86.h and ghash_x86.h, whose parameters and functions it uses; GHASH_TARGET
 * then names the instructions of both. One parameter of its own:
 *
 *   GCM_GHASH           the GHASH row that these powers of H belong to
 *
 * It gives the function `gcm`. While AESENC runs on eight vectors of key stream, eight vectors of
 * ciphertext are multiplied: when encrypting those that the step before has made, when decrypting
 * those that this step decrypts. So neither waits for the other.
 *
 * Counters that differ in their last byte only differ, after the first round, in one column. Long
 * runs therefore begin with a table of that column for each of the 256 values: one XOR then stands
 * for the counter, its byte order, the first round key and the first round. The table is indexed by
 * the counter, so it is made only where that is public: not where the first one is a hash of the IV.
 */

enum {
    GCM_COUNTS = 256,
    GCM_TABLE_BLOCKS = 1024, /* from here on the table repays its making */
};

/* Where a run stands. */
struct gcm_run {
    const uint8_t *src, *hash; /* the next text; the next ciphertext to be hashed */
    uint8_t *dst;
    uint8_t *copy; /* where to leave the text a second time, for the next step's hash; or NULL */
    uint8_t (*table)[BLOCK_BYTES]; /* GCM_COUNTS blocks, or NULL */
    size_t count;                  /* the last byte of the next block's counter */
    size_t hash_step;              /* from a step's ciphertext to the next's; 0: always at copy */
    size_t ahead;                  /* of the text, to fetch into the cache */
    V counter;                     /* the whole of it, little-endian, in all places */
    uint8_t *base; /* after the first round, if the last byte were 0; in all places */
    V first;       /* the hash so far in the first place, bytes reversed; 0 once it is in the sum */
    struct ghash_sum sum;
};

/* What each value of the last byte adds to the state after the first round. */
GHASH_INLINE void gcm_make_table(const struct aes_schedule *ks, uint8_t (*table)[BLOCK_BYTES])
{
    const V key = v_repeat(ks->encrypt[0]), zero = v_xor(key, key), none = v_enc(key, zero);
    V count = v_load(number(0));

    for (size_t i = 0; i < GCM_COUNTS; i += VB) {
        v_store(table[i], v_xor(none, v_enc(v_xor(key, v_reverse(count)), zero)));
        count = v_add32(count, v_repeat(number(VB)));
    }
}

GHASH_INLINE void gcm_set_base(const struct aes_schedule *ks, struct gcm_run *run)
{
    static const uint64_t all_but_last[2] = {~(uint64_t)0xff, ~(uint64_t)0};
    const V counter = v_reverse(v_and(run->counter, v_repeat(all_but_last)));

    v_store(run->base, v_enc(v_xor(counter, v_repeat(ks->encrypt[0])), v_repeat(ks->encrypt[1])));
}

/* A step: WIDE vectors of text from src to dst, and WIDE vectors at hash into the sum, by the
   powers from `at` on. around, a constant: by non-temporal stores. */
GHASH_INLINE void gcm_step(const struct aes_schedule *ks, const struct ghash_x86_key *key,
                           struct gcm_run *run, size_t at, const bool around)
{
    V x0, x1, x2, x3, x4, x5, x6, x7, k, a, b, words;
    V low = run->sum.low, middle = run->sum.middle, high = run->sum.high;

/* KEEP says where a value is to be made. Left alone, compilers gather the operations of one kind
   and regroup the sums, and then have too few registers for all that is under way. */
#if FOLLOWS_SECRETS
#define KEEP(v) ((void)0)
#else
#define KEEP(v) __asm__ volatile("" : "+v"(v))
#endif
#define BYTES(j) ((size_t)(j)*VB * BLOCK_BYTES)
#define POWER(j) v_load(key->power[at + (size_t)(j)*VB])
#define MIDDLE(j) v_load(key->middle[at + (size_t)(j)*VB])
#define LOOK_UP(j) x##j = v_xor(k, v_load(run->table[run->count + (size_t)(j)*VB]))
#define ENTER(j) x##j = v_xor(k, v_reverse(v_add32(run->counter, v_load(number((j)*VB)))))
#define ROUND(j)               \
    do {                       \
        x##j = v_enc(x##j, k); \
        KEEP(x##j);            \
    } while (0)
#define ROUND_ALL(r)                  \
    do {                              \
        k = v_repeat(ks->encrypt[r]); \
        EACH(WIDE, ROUND);            \
    } while (0)
#define ADD(part, m, n)            \
    do {                           \
        part = v_xor3(part, m, n); \
        KEEP(part);                \
    } while (0)
#define OUTER(j)                                                                     \
    do {                                                                             \
        a = v_reverse(v_load(run->hash + BYTES(j)));                                 \
        b = v_reverse(v_load(run->hash + BYTES((j) + 1)));                           \
        if ((j) == 0)                                                                \
            a = v_xor(a, run->first);                                                \
        ADD(low, v_product(a, POWER(j), 0x00), v_product(b, POWER((j) + 1), 0x00));  \
        ADD(high, v_product(a, POWER(j), 0x11), v_product(b, POWER((j) + 1), 0x11)); \
        words = v_xor(v_words_low(a, b), v_words_high(a, b));                        \
    } while (0)
#define INNER(j)                                                                                 \
    do {                                                                                         \
        if (GHASH_KARATSUBA) {                                                                   \
            ADD(middle, v_product(words, MIDDLE(j), 0x00),                                       \
                v_product(words, MIDDLE((j) + 1), 0x11));                                        \
        } else {                                                                                 \
            ADD(middle, v_product(a, POWER(j), 0x01), v_product(a, POWER(j), 0x10));             \
            ADD(middle, v_product(b, POWER((j) + 1), 0x01), v_product(b, POWER((j) + 1), 0x10)); \
        }                                                                                        \
    } while (0)
#define LAST(j) x##j = v_enclast(x##j, v_xor(k, v_load(run->src + BYTES(j))))
#define LEAVE(j) around ? v_stream(run->dst + BYTES(j), x##j) : v_store(run->dst + BYTES(j), x##j)
#define COPY(j) v_store(run->copy + BYTES(j), x##j)

    if (run->table && run->count + STEP_BLOCKS <= GCM_COUNTS) {
        k = v_load(run->base);
        EACH(WIDE, LOOK_UP);
    } else {
        k = v_repeat(ks->encrypt[0]);
        EACH(WIDE, ENTER);
        ROUND_ALL(1);
    }
    OUTER(0);
    ROUND_ALL(2);
    INNER(0);
    ROUND_ALL(3);
    OUTER(2);
    ROUND_ALL(4);
    INNER(2);
    ROUND_ALL(5);
    OUTER(4);
    ROUND_ALL(6);
    INNER(4);
    ROUND_ALL(7);
    OUTER(6);
    ROUND_ALL(8);
    INNER(6);
    for (uint32_t r = 9; r < ks->rounds; r++)
        ROUND_ALL(r);
    k = v_repeat(ks->encrypt[ks->rounds]);
    EACH(WIDE, LAST);
    for (size_t line = 0; line < BYTES(WIDE); line += 64)
        _mm_prefetch((const char *)run->src + run->ahead + line, _MM_HINT_T0);
    EACH(WIDE, LEAVE);
    if (around && run->copy)
        EACH(WIDE, COPY);

    run->sum = (struct ghash_sum){low, middle, high};
    run->src += BYTES(WIDE);
    run->dst += BYTES(WIDE);
    run->hash += run->hash_step;
    run->counter = v_add32(run->counter, v_repeat(number(STEP_BLOCKS)));
    run->count = (run->count + STEP_BLOCKS) % GCM_COUNTS;
    if (run->table && run->count < STEP_BLOCKS)
        gcm_set_base(ks, run);
#undef KEEP
#undef BYTES
#undef POWER
#undef MIDDLE
#undef LOOK_UP
#undef ENTER
#undef ROUND
#undef ROUND_ALL
#undef ADD
#undef OUTER
#undef INNER
#undef LAST
#undef LEAVE
#undef COPY
}

/* The steps of a run, with the hash so far in sum, bytes reversed. */
GHASH_INLINE __m128i gcm_run_steps(const struct aes_schedule *ks, const struct ghash_x86_key *key,
                                   struct gcm_run *run, __m128i sum, size_t steps,
                                   const bool around)
{
    const V zero = v_first(_mm_setzero_si128());

    while (steps > 0) {
        const size_t most = GHASH_POWERS / STEP_BLOCKS, now = steps < most ? steps : most;
        run->sum = (struct ghash_sum){zero, zero, zero};
        run->first = v_first(sum);
        for (size_t left = now; left > 0; left--, run->first = zero) {
            /* The compiler is not to load all round keys before the loop, and spill them. */
            __asm__ volatile("" : "+r"(ks), "+r"(key));
            gcm_step(ks, key, run, GHASH_POWERS - left * STEP_BLOCKS, around);
        }
        sum = ghash_reduce(&run->sum);
        steps -= now;
    }
    return sum;
}

/* `steps` steps of text in the lane, which moves on, and as many at hash into y. Encryption around the caches hashes a
   copy of what it writes, as dst is not there to be read. */
static GHASH_TARGET void gcm_steps(const struct aes_schedule *ks, const struct ghash_x86_key *key,
                                   bool decrypt, bool public_counter, struct lane *lane,
                                   const uint8_t *hash, uint8_t y[BLOCK_BYTES], size_t steps,
                                   enum reach reach)
{
    uint8_t table[GCM_COUNTS][BLOCK_BYTES] __attribute__((aligned(64)));
    uint8_t base[VB * BLOCK_BYTES] __attribute__((aligned(64)));
    uint8_t copy[STEP_BLOCKS * BLOCK_BYTES] __attribute__((aligned(64)));
    const __m128i backwards = _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const size_t blocks = steps * STEP_BLOCKS;
    const bool use_table = public_counter && blocks >= GCM_TABLE_BLOCKS;
    __m128i sum = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)y), backwards);
    struct gcm_run run = {
        .src = lane->src, .hash = hash, .dst = lane->dst, .hash_step = sizeof copy};

    run.counter = v_reverse(v_repeat(lane->state));
    run.count = lane->state[BLOCK_BYTES - 1];
    run.ahead = reach == REACH_CACHE ? 0 : PREFETCH_PAGE_BYTES;
    if (use_table) {
        gcm_make_table(ks, table);
        run.table = table;
        run.base = base;
        gcm_set_base(ks, &run);
    }
    if (reach == REACH_AROUND) {
        if (!decrypt) {
            memcpy(copy, hash, sizeof copy);
            run.hash = run.copy = copy;
            run.hash_step = 0;
        }
        sum = gcm_run_steps(ks, key, &run, sum, steps, true);
        _mm_sfence();
    } else {
        sum = gcm_run_steps(ks, key, &run, sum, steps, false);
    }
    _mm_storeu_si128((__m128i *)y, _mm_shuffle_epi8(sum, backwards));
    store_be32(lane->state + 12, load_be32(lane->state + 12) + (uint32_t)blocks);
    lane->src += blocks * BLOCK_BYTES;
    lane->dst += blocks * BLOCK_BYTES;
    if (use_table) {
        wipe(table, sizeof table);
        wipe(base, sizeof base); /* but one round away from the key */
    }
}

static GHASH_TARGET void gcm(const void *ks, const void *hk, bool decrypt, bool public_counter,
                             struct lane *lane, uint8_t y[BLOCK_BYTES], size_t blocks,
                             enum reach reach)
{
    struct lane rest = *lane;
    const uint8_t *hash = decrypt ? lane->src : lane->dst;
    size_t left = blocks, steps = blocks / STEP_BLOCKS;

    if (!decrypt && steps > 0) { /* so that the hash is one step behind */
        run_bulk(ks, FORM_CTR32, false, &rest, 1, STEP_BLOCKS, REACH_CACHE);
        rest.src += STEP_BLOCKS * BLOCK_BYTES;
        rest.dst += STEP_BLOCKS * BLOCK_BYTES;
        left -= STEP_BLOCKS;
        steps--;
    }
    if (steps > 0)
        gcm_steps(ks, hk, decrypt, public_counter, &rest, hash, y, steps, reach);
    left -= steps * STEP_BLOCKS;
    hash += steps * STEP_BLOCKS * BLOCK_BYTES;
    const size_t unhashed = blocks - steps * STEP_BLOCKS;
    if (decrypt) /* before dst, which may be src, is written */
        GCM_GHASH.update(hk, y, hash, unhashed);
    run_bulk(ks, FORM_CTR32, false, &rest, 1, left, REACH_CACHE);
    if (!decrypt)
        GCM_GHASH.update(hk, y, hash, unhashed);
    memcpy(lane->state, rest.state, BLOCK_BYTES);
    v_forget();
}
