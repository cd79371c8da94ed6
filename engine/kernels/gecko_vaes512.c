/* gecko_vaes512.c: kernel "gecko-vaes512": Gecko by VAES and GFNI with the registers of AVX-512. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "cpu.h"
#include "gecko_schedule.h"
#include "kernel.h"
#include "util.h"

#define TARGET \
    __attribute__((target("aes,avx2,vaes,gfni,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2")))
#define VB 4
#include "x86_vector.h"

#define v_xor3(a, b, c) _mm512_ternarylogic_epi64(a, b, c, 0x96)
#define v_rot(v) _mm512_shldi_epi64(v, v_swap64(v), 6)
#define v_rot_back(v) _mm512_shrdi_epi64(v, v_swap64(v), 6)
/* Bits of a where the mask has ones, else of b; then each byte rotated to the left by 6 or 2, as a
   product with the matrix that has one bit in each row. */
#define v_select(a, b, mask) _mm512_ternarylogic_epi64(a, _mm512_set1_epi8(mask), b, 0xe2)
#define v_turn(v, matrix) _mm512_gf2p8affine_epi64_epi8(v, _mm512_set1_epi64(matrix), 0)
#define v_pull(own, below) v_turn(v_select(own, below, 0x03), 0x0408102040800102)
#define v_pull_back(own, above) v_turn(v_select(own, above, (char)0xc0), 0x4080010204081020)
#define MASK V
#define v_mask(p) v_repeat(p)
#define v_by(v, mask) v_shuffle(v, mask)
#define KEY_WORDS 1
#define v_key(p) _mm512_set1_epi32((int)*(p))
#define one_rot(v) _mm_shldi_epi64(v, _mm_shuffle_epi32(v, 0x4e), 6)
#define one_xor3(a, b, c) _mm_ternarylogic_epi64(a, b, c, 0x96)

#include "gecko_x86.h"

#include "gecko_forms_x86.h"

const struct mtaes_kernel gecko_vaes512 = {
    .name = "gecko-vaes512",
    .cipher = "gecko",
    .needs = CPU_AES | CPU_AVX2 | CPU_VAES | CPU_AVX512 | CPU_GFNI | CPU_VBMI2,
    .ghash = "ghash-vpclmul512",
    .schedule_bytes = sizeof(struct gecko_schedule),
    .expand = gecko_x86_expand,
    .blocks = each_block,
    .bulk = bulk,
    .chain = chain,
};
