/* gecko_vaes256.c: kernel "gecko-vaes256": Gecko by VAES with 256-bit registers. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "cpu.h"
#include "gecko_schedule.h"
#include "kernel.h"
#include "util.h"

#define TARGET __attribute__((target("aes,avx2,vaes")))
#define VB 2
#include "x86_vector.h"

#define v_xor3(a, b, c) v_xor(v_xor(a, b), c)
#define v_rot(v) v_xor(v_left64(v, 6), v_right64(v_swap64(v), 58))
#define v_rot_back(v) v_xor(v_right64(v, 6), v_left64(v_swap64(v), 58))
#define v_select(a, b, mask) v_xor(v_and(v_xor(a, b), _mm256_set1_epi8(mask)), b)
#define v_pull(own, below) \
    v_select(_mm256_slli_epi16(own, 6), _mm256_srli_epi16(below, 2), (char)0xc0)
#define v_pull_back(own, above) \
    v_select(_mm256_srli_epi16(own, 6), _mm256_slli_epi16(above, 2), 0x03)
#define MASK V
#define v_mask(p) v_repeat(p)
#define v_by(v, mask) v_shuffle(v, mask)
#define KEY_WORDS 1
#define v_key(p) _mm256_set1_epi32((int)*(p))
#define one_rot(v) \
    _mm_xor_si128(_mm_slli_epi64(v, 6), _mm_srli_epi64(_mm_shuffle_epi32(v, 0x4e), 58))
#define one_xor3(a, b, c) _mm_xor_si128(_mm_xor_si128(a, b), c)

#include "gecko_x86.h"

#include "gecko_forms_x86.h"

const struct mtaes_kernel gecko_vaes256 = {
    .name = "gecko-vaes256",
    .cipher = "gecko",
    .needs = CPU_AES | CPU_AVX2 | CPU_VAES,
    .ghash = "ghash-vpclmul256",
    .schedule_bytes = sizeof(struct gecko_schedule),
    .expand = gecko_x86_expand,
    .blocks = each_block,
    .bulk = bulk,
    .chain = chain,
};
