/* table.h: a table of text, printed aligned or as Markdown. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H

#include <stddef.h>
#include <stdio.h>

enum format { FORMAT_TEXT, FORMAT_MARKDOWN, FORMAT_CSV, FORMAT_JSON };

/* "text", ...; NULL past the last. */
const char *format_name(size_t i);

struct table {
    size_t columns, cells, room;
    char **cell; /* row by row, the heads first */
};

/* heads[0..columns) is the first row. */
void table_begin(struct table *table, const char *const *heads, size_t columns);

/* The next cell; a row is full when it has as many as there are heads. */
void table_cell(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Print as FORMAT_TEXT or FORMAT_MARKDOWN; columns[0..left) are aligned to the left, the others to
   the right. Frees the table. */
void table_end(struct table *table, FILE *to, enum format format, size_t left);

/* One field of a CSV record, quoted where it must be (RFC 4180). */
void csv_field(FILE *to, const char *text);

/* "512 MiB", "1 GiB", "1000 bytes". */
const char *size_text(size_t bytes, char *text, size_t room);

#endif
