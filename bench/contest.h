/* contest.h: contenders on one workload: prepared, measured, and let go. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_CONTEST_H
#define BENCH_CONTEST_H

#include "fields.h"
#include "measure.h"

struct contest {
    const struct workload *work;
    struct contender *contenders; /* entered, not prepared; those of this library may have works of
                                     their own, which differ in the kernel */
    size_t count;
    const struct buffers *buffers;
    size_t runs, calls;
    uint64_t seed;
    bool encrypt_only; /* decryption is not asked for */
};

/* Enter engines with threads once for each number of threads, the others once. Returns how many:
   all[] has room for the product. */
size_t contest_enter(const struct engine_list *engines, const struct size_list *threads,
                     const struct workload *work, struct contender *all);

/* As measure(); what cannot run is noted in the results. */
bool contest_run(const struct contest *contest, struct results *results, char *reason,
                 size_t reason_room);

/* Say that nothing ran, and why. */
void contest_complain(const struct results *results);

#endif
