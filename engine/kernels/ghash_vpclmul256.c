/* ghash_vpclmul256.c: "ghash-vpclmul256": GHASH by VPCLMULQDQ, 256 bits; SP 800-38D, 6.4. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "cpu.h"
#include "kernel.h"
#include "util.h"

#define GHASH_ROW
#define GHASH_TARGET __attribute__((target("avx2,pclmul,vpclmulqdq")))
#define VB 2
#include "x86_vector.h"

#include "ghash_x86.h"

const struct mtaes_ghash ghash_vpclmul256 = {
    .name = "ghash-vpclmul256",
    .needs = CPU_SSSE3 | CPU_PCLMUL | CPU_AVX2 | CPU_VPCLMUL,
    .key_bytes = sizeof(struct ghash_x86_key),
    .expand = ghash_x86_expand,
    .update = update,
    .advance = ghash_x86_advance,
};
