/* results.c: what was measured, and what could not be. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "results.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

struct series *results_add(struct results *r, const struct contender *c, bool decrypt, size_t runs)
{
    r->series = reallocate(r->series, r->series_count + 1, sizeof *r->series);
    struct series *const s = &r->series[r->series_count++];
    *s = (struct series){.peer = c->peer,
                         .threads = c->threads,
                         .bytes = c->work->bytes,
                         .decrypt = decrypt,
                         .runs = runs,
                         .ns = allocate(runs, sizeof *s->ns)};
    memcpy(s->kernel, c->kernel, sizeof s->kernel);
    return s;
}

void results_absent(struct results *r, const char *engine, size_t bytes,
                    enum absent_operation operation, const char *reason)
{
    for (size_t i = 0; i < r->absence_count; i++) {
        const struct absence *const a = &r->absences[i];
        if (strcmp(a->engine, engine) == 0 && a->bytes == bytes && a->operation == operation &&
            strcmp(a->reason, reason) == 0)
            return;
    }
    r->absences = reallocate(r->absences, r->absence_count + 1, sizeof *r->absences);
    struct absence *const a = &r->absences[r->absence_count++];
    *a = (struct absence){.engine = engine, .bytes = bytes, .operation = operation};
    snprintf(a->reason, sizeof a->reason, "%s", reason);
}

void results_note(struct results *r, const char *format, ...)
{
    char text[REASON_ROOM];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (size_t i = 0; i < r->note_count; i++) {
        if (strcmp(r->notes[i], text) == 0)
            return;
    }
    r->notes = reallocate(r->notes, r->note_count + 1, sizeof *r->notes);
    memcpy(r->notes[r->note_count++], text, sizeof text);
}

void results_free(struct results *r)
{
    for (size_t i = 0; i < r->series_count; i++)
        free(r->series[i].ns);
    free(r->series);
    free(r->absences);
    free(r->notes);
    *r = (struct results){0};
}

const struct series *results_find(const struct results *r, const char *engine, size_t threads,
                                  size_t bytes, bool decrypt)
{
    for (size_t i = 0; i < r->series_count; i++) {
        const struct series *const s = &r->series[i];
        if (strcmp(s->peer->name, engine) == 0 && s->threads == threads && s->bytes == bytes &&
            s->decrypt == decrypt)
            return s;
    }
    return NULL;
}

const struct series *results_partner(const struct results *r, const struct series *s)
{
    return results_find(r, s->peer->name, s->threads, s->bytes, !s->decrypt);
}
