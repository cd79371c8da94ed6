/* cmd_gecko.c: `mtaes-bench gecko`: the published comparison of Gecko with AES, measured again. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "gecko.h"
#include "memory.h"
#include "output.h"

static const struct {
    enum gecko_test test;
    const char *name, *note;
} names[] = {
    {GECKO_SPEED, "speed",
     "A pass: new key and IV, set the key, pad, encrypt, set the key again, decrypt; times are for "
     "the "
     "original's number of passes. One thread. In the library's pairs, setting a key includes "
     "mapping "
     "and locking its memory. CTR: the byte-wise Gecko counts as its original does."},
    {GECKO_SIZE, "size",
     "Code and constants of the objects in this build, with CBC and all key sizes. The original "
     "printed two numbers that were written into its source."},
    {GECKO_KEY_SETUP, "key-setup",
     "In the library's pairs, setting a key includes mapping and locking its memory."},
    {GECKO_DIFFUSION, "diffusion",
     "Bits of the ciphertext that change with one bit of the text. Both ciphers are expected at "
     "the "
     "same percentage; in CBC it is below 50 where the flipped bit is not in the first block."},
    {GECKO_CONFUSION, "confusion",
     "Bits of the ciphertext that change with one bit of the key. The original flips one of the "
     "first 128 bits, whatever the key's length."},
    {GECKO_DUPLICATES, "duplicates",
     "Pairs of equal bytes in the expanded key. The published percentage is 100 over the mean "
     "number "
     "of pairs a table: the higher it is, the fewer pairs. The round-key test counts the same "
     "tables "
     "again, 256 times each."},
    {GECKO_ALL, "all", ""},
};

/* A report makes dozens of comparisons: two standard deviations would be passed by chance. */
enum { NAMES = sizeof names / sizeof *names, JUDGE_DEVIATIONS = 3 };

const char *gecko_test_name(enum gecko_test test)
{
    for (size_t i = 0; i < NAMES; i++) {
        if (names[i].test == test)
            return names[i].name;
    }
    return "";
}

const char *gecko_note(enum gecko_test test)
{
    for (size_t i = 0; i < NAMES; i++) {
        if (names[i].test == test)
            return names[i].note;
    }
    return "";
}

const char *gecko_pair_name(enum gecko_pair pair)
{
    static const char *const pairs[] = {"bytewise", "portable", "fastest", ""};
    return pairs[pair];
}

/* --- options --------------------------------------------------------------------------------- */

static bool parse_test(const char *name, const char *word, void *field)
{
    for (size_t i = 0; i < NAMES; i++) {
        if (strcmp(names[i].name, word) == 0) {
            *(unsigned *)field = names[i].test;
            return true;
        }
    }
    return complain("--%s='%s': no such test; there are speed, size, key-setup, diffusion, "
                    "confusion, duplicates, all",
                    name, word);
}

static bool take_key_bits(const char *item, void *list)
{
    uint64_t bits;
    if (!read_number(item, &bits) || (bits != 128 && bits != 192 && bits != 256))
        return complain("--key-bits: '%s' is none of 128, 192, 256", item);
    return size_list_add(list, bits);
}

static bool parse_key_bits(const char *name, const char *word, void *field)
{
    struct size_list *const list = field;
    list->count = 0;
    return each_item(name, word, take_key_bits, list);
}

static bool parse_passes(const char *name, const char *word, void *field)
{
    const uint64_t most = 1000000000;
    uint64_t passes;
    if (!read_number(word, &passes) || passes < 1 || passes > most)
        return complain("--%s='%s': 1 to %llu are needed", name, word, (unsigned long long)most);
    *(size_t *)field = passes;
    return true;
}

static bool parse_seed_word(const char *name, const char *word, void *field)
{
    uint64_t seed;
    if (!read_number(word, &seed) || seed > UINT32_MAX)
        return complain("--%s='%s': 0 to %u are needed", name, word, UINT32_MAX);
    *(uint64_t *)field = seed;
    return true;
}

static bool parse_format(const char *name, const char *word, void *field)
{
    for (size_t i = 0; format_name(i); i++) {
        if (strcmp(format_name(i), word) == 0) {
            *(enum format *)field = (enum format)i;
            return true;
        }
    }
    return complain("--%s='%s': no such format; there are text, markdown, csv, json", name, word);
}

#define FIELD(member) offsetof(struct gecko_options, member)

static const struct option_row rows[] = {
    {"test", "NAME", "speed, size, key-setup, diffusion, confusion, duplicates or all (all)",
     parse_test, FIELD(tests)},
    {"key-bits", "N[,N...]", "128, 192, 256 (all three)", parse_key_bits, FIELD(key_bits)},
    {"passes", "N",
     "in CBC, and 100 times as many in ECB; keys of duplicates, a 64th of them for round keys; "
     "speed "
     "and key-setup: in all rounds (as published; speed and key-setup: as many as fill the time)",
     parse_passes, FIELD(passes)},
    {"random-bit", NULL, "flip a random bit, not the one that the original takes", parse_flag,
     FIELD(random_bit)},
    {"seed", "N", "of the Mersenne Twister (5489, as the original's)", parse_seed_word,
     FIELD(seed)},
    {"format", "FORMAT", "text, markdown, csv or json (text)", parse_format, FIELD(format)},
    {"output", "FILE", "write there, in full or not at all", parse_path, FIELD(output)},
};

static const struct option_set set = {
    .command = "gecko",
    .synopsis = "gecko [OPTION...]",
    .rows = rows,
    .count = sizeof rows / sizeof rows[0],
};

/* --- report ---------------------------------------------------------------------------------- */

struct gecko_result *gecko_add(struct gecko_report *report, enum gecko_test test)
{
    report->at = reallocate(report->at, report->count + 1, sizeof *report->at);
    struct gecko_result *const r = &report->at[report->count++];
    *r = (struct gecko_result){.test = test, .pair = PAIR_NONE};
    return r;
}

double gecko_difference_percent(double a, double b)
{
    return a + b > 0 ? 100 * fabs(a - b) / ((a + b) / 2) : 0;
}

void gecko_judge_counts(struct gecko_result *r)
{
    const double difference = r->side[GECKO_GECKO].value - r->side[GECKO_AES].value;
    const char *const who = difference > 0 ? "Gecko more" : "AES more";
    snprintf(r->verdict, sizeof r->verdict, "%s",
             fabs(difference) <= JUDGE_DEVIATIONS * r->difference_error ? "no difference" : who);
}

/* One key length after the other; size is of all of them. */
static bool run_tests(struct gecko_report *report)
{
    const struct gecko_options *const o = report->options;
    bool good = true;
    if (o->tests & GECKO_SIZE)
        gecko_size(report);
    for (size_t i = 0; i < o->key_bits.count && good; i++) {
        const unsigned bits = (unsigned)o->key_bits.at[i];
        if (o->tests & GECKO_SPEED)
            good = gecko_speed(report, bits);
        if (good && o->tests & GECKO_KEY_SETUP)
            good = gecko_key_setup(report, bits);
        if (good && o->tests & GECKO_DIFFUSION)
            gecko_avalanche(report, GECKO_DIFFUSION, bits);
        if (good && o->tests & GECKO_CONFUSION)
            gecko_avalanche(report, GECKO_CONFUSION, bits);
        if (good && o->tests & GECKO_DUPLICATES)
            gecko_duplicates(report, bits);
    }
    return good;
}

static bool deliver(const struct gecko_report *report)
{
    struct output out;
    if (!output_open(&out, report->options->output))
        return false;
    bool good = true;
    switch (report->options->format) {
    case FORMAT_JSON:
        good = gecko_json(report, out.stream);
        break;
    case FORMAT_CSV:
        gecko_csv(report, out.stream);
        break;
    case FORMAT_TEXT:
    case FORMAT_MARKDOWN:
        gecko_print(report, out.stream, report->options->format);
        break;
    }
    if (good)
        return output_commit(&out);
    output_abandon(&out);
    return complain("the report could not be written");
}

int cmd_gecko(int argc, char **argv)
{
    struct gecko_options o = {
        .tests = GECKO_ALL, .key_bits = {.count = 3, .at = {128, 192, 256}}, .seed = 5489};
    struct host host;
    struct gecko_report report = {.options = &o, .host = &host};
    int exit_code;
    if (!options_parse(&set, argc, argv, &o, NULL, &exit_code))
        return exit_code;
    if (!output_check(o.output) || !gecko_verify(&o))
        return EXIT_FAILED;
    host_read(&host);
    const bool good = run_tests(&report) && deliver(&report);
    free(report.at);
    return good ? EXIT_DONE : EXIT_FAILED;
}
