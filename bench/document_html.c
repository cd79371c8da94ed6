/* document_html.c: a report as one HTML page that needs no other file and no network. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "document.h"
#include "memory.h"
#include "options.h"

/* Nothing is fetched, and the page says so to the browser, too. */
static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
    "style-src 'unsafe-inline'\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";

static const char style[] =
    "<style>\n"
    ":root { color-scheme: light }\n"
    "body { font: 15px/1.5 system-ui, sans-serif; color: #1a1a1a; background: #fff;\n"
    "  margin: 0 auto; padding: 1em 1.5em 4em; max-width: 1300px }\n"
    "h1 { font-size: 1.7em; margin: .5em 0 }\n"
    "h2 { font-size: 1.3em; margin: 2em 0 .5em; padding-bottom: .2em;\n"
    "  border-bottom: 2px solid #2b5c8a }\n"
    "h3 { font-size: 1.05em; margin: 1.6em 0 .4em }\n"
    "nav a { margin-right: 1.2em }\n"
    "p, li { max-width: 75em }\n"
    "pre { background: #f3f5f7; padding: .5em .8em; overflow-x: auto; margin: .3em 0 }\n"
    ".wide { overflow-x: auto }\n"
    "table { border-collapse: collapse; font-size: .88em; margin: .6em 0 1em;\n"
    "  font-variant-numeric: tabular-nums }\n"
    "th, td { padding: .22em .7em; border-bottom: 1px solid #dde3e8; text-align: left;\n"
    "  vertical-align: top }\n"
    "th { background: #eef2f6; position: sticky; top: 0 }\n"
    "td:not(.n) { min-width: 5em }\n"
    ".n { text-align: right; white-space: nowrap }\n"
    "tr.published td { background: #fdf6e3 }\n"
    "figure { margin: 1em 0 } figcaption { font-size: .9em; color: #444 }\n"
    "svg { max-width: 100%; height: auto; border: 1px solid #dde3e8 }\n"
    "</style>\n";

static void escaped(const char *text, FILE *to)
{
    for (; *text; text++) {
        switch (*text) {
        case '&':
            fputs("&amp;", to);
            break;
        case '<':
            fputs("&lt;", to);
            break;
        case '>':
            fputs("&gt;", to);
            break;
        case '"':
            fputs("&quot;", to);
            break;
        default:
            fputc(*text, to);
        }
    }
}

static void element(const char *name, const char *text, FILE *to)
{
    fprintf(to, "<%s>", name);
    escaped(text, to);
    fprintf(to, "</%s>\n", name);
}

/* Whether a cell says that its row was not measured here, but is somebody's published one. */
static bool is_published(const char *cell)
{
    return strstr(cell, "AS PUBLISHED") || strstr(cell, "as published") ||
           strncmp(cell, "published:", strlen("published:")) == 0;
}

static void write_table(const struct document_part *part, FILE *to)
{
    const struct table *const t = &part->table;
    fputs("<div class=\"wide\"><table>\n", to);
    for (size_t row = 0; row < t->cells / t->columns; row++) {
        char *const *const cell = t->cell + row * t->columns;
        bool published = false;
        for (size_t k = 0; k < part->left && row; k++)
            published |= is_published(cell[k]);
        fputs(row == 0 ? "<thead><tr>" : published ? "<tr class=\"published\">" : "<tr>", to);
        for (size_t k = 0; k < t->columns; k++) {
            const char *const name = row == 0 ? "th" : "td";
            fprintf(to, "<%s%s>", name, k < part->left ? "" : " class=\"n\"");
            escaped(cell[k], to);
            fprintf(to, "</%s>", name);
        }
        fputs(row == 0 ? "</tr></thead>\n<tbody>\n" : "</tr>\n", to);
    }
    fputs("</tbody></table></div>\n", to);
}

/* --- plots ----------------------------------------------------------------------------------- */

static char *read_file(const char *path)
{
    FILE *const file = fopen(path, "re");
    char *text = NULL;
    size_t used = 0, got = 1;
    while (file && got) {
        text = reallocate(text, used + 65537, 1);
        got = fread(text + used, 1, 65536, file);
        used += got;
    }
    const bool good = file && !ferror(file);
    if (file)
        fclose(file);
    if (!good) {
        complain("%s: %s", path, strerror(errno));
        free(text);
        return NULL;
    }
    text[used] = 0;
    return text;
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* The end of an attribute's value that begins at text, with its closing quote. */
static const char *past_value(const char *text)
{
    const char *const open = strpbrk(text, "'\"");
    const char *const close = open ? strchr(open + 1, *open) : NULL;
    return close ? close + 1 : text + strlen(text);
}

/*
 * The svg element alone, without names of schemas, which HTML does not need; and with names of its
 * own for what it refers to, as several stand in one page.
 */
static void write_svg(const char *text, size_t number, const char *caption, FILE *to)
{
    static const char *const names[] = {" id='", " id=\"", "href='#", "href=\"#", "url(#"};
    enum { NAMES = sizeof names / sizeof names[0] };
    const char *p = strstr(text, "<svg");
    while (p && *p) {
        size_t i = 0;
        if (begins(p, "xmlns")) {
            p = past_value(p);
            continue;
        }
        if (begins(p, "<title>Gnuplot</title>")) {
            element("title", caption, to);
            p += strlen("<title>Gnuplot</title>");
            continue;
        }
        while (i < NAMES && !begins(p, names[i]))
            i++;
        if (i < NAMES) {
            fprintf(to, "%splot%zu-", names[i], number);
            p += strlen(names[i]);
        } else {
            fputc(*p++, to);
        }
    }
}

static bool write_plot(const struct document_part *part, const char *folder, size_t number,
                       FILE *to)
{
    char *const path = document_path(folder, part->id);
    char *const text = read_file(path);
    free(path);
    if (!text)
        return false;
    fputs("<figure>\n", to);
    write_svg(text, number, part->text, to);
    element("figcaption", part->text, to);
    fputs("</figure>\n", to);
    free(text);
    return true;
}

/* --- the page -------------------------------------------------------------------------------- */

static void write_links(const struct document *d, FILE *to)
{
    fputs("<nav>", to);
    for (size_t i = 0; i < d->count; i++) {
        if (d->part[i].kind != DOCUMENT_SECTION)
            continue;
        fprintf(to, "<a href=\"#%s\">", d->part[i].id);
        escaped(d->part[i].text, to);
        fputs("</a>\n", to);
    }
    fputs("</nav>\n", to);
}

static bool write_part(const struct document *d, size_t i, const char *folder, FILE *to)
{
    const struct document_part *const part = &d->part[i];
    switch (part->kind) {
    case DOCUMENT_SECTION:
        fprintf(to, "<section id=\"%s\">\n", part->id);
        element("h2", part->text, to);
        break;
    case DOCUMENT_HEADING:
        element("h3", part->text, to);
        break;
    case DOCUMENT_TEXT:
        element("p", part->text, to);
        break;
    case DOCUMENT_ITEM:
        if (i == 0 || d->part[i - 1].kind != DOCUMENT_ITEM)
            fputs("<ul>\n", to);
        element("li", part->text, to);
        if (i + 1 == d->count || d->part[i + 1].kind != DOCUMENT_ITEM)
            fputs("</ul>\n", to);
        break;
    case DOCUMENT_CODE:
        element("pre", part->text, to);
        break;
    case DOCUMENT_TABLE:
        write_table(part, to);
        break;
    case DOCUMENT_PLOT:
        return write_plot(part, folder, i, to);
    }
    return true;
}

bool document_html(const struct document *d, const char *folder, FILE *to)
{
    bool good = true, open = false;
    fputs(head, to);
    element("title", d->title, to);
    fprintf(to, "%s</head>\n<body>\n", style);
    element("h1", d->title, to);
    write_links(d, to);
    for (size_t i = 0; i < d->count && good; i++) {
        if (d->part[i].kind == DOCUMENT_SECTION && open)
            fputs("</section>\n", to);
        open |= d->part[i].kind == DOCUMENT_SECTION;
        good = write_part(d, i, folder, to);
    }
    fputs(open ? "</section>\n</body>\n</html>\n" : "</body>\n</html>\n", to);
    return good;
}
