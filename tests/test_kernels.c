/* test_kernels.c: every kernel's functions against definitions over single blocks of the portable
 * one. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "cpu.h"
#include "definition.h"
#include "registry.h"
#include "support.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t key_sizes[] = {16, 24, 32};
enum { KEY_SIZES = 3, MOST_BLOCKS = 2611, LANE_GAP = 5, FILLS = 2, GUARD = 64 };
static const uint8_t fills[FILLS] = {0xaa, 0x55};

/* Block counts: all up to 80, then around powers of two, and past where long runs begin to use tables; fewer under
   sanitizers. */
static size_t next_blocks(size_t blocks)
{
    static const size_t larger[] = {127, 129, 256, 515, MOST_BLOCKS};
    if (blocks < 80)
        return blocks + (UNDER_TSAN && blocks > 8 ? 9 : UNDER_SANITIZER && blocks > 36 ? 7 : 1);
    for (size_t i = 0; i < sizeof larger / sizeof *larger; i++)
        if (larger[i] > blocks)
            return larger[i];
    return SIZE_MAX;
}

/* A kernel, a key, and the definition of both. `bare` is the kernel with its fast paths taken away,
   so that generic.c is tested over its `blocks`. */
struct fixture {
    struct mtaes_kernel kernel;
    const mtaes_kernel *row;
    bool bare;
    void *schedule;
    struct cipher definition;
    struct random random;
    uint8_t *src, *dst, *expected; /* room for all lanes and gaps, and more */
};

static const size_t room_bytes = (size_t)CHAIN_LANES * 96 * 16 + 4 * MOST_BLOCKS * 16 + 4096;

static void fixture_begin(struct fixture *fx, const mtaes_kernel *row, size_t key_bytes, bool bare)
{
    uint8_t key[32];
    *fx = (struct fixture){.kernel = *row, .row = row, .bare = bare, .random = {key_bytes + bare}};
    random_fill(&fx->random, key, sizeof key);
    if (bare)
        fx->kernel.bulk = NULL, fx->kernel.chain = NULL;
    fx->schedule = aligned_alloc(64, (row->schedule_bytes + 63) / 64 * 64);
    fx->src = aligned_alloc(64, room_bytes / 64 * 64);
    fx->dst = aligned_alloc(64, room_bytes / 64 * 64);
    fx->expected = aligned_alloc(64, room_bytes / 64 * 64);
    ck_assert(fx->schedule && fx->src && fx->dst && fx->expected);
    ck_assert_msg(row->expand(fx->schedule, key, key_bytes), "%s refuses a key of %zu bytes",
                  row->name, key_bytes);
    fx->definition = cipher_create(portable_of(row), key, key_bytes);
    random_fill(&fx->random, fx->src, room_bytes / 64 * 64);
    coverage_mark(row);
}

static void fixture_end(struct fixture *fx)
{
    cipher_free(&fx->definition);
    free(fx->schedule);
    free(fx->src);
    free(fx->dst);
    free(fx->expected);
}

/* Run the test under every key length over the fast paths, and under one over generic.c. */
static void with_fixtures(int index, void (*test)(struct fixture *fx))
{
    const mtaes_kernel *row = kernel_at(index);
    if (!mtaes_kernel_runs_here(row))
        return;
    for (size_t i = 0; i < (UNDER_TSAN ? 1 : KEY_SIZES); i++)
        for (int bare = 0; bare < (i == 0 ? 2 : 1); bare++) {
            struct fixture fx;
            fixture_begin(&fx, row, key_sizes[i], bare);
            test(&fx);
            fixture_end(&fx);
        }
}

/* Counters that wrap at 8, 32, 64 and 128 bits a few blocks on, or right away, and random ones. */
static void draw_state(struct random *random, uint8_t state[16])
{
    static const size_t widths[] = {0, 1, 4, 8, 16};
    const size_t width = widths[random_below(random, 5)];
    random_fill(random, state, 16);
    memset(state + 16 - width, 0xff, width);
    if (width > 1 && random_below(random, 2))
        state[15] = (uint8_t)(255 - random_below(random, 90));
}

/* ------------------------------------------------------------------------------------------------
 * expand and blocks */

/* FIPS 197, appendix C: the keys are 00 01 02 ..., the plaintext 00 11 22 ... ff. */
START_TEST(fips_197)
{
    static const uint8_t expected[KEY_SIZES][16] = {
        {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30, 0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5,
         0x5a},
        {0xdd, 0xa9, 0x7c, 0xa4, 0x86, 0x4c, 0xdf, 0xe0, 0x6e, 0xaf, 0x70, 0xa0, 0xec, 0x0d, 0x71,
         0x91},
        {0x8e, 0xa2, 0xb7, 0xca, 0x51, 0x67, 0x45, 0xbf, 0xea, 0xfc, 0x49, 0x90, 0x4b, 0x49, 0x60,
         0x89},
    };
    const mtaes_kernel *kernel = kernel_at(_i);
    if (strcmp(kernel->cipher, "aes") != 0 || !mtaes_kernel_runs_here(kernel))
        return;
    for (size_t size = 0; size < KEY_SIZES; size++) {
        uint8_t key[32], plaintext[16], block[16];
        void *schedule = aligned_alloc(64, (kernel->schedule_bytes + 63) / 64 * 64);
        for (size_t i = 0; i < sizeof key; i++)
            key[i] = (uint8_t)i;
        for (size_t i = 0; i < sizeof plaintext; i++)
            plaintext[i] = (uint8_t)(i * 0x11);
        ck_assert(kernel->expand(schedule, key, key_sizes[size]));
        kernel->blocks(schedule, false, block, plaintext, 1);
        ck_assert_mem_eq(block, expected[size], 16);
        kernel->blocks(schedule, true, block, block, 1);
        ck_assert_mem_eq(block, plaintext, 16);
        free(schedule);
    }
}
END_TEST

/* Only the three key lengths are taken, and the schedule keeps within its bytes. */
START_TEST(expand)
{
    const mtaes_kernel *kernel = kernel_at(_i);
    if (!mtaes_kernel_runs_here(kernel))
        return;
    uint8_t key[80], *schedule = aligned_alloc(64, (kernel->schedule_bytes + GUARD + 63) / 64 * 64);
    memset(key, 0x3c, sizeof key);
    ck_assert(kernel->schedule_bytes > 0);
    for (size_t n = 0; n <= sizeof key; n++) {
        const bool legal = n == 16 || n == 24 || n == 32;
        memset(schedule + kernel->schedule_bytes, 0x77, GUARD);
        ck_assert_msg(kernel->expand(schedule, key, n) == legal, "%s, key of %zu bytes",
                      kernel->name, n);
        ck_assert(all_bytes(schedule + kernel->schedule_bytes, GUARD, 0x77));
    }
    free(schedule);
}
END_TEST

/* All of n blocks, at both ends of guarded memory, over two fills, and in place. */
static void check_blocks(struct fixture *fx, bool decrypt, size_t n, const struct guarded *in,
                         const struct guarded *out)
{
    const struct mtaes_kernel *kernel = &fx->kernel;
    for (size_t i = 0; i < n; i++)
        define_block(&fx->definition, decrypt, fx->expected + 16 * i, fx->src + 16 * i);
    for (int at_end = 0; at_end < 2; at_end++) {
        uint8_t *src = at_end ? guarded_last(in, 16 * n) : guarded_first(in);
        uint8_t *dst = at_end ? guarded_last(out, 16 * n) : guarded_first(out);
        memcpy(src, fx->src, 16 * n);
        for (int f = 0; f < FILLS; f++) {
            memset(dst, fills[f], 16 * n);
            kernel->blocks(fx->schedule, decrypt, dst, src, n);
            const char *fault = difference(dst, fx->expected, 16 * n);
            ck_assert_msg(fault == NULL, "%s, %zu blocks: %s", kernel->name, n, fault);
        }
        ck_assert_msg(difference(src, fx->src, 16 * n) == NULL, "%s wrote to src", kernel->name);
        kernel->blocks(fx->schedule, decrypt, src, src, n);
        const char *fault = difference(src, fx->expected, 16 * n);
        ck_assert_msg(fault == NULL, "%s, %zu blocks in place: %s", kernel->name, n, fault);
    }
}

static void test_blocks(struct fixture *fx)
{
    if (fx->bare)
        return; /* blocks are blocks */
    struct guarded in = guarded_create(16 * MOST_BLOCKS), out = guarded_create(16 * MOST_BLOCKS);
    for (size_t n = 0; n != SIZE_MAX; n = next_blocks(n)) {
        check_blocks(fx, false, n, &in, &out);
        check_blocks(fx, true, n, &in, &out);
    }
    guarded_free(&in);
    guarded_free(&out);
}

START_TEST(blocks)
{
    with_fixtures(_i, test_blocks);
}
END_TEST

/* ------------------------------------------------------------------------------------------------
 * bulk */

static const struct {
    const char *name;
    enum form form;
    bool decrypt;
} bulk_forms[] = {
    {"ECB encryption", FORM_ECB, false},
    {"ECB decryption", FORM_ECB, true},
    {"CTR", FORM_CTR, false},
    {"CTR, decrypting", FORM_CTR, true},
    {"CTR32", FORM_CTR32, false},
    {"CTR32, decrypting", FORM_CTR32, true},
    {"CBC decryption", FORM_CBC, true},
    {"CFB decryption", FORM_CFB, true},
    {"PCBC decryption", FORM_PCBC, true},
    {"XEX encryption", FORM_XEX, false},
    {"XEX decryption", FORM_XEX, true},
};

/* Lanes lie one behind another, `gap` bytes apart, from `offset` on. */
static void place_lanes(struct lane *lanes, size_t count, const uint8_t *src, uint8_t *dst,
                        uint8_t (*states)[16], size_t bytes, size_t gap, size_t offset)
{
    for (size_t i = 0; i < count; i++) {
        lanes[i].src = src + offset + i * (bytes + gap);
        lanes[i].dst = dst + offset + i * (bytes + gap);
        memcpy(lanes[i].state, states[i], 16);
    }
}

/* Whether lanes and what lies between and behind them are as expected; `fill` is what was there. */
static const char *lanes_fault(const struct lane *have, const struct lane *expected, size_t count,
                               size_t bytes, size_t gap, uint8_t fill, const uint8_t *start)
{
    for (size_t i = 0; i < count; i++) {
        const uint8_t *dst = start + i * (bytes + gap);
        const char *fault = difference(dst, expected[i].dst, bytes);
        if (fault == NULL)
            fault = difference(have[i].state, expected[i].state, 16);
        if (fault != NULL)
            return fault;
        if (!all_bytes(dst + bytes, gap, fill))
            return "bytes behind a lane were written";
    }
    return NULL;
}

static const char *const reaches[] = {"in the cache", "in memory", "around the caches"};

/* Separate buffers, at odd addresses or (non-temporal stores) at 64-byte boundaries. */
static void check_bulk_separate(struct fixture *fx, size_t f, size_t lanes, size_t n,
                                enum reach reach, uint8_t (*states)[16],
                                const struct lane *expected)
{
    const size_t gap = reach == REACH_AROUND ? 64 + (64 - 16 * n % 64) % 64 : LANE_GAP;
    const size_t offset = reach == REACH_AROUND ? 0 : 1 + n % 15;
    for (int i = 0; i < FILLS; i++) {
        struct lane lane[KERNEL_LANES];
        memset(fx->dst, fills[i], lanes * (16 * n + gap) + offset + 64);
        place_lanes(lane, lanes, fx->src, fx->dst, states, 16 * n, gap, offset);
        /* All variants read the lanes' own texts, wherever the expected ones were made from. */
        for (size_t l = 0; l < lanes; l++)
            lane[l].src = expected[l].src;
        kernel_bulk(&fx->kernel, fx->schedule, bulk_forms[f].form, bulk_forms[f].decrypt, lane,
                    lanes, n, reach);
        const char *fault =
            lanes_fault(lane, expected, lanes, 16 * n, gap, fills[i], fx->dst + offset);
        if (fault == NULL && !all_bytes(fx->dst, offset, fills[i]))
            fault = "bytes before the first lane were written";
        ck_assert_msg(fault == NULL, "%s%s, %s, %zu lanes of %zu blocks, %s: %s", fx->row->name,
                      fx->bare ? " by generic.c" : "", bulk_forms[f].name, lanes, n, reaches[reach],
                      fault);
    }
}

static void check_bulk_in_place(struct fixture *fx, size_t f, size_t lanes, size_t n,
                                uint8_t (*states)[16], const struct lane *expected)
{
    struct lane lane[KERNEL_LANES];
    const size_t offset = n % 17;
    memset(fx->dst, fills[0], lanes * (16 * n + LANE_GAP) + offset + 64);
    place_lanes(lane, lanes, fx->dst, fx->dst, states, 16 * n, LANE_GAP, offset);
    for (size_t l = 0; l < lanes; l++)
        memcpy(lane[l].dst, expected[l].src, 16 * n);
    kernel_bulk(&fx->kernel, fx->schedule, bulk_forms[f].form, bulk_forms[f].decrypt, lane, lanes,
                n, n % 2 ? REACH_CACHE : REACH_MEMORY);
    const char *fault =
        lanes_fault(lane, expected, lanes, 16 * n, LANE_GAP, fills[0], fx->dst + offset);
    ck_assert_msg(fault == NULL, "%s%s, %s, %zu lanes of %zu blocks in place: %s", fx->row->name,
                  fx->bare ? " by generic.c" : "", bulk_forms[f].name, lanes, n, fault);
}

static void check_bulk(struct fixture *fx, size_t f, size_t lanes, size_t n)
{
    const size_t src_offset = random_below(&fx->random, 64);
    struct lane expected[KERNEL_LANES];
    uint8_t states[KERNEL_LANES][16];
    for (size_t l = 0; l < lanes; l++)
        draw_state(&fx->random, states[l]);
    place_lanes(expected, lanes, fx->src, fx->expected, states, 16 * n, LANE_GAP, src_offset);
    for (size_t l = 0; l < lanes; l++)
        define_bulk(&fx->definition, bulk_forms[f].form, bulk_forms[f].decrypt, &expected[l], n);
    for (enum reach reach = REACH_CACHE; reach <= REACH_AROUND; reach++)
        check_bulk_separate(fx, f, lanes, n, reach, states, expected);
    check_bulk_in_place(fx, f, lanes, n, states, expected);
}

static void test_bulk(struct fixture *fx)
{
    for (size_t f = 0; f < sizeof bulk_forms / sizeof *bulk_forms; f++)
        for (size_t n = 0; n != SIZE_MAX; n = next_blocks(n)) {
            check_bulk(fx, f, 1, n);
            check_bulk(fx, f, KERNEL_LANES, n);
        }
}

START_TEST(bulk)
{
    with_fixtures(_i, test_bulk);
}
END_TEST

/* ------------------------------------------------------------------------------------------------
 * chains */

static void check_chain(struct fixture *fx, unsigned shape, size_t lanes, size_t n, bool in_place)
{
    struct lane lane[CHAIN_LANES], expected[CHAIN_LANES];
    uint8_t states[CHAIN_LANES][16];
    const size_t offset = random_below(&fx->random, 64), src_offset = random_below(&fx->random, 64);
    for (size_t l = 0; l < lanes; l++)
        random_fill(&fx->random, states[l], 16);
    place_lanes(expected, lanes, fx->src, fx->expected, states, 16 * n, LANE_GAP, src_offset);
    for (size_t l = 0; l < lanes; l++)
        define_chain(&fx->definition, shape, &expected[l], n);
    for (int i = 0; i < (in_place ? 1 : FILLS); i++) {
        memset(fx->dst, fills[i], lanes * (16 * n + LANE_GAP) + offset + 64);
        place_lanes(lane, lanes, fx->dst, fx->dst, states, 16 * n, LANE_GAP, offset);
        for (size_t l = 0; l < lanes; l++) {
            if (in_place)
                memcpy(lane[l].dst, expected[l].src, 16 * n);
            else
                lane[l].src = expected[l].src;
        }
        kernel_chain(&fx->kernel, fx->schedule, shape, lane, lanes, n);
        const char *fault =
            lanes_fault(lane, expected, lanes, 16 * n, LANE_GAP, fills[i], fx->dst + offset);
        ck_assert_msg(fault == NULL, "%s%s, shape %u, %zu lanes of %zu blocks, %s: %s",
                      fx->row->name, fx->bare ? " by generic.c" : "", shape, lanes, n,
                      in_place ? " in place" : "", fault);
    }
}

static void test_chain(struct fixture *fx)
{
    static const unsigned shapes[] = {SHAPE_CBC, SHAPE_CFB, SHAPE_OFB, SHAPE_PCBC};
    static const size_t counts[] = {0, 1, 2, 3, 5, 8, 17, 40};
    for (size_t s = 0; s < 4; s++)
        for (size_t lanes = 1; lanes <= CHAIN_LANES; lanes++)
            for (size_t i = 0; i < sizeof counts / sizeof *counts; i += UNDER_SANITIZER ? 3 : 1) {
                check_chain(fx, shapes[s], lanes, counts[i], false);
                check_chain(fx, shapes[s], lanes, counts[i], true);
            }
}

START_TEST(chain)
{
    with_fixtures(_i, test_chain);
}
END_TEST

/* ------------------------------------------------------------------------------------------------
 * GHASH, and GCM in one pass */

static const struct mtaes_ghash *ghash_named(const char *name)
{
    for (size_t i = 0; name != NULL && registry_ghash[i] != NULL; i++)
        if (strcmp(registry_ghash[i]->name, name) == 0)
            return registry_ghash[i];
    return NULL;
}

static void *hash_key(const struct mtaes_ghash *ghash, const uint8_t h[16])
{
    uint8_t *hk = aligned_alloc(64, (ghash->key_bytes + GUARD + 63) / 64 * 64);
    memset(hk + ghash->key_bytes, 0x77, GUARD);
    ghash->expand(hk, h);
    ck_assert_msg(all_bytes(hk + ghash->key_bytes, GUARD, 0x77), "%s wrote past its key",
                  ghash->name);
    return hk;
}

START_TEST(ghash_update)
{
    const struct mtaes_ghash *ghash = registry_ghash[_i];
    if ((ghash->needs & ~cpu_features()) != 0) {
        printf("%s: not on this CPU\n", ghash->name);
        return;
    }
    struct random random = {7};
    struct guarded in = guarded_create(16 * MOST_BLOCKS);
    for (int keys = 0; keys < 4; keys++) {
        uint8_t h[16], y[16], expected[16];
        random_fill(&random, h, 16);
        if (keys < 2) /* two special ones */
            memset(h, keys ? 0xff : 0, 16);
        void *hk = hash_key(ghash, h);
        for (size_t n = 0; n != SIZE_MAX; n = next_blocks(n)) {
            uint8_t *src = n % 2 ? guarded_first(&in) : guarded_last(&in, 16 * n);
            random_fill(&random, src, 16 * n);
            random_fill(&random, y, 16);
            memcpy(expected, y, 16);
            define_ghash(h, expected, src, n);
            ghash->update(hk, y, src, n);
            const char *fault = difference(y, expected, 16);
            ck_assert_msg(fault == NULL, "%s, %zu blocks: %s", ghash->name, n, fault);
        }
        free(hk);
    }
    guarded_free(&in);
}
END_TEST

START_TEST(ghash_advance)
{
    static const uint64_t large[] = {
        4095, 4096, 4097, 0xffffffff, 0x100000000, 0x100000005, 0xfffffffffffff, UINT64_MAX};
    const struct mtaes_ghash *ghash = registry_ghash[_i];
    if ((ghash->needs & ~cpu_features()) != 0)
        return;
    struct random random = {8};
    uint8_t h[16], y[16], expected[16];
    random_fill(&random, h, 16);
    void *hk = hash_key(ghash, h);
    for (uint64_t i = 0; i < 300 + sizeof large / sizeof *large; i++) {
        const uint64_t n = i < 300 ? i : large[i - 300];
        random_fill(&random, y, 16);
        memcpy(expected, y, 16);
        define_advance(h, expected, n);
        ghash->advance(hk, y, n);
        const char *fault = difference(y, expected, 16);
        ck_assert_msg(fault == NULL, "%s, H^%llu: %s", ghash->name, (unsigned long long)n, fault);
    }
    free(hk);
}
END_TEST

static void check_gcm(struct fixture *fx, const void *hk, const uint8_t h[16], bool decrypt,
                      size_t n, bool in_place, enum reach reach)
{
    struct lane lane, expected;
    uint8_t state[1][16], y[16], y_expected[16];
    const size_t src_offset = random_below(&fx->random, 64),
                 offset = reach == REACH_AROUND ? 0 : random_below(&fx->random, 64);
    draw_state(&fx->random, state[0]);
    random_fill(&fx->random, y, 16);
    memcpy(y_expected, y, 16);
    place_lanes(&expected, 1, fx->src, fx->expected, state, 16 * n, LANE_GAP, src_offset);
    define_gcm(&fx->definition, h, decrypt, &expected, y_expected, n);
    memset(fx->dst, fills[n % 2], 16 * n + offset + 64);
    place_lanes(&lane, 1, fx->dst, fx->dst, state, 16 * n, LANE_GAP, offset);
    if (in_place)
        memcpy(lane.dst, expected.src, 16 * n);
    else
        lane.src = expected.src;
    fx->kernel.gcm(fx->schedule, hk, decrypt, n & 8, &lane, y, n, reach);
    const char *fault =
        lanes_fault(&lane, &expected, 1, 16 * n, LANE_GAP, fills[n % 2], fx->dst + offset);
    if (fault == NULL)
        fault = difference(y, y_expected, 16);
    ck_assert_msg(fault == NULL, "%s, GCM %s, %zu blocks%s, %s: %s", fx->row->name,
                  decrypt ? "decryption" : "encryption", n, in_place ? " in place" : "",
                  reaches[reach], fault);
}

static void test_gcm(struct fixture *fx)
{
    const struct mtaes_ghash *ghash = ghash_named(fx->row->ghash);
    if (fx->bare || fx->kernel.gcm == NULL)
        return;
    ck_assert_msg(ghash != NULL, "%s names a GHASH row that is not there", fx->row->name);
    if ((ghash->needs & ~cpu_features()) != 0)
        return;
    uint8_t h[16];
    random_fill(&fx->random, h, 16);
    void *hk = hash_key(ghash, h);
    for (size_t n = 0; n != SIZE_MAX; n = next_blocks(n))
        for (int variant = 0; variant < 4; variant++)
            for (enum reach reach = REACH_CACHE; reach <= REACH_AROUND; reach++)
                if (reach != REACH_AROUND || !(variant & 2))
                    check_gcm(fx, hk, h, variant & 1, n, variant & 2, reach);
    free(hk);
}

START_TEST(gcm)
{
    with_fixtures(_i, test_gcm);
}
END_TEST

/* ------------------------------------------------------------------------------------------------
 * the tables, and what is found in them */

/* The first row of the cipher that these features suffice for. */
static const char *expected_under(const char *cipher, uint32_t features)
{
    for (int i = 0, n = kernel_count(); i < n; i++)
        if (strcmp(kernel_at(i)->cipher, cipher) == 0 && (kernel_at(i)->needs & ~features) == 0)
            return kernel_at(i)->name;
    return "none";
}

static void check_mask(uint32_t visible, const char *what)
{
    cpu_mask_features(~0u);
    const uint32_t here = cpu_features();
    cpu_mask_features(visible);
    ck_assert_uint_eq(cpu_features(), here & visible);
    for (int i = 0, n = kernel_count(); i < n; i++) {
        const mtaes_kernel *row = kernel_at(i), *found = mtaes_kernel_find(row->cipher);
        const bool runs = (row->needs & ~(here & visible)) == 0;
        ck_assert(mtaes_kernel_runs_here(row) == runs);
        ck_assert_ptr_eq(mtaes_kernel_find(row->name), runs ? row : NULL);
        ck_assert_ptr_nonnull(found);
        ck_assert_str_eq(found->name, expected_under(row->cipher, here & visible));
        mtaes_key *key = NULL;
        uint8_t material[64] = {1};
        mtaes_status status = mtaes_key_create(&key, row, mode_at(0), material, 16);
        ck_assert_msg(status == (runs ? MTAES_OK : MTAES_UNSUPPORTED), "%s, %s: %s", what,
                      row->name, mtaes_status_text(status));
        mtaes_key_free(key);
    }
    printf("%s: aes is %s\n", what, mtaes_kernel_find("aes")->name);
}

START_TEST(masks)
{
    check_mask(~0u, "all features");
    check_mask(~(uint32_t)(CPU_AVX512 | CPU_VBMI | CPU_VBMI2), "VAES without AVX-512");
    check_mask(~(uint32_t)CPU_VAES, "AVX2 without VAES");
    check_mask(CPU_SSSE3 | CPU_SSE41 | CPU_AES | CPU_PCLMUL, "AES-NI without AVX");
    check_mask(CPU_SSSE3 | CPU_SSE41 | CPU_AES, "AES-NI without PCLMULQDQ");
    check_mask(CPU_SSSE3 | CPU_SSE41 | CPU_PCLMUL | CPU_AVX2, "AVX2 without AES");
    check_mask(CPU_VAES | CPU_AVX512 | CPU_VPCLMUL, "VAES without AES-NI");
    check_mask(0, "no features");
    ck_assert_str_eq(mtaes_kernel_find("aes")->name, "aes-portable");
    cpu_mask_features(~0u);
}
END_TEST

/* Names are unique, each cipher ends in a row that runs anywhere, and all is told about each. */
START_TEST(tables)
{
    for (int i = 0, n = kernel_count(); i < n; i++) {
        const mtaes_kernel *row = kernel_at(i);
        char text[200];
        ck_assert_str_eq(mtaes_kernel_name(row), row->name);
        ck_assert_str_eq(mtaes_kernel_cipher(row), row->cipher);
        ck_assert(strncmp(row->name, row->cipher, strlen(row->cipher)) == 0);
        ck_assert_ptr_nonnull(portable_of(row));
        const size_t length = mtaes_kernel_features(row, false, text, sizeof text);
        ck_assert_uint_eq(length, strlen(text));
        ck_assert((length == 0) == (row->needs == 0));
        ck_assert_uint_eq(mtaes_kernel_features(row, false, text, 3), length);
        ck_assert(strlen(text) < 3);
        ck_assert_uint_eq(mtaes_kernel_features(row, false, NULL, 0), length);
        ck_assert((mtaes_kernel_features(row, true, text, sizeof text) == 0) ==
                  mtaes_kernel_runs_here(row));
        for (int j = 0; j < i; j++)
            ck_assert_str_ne(kernel_at(j)->name, row->name);
    }
    for (int i = 0, n = mode_count(); i < n; i++) {
        ck_assert_ptr_eq(mtaes_mode_find(mtaes_mode_name(mode_at(i))), mode_at(i));
        for (int j = 0; j < i; j++)
            ck_assert_str_ne(mtaes_mode_name(mode_at(j)), mtaes_mode_name(mode_at(i)));
    }
    static const char *const wrong[] = {"", "AES", "aes ", "aes-", "aes-aesni2", "ec", "ecb "};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ck_assert_ptr_null(mtaes_kernel_find(wrong[i]));
        ck_assert_ptr_null(mtaes_mode_find(wrong[i]));
    }
    ck_assert_ptr_null(mtaes_kernel_find(NULL));
    ck_assert_ptr_null(mtaes_mode_find(NULL));
}
END_TEST

static int ghash_count(void)
{
    int count = 0;
    while (registry_ghash[count] != NULL)
        count++;
    return count;
}

int main(void)
{
    coverage_begin();
    Suite *suite = suite_create("kernels");
    TCase *tcase = tcase_create("kernels");
    const int kernels = kernel_count();
    tcase_set_timeout(tcase, 300);
    tcase_add_test(tcase, tables);
    tcase_add_test(tcase, masks);
    tcase_add_loop_test(tcase, fips_197, 0, kernels);
    tcase_add_loop_test(tcase, expand, 0, kernels);
    tcase_add_loop_test(tcase, blocks, 0, kernels);
    tcase_add_loop_test(tcase, bulk, 0, kernels);
    tcase_add_loop_test(tcase, chain, 0, kernels);
    tcase_add_loop_test(tcase, ghash_update, 0, ghash_count());
    tcase_add_loop_test(tcase, ghash_advance, 0, ghash_count());
    tcase_add_loop_test(tcase, gcm, 0, kernels);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return coverage_report() + failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
