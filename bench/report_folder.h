/* report_folder.h: all published suites, run one after another and put into one document. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_REPORT_FOLDER_H
#define BENCH_REPORT_FOLDER_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "document.h"
#include "host.h"
#include "options.h"

enum { REPORT_PARTS = 24, REPORT_WORDS = 16 };

/* The suites, in the order of the report. */
enum report_suite {
    SUITE_TABLES,
    SUITE_GECKO,
    SUITE_BEECRYPT,
    SUITE_KERNELS,
    SUITE_SCALING,
    SUITES
};

const char *report_suite_name(size_t suite); /* a command's name; NULL past the last */

struct report_options {
    const char *folder, *commit; /* commit NULL: not told */
    bool quick, no_plots;
    bool suites[SUITES];
    size_t largest; /* no message beyond it, in bytes */
};

/* What one part of a suite is for: which of them is shown how. */
enum report_use { USE_RUNS, USE_SIZES, USE_THREADS, USE_OWN };

enum report_outcome { OUTCOME_DONE, OUTCOME_LEFT_OUT, OUTCOME_FAILED };

/* One call of a command. */
struct report_part {
    enum report_suite suite;
    enum report_use use;
    const char *title;
    char *word[REPORT_WORDS + 1]; /* the command and its options; NULL at the end */
    size_t words;
    enum report_outcome outcome;
    char reason[512]; /* of anything but DONE */
    double seconds;
    json_t *json; /* what it reported; NULL unless DONE */
};

struct report {
    const struct report_options *options;
    struct host host;
    char load[64]; /* load averages before the first part */
    struct report_part part[REPORT_PARTS];
    size_t count;
};

/* Fill in the parts that the options ask for. */
void report_plan(struct report *report);
/* Run them all; what a part did is in it. */
void report_run(struct report *report);
void report_free(struct report *report);

/* "tables --sizes=512M ..." */
void report_command_text(const struct report_part *part, char *text, size_t room);
/* Whether any part of a suite is done. */
bool report_has(const struct report *report, enum report_suite suite);

/* Write plots into the folder and everything into the document. Complains on false. */
bool report_compose(const struct report *report, const char *folder, struct document *document);
json_t *report_as_json(const struct report *report);

/* Sections, one file each. `plots` is NULL where there are to be none. */
bool report_tables(const struct report *report, const char *plots, struct document *document);
bool report_curves(const struct report *report, const char *plots, struct document *document);
void report_beecrypt(const struct report *report, struct document *document);
/* Any report of a command that lists objects: each list as tables, as far as it is flat. */
void report_lists(const json_t *json, struct document *document);
/* What a report lists as unsupported, and its notes. */
void report_remarks(const json_t *json, struct document *document);

/* Members of objects that may lack them: "" and 0. */
const char *report_word(const json_t *object, const char *name);
double report_number(const json_t *object, const char *name);

#endif
