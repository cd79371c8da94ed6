/* report_suites.c: which commands a report runs, with which options, each in its own process. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "command.h"
#include "memory.h"
#include "peer.h"
#include "progress.h"
#include "report_folder.h"

static const char *const suite_names[SUITES] = {"tables", "gecko", "beecrypt", "kernels",
                                                "scaling"};

const char *report_suite_name(size_t suite)
{
    return suite < SUITES ? suite_names[suite] : NULL;
}

/* --- the plan -------------------------------------------------------------------------------- */

static void add_word(struct report_part *part, const char *word)
{
    part->word[part->words++] = copy_text(word);
}

/* A part with its options, separated by blanks, of which each suite has a full and a quick set. */
static struct report_part *add(struct report *r, enum report_suite suite, enum report_use use,
                               const char *title, const char *options)
{
    struct report_part *const part = &r->part[r->count++];
    *part = (struct report_part){.suite = suite, .use = use, .title = title};
    add_word(part, suite_names[suite]);
    char *const copy = copy_text(options);
    char *rest = copy;
    while (rest) {
        const char *const word = strsep(&rest, " ");
        if (*word)
            add_word(part, word);
    }
    free(copy);
    return part;
}

/* --engines with all of them, so that a new one is in the report without being named here. */
static void add_engines(struct report_part *part)
{
    char text[512];
    size_t used = (size_t)snprintf(text, sizeof text, "--engines");
    for (const struct peer *p = peer_next(NULL); p && used < sizeof text; p = peer_next(p))
        used += (size_t)snprintf(text + used, sizeof text - used, "%c%s",
                                 strchr(text, '=') ? ',' : '=', p->name);
    add_word(part, text);
}

/* "64K", "512M" */
static const char *size_word(size_t bytes, char *text, size_t room)
{
    const bool mib = bytes % 1048576 == 0;
    snprintf(text, room, "%zu%s", bytes >> (mib ? 20 : 10), mib ? "M" : "K");
    return text;
}

/* --sizes with those of a list that are not beyond the limit; if all are, the limit itself. */
static void add_sizes(struct report_part *part, const size_t *sizes, size_t count, size_t largest)
{
    char text[256], word[24];
    size_t used = (size_t)snprintf(text, sizeof text, "--sizes");
    for (size_t i = 0; i < count; i++) {
        if (sizes[i] <= largest)
            used += (size_t)snprintf(text + used, sizeof text - used, "%c%s",
                                     strchr(text, '=') ? ',' : '=',
                                     size_word(sizes[i], word, sizeof word));
    }
    if (!strchr(text, '='))
        snprintf(text, sizeof text, "--sizes=%s", size_word(largest, word, sizeof word));
    add_word(part, text);
}

/* 1, 2, 3, 4, 6, 8, 12, 16, ... and all there are. */
static void add_thread_counts(struct report_part *part, size_t most)
{
    char text[256];
    size_t used = (size_t)snprintf(text, sizeof text, "--threads=1");
    for (size_t n = 2; n < most && used < sizeof text - 16; n += n < 4         ? 1
                                                                 : n & (n - 1) ? n / 3
                                                                               : n / 2)
        used += (size_t)snprintf(text + used, sizeof text - used, ",%zu", n);
    snprintf(text + used, sizeof text - used, ",auto");
    add_word(part, text);
}

static const size_t kib = 1024, mib = 1048576;

static void plan_tables(struct report *r)
{
    const bool quick = r->options->quick;
    const size_t largest = r->options->largest;
    const size_t published[] = {512 * mib, 1024 * mib, 2048 * mib};
    const size_t small[] = {4 * kib, 16 * kib, 64 * kib, 256 * kib}, middle[] = {mib, 4 * mib},
                 large[] = {16 * mib, 64 * mib, 256 * mib}, one[] = {64 * mib};
    struct report_part *p =
        add(r, SUITE_TABLES, USE_RUNS, "the published layout: AES-128, ECB",
            quick ? "--runs=7 --reference" : "--runs=10 --calls=10 --reference");
    add_sizes(p, published, quick ? 1 : 3, largest);
    add_engines(p);
    const struct {
        const char *options;
        const size_t *sizes;
        size_t count;
    } sweep[] = {
        {quick ? "--mode=ctr --threads=1,auto --runs=3 --calls=50"
               : "--mode=ctr --threads=1,auto --runs=10 --calls=500",
         small, sizeof small / sizeof small[0]},
        {quick ? "--mode=ctr --threads=1,auto --runs=3 --calls=5"
               : "--mode=ctr --threads=1,auto --runs=10 --calls=50",
         middle, sizeof middle / sizeof middle[0]},
        {quick ? "--mode=ctr --threads=1,auto --runs=3" : "--mode=ctr --threads=1,auto --runs=10",
         large, quick ? 2 : 3},
    };
    for (size_t i = 0; i < sizeof sweep / sizeof sweep[0]; i++) {
        if (i && sweep[i].sizes[0] > largest)
            break;
        p = add(r, SUITE_TABLES, USE_SIZES, "rate against size: AES-128, CTR", sweep[i].options);
        add_sizes(p, sweep[i].sizes, sweep[i].count, largest);
        add_engines(p);
    }
    p = add(r, SUITE_TABLES, USE_THREADS, "rate against threads: AES-128, CTR",
            quick ? "--mode=ctr --runs=3" : "--mode=ctr --runs=10");
    add_sizes(p, one, 1, largest);
    add_engines(p);
    add_thread_counts(p, r->host.threads.chosen);
}

/* For the suites that have one part or two: their options, full and quick. */
static const struct {
    enum report_suite suite;
    const char *title, *options, *quick;
} others[] = {
    {SUITE_GECKO, "Gecko against AES", "", "--passes=256"},
    {SUITE_BEECRYPT, "the published units of work", "", "--runs=3"},
    {SUITE_BEECRYPT, "units for some seconds, as the later programs did", "--seconds=10",
     "--seconds=1"},
    {SUITE_KERNELS, "every kernel that runs here, by mode and size", "--engines=openssl,ipsec-mb",
     "--quick --runs=11 --engines=openssl,ipsec-mb"},
    {SUITE_SCALING, "rate against threads and size, executors compared", "", "--quick"},
};

void report_plan(struct report *r)
{
    for (size_t suite = 0; suite < SUITES; suite++) {
        if (!r->options->suites[suite])
            continue;
        if (suite == SUITE_TABLES)
            plan_tables(r);
        for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
            if (others[i].suite == suite)
                add(r, others[i].suite, USE_OWN, others[i].title,
                    r->options->quick ? others[i].quick : others[i].options);
        }
    }
    for (size_t i = 0; i < r->count; i++)
        add_word(&r->part[i], "--format=json");
}

/* --- running --------------------------------------------------------------------------------- */

/* In the child: the command with its output in a file; never returns. */
static void be_command(const struct command *command, struct report_part *part, FILE *out,
                       FILE *errors)
{
    if (dup2(fileno(out), STDOUT_FILENO) < 0 || dup2(fileno(errors), STDERR_FILENO) < 0)
        _exit(EXIT_FAILED);
    const int code = command->run((int)part->words, part->word);
    const bool written = fflush(stdout) == 0 && !ferror(stdout);
    _exit(written ? code : EXIT_FAILED);
}

/* Its exit code; -1: it could not be started or did not end by itself. */
static int run_command(const struct command *command, struct report_part *part, FILE *out,
                       FILE *errors)
{
    int status = -1;
    fflush(NULL); /* or the child would write it once more */
    const pid_t child = fork();
    if (child == 0)
        be_command(command, part, out, errors);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The last line that the command complained with. */
static void take_reason(struct report_part *part, FILE *errors, int code)
{
    char line[sizeof part->reason];
    rewind(errors);
    while (fgets(line, sizeof line, errors)) {
        fputs(line, stderr);
        line[strcspn(line, "\n")] = 0;
        if (line[0])
            memcpy(part->reason, line, sizeof line);
    }
    if (!part->reason[0])
        snprintf(part->reason, sizeof part->reason,
                 code < 0 ? "it was ended by a signal" : "it ended with exit code %d", code);
}

static void run_part(struct report_part *part)
{
    const struct command *const command = command_find(report_suite_name(part->suite));
    part->outcome = OUTCOME_LEFT_OUT;
    snprintf(part->reason, sizeof part->reason, "this build of mtaes-bench has no command %s",
             report_suite_name(part->suite));
    if (!command)
        return;
    part->outcome = OUTCOME_FAILED;
    part->reason[0] = 0;
    FILE *const out = tmpfile(), *const errors = tmpfile();
    if (!out || !errors) {
        snprintf(part->reason, sizeof part->reason, "no temporary file: %s", strerror(errno));
    } else {
        const uint64_t start = clock_ns();
        const int code = run_command(command, part, out, errors);
        part->seconds = clock_per_call(start, clock_ns(), 1) / 1e9;
        rewind(out);
        part->json = code == EXIT_DONE ? json_loadf(out, 0, NULL) : NULL;
        if (part->json)
            part->outcome = OUTCOME_DONE;
        else
            take_reason(part, errors, code);
    }
    if (out)
        fclose(out);
    if (errors)
        fclose(errors);
}

void report_run(struct report *r)
{
    for (size_t i = 0; i < r->count; i++) {
        progress_show("report: part %zu of %zu: %s, %s", i + 1, r->count,
                      report_suite_name(r->part[i].suite), r->part[i].title);
        run_part(&r->part[i]);
        progress_clear();
    }
}

void report_free(struct report *r)
{
    for (size_t i = 0; i < r->count; i++) {
        for (size_t k = 0; k < r->part[i].words; k++)
            free(r->part[i].word[k]);
        json_decref(r->part[i].json);
    }
}

void report_command_text(const struct report_part *part, char *text, size_t room)
{
    size_t used = (size_t)snprintf(text, room, "mtaes-bench");
    for (size_t i = 0; i < part->words && used < room; i++)
        used += (size_t)snprintf(text + used, room - used, " %s", part->word[i]);
}

bool report_has(const struct report *r, enum report_suite suite)
{
    for (size_t i = 0; i < r->count; i++) {
        if (r->part[i].suite == suite && r->part[i].outcome == OUTCOME_DONE)
            return true;
    }
    return false;
}
