/* gecko_portable.c: kernel "gecko-portable": Gecko (L. Tomasello, 2019) for any CPU. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "gecko_layers.h"

struct portable_schedule {
    uint8_t subkey[GECKO_SUBKEYS][BLOCK_BYTES]; /* S(q) ^ q of each byte; the last: q */
    uint8_t swap[BLOCK_BYTES], swap_back[BLOCK_BYTES];
    uint8_t exchange[BLOCK_BYTES];
    /* Of the bytes in the order of exchange: where SWAP takes each to, and where from. */
    uint8_t after_swap[BLOCK_BYTES], before_swap[BLOCK_BYTES];
    uint32_t rounds;
};

static bool expand(void *schedule, const uint8_t *bytes, size_t key_bytes)
{
    struct portable_schedule *const ks = schedule;
    struct gecko_key key;
    if (!gecko_expand(&key, bytes, key_bytes))
        return false;
    ks->rounds = key.rounds;
    memcpy(ks->subkey, key.table, (key.rounds + 1) * BLOCK_BYTES);
    for (size_t r = 0; r < key.rounds; r++)
        for (size_t i = 0; i < BLOCK_BYTES; i++)
            ks->subkey[r][i] ^= gecko_sbox[ks->subkey[r][i]];
    memcpy(ks->swap, key.swap, BLOCK_BYTES);
    memcpy(ks->exchange, key.exchange, BLOCK_BYTES);
    for (uint8_t i = 0; i < BLOCK_BYTES; i++)
        ks->swap_back[key.swap[i]] = i;
    for (size_t j = 0; j < BLOCK_BYTES; j++) {
        ks->after_swap[j] = ks->swap_back[key.exchange[j]];
        ks->before_swap[j] = ks->swap[key.exchange[j]];
    }
    wipe(&key, sizeof key);
    return true;
}

static void encrypt(const struct portable_schedule *ks, uint8_t *dst, const uint8_t *src)
{
    uint8_t b[BLOCK_BYTES], t[BLOCK_BYTES];
    const uint8_t *from = ks->exchange, *to = ks->after_swap; /* the first MIX is before SWAP */
    memcpy(t, src, BLOCK_BYTES);
    for (size_t r = 0; r < ks->rounds; r++) {
        gecko_mix_sub(b, to, t, from, gecko_sbox);
        gecko_store(t, gecko_rot(gecko_add(gecko_load(b), ks->subkey[r])));
        from = ks->before_swap;
        to = ks->exchange;
    }
    gecko_mix_sub(b, to, t, from, NULL);
    gecko_swap(t, b, ks->swap);
    gecko_store(dst, gecko_add(gecko_load(t), ks->subkey[ks->rounds]));
}

static void decrypt(const struct portable_schedule *ks, uint8_t *dst, const uint8_t *src)
{
    uint8_t b[BLOCK_BYTES], t[BLOCK_BYTES];
    const uint8_t *from = ks->exchange, *to = ks->before_swap;
    gecko_store(t, gecko_add(gecko_load(src), ks->subkey[ks->rounds]));
    gecko_swap(b, t, ks->swap_back);
    gecko_sub_mix_back(t, to, b, from, NULL);
    for (size_t r = ks->rounds; r-- > 0;) {
        gecko_store(b, gecko_add(gecko_rot_back(gecko_load(t)), ks->subkey[r]));
        if (r == 0) {
            from = ks->after_swap;
            to = ks->exchange;
        }
        gecko_sub_mix_back(t, to, b, from, gecko_inverse_sbox);
    }
    memcpy(dst, t, BLOCK_BYTES);
}

static void each_block(const void *ks, bool inverse, uint8_t *dst, const uint8_t *src, size_t n)
{
    for (size_t at = 0; at < n * BLOCK_BYTES; at += BLOCK_BYTES) {
        if (inverse)
            decrypt(ks, dst + at, src + at);
        else
            encrypt(ks, dst + at, src + at);
    }
}

const struct mtaes_kernel gecko_portable = {
    .name = "gecko-portable",
    .cipher = "gecko",
    .ghash = "ghash-portable",
    .schedule_bytes = sizeof(struct portable_schedule),
    .expand = expand,
    .blocks = each_block,
};
