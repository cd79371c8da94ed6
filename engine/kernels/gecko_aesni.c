/* gecko_aesni.c: kernel "gecko-aesni": Gecko by AES-NI; the key setup of all x86 Gecko kernels. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "cpu.h"
#include "gecko_schedule.h"
#include "kernel.h"
#include "util.h"

#define TARGET __attribute__((target("aes,ssse3")))
#define VB 1
#include "x86_vector.h"

#define v_xor3(a, b, c) v_xor(v_xor(a, b), c)
#define v_rot(v) v_xor(v_left64(v, 6), v_right64(v_swap64(v), 58))
#define v_rot_back(v) v_xor(v_right64(v, 6), v_left64(v_swap64(v), 58))
#define v_select(a, b, mask) v_xor(v_and(v_xor(a, b), _mm_set1_epi8(mask)), b)
#define v_pull(own, below) v_select(_mm_slli_epi16(own, 6), _mm_srli_epi16(below, 2), (char)0xc0)
#define v_pull_back(own, above) v_select(_mm_srli_epi16(own, 6), _mm_slli_epi16(above, 2), 0x03)
#define MASK const __m128i *
#define v_mask(p) ((const __m128i *)(const void *)(p))
#define v_by(v, mask) shuffle_by(v, mask)
#define KEY_WORDS 4
#define v_key(p) v_load(p)
#define one_rot(v) v_rot(v)
#define one_xor3(a, b, c) v_xor3(a, b, c)

/* The mask stays in memory: eight blocks and three masks are more than 16 registers hold, and the
   compiler would leave masks on the stack. */
INLINE __m128i shuffle_by(__m128i v, const __m128i *mask)
{
    __asm__("pshufb %1, %0" : "+x"(v) : "m"(*mask));
    return v;
}

#include "gecko_x86.h"

#include "gecko_forms_x86.h"

/* places[i] = of[terms[i]], where there is such a term. */
INLINE __m128i compose(__m128i of, __m128i terms)
{
    const __m128i none = _mm_and_si128(terms, _mm_set1_epi8((char)GECKO_NONE));
    return _mm_or_si128(v_shuffle(of, terms), none);
}

/* Where ShiftRows takes each byte from, and where its inverse does. */
static const uint8_t shift_rows[BLOCK_BYTES] = {0, 5,  10, 15, 4,  9, 14, 3,
                                                8, 13, 2,  7,  12, 1, 6,  11};
static const uint8_t shift_rows_back[BLOCK_BYTES] = {0, 13, 10, 7,  4,  1, 14, 11,
                                                     8, 5,  2,  15, 12, 9, 6,  3};

static TARGET void expand_shuffles(struct gecko_schedule *ks, const struct gecko_key *key,
                                   const uint8_t *swap_back)
{
    struct gecko_shuffles mix, back;
    const __m128i shift = v_load(shift_rows), unshift = v_load(shift_rows_back);
    const __m128i swap = v_load(key->swap), unswap = v_load(swap_back);
    gecko_mix_terms(mix.term, key->exchange, false);
    gecko_mix_terms(back.term, key->exchange, true);
    for (size_t i = 0; i < GECKO_TERMS; i++) {
        const __m128i m = v_load(mix.term[i]), n = v_load(back.term[i]);
        v_store(ks->encrypt.begin.term[i], v_shuffle(m, v_shuffle(swap, unshift)));
        v_store(ks->encrypt.round.term[i], compose(swap, v_shuffle(m, unshift)));
        v_store(ks->encrypt.end.term[i], compose(swap, v_shuffle(m, swap)));
        v_store(ks->decrypt.begin.term[i], compose(unswap, v_shuffle(n, unswap)));
        v_store(ks->decrypt.round.term[i], compose(shift, v_shuffle(n, unswap)));
        v_store(ks->decrypt.end.term[i], compose(v_shuffle(shift, unswap), n));
    }
    wipe(&mix, sizeof mix);
    wipe(&back, sizeof back);
}

/* The sum of the three shuffles of the bytes. */
INLINE __m128i apply(const struct gecko_shuffles *layer, __m128i bytes)
{
    return v_xor3(v_shuffle(bytes, v_load(layer->term[0])),
                  v_shuffle(bytes, v_load(layer->term[1])),
                  v_shuffle(bytes, v_load(layer->term[2])));
}

/*
 * KEY is a sum with S(q) ^ q. Decryption adds its keys before the layers that come before KEY in
 * the specification: so they are taken through the inverse of those, which are those of encryption.
 */
static TARGET void expand_keys(struct gecko_schedule *ks, const struct gecko_key *key)
{
    const __m128i unshift = v_load(shift_rows_back), zero = _mm_setzero_si128();
    const uint32_t rounds = key->rounds;
    const __m128i last = v_load(key->table + rounds * BLOCK_BYTES);
    __m128i sum = zero;
    for (uint32_t r = 0; r < rounds; r++) {
        const __m128i q = v_load(key->table + r * BLOCK_BYTES);
        sum = v_xor(v_enclast(v_shuffle(q, unshift), zero), q);
        v_store(ks->encrypt.key[r], sum);
        if (r < rounds - 1) /* the shuffles are ahead of AESENCLAST: as its InvShiftRows is */
            v_store(ks->decrypt.key[rounds - 2 - r], apply(&ks->encrypt.round, v_rot(sum)));
    }
    v_store(ks->decrypt.key[rounds - 1], zero);
    v_store(ks->encrypt.whiten, last);
    v_store(ks->decrypt.whiten, v_xor(last, apply(&ks->encrypt.end, v_rot(sum))));
}

/* exchange[t] is called x[t] here: step t of a round ends with byte x[t], encrypting, and with
   byte swap[x[t]], decrypting, and that slice is kept at place t. */
static TARGET void expand_passes(struct gecko_schedule *ks, const struct gecko_key *key,
                                 const uint8_t *swap_back)
{
    const uint8_t *const x = key->exchange, *const swap = key->swap;
    struct gecko_way *const e = &ks->encrypt, *const d = &ks->decrypt;
    uint8_t place_e[BLOCK_BYTES], place_d[BLOCK_BYTES]; /* of byte i after a round */
    for (uint8_t t = 0; t < BLOCK_BYTES; t++) {
        place_e[x[t]] = t * 16;
        place_d[swap[x[t]]] = t * 16;
    }
    for (size_t t = 0; t < BLOCK_BYTES; t++) {
        const uint8_t after = swap_back[x[t]], before = swap[x[t]];
        e->slice_begin.first[t] = x[t] * 16;
        e->slice_begin.put[t] = place_e[after];
        e->slice_round.first[t] = e->slice_end.first[t] = place_e[before];
        e->slice_round.second[t] = e->slice_end.second[t] = place_e[(before + 15) % 16];
        e->slice_end.put[t] = after * 16;
        e->slice_key[0][t] = after;
        e->slice_key[1][t] = x[t];
        d->slice_begin.first[t] = after * 16;
        d->slice_round.first[t] = place_d[x[t]];
        d->slice_round.second[t] = place_d[(x[t] + 1) % 16];
        d->slice_end.first[t] = place_d[after];
        d->slice_end.second[t] = place_d[(after + 1) % 16];
        d->slice_end.put[t] = x[t] * 16;
        d->slice_key[0][t] = d->slice_key[1][t] = shift_rows[x[t]];
    }
    wipe(place_e, sizeof place_e);
    wipe(place_d, sizeof place_d);
}

TARGET bool gecko_x86_expand(void *schedule, const uint8_t *bytes, size_t key_bytes)
{
    struct gecko_schedule *const ks = schedule;
    struct gecko_key key;
    uint8_t swap_back[BLOCK_BYTES];
    if (!gecko_expand(&key, bytes, key_bytes))
        return false;
    for (uint8_t i = 0; i < BLOCK_BYTES; i++)
        swap_back[key.swap[i]] = i;
    ks->rounds = key.rounds;
    expand_shuffles(ks, &key, swap_back);
    expand_keys(ks, &key);
    expand_passes(ks, &key, swap_back);
    wipe(&key, sizeof key);
    wipe(swap_back, sizeof swap_back);
    v_forget();
    return true;
}

const struct mtaes_kernel gecko_aesni = {
    .name = "gecko-aesni",
    .cipher = "gecko",
    .needs = CPU_AES | CPU_SSSE3,
    .ghash = "ghash-pclmul",
    .schedule_bytes = sizeof(struct gecko_schedule),
    .expand = gecko_x86_expand,
    .blocks = each_block,
    .bulk = bulk,
    .chain = chain,
};
