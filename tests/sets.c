/* sets.c: the sets of published vectors in tests/vectors, and how a kernel is run through one. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "sets.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const struct vector_set vector_sets[] = {
    {"nist-cavp/ECB", "aes", SET_RSP, "ecb", false, 15, 2138},
    {"nist-cavp/CBC", "aes", SET_RSP, "cbc", false, 15, 2138},
    {"nist-cavp/CFB128", "aes", SET_RSP, "cfb", false, 15, 2138},
    {"nist-cavp/OFB", "aes", SET_RSP, "ofb", false, 15, 2138},
    {"nist-cavp/CTR", "aes", SET_RSP, "ctr", false, 3, 9},
    {"nist-cavp/XTS/tweak-128hexstr", "aes", SET_RSP, "xts", false, 2, 2000},
    {"nist-cavp/XTS/tweak-dataunitseqno", "aes", SET_RSP, "xts", false, 2, 2000},
    {"nist-cavp/GCM", "aes", SET_RSP, "gcm", false, 6, 9450},
    {"nist-cavp/MCT/ECBMCT128.rsp", "aes", SET_RSP, "ecb", true, 1, 200},
    {"nist-cavp/MCT/ECBMCT192.rsp", "aes", SET_RSP, "ecb", true, 1, 200},
    {"nist-cavp/MCT/ECBMCT256.rsp", "aes", SET_RSP, "ecb", true, 1, 200},
    {"nist-cavp/MCT/CBCMCT128.rsp", "aes", SET_RSP, "cbc", true, 1, 200},
    {"nist-cavp/MCT/CBCMCT192.rsp", "aes", SET_RSP, "cbc", true, 1, 200},
    {"nist-cavp/MCT/CBCMCT256.rsp", "aes", SET_RSP, "cbc", true, 1, 200},
    {"nist-cavp/MCT/CFB128MCT128.rsp", "aes", SET_RSP, "cfb", true, 1, 200},
    {"nist-cavp/MCT/CFB128MCT192.rsp", "aes", SET_RSP, "cfb", true, 1, 200},
    {"nist-cavp/MCT/CFB128MCT256.rsp", "aes", SET_RSP, "cfb", true, 1, 200},
    {"nist-cavp/MCT/OFBMCT128.rsp", "aes", SET_RSP, "ofb", true, 1, 200},
    {"nist-cavp/MCT/OFBMCT192.rsp", "aes", SET_RSP, "ofb", true, 1, 200},
    {"nist-cavp/MCT/OFBMCT256.rsp", "aes", SET_RSP, "ofb", true, 1, 200},
    {"openssl-evp/evpciph_aes_common.txt", "aes", SET_EVP, NULL, false, 1, 165},
    {"wycheproof/aes_gcm_test.json", "aes", SET_JSON, NULL, false, 1, 316},
    {"wycheproof/aes_gmac_test.json", "aes", SET_JSON, NULL, false, 1, 414},
    {"wycheproof/aes_cbc_pkcs5_test.json", "aes", SET_JSON, NULL, false, 1, 216},
    {"wycheproof/aes_xts_test.json", "aes", SET_JSON, NULL, false, 1, 123},
    {"generated/aes_ctr_wrap.rsp", "aes", SET_RSP, "ctr", false, 1, 324},
    {"generated/aes_stream_tails.rsp", "aes", SET_RSP, NULL, false, 1, 117},
    {"generated/aes_pcbc.rsp", "aes", SET_RSP, "pcbc", false, 1, 63},
    {"generated/aes_xts_sizes.rsp", "aes", SET_RSP, "xts", false, 1, 198},
    {"generated/aes_long_digests.rsp", "aes", SET_RSP, NULL, false, 1, 141},
    {"gecko/ecb", "gecko", SET_RSP, "ecb", false, 3, 444},
    {"gecko/cbc", "gecko", SET_RSP, "cbc", false, 3, 444},
    {"gecko/pcbc", "gecko", SET_RSP, "pcbc", false, 3, 444},
    {"gecko/cfb", "gecko", SET_RSP, "cfb", false, 3, 444},
    {"gecko/ofb", "gecko", SET_RSP, "ofb", false, 3, 444},
    {"gecko/gecko-ctr-compat", "gecko", SET_RSP, "gecko-ctr-compat", false, 3, 444},
};
const int vector_set_count = sizeof vector_sets / sizeof *vector_sets;

enum { REASONS = 16, FLAGS = 16, PRINTED_FAILURES = 5, THOROUGH_EACH = UNDER_TSAN ? 128 : 8 };

struct tally {
    const struct vector_set *set;
    struct replay *replay;
    struct monte_carlo next;
    int run, skipped, failed;
    bool mode_exists; /* for any of the file's cases */
    struct {
        char why[240];
        int count;
        unsigned first, last;
    } reasons[REASONS];
    struct {
        char name[VECTOR_WORD];
        int run, seen;
    } flags[FLAGS];
};

static void count_skip(struct tally *tally, const struct vector *vector, const char *why)
{
    int i = 0;
    while (tally->reasons[i].count > 0 && strcmp(tally->reasons[i].why, why) != 0)
        if (++i == REASONS)
            exit(99);
    if (tally->reasons[i].count++ == 0) {
        snprintf(tally->reasons[i].why, sizeof tally->reasons[i].why, "%s", why);
        tally->reasons[i].first = vector->number;
    }
    tally->reasons[i].last = vector->number;
    tally->skipped++;
}

/* Returns the flag's place; names it when it is new. */
static int flag_at(struct tally *tally, const char *name)
{
    int i = 0;
    while (tally->flags[i].name[0] != '\0' && strcmp(tally->flags[i].name, name) != 0)
        if (++i == FLAGS)
            exit(99);
    snprintf(tally->flags[i].name, VECTOR_WORD, "%s", name);
    return i;
}

static void declare_flag(void *context, const char *flag)
{
    flag_at(context, flag);
}

/* Then only one case in THOROUGH_EACH goes all ways, and the others go whole. */
static bool is_slow(const struct tally *tally)
{
    return UNDER_SANITIZER || tally->replay->kernel == portable_of(tally->replay->kernel);
}

/* Sanitizers make everything ten times slower: fewer Monte Carlo cases and no long texts then. The
   thread sanitizer makes it fifty, and most cases go on one thread: one case in eight, but for the
   files of which each flag is to be exercised. */
static bool is_left_out(const struct tally *tally, const struct vector *vector)
{
    enum { LONG = 100000, ONE_IN = 8 };
    if (UNDER_TSAN && tally->set->format != SET_JSON && vector->number % ONE_IN != 1)
        return true;
    return UNDER_SANITIZER && ((tally->set->monte_carlo && (vector->number - 1) % 100 > 2) ||
                               vector->text_bytes > LONG);
}

static void visit(void *context, const struct vector *vector)
{
    struct tally *tally = context;
    const bool thorough = tally->replay->thorough;
    enum replay_result result;
    tally->mode_exists |= mtaes_mode_find(vector->mode) != NULL;
    if (is_left_out(tally, vector)) {
        count_skip(tally, vector, "left out under a sanitizer");
        return;
    }
    if (is_slow(tally) && vector->number % THOROUGH_EACH != 1)
        tally->replay->thorough = false;
    result = tally->set->monte_carlo ? replay_monte_carlo(tally->replay, vector, &tally->next)
                                     : replay_vector(tally->replay, vector);
    tally->replay->thorough = thorough;
    if (result == REPLAY_SKIPPED)
        count_skip(tally, vector, tally->replay->why);
    else
        tally->run++;
    if (result == REPLAY_FAILED && tally->failed++ < PRINTED_FAILURES)
        printf("    FAILED: %s, case %u: %s\n", tally->replay->kernel->name, vector->number,
               tally->replay->why);
    for (int i = 0; i < vector->flag_count; i++) {
        const int flag = flag_at(tally, vector->flags[i]);
        tally->flags[flag].seen++;
        tally->flags[flag].run += result != REPLAY_SKIPPED;
    }
}

static int report(const struct tally *tally, const char *path)
{
    int faults = tally->failed;
    printf("  %s: %d run, %d skipped, %d failed\n", path, tally->run, tally->skipped,
           tally->failed);
    for (int i = 0; i < REASONS && tally->reasons[i].count > 0; i++)
        printf("    skipped %d (cases %u to %u): %s\n", tally->reasons[i].count,
               tally->reasons[i].first, tally->reasons[i].last, tally->reasons[i].why);
    for (int i = 0; i < FLAGS && tally->flags[i].name[0] != '\0'; i++) {
        printf("    flag %s: %d of %d run\n", tally->flags[i].name, tally->flags[i].run,
               tally->flags[i].seen);
        if (tally->mode_exists && tally->flags[i].run == 0) {
            printf("    FAILED: this flag was not exercised\n");
            faults++;
        }
    }
    if (tally->run + tally->skipped == 0 || (tally->mode_exists && tally->run == 0)) {
        printf("    FAILED: no case of this file was run\n");
        faults++;
    }
    return faults;
}

static bool read_set_file(struct vector_reader *reader, enum set_format format, const char *path)
{
    switch (format) {
    case SET_RSP:
        return vectors_read_rsp(reader, path);
    case SET_EVP:
        return vectors_read_evp(reader, path);
    case SET_JSON:
        return vectors_read_json(reader, path);
    }
    return false;
}

/* Returns the number of faults; adds to *cases. */
static int run_file(const struct vector_set *set, const char *path, struct replay *replay,
                    int *cases)
{
    struct tally tally = {.set = set, .replay = replay};
    struct vector_reader reader = {
        .mode = set->mode, .visit = visit, .flag = declare_flag, .context = &tally};
    const bool good = read_set_file(&reader, set->format, path);
    int faults = report(&tally, path);
    if (!good) {
        printf("    FAILED: %s\n", reader.error);
        faults++;
    }
    *cases += tally.run + tally.skipped;
    return faults;
}

static int is_vectors(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && strncmp(entry->d_name, "LICENSE", 7) != 0;
}

int set_run(const struct vector_set *set, const char *folder, struct replay *replay)
{
    char path[4096], file[4096 + 256];
    struct stat status;
    int faults = 0, files = 0, cases = 0;
    snprintf(path, sizeof path, "%s/%s", folder, set->path);
    printf("%s, %s\n", set->path, replay->kernel->name);
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
        struct dirent **entries = NULL;
        files = scandir(path, &entries, is_vectors, alphasort);
        for (int i = 0; i < files; i++) {
            snprintf(file, sizeof file, "%s/%s", path, entries[i]->d_name);
            faults += run_file(set, file, replay, &cases);
            free(entries[i]);
        }
        free(entries);
    } else {
        files = 1;
        faults += run_file(set, path, replay, &cases);
    }
    if (files != set->files || cases != set->cases) {
        printf("  FAILED: %d files and %d cases, not %d and %d\n", files, cases, set->files,
               set->cases);
        faults++;
    }
    fflush(stdout);
    return faults;
}
