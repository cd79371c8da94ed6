/* test_gecko.c: Gecko's worked examples step by step, and the original's counter and its limit. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernels/gecko_layers.h"
#include "pieces.h"
#include "reference.h"
#include "support.h"
#include "vectors.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUE_BYTES = 240, LIMIT = 65536, LONG_BYTES = 80000, LONG_RECORDS = 8 };
static const unsigned key_bits[] = {128, 192, 256};

static void vector_path(char *path, size_t room, const char *folder, const char *name,
                        unsigned bits, const char *suffix)
{
    snprintf(path, room, "%s/gecko/%s/%s-%u.%s", vectors_folder(NULL), folder, name, bits, suffix);
}

/* ------------------------------------------------------------------------------------------------
 * worked examples */

struct example {
    FILE *file;
    char *line;
    size_t room;
    unsigned checked;
};

/* The value of the named line, which is the next one but for comments. Returns its length. */
static size_t next_value(struct example *ex, const char *name, uint8_t value[VALUE_BYTES])
{
    struct bytes bytes = {0};
    do
        ck_assert_msg(getline(&ex->line, &ex->room, ex->file) > 0, "the file ends before %s", name);
    while (ex->line[0] == '#');
    ex->line[strcspn(ex->line, "\r\n")] = '\0';
    const size_t n = strlen(name);
    ck_assert_msg(strncmp(ex->line, name, n) == 0 && strncmp(ex->line + n, " = ", 3) == 0,
                  "%s expected, found %.40s", name, ex->line);
    ck_assert(bytes_from_hex(&bytes, ex->line + n + 3) && bytes.n <= VALUE_BYTES);
    memcpy(value, bytes.p, bytes.n);
    const size_t length = bytes.n;
    bytes_free(&bytes);
    return length;
}

static void expect(struct example *ex, const char *name, const uint8_t *have, size_t bytes)
{
    uint8_t value[VALUE_BYTES];
    ck_assert_msg(next_value(ex, name, value) == bytes, "%s has another length", name);
    const char *wrong = difference(have, value, bytes);
    ck_assert_msg(wrong == NULL, "%s: %s", name, wrong);
    ex->checked++;
}

static void expect_layer(struct example *ex, int round, const char *layer, const uint8_t *state)
{
    char name[24];
    if (round < 0)
        snprintf(name, sizeof name, "%s", layer);
    else
        snprintf(name, sizeof name, "r%02d.%s", round, layer);
    expect(ex, name, state, 16);
}

/* The key setup, one step after the other; *key is what gecko_expand makes of it in one go. */
static void check_setup(struct example *ex, struct gecko_key *key, const uint8_t *bytes,
                        size_t key_bytes)
{
    static const size_t rows[] = {11, 9, 8};
    const size_t table_bytes = 4 * (key_bytes + 28);
    uint8_t table[GECKO_TABLE_BYTES], source[GECKO_TABLE_BYTES], salt[GECKO_ROWS];
    uint8_t exchange[16], swap[16];
    gecko_rows(table, salt, bytes, key_bytes, table_bytes);
    expect(ex, "SALTS", salt, rows[(key_bytes - 16) / 8]);
    expect(ex, "EXPANDED", table, table_bytes);
    gecko_shuffle_source(source, table, table_bytes);
    expect(ex, "SHUFFLESOURCE", source, table_bytes);
    gecko_keyed_shuffle(table, source, table_bytes);
    expect(ex, "TABLE", table, table_bytes);
    for (uint8_t i = 0; i < 16; i++)
        exchange[i] = i;
    gecko_keyed_shuffle(exchange, table, 16);
    expect(ex, "EXCHANGES", exchange, 16);
    gecko_swap_map(swap, exchange);
    expect(ex, "SWAPMAP", swap, 16);

    ck_assert(gecko_expand(key, bytes, key_bytes));
    ck_assert_uint_eq(key->rounds, table_bytes / 16 - 1);
    ck_assert(memcmp(key->table, table, table_bytes) == 0);
    ck_assert(memcmp(key->exchange, exchange, 16) == 0 && memcmp(key->swap, swap, 16) == 0);
}

/* Where MIX's bytes are before and after a SWAP. */
struct places {
    uint8_t before_swap[16], after_swap[16], swap_back[16];
};

static struct places places_of(const struct gecko_key *key)
{
    struct places p;
    for (uint8_t i = 0; i < 16; i++)
        p.swap_back[key->swap[i]] = i;
    for (size_t j = 0; j < 16; j++) {
        p.after_swap[j] = p.swap_back[key->exchange[j]];
        p.before_swap[j] = key->swap[key->exchange[j]];
    }
    return p;
}

/* One round: each layer, the merged ones against the single ones, and each one's way back. */
static void check_round(struct example *ex, const struct gecko_key *key, const struct places *p,
                        int round, uint8_t b[16])
{
    const uint8_t *const x = key->exchange;
    uint8_t subkey[16], s[16], t[16], u[16], back[16];
    for (size_t i = 0; i < 16; i++) {
        const uint8_t q = key->table[16 * (size_t)round + i];
        subkey[i] = gecko_sbox[q] ^ q;
        s[i] = gecko_sub(gecko_sbox, b[i]);
        ck_assert_uint_eq(gecko_sub(gecko_inverse_sbox, s[i]), b[i]);
    }
    expect_layer(ex, round, "sub", s);
    gecko_store(t, gecko_add(gecko_load(s), subkey));
    expect_layer(ex, round, "key", t);
    gecko_store(u, gecko_rot(gecko_load(t)));
    gecko_store(back, gecko_rot_back(gecko_load(u)));
    ck_assert(memcmp(back, t, 16) == 0);
    expect_layer(ex, round, "rot", u);
    gecko_swap(t, u, key->swap);
    expect_layer(ex, round, "swap", t);
    gecko_mix_sub(b, x, t, x, NULL);
    expect_layer(ex, round, "mix", b);

    gecko_mix_sub(back, x, u, p->before_swap, NULL); /* SWAP and MIX at once */
    ck_assert(memcmp(back, b, 16) == 0);
    gecko_mix_sub(back, x, u, p->before_swap, gecko_sbox); /* and the next round's SUB */
    gecko_sub_mix_back(t, p->before_swap, back, x, gecko_inverse_sbox);
    ck_assert(memcmp(t, u, 16) == 0);
}

static void check_block(struct example *ex, const struct gecko_key *key, const uint8_t *plain,
                        uint8_t cipher[16])
{
    const struct places p = places_of(key);
    const uint8_t *const x = key->exchange;
    uint8_t b[16], t[16];
    gecko_mix_sub(t, x, plain, x, NULL);
    expect_layer(ex, -1, "in.mix", t);
    gecko_swap(b, t, key->swap);
    expect_layer(ex, -1, "in.swap", b);
    gecko_mix_sub(t, p.after_swap, plain, x, NULL); /* both at once */
    ck_assert(memcmp(t, b, 16) == 0);
    gecko_sub_mix_back(t, x, b, p.after_swap, NULL);
    ck_assert(memcmp(t, plain, 16) == 0);
    for (int round = 0; round < (int)key->rounds; round++)
        check_round(ex, key, &p, round, b);
    gecko_swap(t, b, key->swap);
    expect_layer(ex, -1, "out.swap", t);
    gecko_store(cipher, gecko_add(gecko_load(t), key->table + 16 * key->rounds));
    expect_layer(ex, -1, "out.key", cipher);
    expect(ex, "CIPHERTEXT", cipher, 16);
}

START_TEST(worked)
{
    struct example ex = {0};
    struct gecko_key setup;
    uint8_t bytes[VALUE_BYTES], plain[VALUE_BYTES], cipher[16];
    char path[1024];
    vector_path(path, sizeof path, "worked", "gecko-worked", key_bits[_i], "txt");
    ex.file = fopen(path, "r");
    ck_assert_msg(ex.file != NULL, "cannot open %s", path);
    ck_assert_uint_eq(next_value(&ex, "KEY", bytes), key_bits[_i] / 8);
    ck_assert_uint_eq(next_value(&ex, "PLAINTEXT", plain), 16);
    check_setup(&ex, &setup, bytes, key_bits[_i] / 8);
    check_block(&ex, &setup, plain, cipher);
    ck_assert_uint_eq(ex.checked, 6 + 2 + 5 * setup.rounds + 3);

    /* and the whole, by every kernel */
    mtaes_engine *engine = engine_with(1);
    for (int k = 0, n = kernel_count(); k < n; k++) {
        const mtaes_kernel *const kernel = kernel_at(k);
        if (strcmp(kernel->cipher, "gecko") != 0 || !mtaes_kernel_runs_here(kernel))
            continue;
        mtaes_key *key = key_for(kernel, mtaes_mode_find("ecb"), bytes, key_bits[_i] / 8);
        uint8_t out[16];
        mtaes_message m = {.key = key, .src = plain, .dst = out, .bytes = 16};
        ck_assert(mtaes_run(engine, &m, 1) == MTAES_OK && memcmp(out, cipher, 16) == 0);
        m = (mtaes_message){
            .key = key, .direction = MTAES_DECRYPT, .src = cipher, .dst = out, .bytes = 16};
        ck_assert(mtaes_run(engine, &m, 1) == MTAES_OK && memcmp(out, plain, 16) == 0);
        mtaes_key_free(key);
    }
    ck_assert(mtaes_engine_free(engine) == MTAES_OK);
    free(ex.line);
    fclose(ex.file);
}
END_TEST

/* ------------------------------------------------------------------------------------------------
 * the original's counter */

/* Counter n of the IV, by the closed form. */
static void define_counter(uint8_t counter[16], const uint8_t iv[16], size_t n)
{
    for (size_t j = 0; j < 16; j++)
        counter[j] = (uint8_t)(iv[j] + n / 16 + (j < n % 16));
}

/* The key stream by single blocks of ECB. */
static void define_stream(const mtaes_kernel *kernel, const uint8_t *bytes, size_t key_bytes,
                          const uint8_t iv[16], uint8_t *stream, size_t blocks)
{
    mtaes_engine *engine = engine_with(1);
    mtaes_key *key = key_for(portable_of(kernel), mtaes_mode_find("ecb"), bytes, key_bytes);
    for (size_t i = 0; i < blocks; i++) {
        uint8_t counter[16];
        define_counter(counter, iv, i);
        mtaes_message m = {.key = key, .src = counter, .dst = stream + 16 * i, .bytes = 16};
        ck_assert(mtaes_run(engine, &m, 1) == MTAES_OK);
    }
    mtaes_key_free(key);
    ck_assert(mtaes_engine_free(engine) == MTAES_OK);
}

static const mtaes_mode *compat(void)
{
    const mtaes_mode *const mode = mtaes_mode_find("gecko-ctr-compat");
    ck_assert(mode != NULL);
    return mode;
}

static mtaes_message message_of(const mtaes_key *key, const uint8_t *iv, const void *src, void *dst,
                                size_t bytes)
{
    return (mtaes_message){
        .key = key, .src = src, .dst = dst, .bytes = bytes, .iv = iv, .iv_bytes = 16};
}

/* A gecko kernel that runs here, by the test's number; NULL: another cipher's, or not here. */
static const mtaes_kernel *gecko_at(int index)
{
    const mtaes_kernel *const kernel = kernel_at(index);
    return strcmp(kernel->cipher, "gecko") == 0 && mtaes_kernel_runs_here(kernel) ? kernel : NULL;
}

/* Lengths up to the limit, over threads, in place, and in pieces. */
START_TEST(counter_by_definition)
{
    static const size_t lengths[] = {0,   1,    15,   16,    17,    255,  256,
                                     257, 2047, 2049, 33001, 65535, LIMIT};
    const mtaes_kernel *const kernel = gecko_at(_i);
    struct random random = {(uint64_t)_i + 77};
    uint8_t bytes[32], iv[16];
    if (kernel == NULL)
        return;
    uint8_t *stream = malloc(LIMIT), *text = malloc(LIMIT), *out = malloc(LIMIT);
    ck_assert(stream && text && out);
    random_fill(&random, bytes, sizeof bytes);
    random_fill(&random, iv, sizeof iv);
    define_stream(kernel, bytes, 24, iv, stream, LIMIT / 16);
    mtaes_key *key = key_for(kernel, compat(), bytes, 24);
    for (int e = 0; e < THREAD_COUNTS; e++) {
        mtaes_engine *engine = engine_with(thread_counts[e]);
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
            const size_t n = lengths[i];
            const char *fault = NULL;
            random_fill(&random, text, n);
            memcpy(out, text, n);
            mtaes_message m = message_of(key, iv, out, out, n); /* in place */
            ck_assert(mtaes_run(engine, &m, 1) == MTAES_OK);
            for (size_t k = 0; k < n; k++)
                ck_assert_msg(out[k] == (text[k] ^ stream[k]), "%zu bytes: wrong at %zu", n, k);
            m.direction = MTAES_DECRYPT;
            const size_t piece = piece_sizes[i % PIECE_SIZES];
            if (pieces_exist()) {
                ck_assert(pieces_run(engine, &m, piece, &random, &fault) == MTAES_OK);
                ck_assert_msg(fault == NULL, "%s", fault);
            } else {
                ck_assert(mtaes_run(engine, &m, 1) == MTAES_OK);
            }
            ck_assert_msg(n == 0 || memcmp(out, text, n) == 0, "%zu bytes in pieces of %zu", n,
                          piece);
        }
        ck_assert(mtaes_engine_free(engine) == MTAES_OK);
    }
    mtaes_key_free(key);
    free(stream);
    free(text);
    free(out);
}
END_TEST

/* One byte past the limit is refused, and nothing written; in pieces as well; and for AES. */
START_TEST(counter_limit)
{
    const mtaes_kernel *const kernel = gecko_at(_i);
    static uint8_t text[LIMIT + 16], out[LIMIT + 16];
    static const uint8_t zero[32];
    mtaes_key *key = NULL;
    if (kernel == NULL)
        return;
    ck_assert(mtaes_mode_describe(compat()).bytes_max == LIMIT);
    ck_assert(mtaes_key_create(&key, mtaes_kernel_find("aes"), compat(), zero, 16) ==
              MTAES_UNSUPPORTED);
    ck_assert(key == NULL);
    key = key_for(kernel, compat(), zero, 32);
    mtaes_engine *engine = engine_with(3);
    memset(out, 0xaa, sizeof out);
    for (size_t over = 1; over <= 16; over += 15) {
        mtaes_message m = message_of(key, zero, text, out, LIMIT + over);
        ck_assert(mtaes_run(engine, &m, 1) == MTAES_LENGTH && m.status == MTAES_LENGTH);
        ck_assert(all_bytes(out, sizeof out, 0xaa));
    }
    mtaes_message m = message_of(key, zero, text, out, 16);
    m.iv_bytes = 15;
    ck_assert(mtaes_run(engine, &m, 1) == MTAES_IV);
    if (pieces_exist()) {
        mtaes_stream *stream;
        size_t written;
        ck_assert(mtaes_stream_create(&stream, engine, key, MTAES_ENCRYPT, zero, 16) == MTAES_OK);
        ck_assert(mtaes_stream_update(stream, text, LIMIT - 1, out, sizeof out, &written) ==
                  MTAES_OK);
        ck_assert(mtaes_stream_update(stream, text, 2, out, sizeof out, &written) == MTAES_LENGTH);
        ck_assert(mtaes_stream_update(stream, text, 1, out, sizeof out, &written) == MTAES_OK);
        mtaes_stream_free(stream);
    }
    mtaes_key_free(key);
    ck_assert(mtaes_engine_free(engine) == MTAES_OK);
}
END_TEST

/* ------------------------------------------------------------------------------------------------
 * 80,000 bytes with that counter: as two messages under one IV */

struct record {
    struct bytes key, iv, whole, first, rest, block0, block4095, block4096, last;
    bool mod251;
};

static void record_free(struct record *r)
{
    struct bytes *const all[] = {&r->key,    &r->iv,        &r->whole,     &r->first, &r->rest,
                                 &r->block0, &r->block4095, &r->block4096, &r->last};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        bytes_free(all[i]);
    *r = (struct record){0};
}

/* Take one line of the file. */
static void record_line(struct record *r, const char *name, const char *value)
{
    const struct {
        const char *name;
        struct bytes *bytes;
    } fields[] = {
        {"KEY", &r->key},
        {"IV", &r->iv},
        {"CTSHA256", &r->whole},
        {"CTSHA256_FIRST65536", &r->first},
        {"CTSHA256_REST", &r->rest},
        {"CTBLOCK0", &r->block0},
        {"CTBLOCK4095", &r->block4095},
        {"CTBLOCK4096", &r->block4096},
        {"CTBLOCKLAST", &r->last},
    };
    if (strcmp(name, "LENGTH") == 0) {
        ck_assert_str_eq(value, "80000");
        return;
    }
    if (strcmp(name, "PTRULE") == 0) {
        r->mod251 = strcmp(value, "mod251") == 0;
        ck_assert(r->mod251 || strcmp(value, "zero") == 0);
        return;
    }
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (strcmp(name, fields[i].name) == 0) {
            ck_assert_msg(bytes_from_hex(fields[i].bytes, value), "bad value of %s", name);
            return;
        }
    }
    ck_abort_msg("unknown field %s", name);
}

static void expect_digest(const char *what, const void *p, size_t bytes, const struct bytes *digest)
{
    uint8_t have[32];
    ck_assert_uint_eq(digest->n, sizeof have);
    if (reference_sha256(p, bytes, have))
        ck_assert_msg(memcmp(have, digest->p, sizeof have) == 0, "%s differs", what);
}

static void check_long(const mtaes_kernel *kernel, mtaes_engine *engine, const struct record *r)
{
    uint8_t *text = malloc(LONG_BYTES), *out = malloc(LONG_BYTES);
    ck_assert(text && out && r->iv.n == 16 && r->whole.given && r->last.n == 16);
    for (size_t i = 0; i < LONG_BYTES; i++)
        text[i] = r->mod251 ? (uint8_t)(i % 251) : 0;
    mtaes_key *key = key_for(kernel, compat(), r->key.p, r->key.n);
    mtaes_message whole = message_of(key, r->iv.p, text, out, LONG_BYTES);
    ck_assert(mtaes_run(engine, &whole, 1) == MTAES_LENGTH);
    mtaes_message half[2] = {
        message_of(key, r->iv.p, text, out, LIMIT),
        message_of(key, r->iv.p, text + LIMIT, out + LIMIT, LONG_BYTES - LIMIT)};
    ck_assert(mtaes_run(engine, half, 2) == MTAES_OK);
    ck_assert(memcmp(out, r->block0.p, 16) == 0);
    ck_assert(memcmp(out + 16 * 4095, r->block4095.p, 16) == 0);
    ck_assert(memcmp(out + 16 * 4096, r->block4096.p, 16) == 0);
    ck_assert(memcmp(out + LONG_BYTES - 16, r->last.p, 16) == 0);
    expect_digest("the first part", out, LIMIT, &r->first);
    expect_digest("the rest", out + LIMIT, LONG_BYTES - LIMIT, &r->rest);
    expect_digest("the whole", out, LONG_BYTES, &r->whole);
    for (size_t i = 0; i < 2; i++) {
        half[i].src = half[i].dst;
        half[i].direction = MTAES_DECRYPT;
    }
    ck_assert(mtaes_run(engine, half, 2) == MTAES_OK && memcmp(out, text, LONG_BYTES) == 0);
    mtaes_key_free(key);
    free(text);
    free(out);
}

/* Read the file and check each record; returns how many there are. */
static unsigned check_long_file(const char *path, const mtaes_kernel *kernel, mtaes_engine *engine)
{
    struct record record = {0};
    char *line = NULL;
    size_t room = 0;
    unsigned records = 0;
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "cannot open %s", path);
    for (;;) {
        const bool more = getline(&line, &room, file) >= 0;
        if (more)
            line[strcspn(line, "\r\n")] = '\0';
        if (!more || line[0] == '\0') {
            if (record.key.given) {
                check_long(kernel, engine, &record);
                record_free(&record);
                records++;
            }
            if (!more)
                break;
        } else if (line[0] != '#' && line[0] != '[' && strncmp(line, "COUNT", 5) != 0) {
            char *const value = strstr(line, " = ");
            ck_assert_msg(value != NULL, "not a field: %s", line);
            *value = '\0';
            record_line(&record, line, value + 3);
        }
    }
    free(line);
    fclose(file);
    return records;
}

START_TEST(counter_long)
{
    const mtaes_kernel *const kernel = gecko_at(_i);
    if (kernel == NULL)
        return;
    for (int e = 0; e < THREAD_COUNTS; e += 2) {
        mtaes_engine *engine = engine_with(thread_counts[e]);
        for (size_t i = 0; i < sizeof key_bits / sizeof *key_bits; i++) {
            char path[1024];
            vector_path(path, sizeof path, "long", "gecko-ctr-long", key_bits[i], "rsp");
            ck_assert_uint_eq(check_long_file(path, kernel, engine), LONG_RECORDS);
        }
        ck_assert(mtaes_engine_free(engine) == MTAES_OK);
    }
}
END_TEST

/* SWAP as a map against its exchanges done one by one; the first list is that of no change. */
START_TEST(swap_map)
{
    uint8_t exchange[16], map[16], by_exchanges[16], t;
    struct random random = {5};
    for (int round = 0; round < 1000; round++) {
        for (uint8_t i = 0; i < 16; i++)
            exchange[i] = round == 0 ? 15 - i : i;
        for (size_t i = 15; i > 0 && round > 0; i--) {
            const size_t c = random_below(&random, i + 1);
            t = exchange[i], exchange[i] = exchange[c], exchange[c] = t;
        }
        for (uint8_t i = 0; i < 16; i++)
            by_exchanges[i] = i;
        for (size_t i = 15; i > 0; i--) {
            const size_t c = exchange[15 - i];
            t = by_exchanges[i], by_exchanges[i] = by_exchanges[c], by_exchanges[c] = t;
        }
        gecko_swap_map(map, exchange);
        ck_assert(memcmp(map, by_exchanges, 16) == 0);
        for (uint8_t i = 0; i < 16 && round == 0; i++)
            ck_assert_uint_eq(map[i], i); /* 15, 14, ..., 0: the identity */
    }
}
END_TEST

/* The shuffle by long division against the one with a remainder, over every byte and divisor. */
START_TEST(keyed_shuffle)
{
    static const size_t sizes[] = {16, 176, 208, 240};
    struct random random = {9};
    for (int round = 0; round < 2000; round++) {
        const size_t n = sizes[round % 4];
        uint8_t source[240], have[240], expected[240];
        for (size_t i = 0; i < n; i++) {
            source[i] =
                round < 256 ? (uint8_t)(round + (int)i) : (uint8_t)random_below(&random, 256);
            have[i] = expected[i] = (uint8_t)i;
        }
        gecko_keyed_shuffle(have, source, n);
        for (size_t i = n - 1; i > 0; i--) {
            const size_t c = source[n - 1 - i] % (i + 1);
            const uint8_t t = expected[i];
            expected[i] = expected[c];
            expected[c] = t;
        }
        ck_assert(memcmp(have, expected, n) == 0);
    }
}
END_TEST

int main(void)
{
    coverage_begin();
    Suite *suite = suite_create("gecko");
    TCase *tcase = tcase_create("gecko");
    fflush(stdout);
    tcase_set_timeout(tcase, 300);
    tcase_add_test(tcase, swap_map);
    tcase_add_test(tcase, keyed_shuffle);
    tcase_add_loop_test(tcase, worked, 0, 3);
    tcase_add_loop_test(tcase, counter_by_definition, 0, kernel_count());
    tcase_add_loop_test(tcase, counter_limit, 0, kernel_count());
    tcase_add_loop_test(tcase, counter_long, 0, kernel_count());
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
