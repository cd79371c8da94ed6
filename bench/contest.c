/* contest.c: contenders on one workload: prepared, measured, and let go. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "contest.h"

#include <stdio.h>
#include <string.h>

size_t contest_enter(const struct engine_list *engines, const struct size_list *threads,
                     const struct workload *work, struct contender *all)
{
    size_t count = 0;
    for (size_t i = 0; i < engines->count; i++) {
        const struct peer *const peer = engines->at[i];
        for (size_t k = 0; k < (peer->threaded ? threads->count : 1); k++)
            all[count++] = (struct contender){
                .peer = peer, .work = work, .threads = peer->threaded ? threads->at[k] : 1};
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

/* Prepare all, and note what they lack. */
static void prepare_all(const struct contest *contest, struct results *results)
{
    for (size_t i = 0; i < contest->count; i++) {
        struct contender *const c = &contest->contenders[i];
        const size_t asked = c->threads;
        c->peer->prepare(c);
        if (contest->encrypt_only)
            memcpy(c->lacks[1], c->lacks[0], sizeof c->lacks[1]); /* nothing new to note */
        report_lacks(c, asked, results);
        if (c->peer == &peer_mtaes && !(lacks(c, false) && lacks(c, true)))
            note_chains(contest->work, results);
        if (contest->encrypt_only)
            snprintf(c->lacks[1], sizeof c->lacks[1], "not asked for");
    }
}

bool contest_run(const struct contest *contest, struct results *results, char *reason,
                 size_t reason_room)
{
    struct contender helper = {.peer = &peer_mtaes, .work = contest->work, .threads = 1};
    prepare_all(contest, results);
    const bool helps = needs_helper(contest->contenders, contest->count);
    if (helps)
        helper.peer->prepare(&helper);
    const struct measurement m = {.work = contest->work,
                                  .contenders = contest->contenders,
                                  .count = contest->count,
                                  .helper = helps ? &helper : NULL,
                                  .buffers = contest->buffers,
                                  .runs = contest->runs,
                                  .calls = contest->calls,
                                  .seed = contest->seed};
    bool good = !(helps && lacks(&helper, false));
    if (good)
        good = measure(&m, results, reason, reason_room);
    else
        snprintf(reason, reason_room, "nothing to decrypt: %.200s", helper.lacks[0]);
    for (size_t i = 0; i < contest->count; i++)
        contest->contenders[i].peer->free(&contest->contenders[i]);
    if (helps)
        helper.peer->free(&helper);
    return good;
}

void contest_complain(const struct results *r)
{
    for (size_t i = 0; i < r->absence_count; i++)
        complain("%s: n/a: %s", r->absences[i].engine, r->absences[i].reason);
    complain("no engine ran");
}
