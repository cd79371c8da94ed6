/* report.h: what the reports of all commands have in common. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "host.h"
#include "results.h"
#include "table.h"

/* --- text and Markdown ----------------------------------------------------------------------- */

/* "encrypt", "decrypt" */
const char *operation_name(bool decrypt);

/* "decrypt: ..." for an absence in one direction, else the reason alone. */
void absence_text(const struct absence *absence, char *text, size_t room);

void report_heading(FILE *to, enum format format, const char *text);
void report_line(FILE *to, enum format format, const char *name, const char *text);

/* Where and how all commands measure; kernel: which one is used, and why. */
void report_host(const struct host *host, const char *kernel, bool huge, FILE *to,
                 enum format format);

/* A table of what did not run; nothing if there is none. */
void report_absences(const struct results *results, FILE *to, enum format format);

/* --- delivery -------------------------------------------------------------------------------- */

struct delivery {
    const char *output, *plot; /* NULL: standard output; none */
    enum format format;
    const void *report; /* what those below are given */
    void (*print)(const void *report, FILE *to, enum format format); /* text or Markdown */
    void (*csv)(const void *report, FILE *to);
    bool (*json)(const void *report, FILE *to);
    bool (*draw)(const void *report, const char *path); /* complains; NULL: has no plot */
};

/* Whether both files could be written, found before the work. Complains. */
bool delivery_check(const struct delivery *delivery);

/* Write the report in its format. */
bool delivery_write(const struct delivery *delivery, FILE *to);

/* Write the report and the plot to where they were asked for. False: complained, and the files are
   as before. */
bool delivery_send(const struct delivery *delivery);

#endif
