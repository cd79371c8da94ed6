/* aes_unit.c: how fast this CPU's AES instructions are by themselves. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "aes_unit.h"

#if defined __x86_64__

#include <stddef.h>

#include "clock.h"
#include "mtaes.h"

enum { REGISTERS = 12, TRIES = 60 };
static const size_t turns = 10000;

/* `turns` times what `body` says, which may use these registers, whatever is in them. A macro, as
   the instructions are text. */
#define LOOP(name, body)                                                                         \
    static void name(void)                                                                       \
    {                                                                                            \
        size_t n = turns;                                                                        \
        __asm__ volatile("1:\n\t" body "dec %0\n\t"                                              \
                         "jnz 1b"                                                                \
                         : "+r"(n)                                                               \
                         :                                                                       \
                         : "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", \
                           "xmm8", "xmm9", "xmm10", "xmm11", "xmm12");                           \
    }
#define EACH ".irp r, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11\n\t"

/* A round of each of twelve registers, and twelve rounds of one. */
LOOP(rounds_128, EACH "aesenc %%xmm12, %%xmm\\r\n\t.endr\n\t")
LOOP(rounds_256, EACH "vaesenc %%ymm12, %%ymm\\r, %%ymm\\r\n\t.endr\n\t")
LOOP(rounds_512, EACH "vaesenc %%zmm12, %%zmm\\r, %%zmm\\r\n\t.endr\n\t")
LOOP(chain, ".rept 12\n\taesenc %%xmm12, %%xmm0\n\t.endr\n\t")

/* After wide registers, so that what follows pays nothing for their upper halves. */
static void leave_wide(unsigned bits)
{
    if (bits > 128)
        __asm__ volatile("vzeroupper"
                         :
                         :
                         : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8",
                           "xmm9", "xmm10", "xmm11", "xmm12");
}

/* The best of many tries: others that use the core can only lower it. */
static double best_rate(void (*loop)(void), size_t blocks_each)
{
    double best = 0;
    for (size_t i = 0; i < TRIES; i++) {
        const uint64_t start_ns = clock_ns();
        loop();
        const double ns = clock_per_call(start_ns, clock_ns(), 1);
        const double rate = (double)(turns * REGISTERS * blocks_each) / ns;
        best = rate > best ? rate : best;
    }
    return best;
}

struct aes_unit aes_unit_measure(void)
{
    /* a kernel that runs here tells that the instructions may be used */
    static const struct {
        const char *kernel;
        void (*loop)(void);
        unsigned bits;
    } widths[] = {{"aes-aesni", rounds_128, 128},
                  {"aes-vaes256", rounds_256, 256},
                  {"aes-vaes512", rounds_512, 512}};
    struct aes_unit unit = {0};
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        if (!mtaes_kernel_find(widths[i].kernel))
            continue;
        const double rate = best_rate(widths[i].loop, widths[i].bits / 128);
        leave_wide(widths[i].bits);
        if (rate > unit.rounds) {
            unit.rounds = rate;
            unit.vector_bits = widths[i].bits;
        }
    }
    if (unit.rounds > 0)
        unit.chained = best_rate(chain, 1);
    return unit;
}

#else

struct aes_unit aes_unit_measure(void)
{
    return (struct aes_unit){0};
}

#endif
