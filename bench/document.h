/* document.h: a report as headings, paragraphs, tables and plots, written as Markdown or HTML. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_DOCUMENT_H
#define BENCH_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "table.h"

enum document_kind {
    DOCUMENT_SECTION,
    DOCUMENT_HEADING,
    DOCUMENT_TEXT,
    DOCUMENT_ITEM,
    DOCUMENT_CODE,
    DOCUMENT_TABLE,
    DOCUMENT_PLOT
};

struct document_part {
    enum document_kind kind;
    char *id;   /* section: its name in links; plot: its file, without folder */
    char *text; /* of all but tables; plot: the caption */
    struct table table;
    size_t left; /* columns aligned to the left */
};

struct document {
    const char *title;
    struct document_part *part;
    size_t count, room;
};

void document_section(struct document *document, const char *id, const char *title);
void document_heading(struct document *document, const char *title);
void document_text(struct document *document, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void document_item(struct document *document, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void document_code(struct document *document, const char *text);
void document_plot(struct document *document, const char *file, const char *caption);

/* A table with these heads; fill it by table_cell before anything else is added to the document. */
struct table *document_table(struct document *document, const char *const *heads, size_t columns,
                             size_t left);

/* "folder/file"; free() it. */
char *document_path(const char *folder, const char *file);

void document_free(struct document *document);

void document_markdown(const struct document *document, FILE *to);
/* One page that needs no other file: the plots, SVG files in `folder`, are put into it. False: one
   could not be read; complained. */
bool document_html(const struct document *document, const char *folder, FILE *to);

#endif
