/* scaling_print.c: rates against sizes and threads as text and Markdown. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "scaling_report.h"

static const double gb = 1e9;

static void print_head(const struct scaling_report *r, FILE *to, enum format format)
{
    const struct scaling_options *const o = r->options;
    char text[768];
    fprintf(to, "%smtaes-bench scaling: %s %s, %zu runs%s\n%s",
            format == FORMAT_MARKDOWN ? "## " : "", o->work.cipher, o->work.mode_name, o->runs,
            o->quick ? " (quick: rough figures)" : "", format == FORMAT_MARKDOWN ? "\n" : "");
    if (o->work.kernel)
        snprintf(text, sizeof text, "%s: named by --kernel", mtaes_kernel_name(o->work.kernel));
    else
        host_choice_text(o->work.family, text, sizeof text);
    report_host(r->host, text, r->huge, to, format);
    report_line(to, format, "engines",
                "mtaes: the library's own threads; -openmp: those of OpenMP; -caller: kept by this "
                "program; -spawn: made in each call; on one thread they are all the same");
    for (size_t i = 0; i < r->results.note_count; i++)
        report_line(to, format, "note", r->results.notes[i]);
}

/* --- rate against size ----------------------------------------------------------------------- */

enum { CURVES_MAX = ENGINES_MAX * LIST_MAX, NAME_ROOM = 48 };

struct columns {
    size_t count;
    bool decrypt;
    const struct series *at[CURVES_MAX]; /* each of the largest size */
    char name[CURVES_MAX][NAME_ROOM];
};

static void add_column(const struct scaling_report *report, const struct series *s, void *context)
{
    struct columns *const c = context;
    (void)report;
    if (s->decrypt != c->decrypt || c->count == CURVES_MAX)
        return;
    snprintf(c->name[c->count], NAME_ROOM, "%s %zu", s->peer->name, s->threads);
    c->at[c->count++] = s;
}

static void print_rates(const struct scaling_report *r, bool decrypt, FILE *to, enum format format)
{
    const struct size_list *const sizes = &r->options->sizes;
    static struct columns c;
    c = (struct columns){.decrypt = decrypt};
    scaling_each_curve(r, true, add_column, &c);
    const char *heads[CURVES_MAX + 1] = {"Size"};
    for (size_t k = 0; k < c.count; k++)
        heads[k + 1] = c.name[k];
    char text[96];
    snprintf(text, sizeof text, "%s: GB/s of each engine and number of threads",
             operation_name(decrypt));
    report_heading(to, format, text);
    struct table t;
    table_begin(&t, heads, c.count + 1);
    for (size_t i = 0; i < sizes->count; i++) {
        table_cell(&t, "%s", size_text(sizes->at[i], text, sizeof text));
        for (size_t k = 0; k < c.count; k++) {
            const struct series *const s = results_find(&r->results, c.at[k]->peer->name,
                                                        c.at[k]->threads, sizes->at[i], decrypt);
            if (s)
                table_cell(&t, "%.3f", scaling_rate(s) / gb);
            else
                table_cell(&t, "n/a");
        }
    }
    table_end(&t, to, format, 1);
}

/* --- where threads pay ----------------------------------------------------------------------- */

static void pays_row(const struct scaling_report *r, const struct series *s, void *context)
{
    struct table *const t = context;
    const struct size_list *const sizes = &r->options->sizes;
    const size_t from = scaling_pays_from(r, s);
    char size[32], slower[384] = "";
    size_t used = 0;
    for (size_t i = 0; i < sizes->count && used < sizeof slower; i++) {
        const struct series *const at =
            results_find(&r->results, s->peer->name, s->threads, sizes->at[i], s->decrypt);
        if (at && scaling_is_slower(r, at))
            used += (size_t)snprintf(slower + used, sizeof slower - used, "%s%s", used ? ", " : "",
                                     size_text(sizes->at[i], size, sizeof size));
    }
    table_cell(t, "%s", s->peer->name);
    table_cell(t, "%zu", s->threads);
    table_cell(t, "%s", operation_name(s->decrypt));
    table_cell(t, "%s", from ? size_text(from, size, sizeof size) : "no size measured");
    table_cell(t, "%s", slower[0] ? slower : "none");
}

static void print_pays(const struct scaling_report *r, FILE *to, enum format format)
{
    static const char *const heads[] = {"Engine", "Threads", "Operation", "Pay from",
                                        "Slower than one thread at"};
    struct table t;
    report_heading(to, format,
                   "Where threads begin to pay: from this size on they beat one thread; slower: by "
                   "more than 3 % and than the spread of the one-thread runs");
    table_begin(&t, heads, 5);
    scaling_each_curve(r, false, pays_row, &t);
    table_end(&t, to, format, 5);
}

/* --- the largest size ------------------------------------------------------------------------ */

static void ratio_cell(struct table *t, const struct series *s, const struct series *to)
{
    if (to)
        table_cell(t, "%.2f", scaling_rate(s) / scaling_rate(to));
    else
        table_cell(t, "n/a");
}

static void large_row(const struct scaling_report *r, const struct series *s, void *context)
{
    struct table *const t = context;
    char size[32];
    table_cell(t, "%s", size_text(s->bytes, size, sizeof size));
    table_cell(t, "%s", s->peer->name);
    table_cell(t, "%zu", s->threads);
    table_cell(t, "%s", operation_name(s->decrypt));
    table_cell(t, "%.2f", scaling_rate(s) / gb);
    ratio_cell(t, s, scaling_alone(r, s));
    ratio_cell(t, s, scaling_memcpy(r, s));
}

static void print_large(const struct scaling_report *r, FILE *to, enum format format)
{
    static const char *const heads[] = {"Size", "Engine",       "Threads",  "Operation",
                                        "GB/s", "x one thread", "of memcpy"};
    struct table t;
    report_heading(to, format, "The largest size, and its share of memcpy on as many threads");
    table_begin(&t, heads, 7);
    scaling_each_curve(r, true, large_row, &t);
    table_end(&t, to, format, 4);
}

/* --- hand-off -------------------------------------------------------------------------------- */

static void print_handoffs(const struct scaling_report *r, FILE *to, enum format format)
{
    static const char *const heads[] = {"Engine", "Threads", "hot (us)", "after idle (us)",
                                        "one thread (us)"};
    struct table t;
    char text[256];
    if (r->handoff_count == 0)
        return;
    snprintf(
        text, sizeof text,
        "Hand-off: a job of one 16-byte message a thread, submitted and waited for; hot: right "
        "after such a job; after %d us without one; and on an engine of one thread",
        HANDOFF_IDLE_US);
    report_heading(to, format, text);
    table_begin(&t, heads, 5);
    for (size_t i = 0; i < r->handoff_count; i++) {
        const struct handoff *const h = &r->handoffs[i];
        table_cell(&t, "%s", h->peer->name);
        table_cell(&t, "%zu", h->threads);
        table_cell(&t, "%.2f", stats_of(h->hot_ns, HANDOFF_RUNS).median / 1e3);
        table_cell(&t, "%.2f", stats_of(h->idle_ns, HANDOFF_RUNS).median / 1e3);
        table_cell(&t, "%.2f", stats_of(h->alone_ns, HANDOFF_RUNS).median / 1e3);
    }
    table_end(&t, to, format, 1);
}

void scaling_print(const void *given, FILE *to, enum format format)
{
    const struct scaling_report *const r = given;
    print_head(r, to, format);
    print_rates(r, false, to, format);
    print_rates(r, true, to, format);
    print_pays(r, to, format);
    print_large(r, to, format);
    print_handoffs(r, to, format);
    report_absences(&r->results, to, format);
}
