/* gecko.h: `mtaes-bench gecko`: Gecko against AES, the published tests measured again. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_GECKO_H
#define BENCH_GECKO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "host.h"
#include "mt19937.h"
#include "options.h"
#include "published.h"
#include "table.h"

enum gecko_test {
    GECKO_SPEED = 1,
    GECKO_SIZE = 2,
    GECKO_KEY_SETUP = 4,
    GECKO_DIFFUSION = 8,
    GECKO_CONFUSION = 16,
    GECKO_DUPLICATES = 32,
    GECKO_ALL = 63,
};

struct gecko_options {
    unsigned tests; /* enum gecko_test, summed up */
    struct size_list key_bits;
    size_t passes; /* 0: as many as published; for speed: as many as fill the time */
    uint64_t seed; /* of 32 bits */
    bool random_bit;
    enum format format;
    const char *output;
};

/* Who is set against whom. */
enum gecko_pair {
    PAIR_BYTEWISE, /* the published condition */
    PAIR_PORTABLE, /* the library's portable kernels */
    PAIR_FASTEST,  /* the library's fastest kernels here */
    PAIRS,
    PAIR_NONE = PAIRS, /* what is counted is the cipher's, whoever computes it */
};

const char *gecko_pair_name(enum gecko_pair pair); /* "bytewise", "portable", "fastest" */

struct gecko_side {
    double value;        /* in the result's unit */
    double percent;      /* counts: by the published formula */
    double rate;         /* speed: bytes a second, both directions */
    char who[96];        /* what did the work */
    size_t text, rodata; /* size */
};

enum { GECKO_GECKO, GECKO_AES, GECKO_SIDES };

/* One line of the report. Fields that do not apply are 0 or NULL. */
struct gecko_result {
    enum gecko_test test;
    const char *kind;     /* "expanded-key"; "small"; else NULL */
    const char *original; /* "Test 18" */
    const char *mode;     /* "cbc" */
    const char *unit;     /* "bits changed" */
    enum gecko_pair pair;
    unsigned key_bits; /* 0: all */
    size_t block_bytes;
    uint64_t passes, bits;
    bool scaled; /* passes is the published number, and the time was found from fewer */
    struct gecko_side side[GECKO_SIDES];
    double expected_percent;
    double sampling_error;        /* of one count, one standard deviation */
    double difference_error;      /* of the difference of the two */
    double ratio_low, ratio_high; /* speed: Gecko's rate over AES's, quartiles of the rounds */
    char verdict[64];
    const struct published_gecko *published; /* the page's line for the same, or NULL */
};

struct gecko_report {
    const struct gecko_options *options;
    const struct host *host;
    struct gecko_result *at;
    size_t count;
};

/* A new line; the pointer holds until the next is added. */
struct gecko_result *gecko_add(struct gecko_report *report, enum gecko_test test);

/* The page's formula: the difference over the mean of the two, in percent. */
double gecko_difference_percent(double a, double b);

/* "Gecko more", "AES more" or "no difference": whether the counts differ by more than three
   standard deviations of the difference. */
void gecko_judge_counts(struct gecko_result *result);

/* The byte-wise ciphers and all kernels that run here give the same bytes; false: complained. */
bool gecko_verify(const struct gecko_options *options);

/* The tests; false: complained. */
bool gecko_speed(struct gecko_report *report, unsigned key_bits);
bool gecko_key_setup(struct gecko_report *report, unsigned key_bits);
void gecko_size(struct gecko_report *report);
void gecko_avalanche(struct gecko_report *report, enum gecko_test test, unsigned key_bits);
void gecko_duplicates(struct gecko_report *report, unsigned key_bits);

void gecko_print(const struct gecko_report *report, FILE *to, enum format format);
void gecko_csv(const struct gecko_report *report, FILE *to);
bool gecko_json(const struct gecko_report *report, FILE *to);

const char *gecko_test_name(enum gecko_test test); /* "speed" */

/* What the line's published percentage is of, and whatever else a reader must know of the test. */
const char *gecko_note(enum gecko_test test);

#endif
