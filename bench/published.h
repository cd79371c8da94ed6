/* published.h: the figures of three published benchmark pages, exactly as printed there. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_PUBLISHED_H
#define BENCH_PUBLISHED_H

#include <stddef.h>

/* --- run tables: SIMD-MT-AES ----------------------------------------------------------------- */

enum { PUBLISHED_RUNS = 10 };

/* "MB" on that page is 2^20 bytes. */
struct published_run {
    double encrypt_s, encrypt_rate, decrypt_s, decrypt_rate;
};

struct published_table {
    const char *system;
    size_t mib;
    struct published_run run[PUBLISHED_RUNS];
    struct published_run average; /* printed as such; it is row 10 */
};

extern const char published_tables_title[], published_tables_machine[];
extern const char published_tables_cipher[], published_tables_mode[];
extern const struct published_table published_tables[];
extern const size_t published_tables_count;

/* --- Gecko against AES ----------------------------------------------------------------------- */

struct published_value {
    double value; /* in the unit of the row */
    double percent;
};

/* A field that the page does not give is 0 or NULL. */
struct published_gecko {
    const char *test, *original, *mode, *unit;
    unsigned key_bits;
    size_t block_bytes, passes, bits, of;
    struct published_value aes, gecko;
    double difference_percent;
};

extern const char published_gecko_title[], published_gecko_machine[];
extern const struct published_gecko published_gecko[];
extern const size_t published_gecko_count;

/* --- BeeCrypt -------------------------------------------------------------------------------- */

struct published_beecrypt {
    const char *table, *unit; /* rows of one table stand together */
    const char *library, *system, *processor;
    unsigned memory_mb;
    double value;
};

extern const char published_beecrypt_title[], published_beecrypt_year[], published_beecrypt_note[];
extern const struct published_beecrypt published_beecrypt[];
extern const size_t published_beecrypt_count;

#endif
