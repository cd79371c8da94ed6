/* support.h: what the test programs share: random bytes, guarded buffers, kernel coverage. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MTAES_TESTS_SUPPORT_H
#define MTAES_TESTS_SUPPORT_H

#include "kernel.h"
#include "mode.h"
#include "mtaes.h"

/* Which sanitizer this build has; sizes and counts shrink under them. */
#if defined(__has_feature)
#define TEST_HAS_FEATURE(name) __has_feature(name)
#else
#define TEST_HAS_FEATURE(name) 0
#endif
enum {
#if defined(__SANITIZE_THREAD__) || TEST_HAS_FEATURE(thread_sanitizer)
    UNDER_TSAN = 1,
#else
    UNDER_TSAN = 0,
#endif
#if defined(__SANITIZE_ADDRESS__) || TEST_HAS_FEATURE(address_sanitizer)
    UNDER_ASAN = 1,
#else
    UNDER_ASAN = 0,
#endif
#if TEST_HAS_FEATURE(memory_sanitizer)
    UNDER_MSAN = 1,
#else
    UNDER_MSAN = 0,
#endif
    UNDER_SANITIZER = UNDER_TSAN || UNDER_ASAN || UNDER_MSAN,
};

/* The name of the sanitizer, or "none". */
const char *sanitizer_name(void);

/* The thread counts that every result must be the same for. */
enum { THREAD_COUNTS = 6 };
extern const size_t thread_counts[THREAD_COUNTS];

/* ------------------------------------------------------------------------------------------------
 * random bytes: the same on every machine for the same seed (splitmix64) */

struct random {
    uint64_t state;
};

uint64_t random_u64(struct random *random);
/* A number in [0, limit); limit is not 0. */
size_t random_below(struct random *random, size_t limit);
void random_fill(struct random *random, void *p, size_t bytes);

/* ------------------------------------------------------------------------------------------------
 * buffers between two pages that may not be touched */

struct guarded {
    uint8_t *map;
    size_t room; /* bytes that may be used, a whole number of pages */
};

/* Exits with a message when the system gives no memory. */
struct guarded guarded_create(size_t room_at_least);
void guarded_free(struct guarded *guarded);
/* The lowest address that may be used: the byte before it may not be. */
uint8_t *guarded_first(const struct guarded *guarded);
/* bytes that end where the page after them begins. */
uint8_t *guarded_last(const struct guarded *guarded, size_t bytes);

/* Memory at a 64-byte boundary plus offset, filled with zeros; free with aligned_done. Exits with
   a message when there is none. The bytes around it are malloc's, so ASan sees what leaves them. */
struct aligned {
    void *block;
    uint8_t *p;
};
struct aligned aligned_create(size_t bytes, size_t offset);
void aligned_done(struct aligned *aligned);

/* Whether all bytes have the value. */
bool all_bytes(const uint8_t *p, size_t bytes, uint8_t value);

/* "bytes differ at 17: 3c, expected 5a", in a buffer of this function; NULL when equal. */
const char *difference(const uint8_t *have, const uint8_t *expected, size_t bytes);

/* ------------------------------------------------------------------------------------------------
 * kernels, modes, keys: all from the library's tables */

/* The number of kernels and modes in the tables, and the row at an index. */
int kernel_count(void);
const mtaes_kernel *kernel_at(int index);
int mode_count(void);
const mtaes_mode *mode_at(int index);

/* The kernel of this cipher that needs no CPU feature, which all others are compared with. */
const mtaes_kernel *portable_of(const mtaes_kernel *kernel);

/* Key lengths that some kernel and mode takes: the n-th that mtaes_key_create takes for the pair,
   from 16, 24, 32, 48, 64 bytes; 0 when there is no n-th. */
size_t key_bytes_at(const mtaes_kernel *kernel, const mtaes_mode *mode, int n);

/* A key, never NULL: exits with a message when the library refuses, or bound the key to another
   kernel than the one asked for. Counts the kernel as run. */
mtaes_key *key_for(const mtaes_kernel *kernel, const mtaes_mode *mode, const uint8_t *material,
                   size_t key_bytes);

/* An engine, never NULL. */
mtaes_engine *engine_with(size_t threads);

/* Whether the mode can encrypt this many bytes with this unit (0: one unit). */
bool length_is_legal(const mtaes_mode *mode, size_t bytes, size_t unit_bytes);
/* The smallest legal length that is not below bytes; the largest, where that is below it. */
size_t legal_length(const mtaes_mode *mode, size_t bytes);
/* The IV length of most use: 16 where it is allowed, else 12, else the least. */
size_t usual_iv_bytes(const mtaes_mode *mode);

/* ------------------------------------------------------------------------------------------------
 * coverage: which kernels have run, also in the children that Check forks */

/* Whether the kernel runs here and is to be run. Under the thread sanitizer, which looks at what threads share, the fastest
   of each cipher is enough: all are called in the same way, and it makes them fifty times slower. */
bool kernel_is_tested(const mtaes_kernel *kernel);

void coverage_begin(void);
void coverage_mark(const mtaes_kernel *kernel);
/* Print one line; returns how many kernels are to be tested and have not been run. */
int coverage_report(void);

#endif
