/* beecrypt.h: the workloads of BeeCrypt's published benchmarks, done by OpenSSL's libcrypto. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_BEECRYPT_H
#define BENCH_BEECRYPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "host.h"
#include "options.h"
#include "peer.h"
#include "table.h"

enum { BEECRYPT_EXPONENTIATIONS = 100 };

/* What one unit of work is asked to be. */
struct beecrypt_plan {
    size_t threads;
    bool timed;    /* units of 1 MiB for some seconds, else the published unit */
    uint64_t seed; /* of keys, texts, base and exponent */
};

struct beecrypt_job;

/* How a group of workloads is done: one file each. */
struct beecrypt_kind {
    const char *unit; /* what is counted: "bytes", "exponentiations" */
    /* Make ready, and prove on known answers and on this very work that the result is right.
       False: reason is set; with job->missing it cannot run here, else it ran and was wrong. */
    bool (*prepare)(struct beecrypt_job *job, char reason[REASON_ROOM]);
    void (*reset)(struct beecrypt_job *job); /* before each run, outside the clock */
    bool (*run)(struct beecrypt_job *job); /* one unit, under the clock; false: libcrypto failed */
    bool (*check)(struct beecrypt_job *job); /* whether the last unit's result was right */
    void (*free)(struct beecrypt_job *job);  /* also after a prepare that failed */
};

extern const struct beecrypt_kind beecrypt_modexp, beecrypt_blowfish, beecrypt_sha1;

/* What a workload of a kind does; each kind knows its own. */
enum { BLOWFISH_ECB_ENCRYPT, BLOWFISH_ECB_DECRYPT, BLOWFISH_CBC_ENCRYPT, BLOWFISH_CBC_DECRYPT };

/* One published workload. */
struct beecrypt_work {
    const char *name;      /* "blowfish-ecb-encrypt" */
    const char *published; /* the table of published rows that it belongs to; NULL: there is none */
    const char *what;      /* the heading of that table in reports */
    const struct beecrypt_kind *kind;
    bool threaded; /* can be spread over threads; else always one */
    int variant;   /* of the kind: exponent bits, or one of the above */
};

struct beecrypt_job {
    const struct beecrypt_work *work;
    struct beecrypt_plan plan; /* prepare sets threads to what there are */
    size_t amount;             /* set by prepare: bytes or exponentiations a unit */
    bool missing;
    void *state;
};

/* --- results --------------------------------------------------------------------------------- */

struct beecrypt_result {
    const struct beecrypt_work *work;
    size_t threads;
    size_t amount;             /* of all units that ns covers */
    size_t units, runs;        /* units: of one run */
    double ns, min_ns, max_ns; /* median, least and most of the runs */
};

struct beecrypt_absence {
    const struct beecrypt_work *work;
    char reason[REASON_ROOM];
};

struct beecrypt_report {
    const struct host *host;
    size_t runs, seconds; /* seconds 0: the published units */
    uint64_t seed;
    struct beecrypt_result *results;
    size_t result_count;
    struct beecrypt_absence *absences;
    size_t absence_count;
};

/* Whether what is counted is bytes. */
bool beecrypt_counts_bytes(const struct beecrypt_work *work);
/* Amount a second. */
double beecrypt_rate(const struct beecrypt_result *result);

/* What the reader has to know beside the figures; NULL past the last. */
const char *beecrypt_note(size_t i);

void beecrypt_print(const struct beecrypt_report *report, FILE *to, enum format format);
void beecrypt_csv(const struct beecrypt_report *report, FILE *to);
bool beecrypt_json(const struct beecrypt_report *report, FILE *to);

#endif
