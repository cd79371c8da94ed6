/* report.c: what the reports of all commands have in common. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "report.h"

#include <string.h>

#include "buffers.h"
#include "options.h"
#include "output.h"
#include "plot.h"

const char *operation_name(bool decrypt)
{
    return decrypt ? "decrypt" : "encrypt";
}

void absence_text(const struct absence *a, char *text, size_t room)
{
    char size[32];
    snprintf(text, room, "%s%s%s%s",
             a->operation == ABSENT_BOTH ? "" : operation_name(a->operation == ABSENT_DECRYPT),
             a->operation == ABSENT_BOTH ? "" : ": ",
             a->bytes ? size_text(a->bytes, size, sizeof size) : "", a->bytes ? ": " : "");
    const size_t used = strlen(text);
    snprintf(text + used, room - used, "%s", a->reason);
}

void report_heading(FILE *to, enum format format, const char *text)
{
    fprintf(to, format == FORMAT_MARKDOWN ? "\n### %s\n\n" : "\n%s\n", text);
}

void report_line(FILE *to, enum format format, const char *name, const char *text)
{
    fprintf(to, format == FORMAT_MARKDOWN ? "- %s: %s\n" : "%-9s %s\n", name, text);
}

void report_host(const struct host *h, const char *kernel, bool huge, FILE *to, enum format format)
{
    char text[768];
    snprintf(text, sizeof text, "%s, %s, %s, %s, %s", h->date, h->machine, h->system, h->kernel,
             h->architecture);
    report_line(to, format, "machine", text);
    snprintf(text, sizeof text, "%s; %s", h->cpu, h->features[0] ? h->features : "no features");
    report_line(to, format, "cpu", text);
    host_caches_text(h, text, sizeof text);
    report_line(to, format, "caches", text);
    report_line(to, format, "kernel", kernel);
    host_threads_text(h, text, sizeof text);
    report_line(to, format, "threads", text);
    snprintf(text, sizeof text, "mtaes %s, %s, built by %s", h->mtaes, h->openssl, h->compiler);
    report_line(to, format, "versions", text);
    snprintf(text, sizeof text, "%s (%s; the system's setting is %s)", buffers_description,
             huge ? "taken" : "not taken", h->huge_pages);
    report_line(to, format, "buffers", text);
    report_line(to, format, "checked",
                "every engine's bytes against the others', the portable kernel's and a round trip, "
                "before the first and after the last run");
    report_line(to, format, "units",
                "MB = 10^6 bytes, MiB = 2^20 bytes, GiB = 2^30 bytes; the clock is monotonic; "
                "engines take turns run by run");
}

void report_absences(const struct results *r, FILE *to, enum format format)
{
    static const char *const heads[] = {"Engine", "Result", "Reason"};
    if (r->absence_count == 0)
        return;
    report_heading(to, format, "Not measured");
    struct table t;
    table_begin(&t, heads, 3);
    for (size_t i = 0; i < r->absence_count; i++) {
        char text[REASON_ROOM + 64];
        absence_text(&r->absences[i], text, sizeof text);
        table_cell(&t, "%s", r->absences[i].engine);
        table_cell(&t, "n/a");
        table_cell(&t, "%s", text);
    }
    table_end(&t, to, format, 3);
}

/* --- delivery -------------------------------------------------------------------------------- */

bool delivery_check(const struct delivery *d)
{
    return output_check(d->output) && (!d->plot || plot_check(d->plot));
}

bool delivery_write(const struct delivery *d, FILE *to)
{
    switch (d->format) {
    case FORMAT_JSON:
        return d->json(d->report, to);
    case FORMAT_CSV:
        d->csv(d->report, to);
        return true;
    case FORMAT_TEXT:
    case FORMAT_MARKDOWN:
        break;
    }
    d->print(d->report, to, d->format);
    return true;
}

bool delivery_send(const struct delivery *d)
{
    struct output out;
    if (!output_open(&out, d->output))
        return false;
    if (!delivery_write(d, out.stream)) {
        output_abandon(&out);
        return complain("the report could not be written");
    }
    if (d->plot && !d->draw(d->report, d->plot)) {
        output_abandon(&out);
        return false;
    }
    return output_commit(&out);
}
