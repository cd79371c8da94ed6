/* support.c: what the test programs share: random bytes, guarded buffers, kernel coverage. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "support.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

const size_t thread_counts[THREAD_COUNTS] = {1, 2, 3, 4, 7, 16};

static _Noreturn void give_up(const char *what)
{
    fprintf(stderr, "test support: %s\n", what);
    exit(99);
}

const char *sanitizer_name(void)
{
    return UNDER_TSAN   ? "thread sanitizer"
           : UNDER_ASAN ? "address sanitizer"
           : UNDER_MSAN ? "memory sanitizer"
                        : "none";
}

uint64_t random_u64(struct random *random)
{
    uint64_t z = random->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

size_t random_below(struct random *random, size_t limit)
{
    return (size_t)(random_u64(random) % limit);
}

void random_fill(struct random *random, void *p, size_t bytes)
{
    uint8_t *out = p;
    while (bytes > 0) {
        const uint64_t word = random_u64(random);
        const size_t n = bytes < sizeof word ? bytes : sizeof word;
        memcpy(out, &word, n);
        out += n;
        bytes -= n;
    }
}

static size_t page_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

struct guarded guarded_create(size_t room_at_least)
{
    const size_t page = page_bytes();
    const size_t room = (room_at_least + page) / page * page;
    uint8_t *map =
        mmap(NULL, room + 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED || mprotect(map, page, PROT_NONE) != 0 ||
        mprotect(map + page + room, page, PROT_NONE) != 0)
        give_up("no memory for a guarded buffer");
    return (struct guarded){map, room};
}

void guarded_free(struct guarded *guarded)
{
    munmap(guarded->map, guarded->room + 2 * page_bytes());
    guarded->map = NULL;
}

uint8_t *guarded_first(const struct guarded *guarded)
{
    return guarded->map + page_bytes();
}

uint8_t *guarded_last(const struct guarded *guarded, size_t bytes)
{
    return guarded_first(guarded) + guarded->room - bytes;
}

struct aligned aligned_create(size_t bytes, size_t offset)
{
    uint8_t *block = calloc(1, bytes + offset + 64);
    if (block == NULL)
        give_up("out of memory");
    const size_t beyond = (size_t)((uintptr_t)block % 64);
    return (struct aligned){block, block + (beyond ? 64 - beyond : 0) + offset};
}

void aligned_done(struct aligned *aligned)
{
    free(aligned->block);
    *aligned = (struct aligned){NULL, NULL};
}

bool all_bytes(const uint8_t *p, size_t bytes, uint8_t value)
{
    for (size_t i = 0; i < bytes; i++)
        if (p[i] != value)
            return false;
    return true;
}

const char *difference(const uint8_t *have, const uint8_t *expected, size_t bytes)
{
    static _Thread_local char text[96];
    if (bytes == 0 || memcmp(have, expected, bytes) == 0)
        return NULL;
    size_t at = 0;
    while (have[at] == expected[at])
        at++;
    snprintf(text, sizeof text, "bytes differ at %zu of %zu: %02x, expected %02x", at, bytes,
             have[at], expected[at]);
    return text;
}

int kernel_count(void)
{
    int count = 0;
    for (const mtaes_kernel *k = mtaes_kernel_next(NULL); k != NULL; k = mtaes_kernel_next(k))
        count++;
    return count;
}

const mtaes_kernel *kernel_at(int index)
{
    const mtaes_kernel *k = mtaes_kernel_next(NULL);
    while (index-- > 0)
        k = mtaes_kernel_next(k);
    return k;
}

int mode_count(void)
{
    int count = 0;
    for (const mtaes_mode *m = mtaes_mode_next(NULL); m != NULL; m = mtaes_mode_next(m))
        count++;
    return count;
}

const mtaes_mode *mode_at(int index)
{
    const mtaes_mode *m = mtaes_mode_next(NULL);
    while (index-- > 0)
        m = mtaes_mode_next(m);
    return m;
}

const mtaes_kernel *portable_of(const mtaes_kernel *kernel)
{
    for (const mtaes_kernel *k = mtaes_kernel_next(NULL); k != NULL; k = mtaes_kernel_next(k))
        if (k->needs == 0 && strcmp(k->cipher, kernel->cipher) == 0)
            return k;
    give_up("a cipher has no portable kernel");
}

size_t key_bytes_at(const mtaes_kernel *kernel, const mtaes_mode *mode, int n)
{
    static const size_t candidates[] = {16, 24, 32, 48, 64};
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++) {
        uint8_t material[64];
        mtaes_key *key = NULL;
        for (size_t j = 0; j < sizeof material; j++)
            material[j] = (uint8_t)(j * 37 + 1);
        const mtaes_status status = mtaes_key_create(&key, kernel, mode, material, candidates[i]);
        mtaes_key_free(key);
        if (status == MTAES_OK && n-- == 0)
            return candidates[i];
    }
    return 0;
}

mtaes_key *key_for(const mtaes_kernel *kernel, const mtaes_mode *mode, const uint8_t *material,
                   size_t key_bytes)
{
    mtaes_key *key = NULL;
    const mtaes_status status = mtaes_key_create(&key, kernel, mode, material, key_bytes);
    if (status != MTAES_OK || key == NULL) {
        fprintf(stderr, "%s %s, key of %zu bytes: %s\n", mtaes_kernel_name(kernel),
                mtaes_mode_name(mode), key_bytes, mtaes_status_text(status));
        give_up("a key was refused");
    }
    if (key->kernel != kernel)
        give_up("a key is bound to another kernel than the one asked for");
    coverage_mark(kernel);
    return key;
}

mtaes_engine *engine_with(size_t threads)
{
    const mtaes_engine_options options = {.threads = threads};
    mtaes_engine *engine = NULL;
    if (mtaes_engine_create(&engine, &options) != MTAES_OK || engine == NULL)
        give_up("an engine was refused");
    return engine;
}

bool length_is_legal(const mtaes_mode *mode, size_t bytes, size_t unit_bytes)
{
    const mtaes_mode_info info = mtaes_mode_describe(mode);
    if (info.multiple_bytes > 1 && bytes % info.multiple_bytes != 0)
        return false;
    if (!mode->units)
        return bytes >= info.bytes_min && bytes <= info.bytes_max;
    const size_t unit = unit_bytes ? unit_bytes : bytes, last = unit ? bytes % unit : 0;
    return bytes > 0 && unit >= info.bytes_min && unit <= info.bytes_max &&
           (last == 0 || last >= info.bytes_min);
}

size_t legal_length(const mtaes_mode *mode, size_t bytes)
{
    const mtaes_mode_info info = mtaes_mode_describe(mode);
    if (!mode->units && bytes > info.bytes_max)
        bytes = (size_t)(info.bytes_max - info.bytes_max % info.multiple_bytes);
    while (!length_is_legal(mode, bytes, 0))
        bytes++;
    return bytes;
}

size_t usual_iv_bytes(const mtaes_mode *mode)
{
    const mtaes_mode_info info = mtaes_mode_describe(mode);
    if (info.iv_bytes_min <= 12 && info.iv_bytes_max >= 12)
        return 12;
    return info.iv_bytes_min;
}

/* Shared with the children that Check forks. */
enum { COVERAGE_ROOM = 256 };
static atomic_uchar *coverage;

void coverage_begin(void)
{
    if (kernel_count() > COVERAGE_ROOM)
        give_up("too many kernels for the coverage record");
    void *map =
        mmap(NULL, COVERAGE_ROOM, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED)
        give_up("no memory for the coverage record");
    coverage = map;
}

void coverage_mark(const mtaes_kernel *kernel)
{
    for (int i = 0, n = kernel_count(); coverage != NULL && i < n; i++)
        if (kernel_at(i) == kernel)
            atomic_store(&coverage[i], 1);
}

bool kernel_is_tested(const mtaes_kernel *kernel)
{
    return mtaes_kernel_runs_here(kernel) &&
           (!UNDER_TSAN || kernel == mtaes_kernel_find(kernel->cipher));
}

int coverage_report(void)
{
    int missed = 0;
    printf("kernels:");
    for (int i = 0, n = kernel_count(); i < n; i++) {
        const mtaes_kernel *kernel = kernel_at(i);
        const bool here = mtaes_kernel_runs_here(kernel), ran = atomic_load(&coverage[i]);
        char lacks[128] = "";
        if (!here)
            mtaes_kernel_features(kernel, true, lacks, sizeof lacks);
        printf("%s %s %s%s%s", i ? "," : "", mtaes_kernel_name(kernel),
               ran                        ? "ran"
               : !here                    ? "not on this CPU"
               : kernel_is_tested(kernel) ? "WAS NOT RUN"
                                          : "left out",
               here ? "" : ": lacks ", lacks);
        missed += !ran && kernel_is_tested(kernel);
    }
    printf("\n");
    fflush(stdout);
    return missed;
}
