/* cpu.h: which instructions may be used here. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MTAES_ENGINE_CPU_H
#define MTAES_ENGINE_CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A bit is set when the CPU has the instructions and the system saves the registers that they use.
   VAES and AVX-512 are told apart: each exists without the other. */
enum cpu_feature {
    CPU_SSSE3 = 1 << 0,
    CPU_SSE41 = 1 << 1,
    CPU_AES = 1 << 2,
    CPU_PCLMUL = 1 << 3,
    CPU_AVX2 = 1 << 4,
    CPU_VAES = 1 << 5, /* with 256-bit registers */
    CPU_VPCLMUL = 1 << 6,
    CPU_AVX512 = 1 << 7, /* F, BW, DQ and VL */
    CPU_GFNI = 1 << 8,
    CPU_VBMI = 1 << 9, /* with 512-bit registers */
    CPU_VBMI2 = 1 << 10,
    CPU_FOUR_STREAMS =
        1 << 11, /* no instructions: memory is used best by four streams at once, not by one */
};

/* The features of this CPU; found once, then cached. */
uint32_t cpu_features(void);

/* For tests: hide all features but these from now on. ~0 shows all again. */
void cpu_mask_features(uint32_t visible);

/* For tests: take four streams for better than one, or not, whatever this CPU is. */
void cpu_set_four_streams(bool better);

/* The names of the features in bits, separated by blanks, as snprintf. */
size_t cpu_feature_names(uint32_t bits, char *text, size_t room);

#endif
