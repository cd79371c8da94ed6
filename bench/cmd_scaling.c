/* cmd_scaling.c: `mtaes-bench scaling`: rates against threads and sizes, and hand-offs. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <stdlib.h>

#include "buffers.h"
#include "command.h"
#include "contest.h"
#include "memory.h"
#include "scaling_report.h"

/* Every engine with every number of threads; on one thread all executors are the same. */
static size_t enter(const struct scaling_options *o, const struct workload *work,
                    struct contender *all)
{
    const size_t entered = contest_enter(&o->engines, &o->threads, work, all);
    size_t count = 0;
    for (size_t i = 0; i < entered; i++) {
        if (all[i].threads > 1 || !all[i].peer->executor)
            all[count++] = all[i];
    }
    return count;
}

/* Calls a run: enough to be timed, and no more. */
static size_t calls_for(const struct scaling_options *o, size_t bytes)
{
    const size_t work = (size_t)(o->quick ? 2 : 16) << 20;
    return 1 + work / (bytes + 4096);
}

static bool run_size(struct scaling_report *report, size_t bytes)
{
    const struct scaling_options *const o = report->options;
    struct workload work = o->work;
    struct buffers buffers;
    char reason[REASON_ROOM];
    if (!workload_set_bytes(&work, bytes, 0, reason, sizeof reason))
        return complain("%s", reason);
    if (!buffers_create(&buffers, bytes, o->seed, reason, sizeof reason)) {
        for (size_t i = 0; i < o->engines.count; i++)
            results_absent(&report->results, o->engines.at[i]->name, bytes, ABSENT_BOTH, reason);
        return true;
    }
    report->huge = buffers.huge;
    struct contender *const all = allocate(o->engines.count * o->threads.count, sizeof *all);
    const struct contest contest = {.work = &work,
                                    .contenders = all,
                                    .count = enter(o, &work, all),
                                    .buffers = &buffers,
                                    .runs = o->runs,
                                    .calls = calls_for(o, bytes),
                                    .seed = o->seed};
    const bool good = contest_run(&contest, &report->results, reason, sizeof reason);
    free(all);
    buffers_free(&buffers);
    return good || complain("%s", reason);
}

/* Of each engine of this library, and each number of threads. */
static void measure_handoffs(struct scaling_report *report)
{
    const struct scaling_options *const o = report->options;
    report->handoffs = allocate(o->engines.count * o->threads.count, sizeof *report->handoffs);
    for (size_t i = 0; i < o->engines.count; i++) {
        const struct peer *const peer = o->engines.at[i];
        if (peer != &peer_mtaes && !peer->executor)
            continue;
        for (size_t k = 0; k < o->threads.count; k++) {
            char reason[REASON_ROOM] = "";
            if (o->threads.at[k] == 1)
                continue;
            if (handoff_measure(&o->work, peer, o->threads.at[k],
                                &report->handoffs[report->handoff_count], reason, sizeof reason))
                report->handoff_count++;
            else if (reason[0])
                results_absent(&report->results, peer->name, 0, ABSENT_BOTH, reason);
        }
    }
}

int cmd_scaling(int argc, char **argv)
{
    struct scaling_options o;
    struct host host;
    int exit_code;
    if (!scaling_options_parse(argc, argv, &o, &exit_code))
        return exit_code;
    struct scaling_report report = {.host = &host, .options = &o};
    const struct delivery delivery = {.output = o.output,
                                      .plot = o.plot,
                                      .format = o.format,
                                      .report = &report,
                                      .print = scaling_print,
                                      .csv = scaling_csv,
                                      .json = scaling_json,
                                      .draw = scaling_plot};
    if (!delivery_check(&delivery))
        return EXIT_FAILED;
    host_read(&host);
    measure_handoffs(&report);
    bool good = true;
    for (size_t i = 0; i < o.sizes.count && good; i++)
        good = run_size(&report, o.sizes.at[i]);
    if (good && report.results.series_count == 0) {
        contest_complain(&report.results);
        good = false;
    }
    good = good && delivery_send(&delivery);
    results_free(&report.results);
    free(report.handoffs);
    return good ? EXIT_DONE : EXIT_FAILED;
}
