/* gecko_counts.c: diffusion, confusion and key duplicates, counted as the published tests did. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <math.h>
#include <string.h>

#include "bytewise.h"
#include "gecko.h"
#include "progress.h"

enum {
    DISCARDED = 1048576, /* outputs that the original throws away at its start */
    BLOCK = BYTEWISE_BLOCK,
    CBC_BYTES = 3648,
    CBC_BLOCKS = CBC_BYTES / BLOCK,
    TALE_BYTES = 3628,
    ARRAY_BYTES = 3644, /* the text and 16 zeros; filled up to CBC_BYTES by PKCS #7 */
    CBC_PASSES = 10240,
    ECB_FACTOR = 100,
    EXPANDED_KEYS = 1048576,
    PUBLISHED_BITS = 192, /* the build that the page's counts are from, though it does not say so */
    ROUND_KEYS = 8192,    /* and 4096 bytes of text for each */
    ROUND_KEY_DIVISOR = 64,
    ROUND_TEXT_BYTES = 4096,
    ROUND_TEXT_BLOCKS = ROUND_TEXT_BYTES / BLOCK,
};

static const struct bytewise *const ciphers[GECKO_SIDES] = {
    [GECKO_GECKO] = &bytewise_gecko, [GECKO_AES] = &bytewise_aes};

static void begin(struct mt19937 *random, const struct gecko_options *o)
{
    mt19937_seed(random, (uint32_t)o->seed);
    mt19937_discard(random, DISCARDED);
}

/* ------------------------------------------------------------------- diffusion and confusion */

/* One kind of experiment: which bit is flipped, of how many, and in what text. */
struct avalanche {
    bool cbc, of_key; /* the bit is one of the key's; else of the text's */
    bool random_bit;
    size_t key_bytes;
    uint8_t text[CBC_BYTES];
    size_t bytes;
    uint64_t changed[GECKO_SIDES];
    uint64_t alive; /* bits that could have changed */
};

/* In place of the original's tale: as many bytes of a sentence, again and again. */
static void fill_tale(uint8_t text[CBC_BYTES])
{
    static const char sentence[] = "The quick brown fox jumps over the lazy dog.\n";
    for (size_t i = 0; i < TALE_BYTES; i++)
        text[i] = (uint8_t)sentence[i % (sizeof sentence - 1)];
    memset(text + TALE_BYTES, 0, ARRAY_BYTES - TALE_BYTES);
    memset(text + ARRAY_BYTES, CBC_BYTES - ARRAY_BYTES, CBC_BYTES - ARRAY_BYTES);
}

static void fill_hello(uint8_t text[BLOCK])
{
    memcpy(text, "Hello World!", 13);
    memset(text + 13, 3, 3);
}

static void flip(uint8_t *p, size_t bit)
{
    p[bit / 8] ^= (uint8_t)(1U << bit % 8);
}

/* The original takes the key's first byte, so that it flips one of 256 bits at the most. */
static size_t choose_bit(const struct avalanche *a, struct mt19937 *random, const uint8_t *key)
{
    const size_t bits = 8 * (a->of_key ? a->key_bytes : a->bytes);
    if (a->random_bit)
        return mt19937_below(random, (uint32_t)bits);
    const size_t first = a->of_key || !a->cbc ? 8 * BLOCK : bits;
    return key[0] % first;
}

static void encrypt(const struct avalanche *a, const struct bytewise *cipher, const uint8_t *key,
                    const uint8_t *iv, uint8_t *data)
{
    struct bytewise_key expanded;
    cipher->setup(&expanded, key, a->key_bytes);
    if (a->cbc)
        bytewise_cbc_encrypt(cipher, &expanded, iv, data, a->bytes);
    else
        bytewise_ecb_encrypt(cipher, &expanded, data, a->bytes);
}

static uint64_t differing_bits(const uint8_t *a, const uint8_t *b, size_t bytes)
{
    uint64_t count = 0, x, y;
    for (size_t i = 0; i < bytes; i += sizeof x) {
        memcpy(&x, a + i, sizeof x);
        memcpy(&y, b + i, sizeof y);
        count += (uint64_t)__builtin_popcountll(x ^ y);
    }
    return count;
}

/* Encrypt, flip a bit, encrypt again; the same key, IV and bit for both ciphers. */
static void avalanche_pass(struct avalanche *a, struct mt19937 *random)
{
    uint8_t key[32], iv[BLOCK] = {0}, other_key[32];
    uint8_t first[CBC_BYTES], second[CBC_BYTES], changed[CBC_BYTES];
    mt19937_fill(random, key, a->key_bytes);
    if (a->cbc)
        mt19937_fill(random, iv, sizeof iv);
    const size_t bit = choose_bit(a, random, key);
    memcpy(other_key, key, sizeof key);
    memcpy(changed, a->text, a->bytes);
    flip(a->of_key ? other_key : changed, bit);
    a->alive += 8 * (a->bytes - (a->of_key ? 0 : bit / (8 * BLOCK) * BLOCK));
    for (size_t i = 0; i < GECKO_SIDES; i++) {
        memcpy(first, a->text, a->bytes);
        memcpy(second, changed, a->bytes);
        encrypt(a, ciphers[i], key, iv, first);
        encrypt(a, ciphers[i], other_key, iv, second);
        a->changed[i] += differing_bits(first, second, a->bytes);
    }
}

/* In percent of all bits, for a cipher without fault. */
static double expected_percent(const struct avalanche *a)
{
    if (!a->cbc || a->of_key)
        return 50;
    if (a->random_bit) /* blocks before the flipped bit stay */
        return 50.0 * (CBC_BLOCKS + 1) / (2.0 * CBC_BLOCKS);
    return 50.0 * (1 - 0.5 / CBC_BLOCKS); /* in half of the passes, the first block stays */
}

static void report_avalanche(struct gecko_report *report, enum gecko_test test,
                             const struct avalanche *a, uint64_t passes)
{
    struct gecko_result *const r = gecko_add(report, test);
    r->mode = a->cbc ? "cbc" : "ecb";
    r->original = test == GECKO_DIFFUSION ? "Internals Test 5" : "Internals Test 6";
    r->unit = "bits changed";
    r->key_bits = (unsigned)a->key_bytes * 8;
    r->passes = passes;
    r->bits = passes * a->bytes * 8;
    for (size_t i = 0; i < GECKO_SIDES; i++) {
        r->side[i].value = (double)a->changed[i];
        r->side[i].percent = 100 * (double)a->changed[i] / (double)r->bits;
    }
    r->expected_percent = expected_percent(a);
    /* each bit that can change is a coin that is thrown once */
    r->sampling_error = sqrt((double)(a->random_bit ? a->alive : r->bits)) / 2;
    r->difference_error = r->sampling_error * sqrt(2);
    gecko_judge_counts(r);
    for (size_t i = 0; i < published_gecko_count; i++) {
        const struct published_gecko *const p = &published_gecko[i];
        if (r->key_bits == PUBLISHED_BITS && strcmp(p->test, gecko_test_name(test)) == 0 &&
            strcmp(p->mode, r->mode) == 0)
            r->published = p;
    }
}

void gecko_avalanche(struct gecko_report *report, enum gecko_test test, unsigned key_bits)
{
    const struct gecko_options *const o = report->options;
    struct mt19937 random;
    begin(&random, o);
    for (int ecb = 0; ecb < 2; ecb++) { /* on one stream of numbers, CBC first */
        struct avalanche a = {.cbc = !ecb,
                              .of_key = test == GECKO_CONFUSION,
                              .random_bit = o->random_bit,
                              .key_bytes = key_bits / 8,
                              .bytes = ecb ? BLOCK : CBC_BYTES};
        const uint64_t cbc_passes = o->passes ? o->passes : CBC_PASSES;
        const uint64_t passes = ecb ? cbc_passes * ECB_FACTOR : cbc_passes;
        if (ecb)
            fill_hello(a.text);
        else
            fill_tale(a.text);
        for (uint64_t i = 0; i < passes; i++) {
            if (i % 16384 == 0)
                progress_show("%s, %u bits, %s: pass %llu of %llu", gecko_test_name(test), key_bits,
                              ecb ? "ecb" : "cbc", (unsigned long long)i,
                              (unsigned long long)passes);
            avalanche_pass(&a, &random);
        }
        report_avalanche(report, test, &a, passes);
    }
    progress_clear();
}

/* ------------------------------------------------------------------------- key duplicates */

/* Pairs of equal bytes. */
static uint64_t equal_pairs(const uint8_t *p, size_t bytes)
{
    uint32_t seen[256] = {0};
    uint64_t pairs = 0;
    for (size_t i = 0; i < bytes; i++)
        pairs += seen[p[i]]++;
    return pairs;
}

struct pair_count {
    uint64_t sum[GECKO_SIDES];
    double squares[GECKO_SIDES];
    size_t table_bytes;
};

static void count_pairs(struct pair_count *c, struct mt19937 *random, size_t key_bytes)
{
    uint8_t key[32];
    mt19937_fill(random, key, key_bytes);
    for (size_t i = 0; i < GECKO_SIDES; i++) {
        struct bytewise_key expanded;
        ciphers[i]->setup(&expanded, key, key_bytes);
        const uint64_t pairs = equal_pairs(expanded.table, expanded.table_bytes);
        c->sum[i] += pairs;
        c->squares[i] += (double)(pairs * pairs);
        c->table_bytes = expanded.table_bytes;
    }
}

/* The variance of one table's number of pairs. */
static double variance(const struct pair_count *c, size_t side, uint64_t keys)
{
    const double mean = (double)c->sum[side] / (double)keys;
    return keys < 2 ? 0 : (c->squares[side] - mean * (double)c->sum[side]) / (double)(keys - 1);
}

/* times: how often the original counts each table. */
static void report_pairs(struct gecko_report *report, const struct pair_count *c, bool round_keys,
                         unsigned key_bits, uint64_t keys, unsigned times)
{
    struct gecko_result *const r = gecko_add(report, GECKO_DUPLICATES);
    const char *const name = round_keys ? "round-key duplicates" : "expanded-key duplicates";
    r->kind = round_keys ? "round-key" : "expanded-key";
    r->original = round_keys ? "Internals Test 2" : "Internals Test 1";
    r->unit = "pairs of equal bytes";
    r->key_bits = key_bits;
    r->passes = keys;
    double total = 0;
    for (size_t i = 0; i < GECKO_SIDES; i++) {
        r->side[i].value = (double)(c->sum[i] * times);
        /* the page's percentage is upside down: 100 over the mean number of pairs a table */
        if (c->sum[i])
            r->side[i].percent = 100 * (double)keys / (double)c->sum[i];
        total += variance(c, i, keys);
    }
    const double bytes = (double)c->table_bytes;
    r->expected_percent = 100 / (bytes * (bytes - 1) / 512); /* of random bytes */
    r->difference_error = sqrt(total * (double)keys) * times;
    r->sampling_error = r->difference_error / sqrt(2);
    gecko_judge_counts(r);
    for (size_t i = 0; i < published_gecko_count; i++) {
        if (strcmp(published_gecko[i].test, name) == 0 && published_gecko[i].key_bits == key_bits)
            r->published = &published_gecko[i];
    }
}

/* The original's second test takes the bytes that the rounds add from the same table, once for each
   block of a random text; so each table counts 256 times, and its text only uses up numbers. */
void gecko_duplicates(struct gecko_report *report, unsigned key_bits)
{
    const struct gecko_options *const o = report->options;
    for (int round_keys = 0; round_keys < 2; round_keys++) {
        uint64_t keys = o->passes ? o->passes : EXPANDED_KEYS;
        if (round_keys)
            keys = keys / ROUND_KEY_DIVISOR < ROUND_KEYS ? keys / ROUND_KEY_DIVISOR : ROUND_KEYS;
        keys = keys ? keys : 1;
        struct mt19937 random;
        struct pair_count c = {0};
        begin(&random, o);
        for (uint64_t i = 0; i < keys; i++) {
            if (i % 16384 == 0)
                progress_show("duplicates, %u bits: key %llu of %llu", key_bits,
                              (unsigned long long)i, (unsigned long long)keys);
            count_pairs(&c, &random, key_bits / 8);
            if (round_keys)
                mt19937_discard(&random, ROUND_TEXT_BYTES);
        }
        report_pairs(report, &c, round_keys, key_bits, keys, round_keys ? ROUND_TEXT_BLOCKS : 1);
    }
    progress_clear();
}
