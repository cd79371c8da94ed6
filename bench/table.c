/* table.c: a table of text, printed aligned or as Markdown. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "table.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

const char *format_name(size_t i)
{
    static const char *const names[] = {"text", "markdown", "csv", "json"};
    return i < sizeof names / sizeof names[0] ? names[i] : NULL;
}

void table_begin(struct table *t, const char *const *heads, size_t columns)
{
    *t = (struct table){.columns = columns};
    for (size_t i = 0; i < columns; i++)
        table_cell(t, "%s", heads[i]);
}

void table_cell(struct table *t, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (t->cells == t->room) {
        t->room = 2 * t->room + 64;
        t->cell = reallocate(t->cell, t->room, sizeof *t->cell);
    }
    t->cell[t->cells++] = copy_text(text);
}

static int width_of(const struct table *t, size_t column)
{
    size_t width = 0;
    for (size_t i = column; i < t->cells; i += t->columns) {
        if (strlen(t->cell[i]) > width)
            width = strlen(t->cell[i]);
    }
    return (int)width;
}

static void print_rule(const struct table *t, FILE *to, const int *width, size_t left)
{
    for (size_t k = 0; k < t->columns; k++) {
        fputc('|', to);
        for (int i = 0; i < width[k] + 2; i++)
            fputc(i == width[k] + 1 && k >= left ? ':' : '-', to);
    }
    fputs("|\n", to);
}

static void print_row(const struct table *t, FILE *to, const int *width, size_t row, size_t left,
                      bool markdown)
{
    for (size_t k = 0; k < t->columns; k++) {
        const char *const text = t->cell[row * t->columns + k];
        const bool last = k + 1 == t->columns;
        fputs(markdown ? "| " : k ? "  " : "", to);
        if (k < left && last && !markdown)
            fputs(text, to); /* no blanks at the end of a line */
        else
            fprintf(to, "%*s", k < left ? -width[k] : width[k], text);
        fputs(markdown ? " " : "", to);
    }
    fputs(markdown ? "|\n" : "\n", to);
}

void table_end(struct table *t, FILE *to, enum format format, size_t left)
{
    const bool markdown = format == FORMAT_MARKDOWN;
    int *const width = allocate(t->columns, sizeof *width);
    for (size_t k = 0; k < t->columns; k++)
        width[k] = width_of(t, k);
    for (size_t row = 0; row < t->cells / t->columns; row++) {
        print_row(t, to, width, row, left, markdown);
        if (row == 0 && markdown)
            print_rule(t, to, width, left);
    }
    for (size_t i = 0; i < t->cells; i++)
        free(t->cell[i]);
    free(t->cell);
    free(width);
    *t = (struct table){0};
}

void csv_field(FILE *to, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, to);
        return;
    }
    fputc('"', to);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', to);
        fputc(*text, to);
    }
    fputc('"', to);
}

const char *size_text(size_t bytes, char *text, size_t room)
{
    static const char *const names[] = {"bytes", "KiB", "MiB", "GiB"};
    size_t k = 0;
    while (k < 3 && bytes && bytes % 1024 == 0) {
        bytes /= 1024;
        k++;
    }
    snprintf(text, room, "%zu %s", bytes, names[k]);
    return text;
}
