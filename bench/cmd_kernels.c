/* cmd_kernels.c: `mtaes-bench kernels`: every kernel, one thread, a grid of modes and sizes. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buffers.h"
#include "command.h"
#include "contest.h"
#include "kernels_report.h"
#include "memory.h"

enum { BATCH_STREAMS = 16, ENTRIES_MAX = CHOICES_MAX + ENGINES_MAX + 1 };

/* ------------------------------------------------------------------------------------- groups */

static void add_group(struct kernels_report *report, const struct workload *cipher,
                      const mtaes_mode *mode, size_t streams)
{
    const struct kernels_options *const o = report->options;
    report->groups = reallocate(report->groups, report->count + 1, sizeof *report->groups);
    struct kernels_group *const g = &report->groups[report->count++];
    *g = (struct kernels_group){.work = *cipher};
    workload_set_mode(&g->work, mode);
    workload_set_key(&g->work, o->seed);
    g->work.streams = streams;
    g->work.in_place = o->in_place;
}

static void make_groups(struct kernels_report *report)
{
    const struct kernels_options *const o = report->options;
    for (size_t i = 0; i < o->ciphers.count; i++) {
        for (size_t k = 0; k < o->modes.count; k++) {
            const mtaes_mode_info info = mtaes_mode_describe(o->modes.at[k]);
            add_group(report, &o->ciphers.at[i], o->modes.at[k], 1);
            if (!info.encrypt_parallel && info.tag_bytes == 0)
                add_group(report, &o->ciphers.at[i], o->modes.at[k], BATCH_STREAMS);
        }
    }
}

static void free_groups(struct kernels_report *report)
{
    for (size_t i = 0; i < report->count; i++) {
        results_free(&report->groups[i].results);
        free(report->groups[i].costs);
        free(report->groups[i].costs_kernel);
    }
    free(report->groups);
    results_free(&report->memory[0]);
    results_free(&report->memory[1]);
}

/* The next kernel that is asked for in the group's cipher; NULL starts, and ends. */
static const mtaes_kernel *next_kernel(const struct kernels_options *o, const char *family,
                                       const mtaes_kernel *kernel)
{
    while ((kernel = mtaes_kernel_next(kernel)) != NULL) {
        bool wanted = o->kernels.count == 0 && mtaes_kernel_runs_here(kernel);
        for (size_t i = 0; i < o->kernels.count; i++)
            wanted |= o->kernels.at[i] == kernel;
        if (wanted && strcmp(mtaes_kernel_cipher(kernel), family) == 0)
            break;
    }
    return kernel;
}

/* -------------------------------------------------------------------------------------- costs */

/* What keys and calls cost; it also finds modes that the cipher does not have. */
static void measure_costs(struct kernels_report *report, struct kernels_group *g)
{
    const mtaes_kernel *kernel = NULL;
    while ((kernel = next_kernel(report->options, g->work.family, kernel)) != NULL) {
        struct workload work = g->work;
        char reason[REASON_ROOM];
        work.kernel = kernel;
        g->costs = reallocate(g->costs, g->costs_count + 1, sizeof *g->costs);
        g->costs_kernel = reallocate(g->costs_kernel, g->costs_count + 1, sizeof *g->costs_kernel);
        if (!costs_measure(&work, &g->costs[g->costs_count], reason, sizeof reason))
            continue; /* the grid says why */
        g->costs_kernel[g->costs_count++] = kernel;
    }
    if (g->costs_count)
        g->call_ns = stats_of(g->costs[0].ns[COST_SHORTEST], COST_RUNS).median;
}

static void measure_all_costs(struct kernels_report *report)
{
    for (size_t i = 0; i < report->count; i++) {
        struct kernels_group *const g = &report->groups[i];
        if (g->work.streams <= 1)
            measure_costs(report, g);
        else
            g->call_ns = report->groups[i - 1].call_ns; /* of the same mode */
    }
}

/* --------------------------------------------------------------------------------------- grid */

/* Calls a run: enough to be timed, and no more. */
static size_t calls_for(const struct kernels_options *o, size_t bytes)
{
    const size_t work = (size_t)(o->quick ? 2 : 8) << 20;
    return 1 + work / (bytes + 512);
}

/* Whether a kernel that nobody named would take all too long, going by a call of 64 bytes or by
   the size before. */
static bool is_slow(const struct kernels_options *o, struct kernels_group *g, size_t bytes,
                    const char *kernel)
{
    const double patience_ns = o->quick ? 0.1e9 : 2e9;
    double ns = 0;
    for (size_t i = 0; i < g->costs_count; i++) {
        if (strcmp(mtaes_kernel_name(g->costs_kernel[i]), kernel) == 0)
            ns = stats_of(g->costs[i].ns[COST_CALL], COST_RUNS).min * (double)bytes / COST_BYTES;
    }
    for (size_t i = 0; i < g->results.series_count; i++) {
        const struct series *const s = &g->results.series[i];
        if (s->peer == &peer_mtaes && strcmp(s->kernel, kernel) == 0)
            ns = stats_of(s->ns, s->runs).min * (double)bytes / (double)s->bytes;
    }
    if (o->kernels.count || ns * (double)calls_for(o, bytes) <= patience_ns)
        return false;
    char reason[REASON_ROOM];
    snprintf(reason, sizeof reason,
             "kernel %s would take about %.1f s a run; named by --kernels it would be measured",
             kernel, ns * (double)calls_for(o, bytes) / 1e9);
    results_absent(&g->results, "mtaes", bytes, ABSENT_BOTH, reason);
    return true;
}

/* Kernels, the engines beside them, and the ceiling. works[] has room for what differs. */
static size_t enter(const struct kernels_options *o, struct kernels_group *g,
                    const struct workload *work, struct workload *works, struct contender *all)
{
    size_t count = 0;
    const mtaes_kernel *kernel = NULL;
    while ((kernel = next_kernel(o, work->family, kernel)) != NULL && count < CHOICES_MAX) {
        if (is_slow(o, g, work->bytes, mtaes_kernel_name(kernel)))
            continue;
        works[count] = *work;
        works[count].kernel = kernel;
        all[count] = (struct contender){.peer = &peer_mtaes, .work = &works[count], .threads = 1};
        count++;
    }
    for (size_t i = 0; i < o->engines.count; i++) {
        const struct peer *const peer = o->engines.at[i];
        if (peer == &peer_mtaes || peer->copies)
            continue;
        if (work->streams > 1 && !peer->batches)
            results_absent(&g->results, peer->name, 0, ABSENT_BOTH,
                           "takes one message a call, no batches");
        else
            all[count++] = (struct contender){.peer = peer, .work = work, .threads = 1};
    }
    all[count++] =
        (struct contender){.peer = kernels_ceiling(o->in_place), .work = work, .threads = 1};
    return count;
}

/* One group on one size. False: reason. */
static bool run_cell(const struct kernels_options *o, struct kernels_group *g,
                     const struct buffers *buffers, char *reason)
{
    struct workload work = g->work, works[CHOICES_MAX];
    struct contender all[ENTRIES_MAX];
    if (!workload_set_bytes(&work, buffers->bytes, 0, reason, REASON_ROOM)) {
        results_absent(&g->results, "mtaes", buffers->bytes, ABSENT_BOTH, reason);
        return true;
    }
    const struct contest contest = {.work = &work,
                                    .contenders = all,
                                    .count = enter(o, g, &work, works, all),
                                    .buffers = buffers,
                                    .runs = o->runs,
                                    .calls = calls_for(o, buffers->bytes),
                                    .seed = o->seed,
                                    .encrypt_only = work.streams > 1};
    return contest_run(&contest, &g->results, reason, REASON_ROOM);
}

/* What the memory can do at this size. False: reason. */
static bool run_memory(struct kernels_report *report, const struct buffers *buffers, char *reason)
{
    const struct kernels_options *const o = report->options;
    bool good = true;
    for (int in_place = 0; in_place < 2 && good; in_place++) {
        struct workload work = report->groups[0].work;
        work.bytes = buffers->bytes;
        work.in_place = in_place;
        work.unit_bytes = 0;
        struct contender c = {.peer = kernels_ceiling(in_place), .work = &work, .threads = 1};
        const struct contest contest = {.work = &work,
                                        .contenders = &c,
                                        .count = 1,
                                        .buffers = buffers,
                                        .runs = o->runs,
                                        .calls = calls_for(o, buffers->bytes),
                                        .seed = o->seed};
        good = contest_run(&contest, &report->memory[in_place], reason, REASON_ROOM);
    }
    return good;
}

static bool run_size(struct kernels_report *report, size_t bytes)
{
    struct buffers buffers;
    char reason[REASON_ROOM];
    if (!buffers_create(&buffers, bytes, report->options->seed, reason, sizeof reason)) {
        for (size_t i = 0; i < report->count; i++)
            results_absent(&report->groups[i].results, "mtaes", bytes, ABSENT_BOTH, reason);
        return true;
    }
    report->huge = buffers.huge;
    bool good = run_memory(report, &buffers, reason);
    for (size_t i = 0; i < report->count && good; i++)
        good = run_cell(report->options, &report->groups[i], &buffers, reason);
    buffers_free(&buffers);
    return good || complain("%s", reason);
}

/* ------------------------------------------------------------------------------------- report */

const struct peer *kernels_ceiling(bool in_place)
{
    return in_place ? &peer_rmw : &peer_memcpy;
}

double kernels_rate(const struct series *s)
{
    return rate_of(s->bytes, stats_of(s->ns, s->runs).median);
}

struct limit kernels_limit(const struct kernels_report *report, const struct kernels_group *g,
                           const struct series *s)
{
    struct workload work = g->work;
    work.bytes = s->bytes;
    const struct series *const memory =
        results_find(&g->results, kernels_ceiling(work.in_place)->name, 1, s->bytes, s->decrypt);
    const double memory_ns = memory ? stats_of(memory->ns, memory->runs).median : 0;
    return limits_of(&report->limits, &work, s->decrypt, memory_ns, g->call_ns);
}

/* Whether any kernel or engine was measured. */
static bool ran(const struct kernels_report *report)
{
    for (size_t i = 0; i < report->count; i++) {
        const struct results *const r = &report->groups[i].results;
        for (size_t k = 0; k < r->series_count; k++) {
            if (!r->series[k].peer->copies)
                return true;
        }
    }
    for (size_t i = 0; i < report->count; i++)
        contest_complain(&report->groups[i].results);
    return false;
}

int cmd_kernels(int argc, char **argv)
{
    struct kernels_options o;
    struct host host;
    int exit_code;
    if (!kernels_options_parse(argc, argv, &o, &exit_code))
        return exit_code;
    struct kernels_report report = {.host = &host, .options = &o};
    const struct delivery delivery = {
        .output = o.output,
        .format = o.format,
        .report = &report,
        .print = kernels_print,
        .csv = kernels_csv,
        .json = kernels_json,
    };
    if (!delivery_check(&delivery))
        return EXIT_FAILED;
    host_read(&host);
    limits_measure(&report.limits, &host, o.seed);
    make_groups(&report);
    measure_all_costs(&report);
    bool good = true;
    for (size_t i = 0; i < o.sizes.count && good; i++)
        good = run_size(&report, o.sizes.at[i]);
    good = good && ran(&report) && delivery_send(&delivery);
    free_groups(&report);
    return good ? EXIT_DONE : EXIT_FAILED;
}
