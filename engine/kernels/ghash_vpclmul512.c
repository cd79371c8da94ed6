/* ghash_vpclmul512.c: "ghash-vpclmul512": GHASH by VPCLMULQDQ, 512 bits; SP 800-38D, 6.4. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "cpu.h"
#include "kernel.h"
#include "util.h"

#define GHASH_ROW
#define GHASH_TARGET \
    __attribute__((target("avx2,pclmul,vpclmulqdq,avx512f,avx512bw,avx512dq,avx512vl")))
#define VB 4
#include "x86_vector.h"

#include "ghash_x86.h"

const struct mtaes_ghash ghash_vpclmul512 = {
    .name = "ghash-vpclmul512",
    .needs = CPU_SSSE3 | CPU_PCLMUL | CPU_AVX2 | CPU_VPCLMUL | CPU_AVX512,
    .key_bytes = sizeof(struct ghash_x86_key),
    .expand = ghash_x86_expand,
    .update = update,
    .advance = ghash_x86_advance,
};
