/* report_lists.c: a command's JSON report as tables, whatever it lists. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "report_folder.h"

enum { COLUMNS_MAX = 32, NAME_ROOM = 96, CELL_ROOM = 256 };

const char *report_word(const json_t *object, const char *name)
{
    const char *const text = json_string_value(json_object_get(object, name));
    return text ? text : "";
}

double report_number(const json_t *object, const char *name)
{
    return json_number_value(json_object_get(object, name));
}

/* The columns of a table: the names of all members of its objects, in the order they turn up. */
struct columns {
    size_t count, texts;
    char name[COLUMNS_MAX][NAME_ROOM]; /* "gecko/count": a member of a member */
};

static bool ends(const char *text, const char *with)
{
    const size_t length = strlen(text), tail = strlen(with);
    return length >= tail && strcmp(text + length - tail, with) == 0;
}

static void add_column(struct columns *c, const char *name)
{
    for (size_t i = 0; i < c->count; i++) {
        if (strcmp(c->name[i], name) == 0)
            return;
    }
    if (c->count < COLUMNS_MAX)
        snprintf(c->name[c->count++], NAME_ROOM, "%s", name);
}

/* Members of a row; lists in it are not shown here, but are in the JSON report. */
static void collect(struct columns *c, json_t *row)
{
    const char *name, *inner;
    json_t *value, *leaf;
    json_object_foreach(row, name, value)
    {
        if (!json_is_object(value) && !json_is_array(value))
            add_column(c, name);
        if (!json_is_object(value))
            continue;
        json_object_foreach(value, inner, leaf)
        {
            char path[NAME_ROOM];
            snprintf(path, sizeof path, "%.40s/%.40s", name, inner);
            if (!json_is_object(leaf) && !json_is_array(leaf))
                add_column(c, path);
        }
    }
}

static const json_t *value_at(const json_t *row, const char *path)
{
    const char *const slash = strchr(path, '/');
    char name[NAME_ROOM];
    if (!slash)
        return json_object_get(row, path);
    snprintf(name, sizeof name, "%.*s", (int)(slash - path), path);
    return json_object_get(json_object_get(row, name), slash + 1);
}

/* --- one value ------------------------------------------------------------------------------- */

/* What a member's name says about its unit, and how it is shown instead. */
static const struct {
    const char *tail, *shown, *format;
    double divisor;
} units[] = {
    {"bytes_per_second", "MB/s", "%.2f", 1e6},   {"mib_per_second", "MiB/s", "%.2f", 1},
    {"nanoseconds", "time (s)", "%.9f", 1e9},    {"_ns", " (s)", "%.9f", 1e9},
    {"percent", "percent", "%.5g", 1},           {"seconds_per_pass", "s a pass", "%.3g", 1},
    {"percent_of_mean", "% of mean", "%.5g", 1}, {"limit", "limit (MB/s)", "%.2f", 1e6},
};

enum { UNITS = sizeof units / sizeof units[0] };

static size_t unit_of(const char *name)
{
    size_t i = 0;
    while (i < UNITS && !ends(name, units[i].tail))
        i++;
    return i;
}

static void head_text(const char *name, char *text, size_t room)
{
    const size_t unit = unit_of(name);
    const size_t kept = strlen(name) - (unit < UNITS ? strlen(units[unit].tail) : 0);
    snprintf(text, room, "%.*s%s", (int)kept, name, unit < UNITS ? units[unit].shown : "");
    for (char *p = text; *p; p++)
        *p = *p == '_' || (*p == '/' && (size_t)(p - text) < kept) ? ' ' : *p;
}

static void value_text(const char *name, const json_t *value, char *text, size_t room)
{
    const size_t unit = unit_of(name);
    const char *const slash = strchr(name, '/'), *const leaf = slash ? slash + 1 : name;
    if (json_is_string(value))
        snprintf(text, room, "%s", json_string_value(value));
    else if (json_is_boolean(value))
        snprintf(text, room, "%s", json_is_true(value) ? "yes" : "no");
    else if (!json_is_number(value))
        snprintf(text, room, "-");
    else if (strcmp(leaf, "bytes") == 0 || ends(leaf, "_bytes"))
        size_text((size_t)json_number_value(value), text, room);
    else if (json_is_integer(value) && unit == UNITS)
        snprintf(text, room, "%lld", (long long)json_integer_value(value));
    else if (unit < UNITS && strcmp(units[unit].format, "%.9f") == 0)
        snprintf(text, room, "%.9f", json_number_value(value) / units[unit].divisor);
    else if (unit < UNITS && units[unit].format[2] == '2')
        snprintf(text, room, "%.2f", json_number_value(value) / units[unit].divisor);
    else
        snprintf(text, room, "%.5g", json_number_value(value));
}

/* --- tables ---------------------------------------------------------------------------------- */

/* Whether two rows stand in one table: their first texts ("test", "workload", ...) agree. */
static const char *group_of(json_t *row)
{
    const char *name;
    json_t *value;
    json_object_foreach(row, name, value)
    {
        return json_is_string(value) ? json_string_value(value) : "";
    }
    return "";
}

/* Columns of text first; numbers are aligned to the right. */
static void order_columns(struct columns *c, const json_t *list, size_t from, size_t to)
{
    struct columns *const ordered = allocate(1, sizeof *ordered);
    for (int numbers = 0; numbers < 2; numbers++) {
        for (size_t i = 0; i < c->count; i++) {
            bool number = false;
            for (size_t k = from; k < to; k++)
                number |= json_is_number(value_at(json_array_get(list, k), c->name[i]));
            if (number == (numbers == 1))
                add_column(ordered, c->name[i]);
        }
        if (!numbers)
            ordered->texts = ordered->count;
    }
    *c = *ordered;
    free(ordered);
}

static void drop(struct columns *c, size_t i)
{
    memmove(c->name[i], c->name[i + 1], (c->count - i - 1) * sizeof c->name[0]);
    c->count--;
    if (i < c->texts)
        c->texts--;
}

static bool same_in_all(const char *name, const json_t *list, size_t from, size_t to)
{
    char first[CELL_ROOM], other[CELL_ROOM];
    value_text(name, value_at(json_array_get(list, from), name), first, sizeof first);
    for (size_t i = from + 1; i < to; i++) {
        value_text(name, value_at(json_array_get(list, i), name), other, sizeof other);
        if (strcmp(first, other) != 0)
            return false;
    }
    return true;
}

/* Columns that say the same in every row become one line above; at least one column stays. */
static void say_once(struct columns *c, const json_t *list, size_t from, size_t to,
                     struct document *d)
{
    char text[1024] = "In all rows: ";
    size_t used = strlen(text), said = 0;
    for (size_t i = 0; to - from > 1 && i < c->count;) {
        char head[NAME_ROOM], value[CELL_ROOM];
        if (c->count == 1 || !same_in_all(c->name[i], list, from, to)) {
            i++;
            continue;
        }
        head_text(c->name[i], head, sizeof head);
        value_text(c->name[i], value_at(json_array_get(list, from), c->name[i]), value,
                   sizeof value);
        if (used < sizeof text)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s: %s",
                                     said++ ? "; " : "", head, value);
        drop(c, i);
    }
    if (said)
        document_text(d, "%s.", text);
}

/* Rows [from, to) of a list; headed: what they have in common stands above. */
static void add_table(const json_t *list, size_t from, size_t to, bool headed, struct document *d)
{
    struct columns *const c = allocate(1, sizeof *c);
    char head[COLUMNS_MAX][NAME_ROOM];
    const char *heads[COLUMNS_MAX];
    for (size_t i = from; i < to; i++)
        collect(c, json_array_get(list, i));
    order_columns(c, list, from, to);
    if (headed && c->texts)
        drop(c, 0); /* which is in the heading */
    say_once(c, list, from, to, d);
    for (size_t i = 0; i < c->count; i++) {
        head_text(c->name[i], head[i], sizeof head[i]);
        heads[i] = head[i];
    }
    if (c->count) {
        struct table *const t = document_table(d, heads, c->count, c->texts);
        for (size_t i = from; i < to; i++) {
            for (size_t k = 0; k < c->count; k++) {
                char text[CELL_ROOM];
                value_text(c->name[k], value_at(json_array_get(list, i), c->name[k]), text,
                           sizeof text);
                table_cell(t, "%s", text);
            }
        }
    }
    free(c);
}

/* A list of objects, one table for each run of rows that begin alike, if there are few of them. */
static void add_list(const char *name, const json_t *list, struct document *d)
{
    const size_t count = json_array_size(list);
    size_t groups = 0;
    for (size_t i = 0; i < count; i++)
        groups += i == 0 || strcmp(group_of(json_array_get(list, i)),
                                   group_of(json_array_get(list, i - 1))) != 0;
    const bool split = groups > 1 && groups * 2 <= count;
    if (!split)
        document_heading(d, name);
    for (size_t i = 0; i < count;) {
        const char *const group = group_of(json_array_get(list, i));
        size_t end = i + 1;
        while (end < count && (!split || strcmp(group_of(json_array_get(list, end)), group) == 0))
            end++;
        if (split)
            document_heading(d, group);
        add_table(list, i, end, split, d);
        i = end;
    }
}

void report_lists(const json_t *json, struct document *d)
{
    const char *name;
    json_t *value;
    const bool summed = json_array_size(json_object_get(json, "summary")) != 0;
    json_object_foreach((json_t *)(uintptr_t)json, name, value)
    {
        const bool shown_apart = strcmp(name, "unsupported") == 0 || strcmp(name, "notes") == 0 ||
                                 (summed && strcmp(name, "rows") == 0);
        if (shown_apart || !json_is_object(json_array_get(value, 0)))
            continue;
        add_list(name, value, d);
    }
    if (summed && json_array_size(json_object_get(json, "rows")))
        document_text(d, "The single runs behind these lines are in report.json.");
}

void report_remarks(const json_t *json, struct document *d)
{
    const json_t *const missing = json_object_get(json, "unsupported"), *const notes =
                                                                            json_object_get(
                                                                                json, "notes");
    if (json_array_size(missing)) {
        document_heading(d, "Not measured (n/a), and why");
        add_table(missing, 0, json_array_size(missing), false, d);
    }
    for (size_t i = 0; i < json_array_size(notes); i++)
        document_item(d, "%s", json_string_value(json_array_get(notes, i)));
}
