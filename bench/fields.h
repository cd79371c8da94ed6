/* fields.h: parsers for options about ciphers, modes, kernels, engines and reports. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_FIELDS_H
#define BENCH_FIELDS_H

#include "options.h"
#include "peer.h"
#include "table.h"

enum { ENGINES_MAX = 16 };

struct engine_list {
    size_t count;
    const struct peer *at[ENGINES_MAX]; /* none twice */
};

/* Each complains of a wrong word, and says what there is. */
bool parse_cipher(const char *name, const char *word, void *workload_field);
bool parse_mode(const char *name, const char *word, void *workload_field);
bool parse_kernel(const char *name, const char *word, void *kernel_pointer_field);
bool parse_engines(const char *name, const char *word, void *engine_list_field);
bool parse_unit(const char *name, const char *word, void *size_field);
bool parse_format(const char *name, const char *word, void *format_field);
bool parse_plot(const char *name, const char *word, void *const_char_pointer_field);

/* Whether the options --kernel and --cipher, or --sizes, --mode and --unit, go together. Each
   complains. */
bool kernel_agrees(const struct workload *work);
bool sizes_agree(const struct workload *work, const struct size_list *sizes, size_t unit_bytes);

#endif
