/* compare_load.h: the summary of a JSON report, read back. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_COMPARE_LOAD_H
#define BENCH_COMPARE_LOAD_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* One row of a summary. Texts live as long as the report. */
struct loaded_row {
    const char *engine, *cipher, *mode, *kernel, *operation;
    size_t threads, bytes, streams;
    /* of one call; low and high are the quartiles of the runs where these are in the report, else
       the least and the greatest */
    double median_ns, low_ns, high_ns;
};

struct loaded {
    const char *path, *command;
    bool in_place;
    json_t *json;
    struct loaded_row *rows;
    size_t count;
};

/* Complains with the file and the reason. */
bool loaded_read(const char *path, struct loaded *loaded);
void loaded_free(struct loaded *loaded); /* zeroed is fine */

/* The row of the same measurement, or NULL. */
const struct loaded_row *loaded_find(const struct loaded *loaded, const struct loaded_row *row);

#endif
