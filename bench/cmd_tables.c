/* cmd_tables.c: `mtaes-bench tables`: each size, each run, each engine, in the published layout. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buffers.h"
#include "command.h"
#include "contest.h"
#include "memory.h"
#include "tables_options.h"
#include "tables_report.h"

/* One size. False: reason. */
static bool run_contenders(const struct tables_options *o, const struct workload *work,
                           const struct buffers *buffers, struct results *results, char *reason)
{
    struct contender *const all = allocate(o->engines.count * o->threads.count, sizeof *all);
    const size_t count = contest_enter(&o->engines, &o->threads, work, all);
    const struct contest contest = {.work = work,
                                    .contenders = all,
                                    .count = count,
                                    .buffers = buffers,
                                    .runs = o->runs,
                                    .calls = o->calls,
                                    .seed = o->seed};
    const bool good = contest_run(&contest, results, reason, REASON_ROOM);
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

/* The report to where it was asked for; if nothing ran, a file stays as it is. */
static bool deliver(const struct tables_options *o, const struct delivery *delivery)
{
    const struct tables_report *const report = delivery->report;
    if (report->results->series_count)
        return delivery_send(delivery);
    contest_complain(report->results);
    if (!o->output)
        delivery_write(delivery, stdout);
    return false;
}

int cmd_tables(int argc, char **argv)
{
    struct tables_options o;
    struct results results = {0};
    struct host host;
    int exit_code;
    if (!tables_options_parse(argc, argv, &o, &exit_code))
        return exit_code;
    struct tables_report report = {.host = &host,
                                   .results = &results,
                                   .work = &o.work,
                                   .sizes = &o.sizes,
                                   .runs = o.runs,
                                   .calls = o.calls,
                                   .unit_bytes = o.unit_bytes,
                                   .seed = o.seed,
                                   .reference = o.reference};
    const struct delivery delivery = {.output = o.output,
                                      .plot = o.plot,
                                      .format = o.format,
                                      .report = &report,
                                      .print = tables_print,
                                      .csv = tables_csv,
                                      .json = tables_json,
                                      .draw = tables_plot};
    if (!delivery_check(&delivery))
        return EXIT_FAILED;
    host_read(&host);
    bool good = true;
    for (size_t i = 0; i < o.sizes.count && good; i++)
        good = run_size(&o, o.sizes.at[i], &results, &report.huge);
    good = good && deliver(&o, &delivery);
    results_free(&results);
    return good ? EXIT_DONE : EXIT_FAILED;
}
