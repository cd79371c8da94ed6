/* limits.c: what bounds the rate of one thread, measured on this machine. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "limits.h"

#include <stdio.h>
#include <string.h>

#include "aes_unit.h"
#include "clock.h"
#include "peer.h"
#include "random.h"

enum { SAMPLE_BYTES = 8192, TRIES = 200 };

static double rounds_of(unsigned key_bits)
{
    return key_bits / 32 + 6; /* FIPS 197, section 5 */
}

/* Rounds a nanosecond of the fastest kernel encrypting in this mode, all in the first cache; 0: it
   does not work. */
static double kernel_rate(const char *mode, uint64_t seed)
{
    struct workload work = {0};
    static uint8_t src[SAMPLE_BYTES], dst[SAMPLE_BYTES];
    char unused[REASON_ROOM];
    const mtaes_mode *const row = mtaes_mode_find(mode);
    if (!row || !workload_set_cipher(&work, "aes-128"))
        return 0;
    workload_set_mode(&work, row);
    workload_set_key(&work, seed);
    if (!workload_set_bytes(&work, SAMPLE_BYTES, 0, unused, sizeof unused))
        return 0;
    random_fill(seed, RANDOM_TEXT, src, sizeof src);
    struct contender c = {.peer = &peer_mtaes, .work = &work, .threads = 1};
    const struct task task = {.src = src, .dst = dst};
    double best = 0;
    c.peer->prepare(&c);
    for (size_t i = 0; c.lacks[0][0] == 0 && i < TRIES; i++) {
        const uint64_t start_ns = clock_ns();
        if (!c.peer->run(&c, &task))
            break;
        const double ns = clock_per_call(start_ns, clock_ns(), 1);
        const double rate = SAMPLE_BYTES / BLOCK * rounds_of(128) / ns;
        best = rate > best ? rate : best;
    }
    c.peer->free(&c);
    return best;
}

/* The second cache; a shared one behind it is memory to a core. */
static size_t cache_of(const struct host *host)
{
    size_t bytes = (size_t)1 << 20; /* where the system does not tell */
    for (size_t i = 0; i < host->caches; i++) {
        if (host->cache[i].level == 2)
            bytes = host->cache[i].bytes;
    }
    return bytes;
}

void limits_measure(struct limits *limits, const struct host *host, uint64_t seed)
{
    const struct aes_unit unit = aes_unit_measure();
    *limits = (struct limits){
        .rounds = unit.rounds, .chained = unit.chained, .cache_bytes = cache_of(host)};
    if (unit.rounds > 0) {
        snprintf(limits->source, sizeof limits->source,
                 "AES rounds between registers of %u bits, and a chain of them, the best of many "
                 "tries at start-up",
                 unit.vector_bits);
        return;
    }
    limits->rounds = kernel_rate("ecb", seed);
    limits->chained = kernel_rate("cbc", seed);
    snprintf(limits->source, sizeof limits->source,
             "no AES instructions: the fastest kernel's ECB and CBC encryption of %d bytes",
             SAMPLE_BYTES);
}

double limits_rate(const struct limits *limits, unsigned key_bits, bool chain)
{
    return BLOCK * 1e9 * (chain ? limits->chained : limits->rounds) / rounds_of(key_bits);
}

struct limit limits_of(const struct limits *limits, const struct workload *w, bool decrypt,
                       double memory_ns, double call_ns)
{
    const bool parallel = decrypt ? w->info.decrypt_parallel : w->info.encrypt_parallel;
    /* what other ciphers have as chains is their own affair */
    const bool chain = !parallel && w->streams <= 1 && strcmp(w->family, "aes") == 0;
    const double unit = limits_rate(limits, w->key_bits, chain);
    if (unit <= 0)
        return (struct limit){.what = "-"};
    if (w->bytes * (w->in_place ? 1 : 2) <= limits->cache_bytes)
        memory_ns = 0;
    const double unit_ns = (double)w->bytes * 1e9 / unit;
    const double work_ns = unit_ns > memory_ns ? unit_ns : memory_ns;
    const char *const what = call_ns > work_ns     ? "call"
                             : memory_ns > unit_ns ? "memory"
                             : chain               ? "chain"
                                                   : "aes";
    return (struct limit){(double)w->bytes * 1e9 / (work_ns + call_ns), what};
}
