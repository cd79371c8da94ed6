/* document.c: a report as headings, paragraphs, tables and plots; and how it is in Markdown. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "document.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

enum { TEXT_ROOM = 2048 };

static struct document_part *add(struct document *d, enum document_kind kind, const char *id,
                                 const char *text)
{
    if (d->count == d->room) {
        d->room = 2 * d->room + 64;
        d->part = reallocate(d->part, d->room, sizeof *d->part);
    }
    struct document_part *const part = &d->part[d->count++];
    *part = (struct document_part){.kind = kind};
    part->id = id ? copy_text(id) : NULL;
    part->text = text ? copy_text(text) : NULL;
    return part;
}

void document_section(struct document *d, const char *id, const char *title)
{
    add(d, DOCUMENT_SECTION, id, title);
}

void document_heading(struct document *d, const char *title)
{
    add(d, DOCUMENT_HEADING, NULL, title);
}

void document_text(struct document *d, const char *format, ...)
{
    char text[TEXT_ROOM];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    add(d, DOCUMENT_TEXT, NULL, text);
}

void document_item(struct document *d, const char *format, ...)
{
    char text[TEXT_ROOM];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    add(d, DOCUMENT_ITEM, NULL, text);
}

void document_code(struct document *d, const char *text)
{
    add(d, DOCUMENT_CODE, NULL, text);
}

void document_plot(struct document *d, const char *file, const char *caption)
{
    add(d, DOCUMENT_PLOT, file, caption);
}

struct table *document_table(struct document *d, const char *const *heads, size_t columns,
                             size_t left)
{
    struct document_part *const part = add(d, DOCUMENT_TABLE, NULL, NULL);
    part->left = left;
    table_begin(&part->table, heads, columns);
    return &part->table;
}

char *document_path(const char *folder, const char *file)
{
    const size_t length = strlen(folder), file_room = strlen(file) + 1;
    char *const path = allocate(length + 1 + file_room, 1);
    memcpy(path, folder, length);
    path[length] = '/';
    memcpy(path + length + 1, file, file_room);
    return path;
}

void document_free(struct document *d)
{
    for (size_t i = 0; i < d->count; i++) {
        struct document_part *const part = &d->part[i];
        for (size_t k = 0; k < part->table.cells; k++)
            free(part->table.cell[k]);
        free(part->table.cell);
        free(part->id);
        free(part->text);
    }
    free(d->part);
    *d = (struct document){0};
}

/* --- Markdown -------------------------------------------------------------------------------- */

/* A cell, in which a bar would end it. */
static void cell_text(const char *text, FILE *to)
{
    for (; *text; text++) {
        if (*text == '|')
            fputc('\\', to);
        fputc(*text == '\n' ? ' ' : *text, to);
    }
}

static void write_table(const struct document_part *part, FILE *to)
{
    const struct table *const t = &part->table;
    for (size_t i = 0; i < t->cells; i++) {
        const size_t column = i % t->columns;
        fputs(column ? " | " : "| ", to);
        cell_text(t->cell[i], to);
        if (column + 1 != t->columns)
            continue;
        fputs(" |\n", to);
        for (size_t k = 0; i < t->columns && k < t->columns; k++)
            fprintf(to, "%s%s%s", k ? "" : "|",
                    k < part->left ? "---" : "---:", k + 1 == t->columns ? "|\n" : "|");
    }
    fputc('\n', to);
}

static void write_part(const struct document_part *part, bool last_item, FILE *to)
{
    switch (part->kind) {
    case DOCUMENT_SECTION:
        fprintf(to, "## %s\n\n", part->text);
        break;
    case DOCUMENT_HEADING:
        fprintf(to, "### %s\n\n", part->text);
        break;
    case DOCUMENT_TEXT:
        fprintf(to, "%s\n\n", part->text);
        break;
    case DOCUMENT_ITEM:
        fprintf(to, "- %s\n%s", part->text, last_item ? "\n" : "");
        break;
    case DOCUMENT_CODE:
        fprintf(to, "    %s\n\n", part->text);
        break;
    case DOCUMENT_TABLE:
        write_table(part, to);
        break;
    case DOCUMENT_PLOT:
        fprintf(to, "![%s](%s)\n\n", part->text, part->id);
        break;
    }
}

void document_markdown(const struct document *d, FILE *to)
{
    fprintf(to, "# %s\n\n", d->title);
    for (size_t i = 0; i < d->count; i++)
        write_part(&d->part[i], i + 1 == d->count || d->part[i + 1].kind != DOCUMENT_ITEM, to);
}
