/* cmd_beecrypt.c: `mtaes-bench beecrypt`: the published BeeCrypt workloads, done by libcrypto. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "beecrypt.h"
#include "clock.h"
#include "command.h"
#include "memory.h"
#include "output.h"
#include "progress.h"
#include "stats.h"

static const struct beecrypt_work works[] = {
    {.name = "modexp-1024",
     .published = "modexp-1024 x100",
     .what = "Modular exponentiation: modulus, base and exponent of 1024 bits",
     .kind = &beecrypt_modexp,
     .variant = 1024},
    {.name = "modexp-1024-160",
     .what = "Modular exponentiation: modulus and base of 1024 bits, exponent of 160 bits",
     .kind = &beecrypt_modexp,
     .variant = 160},
    {.name = "blowfish-ecb-encrypt",
     .published = "blowfish-ecb",
     .what = "Blowfish ECB, 128-bit key",
     .kind = &beecrypt_blowfish,
     .threaded = true,
     .variant = BLOWFISH_ECB_ENCRYPT},
    {.name = "blowfish-ecb-decrypt",
     .published = "blowfish-ecb",
     .what = "Blowfish ECB, 128-bit key",
     .kind = &beecrypt_blowfish,
     .threaded = true,
     .variant = BLOWFISH_ECB_DECRYPT},
    {.name = "blowfish-cbc-encrypt",
     .published = "blowfish-cbc",
     .what = "Blowfish CBC, 128-bit key (encryption is a chain: one thread)",
     .kind = &beecrypt_blowfish,
     .variant = BLOWFISH_CBC_ENCRYPT},
    {.name = "blowfish-cbc-decrypt",
     .published = "blowfish-cbc",
     .what = "Blowfish CBC, 128-bit key (encryption is a chain: one thread)",
     .kind = &beecrypt_blowfish,
     .threaded = true,
     .variant = BLOWFISH_CBC_DECRYPT},
    {.name = "sha1",
     .published = "sha1",
     .what = "SHA-1, on several threads one independent stream each",
     .kind = &beecrypt_sha1,
     .threaded = true},
};

enum { WORKS = sizeof works / sizeof works[0] };

/* --- options --------------------------------------------------------------------------------- */

struct beecrypt_options {
    bool chosen[WORKS];
    size_t runs, seconds;
    struct size_list threads;
    enum format format;
    const char *output;
    uint64_t seed;
};

static bool take_work(const char *item, void *context)
{
    bool *const chosen = context;
    char names[256] = "";
    size_t used = 0;
    for (size_t i = 0; i < WORKS; i++) {
        if (strcmp(works[i].name, item) == 0) {
            chosen[i] = true;
            return true;
        }
        if (used < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "",
                                     works[i].name);
    }
    return complain("--workloads='%s': no such workload; there are %s", item, names);
}

static bool parse_works(const char *name, const char *word, void *field)
{
    memset(field, 0, sizeof(bool[WORKS]));
    return each_item(name, word, take_work, field);
}

static bool parse_seconds(const char *name, const char *word, void *field)
{
    uint64_t seconds;
    if (!read_number(word, &seconds) || seconds < 1 || seconds > 3600)
        return complain("--%s='%s': a number from 1 to 3600 is needed", name, word);
    *(size_t *)field = seconds;
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

#define FIELD(member) offsetof(struct beecrypt_options, member)

static const struct option_row rows[] = {
    {"workloads", "NAME[,NAME...]",
     "modexp-1024, modexp-1024-160, blowfish-ecb-encrypt, -decrypt,\n"
     "                             blowfish-cbc-encrypt, -decrypt, sha1 (all)",
     parse_works, FIELD(chosen)},
    {"runs", "N", "runs of each, whose median is told (5; 1 with --seconds)", parse_count,
     FIELD(runs)},
    {"seconds", "N",
     "instead of the published units: units of 1 MiB, or one\n"
     "                             exponentiation, for N seconds; the later programs took 10",
     parse_seconds, FIELD(seconds)},
    {"threads", "N[,N...]",
     "for what can be spread over the bench's own threads (not the\n"
     "                             library's pool, which runs its own ciphers only); the rest\n"
     "                             has one (1,auto)",
     parse_thread_list, FIELD(threads)},
    {"format", "FORMAT", "text, markdown, csv or json (text)", parse_format, FIELD(format)},
    {"output", "FILE", "write there, in full or not at all", parse_path, FIELD(output)},
    {"seed", "N", "of keys, texts, base and exponent (1)", parse_seed, FIELD(seed)},
};

static const struct option_set set = {
    .command = "beecrypt",
    .synopsis = "beecrypt [OPTION...]",
    .rows = rows,
    .count = sizeof rows / sizeof rows[0],
};

static bool parse_options(int argc, char **argv, struct beecrypt_options *o, int *exit_code)
{
    *o = (struct beecrypt_options){.seed = 1};
    for (size_t i = 0; i < WORKS; i++)
        o->chosen[i] = true;
    *exit_code = EXIT_FAILED;
    if (!parse_thread_list("threads", "1,auto", &o->threads) ||
        !options_parse(&set, argc, argv, o, NULL, exit_code))
        return false;
    if (o->runs == 0)
        o->runs = o->seconds ? 1 : 5;
    return true;
}

/* --- measuring ------------------------------------------------------------------------------- */

/* One run: a unit, or units for some seconds, the clock read after each. False: libcrypto
   failed. */
static bool time_run(struct beecrypt_job *job, size_t seconds, size_t *units, double *ns)
{
    const uint64_t start = clock_ns();
    uint64_t now;
    *units = 0;
    do {
        if (!job->work->kind->run(job))
            return false;
        (*units)++;
        now = clock_ns();
    } while (now - start < seconds * 1000000000u);
    *ns = clock_per_call(start, now, 1);
    return true;
}

/* A result per unit of each run, so that runs with different numbers of units compare; then scaled
   to the median run's amount. */
static void summarize(const struct beecrypt_job *job, const double *unit_ns, size_t runs,
                      size_t units, struct beecrypt_result *result)
{
    const struct stats s = stats_of(unit_ns, runs);
    const double count = (double)units;
    *result = (struct beecrypt_result){.work = job->work,
                                       .threads = job->plan.threads,
                                       .amount = job->amount * units,
                                       .units = units,
                                       .runs = runs,
                                       .ns = s.median * count,
                                       .min_ns = s.min * count,
                                       .max_ns = s.max * count};
}

static bool run_job(struct beecrypt_job *job, const struct beecrypt_report *report,
                    struct beecrypt_result *result, char reason[REASON_ROOM])
{
    double *const unit_ns = allocate(report->runs, sizeof *unit_ns);
    size_t units = 0;
    bool good = true;
    snprintf(reason, REASON_ROOM, "a timed result is wrong");
    job->work->kind->reset(job); /* the warm-up run is dropped */
    good = job->work->kind->run(job) && job->work->kind->check(job);
    for (size_t i = 0; good && i < report->runs; i++) {
        double ns = 0;
        progress_show("%s, %zu thread%s: run %zu of %zu", job->work->name, job->plan.threads,
                      job->plan.threads == 1 ? "" : "s", i + 1, report->runs);
        job->work->kind->reset(job);
        good = time_run(job, report->seconds, &units, &ns) && job->work->kind->check(job);
        if (good)
            unit_ns[i] = ns / (double)units;
    }
    progress_clear();
    if (good)
        summarize(job, unit_ns, report->runs, units, result);
    free(unit_ns);
    return good;
}

static void add_absence(struct beecrypt_report *report, const struct beecrypt_work *work,
                        const char *reason)
{
    struct beecrypt_absence *const a = &report->absences[report->absence_count++];
    a->work = work;
    snprintf(a->reason, sizeof a->reason, "%s", reason);
}

/* One workload with one number of threads. *missing: it cannot run here, which is no failure. */
static bool run_work(const struct beecrypt_work *work, size_t threads,
                     struct beecrypt_report *report, bool *missing)
{
    struct beecrypt_job job = {
        .work = work,
        .plan = {.threads = threads, .timed = report->seconds != 0, .seed = report->seed}};
    char reason[REASON_ROOM] = "";
    const bool good = work->kind->prepare(&job, reason) &&
                      run_job(&job, report, &report->results[report->result_count], reason);
    work->kind->free(&job);
    *missing = job.missing;
    if (good)
        report->result_count++;
    else if (job.missing)
        add_absence(report, work, reason);
    return good || job.missing || complain("%s: %s", work->name, reason);
}

static bool run_all(const struct beecrypt_options *o, struct beecrypt_report *report)
{
    bool good = true;
    for (size_t i = 0; i < WORKS && good; i++) {
        const size_t counts = works[i].threaded ? o->threads.count : 1;
        bool missing = false;
        for (size_t k = 0; k < counts && o->chosen[i] && good && !missing; k++)
            good = run_work(&works[i], works[i].threaded ? o->threads.at[k] : 1, report, &missing);
    }
    return good;
}

static bool deliver(const struct beecrypt_options *o, const struct beecrypt_report *report)
{
    struct output out;
    if (report->result_count == 0) {
        for (size_t i = 0; i < report->absence_count; i++)
            complain("%s: n/a: %s", report->absences[i].work->name, report->absences[i].reason);
        return complain("no workload ran");
    }
    if (!output_open(&out, o->output))
        return false;
    bool good = true;
    if (o->format == FORMAT_JSON)
        good = beecrypt_json(report, out.stream);
    else if (o->format == FORMAT_CSV)
        beecrypt_csv(report, out.stream);
    else
        beecrypt_print(report, out.stream, o->format);
    if (good)
        return output_commit(&out);
    output_abandon(&out);
    return complain("the report could not be written");
}

int cmd_beecrypt(int argc, char **argv)
{
    struct beecrypt_options o;
    struct host host;
    int exit_code;
    if (!parse_options(argc, argv, &o, &exit_code))
        return exit_code;
    if (!output_check(o.output))
        return EXIT_FAILED;
    host_read(&host);
    struct beecrypt_report report = {.host = &host,
                                     .runs = o.runs,
                                     .seconds = o.seconds,
                                     .seed = o.seed,
                                     .results = allocate(WORKS * LIST_MAX, sizeof *report.results),
                                     .absences = allocate(WORKS, sizeof *report.absences)};
    const bool good = run_all(&o, &report) && deliver(&o, &report);
    free(report.results);
    free(report.absences);
    return good ? EXIT_DONE : EXIT_FAILED;
}
