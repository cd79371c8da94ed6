/* compare_load.c: the summary of a JSON report, read back. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "compare_load.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "options.h"
#include "stats.h"

/* Where in a file one is. */
struct place {
    const char *path, *list;
    size_t index;
};

static bool missing(const struct place *p, const char *name, const char *what)
{
    return complain("%s: %s[%zu]: '%s' is not there, or not %s", p->path, p->list, p->index, name,
                    what);
}

static bool take_text(const struct place *p, json_t *row, const char *name, const char **text)
{
    *text = json_string_value(json_object_get(row, name));
    return *text || missing(p, name, "a text");
}

static bool take_size(const struct place *p, json_t *row, const char *name, size_t *size)
{
    const json_t *const value = json_object_get(row, name);
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        return missing(p, name, "a number, 0 or more");
    *size = (size_t)json_integer_value(value);
    return true;
}

static bool take_time(const struct place *p, json_t *row, const char *name, double *ns)
{
    *ns = json_number_value(json_object_get(row, name));
    return *ns > 0 || missing(p, name, "a number above 0");
}

/* What rows and summary have in common: which measurement it is. */
static bool take_labels(const struct place *p, json_t *row, struct loaded_row *r)
{
    *r = (struct loaded_row){.streams = 1};
    return take_text(p, row, "engine", &r->engine) && take_text(p, row, "cipher", &r->cipher) &&
           take_text(p, row, "mode", &r->mode) && take_text(p, row, "kernel", &r->kernel) &&
           take_text(p, row, "operation", &r->operation) &&
           take_size(p, row, "threads", &r->threads) && take_size(p, row, "bytes", &r->bytes) &&
           (!json_object_get(row, "streams") || take_size(p, row, "streams", &r->streams));
}

static bool same(const struct loaded_row *a, const struct loaded_row *b)
{
    return a->threads == b->threads && a->bytes == b->bytes && a->streams == b->streams &&
           strcmp(a->operation, b->operation) == 0 && strcmp(a->mode, b->mode) == 0 &&
           strcmp(a->engine, b->engine) == 0 && strcmp(a->kernel, b->kernel) == 0 &&
           strcmp(a->cipher, b->cipher) == 0;
}

const struct loaded_row *loaded_find(const struct loaded *l, const struct loaded_row *row)
{
    for (size_t i = 0; i < l->count; i++) {
        if (same(&l->rows[i], row))
            return &l->rows[i];
    }
    return NULL;
}

static bool load_summary(struct loaded *l, json_t *summary)
{
    struct place p = {.path = l->path, .list = "summary"};
    l->rows = allocate(json_array_size(summary), sizeof *l->rows);
    for (; p.index < json_array_size(summary); p.index++) {
        json_t *const row = json_array_get(summary, p.index);
        struct loaded_row *const to = &l->rows[p.index];
        if (!take_labels(&p, row, to) || !take_time(&p, row, "median_ns", &to->median_ns) ||
            !take_time(&p, row, "min_ns", &to->low_ns) ||
            !take_time(&p, row, "max_ns", &to->high_ns))
            return false;
        if (loaded_find(l, to))
            return complain("%s: summary[%zu] is there twice", l->path, p.index);
        l->count++;
    }
    return true;
}

/* Quartiles instead of extremes: the runs of a measurement stand together. */
static bool load_runs(const struct loaded *l, json_t *rows)
{
    struct place p = {.path = l->path, .list = "rows"};
    const size_t count = json_array_size(rows);
    double *const ns = allocate(count, sizeof *ns);
    struct loaded_row first = {0};
    size_t runs = 0;
    bool good = true;
    for (; p.index <= count && good; p.index++) {
        json_t *const row = json_array_get(rows, p.index); /* NULL behind the last */
        struct loaded_row now = {0};
        good = !row || take_labels(&p, row, &now);
        if (good && runs && (!row || !same(&first, &now))) {
            struct loaded_row *const to = (struct loaded_row *)(uintptr_t)loaded_find(l, &first);
            const struct stats v = stats_of(ns, runs);
            if (to) {
                to->low_ns = v.lower;
                to->high_ns = v.upper;
            }
            runs = 0;
        }
        first = now;
        good = good && (!row || take_time(&p, row, "nanoseconds", &ns[runs++]));
    }
    free(ns);
    return good;
}

bool loaded_read(const char *path, struct loaded *l)
{
    json_error_t error;
    *l = (struct loaded){.path = path, .json = json_load_file(path, 0, &error)};
    if (!l->json && error.line > 0)
        return complain("%s: line %d: %s", path, error.line, error.text);
    if (!l->json)
        return complain("%s", error.text); /* it could not be read; the text names it */
    const char *const schema = json_string_value(json_object_get(l->json, "schema"));
    json_t *const summary = json_object_get(l->json, "summary");
    json_t *const rows = json_object_get(l->json, "rows");
    if (!schema || strcmp(schema, "mtaes-bench/1") != 0)
        return complain("%s: no report of mtaes-bench: its schema is %s%s%s, not \"mtaes-bench/1\"",
                        path, schema ? "\"" : "", schema ? schema : "not there",
                        schema ? "\"" : "");
    if (!json_is_array(summary))
        return complain("%s: has no summary to compare", path);
    l->command = json_string_value(json_object_get(l->json, "command"));
    l->in_place = json_is_true(json_object_get(l->json, "in_place"));
    return load_summary(l, summary) && (!json_is_array(rows) || load_runs(l, rows));
}

void loaded_free(struct loaded *l)
{
    free(l->rows);
    json_decref(l->json);
    *l = (struct loaded){0};
}
