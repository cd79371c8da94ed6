/* cmd_tables.c: `mtaes-bench tables`: each size, each run, each engine, in the published layout. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buffers.h"
#include "command.h"
#include "measure.h"
#include "memory.h"
#include "output.h"
#include "plot.h"
#include "tables_options.h"
#include "tables_report.h"

/* Engines with threads once for each number of threads, the others once. */
static size_t enter_contenders(const struct tables_options *o, const struct workload *work,
                               struct contender *all)
{
    size_t count = 0;
    for (size_t i = 0; i < o->engines.count; i++) {
        const struct peer *const peer = o->engines.at[i];
        for (size_t k = 0; k < (peer->threaded ? o->threads.count : 1); k++)
            all[count++] = (struct contender){
                .peer = peer, .work = work, .threads = peer->threaded ? o->threads.at[k] : 1};
    }
    return count;
}

static bool lacks(const struct contender *c, bool decrypt)
{
    return c->lacks[decrypt][0] != 0;
}

/* What a prepared contender cannot do, and what it did not get. */
static void report_lacks(const struct contender *c, size_t asked, struct results *results)
{
    const char *const name = c->peer->name;
    if (lacks(c, false) && strcmp(c->lacks[0], c->lacks[1]) == 0) {
        results_absent(results, name, 0, ABSENT_BOTH, c->lacks[0]);
        return;
    }
    if (lacks(c, false))
        results_absent(results, name, 0, ABSENT_ENCRYPT, c->lacks[0]);
    if (lacks(c, true))
        results_absent(results, name, 0, ABSENT_DECRYPT, c->lacks[1]);
    if (c->peer->threaded && c->threads != asked)
        results_note(results, "%s was asked for %zu threads and has %zu", name, asked, c->threads);
}

static void note_chains(const struct workload *work, struct results *results)
{
    const char *const where = work->info.encrypt_parallel   ? "decryption"
                              : work->info.decrypt_parallel ? "encryption"
                                                            : "encryption and decryption";
    if (!work->info.encrypt_parallel || !work->info.decrypt_parallel)
        results_note(results,
                     "%s in mode %s is a chain: whatever the threads of engine mtaes, one of them "
                     "works on one message",
                     where, work->mode_name);
}

/* Another engine's ciphertext for those that only decrypt, where nobody else makes it. */
static bool needs_helper(const struct contender *all, size_t count)
{
    bool decrypts = false;
    for (size_t i = 0; i < count; i++) {
        if (all[i].peer->copies)
            continue;
        if (!lacks(&all[i], false))
            return false;
        decrypts |= !lacks(&all[i], true);
    }
    return decrypts;
}

/* One size: prepare, measure, let go. False: reason. */
static bool run_contenders(const struct tables_options *o, const struct workload *work,
                           const struct buffers *buffers, struct results *results, char *reason)
{
    struct contender *const all = allocate(o->engines.count * o->threads.count + 1, sizeof *all);
    const size_t count = enter_contenders(o, work, all);
    for (size_t i = 0; i < count; i++) {
        const size_t asked = all[i].threads;
        all[i].peer->prepare(&all[i]);
        report_lacks(&all[i], asked, results);
        if (all[i].peer == &peer_mtaes && !(lacks(&all[i], false) && lacks(&all[i], true)))
            note_chains(work, results);
    }
    struct contender *const helper = needs_helper(all, count) ? &all[count] : NULL;
    if (helper) {
        *helper = (struct contender){.peer = &peer_mtaes, .work = work, .threads = 1};
        helper->peer->prepare(helper);
    }
    const struct measurement m = {.work = work,
                                  .contenders = all,
                                  .count = count,
                                  .helper = helper,
                                  .buffers = buffers,
                                  .runs = o->runs,
                                  .calls = o->calls,
                                  .seed = o->seed};
    bool good = true;
    if (helper && lacks(helper, false)) {
        snprintf(reason, REASON_ROOM, "nothing to decrypt: %.200s", helper->lacks[0]);
        good = false;
    }
    good = good && measure(&m, results, reason, REASON_ROOM);
    for (size_t i = 0; i < count + (helper != NULL); i++)
        all[i].peer->free(&all[i]);
    free(all);
    return good;
}

static bool run_size(const struct tables_options *o, size_t bytes, struct results *results,
                     bool *huge)
{
    struct workload work = o->work;
    struct buffers buffers;
    char reason[REASON_ROOM];
    if (!workload_set_bytes(&work, bytes, o->unit_bytes, reason, sizeof reason))
        return complain("%s", reason);
    if (!buffers_create(&buffers, bytes, o->seed, reason, sizeof reason)) {
        for (size_t i = 0; i < o->engines.count; i++)
            results_absent(results, o->engines.at[i]->name, bytes, ABSENT_BOTH, reason);
        return true;
    }
    *huge = buffers.huge;
    const bool good = run_contenders(o, &work, &buffers, results, reason);
    buffers_free(&buffers);
    return good || complain("%s", reason);
}

static bool write_report(const struct tables_report *report, FILE *to, enum format format)
{
    switch (format) {
    case FORMAT_JSON:
        return tables_json(report, to);
    case FORMAT_CSV:
        tables_csv(report, to);
        return true;
    case FORMAT_TEXT:
    case FORMAT_MARKDOWN:
        break;
    }
    tables_print(report, to, format);
    return true;
}

/* The report to where it was asked for; if nothing ran, a file stays as it is. */
static bool deliver(const struct tables_options *o, const struct tables_report *report)
{
    const struct results *const r = report->results;
    struct output out;
    if (r->series_count == 0) {
        for (size_t i = 0; i < r->absence_count; i++)
            complain("%s: n/a: %s", r->absences[i].engine, r->absences[i].reason);
        complain("no engine ran");
        if (!o->output)
            write_report(report, stdout, o->format);
        return false;
    }
    if (!output_open(&out, o->output))
        return false;
    if (!write_report(report, out.stream, o->format)) {
        output_abandon(&out);
        return complain("the report could not be written");
    }
    if (o->plot && !tables_plot(report, o->plot)) {
        output_abandon(&out);
        return false;
    }
    return output_commit(&out);
}

int cmd_tables(int argc, char **argv)
{
    struct tables_options o;
    struct results results = {0};
    struct host host;
    int exit_code;
    if (!tables_options_parse(argc, argv, &o, &exit_code))
        return exit_code;
    if (!output_check(o.output) || (o.plot && !plot_check(o.plot)))
        return EXIT_FAILED;
    host_read(&host);

    bool good = true, huge = false;
    for (size_t i = 0; i < o.sizes.count && good; i++)
        good = run_size(&o, o.sizes.at[i], &results, &huge);
    const struct tables_report report = {.host = &host,
                                         .results = &results,
                                         .work = &o.work,
                                         .sizes = &o.sizes,
                                         .runs = o.runs,
                                         .calls = o.calls,
                                         .unit_bytes = o.unit_bytes,
                                         .seed = o.seed,
                                         .reference = o.reference,
                                         .huge = huge};
    good = good && deliver(&o, &report);
    results_free(&results);
    return good ? EXIT_DONE : EXIT_FAILED;
}
