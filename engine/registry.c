/* registry.c: THE TABLES. A new kernel or mode is one row here, and found by library, tests and bench alike. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "registry.h"

#define KERNEL(row) extern const struct mtaes_kernel row
#define GHASH(row) extern const struct mtaes_ghash row
#define MODE(row) extern const struct mtaes_mode row

#if defined(__x86_64__)
KERNEL(aes_vaes512);
KERNEL(aes_vaes256);
KERNEL(aes_aesni);
#endif
KERNEL(aes_portable);

#if defined(__x86_64__)
KERNEL(gecko_vaes512);
KERNEL(gecko_vaes256);
KERNEL(gecko_aesni);
#endif
KERNEL(gecko_portable);

const struct mtaes_kernel *const registry_kernels[] = {
#if defined(__x86_64__)
    &aes_vaes512,    &aes_vaes256,   &aes_aesni,
#endif
    &aes_portable,
#if defined(__x86_64__)
    &gecko_vaes512,  &gecko_vaes256, &gecko_aesni,
#endif
    &gecko_portable, NULL,
};

#if defined(__x86_64__)
GHASH(ghash_vpclmul512);
GHASH(ghash_vpclmul256);
GHASH(ghash_pclmul);
#endif
GHASH(ghash_portable);

const struct mtaes_ghash *const registry_ghash[] = {
#if defined(__x86_64__)
    &ghash_vpclmul512, &ghash_vpclmul256,
    &ghash_pclmul,
#endif
    &ghash_portable,   NULL,
};

MODE(mode_ecb);
MODE(mode_ctr);
MODE(mode_cbc);
MODE(mode_pcbc);
MODE(mode_cfb);
MODE(mode_ofb);
MODE(mode_xts);
MODE(mode_gcm);
MODE(mode_gecko_ctr_compat);

const struct mtaes_mode *const registry_modes[] = {
    &mode_ecb,  &mode_ctr, &mode_cbc,
    &mode_pcbc, &mode_cfb, &mode_ofb,
    &mode_xts,  &mode_gcm, &mode_gecko_ctr_compat,
    NULL,
};

/* FIPS 197 (2001), appendix C.1; the worked example of Gecko's original implementation
   (tests/vectors/gecko/worked). */
const struct known_answer registry_known_answers[] = {
    {"aes",
     {0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e,
      0x0f},
     {0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee,
      0xff},
     {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30, 0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5,
      0x5a}},
    {"gecko",
     {0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e,
      0x0f},
     {0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee,
      0xff},
     {0xb7, 0xc1, 0x67, 0x96, 0xb3, 0xd4, 0xb1, 0xe3, 0xf3, 0x56, 0x5e, 0xbf, 0x9d, 0x00, 0xad,
      0x33}},
};
const size_t registry_known_answer_count =
    sizeof registry_known_answers / sizeof *registry_known_answers;
