/* gecko_speed.c: the published tests of speed and key setup, measured again for three pairs. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytewise.h"
#include "clock.h"
#include "gecko.h"
#include "memory.h"
#include "mtaes.h"
#include "progress.h"
#include "stats.h"

enum {
    BLOCK = BYTEWISE_BLOCK,
    ROUNDS = 61,
    ROUND_NS =
        1000000, /* of one side; the sides take turns, so often that most rounds are undisturbed */
    MOST_BYTES = 4096,
    SMALL_TEXT = 107, /* a sentence and its zero */
};

/* ---------------------------------------------------------------------------------------- sides */

enum chaining { CBC, CTR, ECB };
static const char *const mode_names[] = {[CBC] = "cbc", [CTR] = "ctr", [ECB] = "ecb"};

/* One implementation of one cipher: byte-wise, or a kernel of the library by its public calls. */
struct side {
    const struct bytewise *bytewise; /* or NULL, and: */
    const mtaes_kernel *kernel;
    mtaes_engine *engine;
    const mtaes_mode *mode;
    enum chaining chaining;
    struct bytewise_key expanded;
    mtaes_key *key;
};

static bool side_setup(struct side *s, const uint8_t *key, size_t key_bytes)
{
    if (s->bytewise) {
        s->bytewise->setup(&s->expanded, key, key_bytes);
        return true;
    }
    mtaes_key_free(s->key);
    return mtaes_key_create(&s->key, s->kernel, s->mode, key, key_bytes) == MTAES_OK;
}

static void crypt_bytewise(struct side *s, bool decrypt, const uint8_t *iv, uint8_t *data,
                           size_t bytes)
{
    switch (s->chaining) {
    case CBC:
        (decrypt ? bytewise_cbc_decrypt : bytewise_cbc_encrypt)(s->bytewise, &s->expanded, iv, data,
                                                                bytes);
        break;
    case CTR:
        bytewise_ctr(s->bytewise, &s->expanded, iv, data, bytes);
        break;
    case ECB:
        (decrypt ? bytewise_ecb_decrypt : bytewise_ecb_encrypt)(s->bytewise, &s->expanded, data,
                                                                bytes);
        break;
    }
}

static bool side_crypt(struct side *s, bool decrypt, const uint8_t *iv, uint8_t *data, size_t bytes)
{
    if (s->bytewise) {
        crypt_bytewise(s, decrypt, iv, data, bytes);
        return true;
    }
    mtaes_message m = {.key = s->key,
                       .direction = decrypt ? MTAES_DECRYPT : MTAES_ENCRYPT,
                       .src = data,
                       .dst = data,
                       .bytes = bytes};
    if (s->chaining != ECB) {
        m.iv = iv;
        m.iv_bytes = BLOCK;
    }
    return mtaes_run(s->engine, &m, 1) == MTAES_OK;
}

static struct side side_of(enum gecko_pair pair, size_t cipher, enum chaining chaining,
                           mtaes_engine *engine)
{
    const bool gecko = cipher == GECKO_GECKO, portable = pair == PAIR_PORTABLE;
    const char *const kernel =
        gecko ? (portable ? "gecko-portable" : "gecko") : (portable ? "aes-portable" : "aes");
    struct side s = {.engine = engine, .chaining = chaining};
    if (pair == PAIR_BYTEWISE)
        s.bytewise = gecko ? &bytewise_gecko : &bytewise_aes;
    else
        s.kernel = mtaes_kernel_find(kernel);
    s.mode = mtaes_mode_find(mode_names[chaining]);
    return s;
}

static void side_describe(const struct side *s, struct gecko_side *to)
{
    snprintf(to->who, sizeof to->who, "%s",
             s->bytewise ? "byte-wise C" : mtaes_kernel_name(s->kernel));
}

/* --------------------------------------------------------------------------------- speed tests */

/* A published test, or one of ours that fills the grid of sizes and modes. */
struct speed_test {
    const char *original; /* NULL: not of the originals */
    const char *kind;
    enum chaining chaining;
    size_t text_bytes, bytes; /* before and after padding */
    bool fixed_key;           /* and fixed IV, and a fresh copy of the text in each pass */
    bool raw;                 /* one key setup, outside the clock */
    uint64_t passes;          /* of the original */
    bool setup_only;          /* a pass is a key setup, always of the same key */
};

static const struct speed_test tests[] = {
    {"Test 2", "small, fixed key", CBC, SMALL_TEXT, 112, true, false, 524280, false},
    {"Test 5", "small, fixed key", CTR, SMALL_TEXT, 112, true, false, 524280, false},
    {"Test 8", "small, fixed key", ECB, SMALL_TEXT, 112, true, false, 524280, false},
    {"Test 16", "small", CBC, SMALL_TEXT, 112, false, false, 524280, false},
    {"Test 17", "medium", CBC, 512, 528, false, false, 1048560, false},
    {"Test 18", "4096 bytes", CBC, 4096, 4096, false, false, 32767, false},
    {"Test 19", "4096 bytes, one key", CBC, 4096, 4096, false, true, 32767, false},
    {NULL, "small", CTR, SMALL_TEXT, 112, false, false, 524280, false},
    {NULL, "medium", CTR, 512, 528, false, false, 1048560, false},
    {NULL, "4096 bytes", CTR, 4096, 4096, false, false, 32767, false},
    {NULL, "small", ECB, SMALL_TEXT, 112, false, false, 524280, false},
    {NULL, "medium", ECB, 512, 528, false, false, 1048560, false},
    {NULL, "4096 bytes", ECB, 4096, 4096, false, false, 32767, false},
};

static const struct speed_test setup_test = {
    "Internals Test 3", NULL, CBC, BLOCK, BLOCK, true, false, 655350, true};

struct trial {
    const struct speed_test *test;
    size_t key_bytes;
    struct side side;
    struct mt19937 random;
    uint8_t text[MOST_BYTES], data[MOST_BYTES];
    uint8_t key[32], iv[BLOCK];
};

/* New key and IV, set key, pad, encrypt, set key again, decrypt. */
static bool run_pass(struct trial *t)
{
    const struct speed_test *const test = t->test;
    struct side *const s = &t->side;
    if (test->fixed_key) {
        memcpy(t->data, t->text, test->text_bytes);
    } else {
        mt19937_fill(&t->random, t->key, t->key_bytes);
        mt19937_fill(&t->random, t->iv, BLOCK);
    }
    const size_t padding = test->bytes - test->text_bytes;
    memset(t->data + test->text_bytes, (int)padding, padding);
    return side_setup(s, t->key, t->key_bytes) &&
           side_crypt(s, false, t->iv, t->data, test->bytes) &&
           side_setup(s, t->key, t->key_bytes) && side_crypt(s, true, t->iv, t->data, test->bytes);
}

static bool run_passes(struct trial *t, uint64_t passes)
{
    bool good = true;
    if (t->test->setup_only) {
        for (uint64_t i = 0; i < passes && good; i++)
            good = side_setup(&t->side, t->key, t->key_bytes);
        return good;
    }
    if (!t->test->raw) {
        for (uint64_t i = 0; i < passes && good; i++)
            good = run_pass(t);
        return good;
    }
    for (uint64_t i = 0; i < passes && good; i++)
        good = side_crypt(&t->side, false, t->iv, t->data, t->test->bytes);
    for (uint64_t i = 0; i < passes && good; i++)
        good = side_crypt(&t->side, true, t->iv, t->data, t->test->bytes);
    return good;
}

/* What went in must have come out. Where a pass is no round trip, one is made. */
static bool check_trial(struct trial *t)
{
    if (t->test->raw || t->test->setup_only) {
        memcpy(t->data, t->text, t->test->bytes);
        if (!side_crypt(&t->side, false, t->iv, t->data, t->test->bytes) ||
            !memcmp(t->data, t->text, t->test->bytes) ||
            !side_crypt(&t->side, true, t->iv, t->data, t->test->bytes))
            return false;
    }
    return memcmp(t->data, t->text, t->test->text_bytes) == 0;
}

static bool begin_trial(struct trial *t, const struct speed_test *test, enum gecko_pair pair,
                        size_t cipher, size_t key_bytes, mtaes_engine *engine, uint32_t seed)
{
    *t = (struct trial){.test = test, .key_bytes = key_bytes};
    t->side = side_of(pair, cipher, test->chaining, engine);
    mt19937_seed(&t->random, seed);
    mt19937_fill(&t->random, t->text, test->text_bytes);
    memcpy(t->data, t->text, test->text_bytes);
    mt19937_fill(&t->random, t->key, key_bytes);
    for (size_t i = 0; i < BLOCK; i++)
        t->iv[i] = (uint8_t)i;
    return side_setup(&t->side, t->key, key_bytes) && run_passes(t, 1) && check_trial(t);
}

/* So many that a round takes its time. */
static uint64_t fitting_passes(struct trial *t, uint64_t most)
{
    uint64_t passes = 1;
    for (;;) {
        const uint64_t start = clock_ns();
        if (!run_passes(t, passes))
            return 1; /* is found again, and reported, by the round */
        const uint64_t ns = clock_ns() - start;
        if (ns >= ROUND_NS / 4 || passes >= most) {
            const uint64_t fit = passes * ROUND_NS / (ns ? ns : 1);
            return fit < 1 ? 1 : fit < most ? fit : most;
        }
        passes *= 2;
    }
}

struct timing {
    double ns[GECKO_SIDES][ROUNDS]; /* a pass */
    double ratio[ROUNDS];           /* AES's time over Gecko's */
};

/* AES, Gecko, AES, Gecko, ...: what disturbs one disturbs the other. */
static bool time_rounds(struct trial *const trials[GECKO_SIDES], const uint64_t *passes,
                        struct timing *timing)
{
    for (size_t r = 0; r < ROUNDS; r++) {
        for (size_t i = GECKO_SIDES; i-- > 0;) {
            const uint64_t start = clock_ns();
            if (!run_passes(trials[i], passes[i]))
                return false;
            timing->ns[i][r] = clock_per_call(start, clock_ns(), passes[i]);
        }
        timing->ratio[r] = timing->ns[GECKO_AES][r] / timing->ns[GECKO_GECKO][r];
    }
    return true;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The middle half of the rounds decides, as a round may be disturbed by the rest of the machine. */
static void judge_speed(struct gecko_result *r, struct timing *timing)
{
    qsort(timing->ratio, ROUNDS, sizeof *timing->ratio, by_value);
    const double ratio = r->side[GECKO_AES].value / r->side[GECKO_GECKO].value;
    r->ratio_low = timing->ratio[ROUNDS / 4];
    r->ratio_high = timing->ratio[ROUNDS - 1 - ROUNDS / 4];
    if (r->ratio_low <= 1 && r->ratio_high >= 1)
        snprintf(r->verdict, sizeof r->verdict, "no difference");
    else if (r->ratio_low > 1)
        snprintf(r->verdict, sizeof r->verdict, "Gecko %.2f times as fast", ratio);
    else
        snprintf(r->verdict, sizeof r->verdict, "AES %.2f times as fast", 1 / ratio);
}

static const struct published_gecko *published_speed(const struct speed_test *test,
                                                     unsigned key_bits)
{
    char name[32];
    snprintf(name, sizeof name, "Speed %s", test->original ? test->original : "");
    for (size_t i = 0; i < published_gecko_count; i++) {
        const struct published_gecko *const p = &published_gecko[i];
        if (strcmp(p->original, name) == 0 && p->key_bits == key_bits)
            return p;
    }
    return NULL;
}

static void report_speed(struct gecko_report *report, const struct speed_test *test,
                         enum gecko_pair pair, unsigned key_bits,
                         struct trial *const trials[GECKO_SIDES], struct timing *timing)
{
    struct gecko_result *const r =
        gecko_add(report, test->setup_only ? GECKO_KEY_SETUP : GECKO_SPEED);
    r->kind = test->kind;
    r->original = test->original;
    r->unit = "s";
    r->pair = pair;
    r->key_bits = key_bits;
    if (!test->setup_only) {
        r->mode = mode_names[test->chaining];
        r->block_bytes = test->bytes;
    }
    r->passes = report->options->passes ? report->options->passes : test->passes;
    r->scaled = report->options->passes == 0;
    for (size_t i = 0; i < GECKO_SIDES; i++) {
        const double ns = stats_of(timing->ns[i], ROUNDS).median;
        r->side[i].value = ns * 1e-9 * (double)r->passes;
        if (!test->setup_only)
            r->side[i].rate = 2e9 * (double)test->bytes / ns;
        side_describe(&trials[i]->side, &r->side[i]);
    }
    judge_speed(r, timing);
    if (pair == PAIR_BYTEWISE)
        r->published = published_speed(test, key_bits);
}

static bool measure_test(struct gecko_report *report, const struct speed_test *test,
                         enum gecko_pair pair, unsigned key_bits, mtaes_engine *engine)
{
    struct trial *trials[GECKO_SIDES];
    uint64_t passes[GECKO_SIDES];
    struct timing timing;
    bool good = true;
    for (size_t i = 0; i < GECKO_SIDES; i++) {
        trials[i] = allocate(1, sizeof *trials[i]);
        good = begin_trial(trials[i], test, pair, i, key_bits / 8, engine,
                           (uint32_t)report->options->seed) &&
               good;
        passes[i] = (report->options->passes + ROUNDS - 1) / ROUNDS;
        if (good && passes[i] == 0)
            passes[i] = fitting_passes(trials[i], test->passes);
    }
    good = good && time_rounds(trials, passes, &timing);
    for (size_t i = 0; i < GECKO_SIDES; i++)
        good = good && check_trial(trials[i]);
    if (good)
        report_speed(report, test, pair, key_bits, trials, &timing);
    for (size_t i = 0; i < GECKO_SIDES; i++) {
        mtaes_key_free(trials[i]->side.key);
        free(trials[i]);
    }
    return good || complain("speed, %s, %s, %u bits: what was decrypted is not what was encrypted",
                            mode_names[test->chaining], gecko_pair_name(pair), key_bits);
}

/* One thread, as the originals. */
static mtaes_engine *one_thread(void)
{
    const mtaes_engine_options options = {.threads = 1};
    mtaes_engine *engine;
    const mtaes_status status = mtaes_engine_create(&engine, &options);
    if (status == MTAES_OK)
        return engine;
    complain("no engine: %s", mtaes_status_text(status));
    return NULL;
}

static bool measure_tests(struct gecko_report *report, const struct speed_test *test, size_t count,
                          unsigned key_bits)
{
    mtaes_engine *const engine = one_thread();
    bool good = engine != NULL;
    for (size_t i = 0; i < count && good; i++) {
        for (enum gecko_pair pair = 0; pair < PAIRS && good; pair++) {
            progress_show("speed, %u bits, %s, %s, %s", key_bits, mode_names[test[i].chaining],
                          test[i].kind ? test[i].kind : "key setup", gecko_pair_name(pair));
            good = measure_test(report, &test[i], pair, key_bits, engine);
        }
    }
    progress_clear();
    mtaes_engine_free(engine);
    return good;
}

bool gecko_speed(struct gecko_report *report, unsigned key_bits)
{
    return measure_tests(report, tests, sizeof tests / sizeof *tests, key_bits);
}

bool gecko_key_setup(struct gecko_report *report, unsigned key_bits)
{
    return measure_tests(report, &setup_test, 1, key_bits);
}
