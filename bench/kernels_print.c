/* kernels_print.c: the grid of kernels as text and Markdown. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <math.h>
#include <string.h>

#include "kernels_report.h"

static const double gb = 1e9;

/* What a table of the grid is about. */
struct who {
    const struct peer *peer;
    char kernel[64];
};

enum { WHO_MAX = CHOICES_MAX + ENGINES_MAX };

static const struct series *find(const struct kernels_group *g, const struct who *who, size_t bytes,
                                 bool decrypt)
{
    for (size_t i = 0; i < g->results.series_count; i++) {
        const struct series *const s = &g->results.series[i];
        if (s->peer == who->peer && strcmp(s->kernel, who->kernel) == 0 && s->bytes == bytes &&
            s->decrypt == decrypt)
            return s;
    }
    return NULL;
}

static bool is_of(const struct kernels_group *g, const struct workload *cipher)
{
    return strcmp(g->work.cipher, cipher->cipher) == 0;
}

/* Whom of a cipher's tables there is something to say about, in the order of measurement. */
static size_t list_who(const struct kernels_report *report, const struct workload *cipher,
                       struct who *all)
{
    size_t count = 0;
    for (size_t i = 0; i < report->count; i++) {
        const struct results *const r = &report->groups[i].results;
        for (size_t k = 0; is_of(&report->groups[i], cipher) && k < r->series_count; k++) {
            const struct series *const s = &r->series[k];
            size_t n = 0;
            while (n < count && !(all[n].peer == s->peer && strcmp(all[n].kernel, s->kernel) == 0))
                n++;
            if (n < count || s->peer->copies || count == WHO_MAX)
                continue;
            all[count].peer = s->peer;
            memcpy(all[count++].kernel, s->kernel, sizeof s->kernel);
        }
    }
    return count;
}

/* A table with one column a size. */
static void begin_grid(struct table *t, const struct kernels_report *report, const char *first)
{
    const struct size_list *const sizes = &report->options->sizes;
    char text[LIST_MAX][32];
    const char *heads[LIST_MAX + 1] = {first};
    for (size_t i = 0; i < sizes->count; i++)
        heads[i + 1] = size_text(sizes->at[i], text[i], sizeof text[i]);
    table_begin(t, heads, sizes->count + 1);
}

static void name_cell(struct table *t, const struct kernels_group *g, bool decrypt)
{
    if (g->work.streams > 1)
        table_cell(t, "%s %s, batch of %zu", g->work.mode_name, operation_name(decrypt),
                   g->work.streams);
    else
        table_cell(t, "%s %s", g->work.mode_name, operation_name(decrypt));
}

/* Call fn for each line of a cipher's grids. */
static void each_line(const struct kernels_report *report, const struct workload *cipher,
                      void (*fn)(const struct kernels_report *, const struct kernels_group *,
                                 bool decrypt, void *context),
                      void *context)
{
    for (size_t i = 0; i < report->count; i++) {
        const struct kernels_group *const g = &report->groups[i];
        for (int d = 0; is_of(g, cipher) && d < (g->work.streams > 1 ? 1 : 2); d++)
            fn(report, g, d, context);
    }
}

/* --- rates ----------------------------------------------------------------------------------- */

struct grid {
    struct table table;
    const struct who *who;
};

static void rate_line(const struct kernels_report *report, const struct kernels_group *g,
                      bool decrypt, void *context)
{
    struct grid *const grid = context;
    const struct size_list *const sizes = &report->options->sizes;
    name_cell(&grid->table, g, decrypt);
    for (size_t i = 0; i < sizes->count; i++) {
        const struct series *const s = find(g, grid->who, sizes->at[i], decrypt);
        if (!s) {
            table_cell(&grid->table, "n/a");
            continue;
        }
        const struct limit limit = kernels_limit(report, g, s);
        if (limit.rate > 0)
            table_cell(&grid->table, "%.2f %6s %3.0f%%", kernels_rate(s) / gb, limit.what,
                       100 * kernels_rate(s) / limit.rate);
        else
            table_cell(&grid->table, "%.2f", kernels_rate(s) / gb);
    }
}

static void print_rates(const struct kernels_report *report, const struct workload *cipher,
                        const struct who *who, FILE *to, enum format format)
{
    struct grid grid = {.who = who};
    char text[256];
    snprintf(text, sizeof text,
             "%s, %s, kernel %s, one thread: GB/s, what limits it, share of that", cipher->cipher,
             who->peer->name, who->kernel);
    report_heading(to, format, text);
    begin_grid(&grid.table, report, "Mode");
    each_line(report, cipher, rate_line, &grid);
    table_end(&grid.table, to, format, 1);
}

/* --- ratios ---------------------------------------------------------------------------------- */

struct ratios {
    struct table table;
    const struct who *who, *over;
    double log_sum[LIST_MAX];
    size_t terms[LIST_MAX];
};

static void ratio_line(const struct kernels_report *report, const struct kernels_group *g,
                       bool decrypt, void *context)
{
    struct ratios *const r = context;
    const struct size_list *const sizes = &report->options->sizes;
    name_cell(&r->table, g, decrypt);
    for (size_t i = 0; i < sizes->count; i++) {
        const struct series *const mine = find(g, r->who, sizes->at[i], decrypt);
        const struct series *const other = find(g, r->over, sizes->at[i], decrypt);
        if (!mine || !other) {
            table_cell(&r->table, "n/a");
            continue;
        }
        const double ratio = kernels_rate(mine) / kernels_rate(other);
        r->log_sum[i] += log(ratio);
        r->terms[i]++;
        table_cell(&r->table, "%.2f", ratio);
    }
}

static void print_ratios(const struct kernels_report *report, const struct workload *cipher,
                         const struct who *who, const struct who *over, FILE *to,
                         enum format format)
{
    struct ratios r = {.who = who, .over = over};
    char text[256];
    snprintf(text, sizeof text, "%s, kernel %s over %s: ratio of median rates", cipher->cipher,
             who->kernel, over->peer->name);
    report_heading(to, format, text);
    begin_grid(&r.table, report, "Mode");
    each_line(report, cipher, ratio_line, &r);
    table_cell(&r.table, "geometric mean");
    for (size_t i = 0; i < report->options->sizes.count; i++) {
        if (r.terms[i])
            table_cell(&r.table, "%.2f", exp(r.log_sum[i] / (double)r.terms[i]));
        else
            table_cell(&r.table, "n/a");
    }
    table_end(&r.table, to, format, 1);
}

static void print_cipher(const struct kernels_report *report, const struct workload *cipher,
                         FILE *to, enum format format)
{
    struct who all[WHO_MAX];
    const size_t count = list_who(report, cipher, all);
    for (size_t i = 0; i < count; i++)
        print_rates(report, cipher, &all[i], to, format);
    for (size_t i = 1; i < count; i++) {
        if (all[0].peer == &peer_mtaes && all[i].peer != &peer_mtaes)
            print_ratios(report, cipher, &all[0], &all[i], to, format);
    }
}

/* --- what is around -------------------------------------------------------------------------- */

static void print_head(const struct kernels_report *report, FILE *to, enum format format)
{
    const struct kernels_options *const o = report->options;
    char text[768];
    fprintf(to, "%smtaes-bench kernels: one thread, %s, %zu runs a cell%s\n%s",
            format == FORMAT_MARKDOWN ? "## " : "", o->in_place ? "in place" : "out of place",
            o->runs, o->quick ? " (quick: rough figures)" : "",
            format == FORMAT_MARKDOWN ? "\n" : "");
    host_choice_text(report->groups[0].work.family, text, sizeof text);
    report_host(report->host, text, report->huge, to, format);
    report_line(to, format, "limits", report->limits.source);
    report_line(to, format, "shares",
                "aes: the AES unit; chain: its latency; memory: memcpy (in place: rmw) of that "
                "size, measured in turn with the cell; call: a call with nothing to do takes "
                "longer than the work; its time is part of every limit");
    report_line(to, format, "batches",
                "a batch is that many messages in one call; the size is that of all of them");
}

static void print_limits(const struct kernels_report *report, FILE *to, enum format format)
{
    static const char *const heads[] = {"Cipher", "AES unit GB/s", "chain GB/s"};
    const struct cipher_list *const ciphers = &report->options->ciphers;
    struct table t;
    report_heading(to, format, "Limits of one core");
    table_begin(&t, heads, 3);
    for (size_t i = 0; i < ciphers->count; i++) {
        table_cell(&t, "%s", ciphers->at[i].cipher);
        for (int chain = 0; chain < 2; chain++)
            table_cell(&t, "%.2f",
                       limits_rate(&report->limits, ciphers->at[i].key_bits, chain) / gb);
    }
    table_end(&t, to, format, 1);
}

static void print_memory(const struct kernels_report *report, FILE *to, enum format format)
{
    static const char *const names[] = {"memcpy", "rmw"};
    const struct size_list *const sizes = &report->options->sizes;
    struct table t;
    report_heading(to, format,
                   "Memory, one thread: GB/s of text (rmw: in place, read, changed and "
                   "written)");
    begin_grid(&t, report, "What");
    for (size_t k = 0; k < 2; k++) {
        table_cell(&t, "%s", names[k]);
        for (size_t i = 0; i < sizes->count; i++) {
            const struct series *const s =
                results_find(&report->memory[k], names[k], 1, sizes->at[i], false);
            if (s)
                table_cell(&t, "%.2f", kernels_rate(s) / gb);
            else
                table_cell(&t, "n/a");
        }
    }
    table_end(&t, to, format, 1);
}

static void cost_row(struct table *t, const struct kernels_group *g, size_t i)
{
    const struct cost *const c = &g->costs[i];
    table_cell(t, "%s", g->work.cipher);
    table_cell(t, "%s", g->work.mode_name);
    table_cell(t, "%s", mtaes_kernel_name(g->costs_kernel[i]));
    table_cell(t, "%.0f", stats_of(c->ns[COST_KEY], COST_RUNS).median);
    table_cell(t, "%.1f (%zu bytes)", stats_of(c->ns[COST_SHORTEST], COST_RUNS).median,
               c->bytes[COST_SHORTEST]);
    table_cell(t, "%.1f", stats_of(c->ns[COST_CALL], COST_RUNS).median);
}

static void print_costs(const struct kernels_report *report, FILE *to, enum format format)
{
    static const char *const heads[] = {
        "Cipher", "Mode", "Kernel", "Key set-up (ns)", "Shortest call (ns)", "64 bytes (ns)"};
    struct table t;
    report_heading(to, format,
                   "Fixed costs of encryption: a key made and freed; a call with the shortest "
                   "message of the mode, and with 64 bytes");
    table_begin(&t, heads, 6);
    for (size_t i = 0; i < report->count; i++) {
        for (size_t k = 0; k < report->groups[i].costs_count; k++)
            cost_row(&t, &report->groups[i], k);
    }
    table_end(&t, to, format, 3);
}

static void absence_rows(struct table *t, const struct kernels_group *g)
{
    for (size_t i = 0; i < g->results.absence_count; i++) {
        const struct absence *const a = &g->results.absences[i];
        char text[REASON_ROOM + 64];
        absence_text(a, text, sizeof text);
        table_cell(t, "%s", g->work.cipher);
        table_cell(t, "%s%s", g->work.mode_name, g->work.streams > 1 ? ", batch" : "");
        table_cell(t, "%s", a->engine);
        table_cell(t, "n/a");
        table_cell(t, "%s", text);
    }
}

static void print_absences(const struct kernels_report *report, FILE *to, enum format format)
{
    static const char *const heads[] = {"Cipher", "Mode", "Engine", "Result", "Reason"};
    struct table t;
    size_t count = 0;
    for (size_t i = 0; i < report->count; i++)
        count += report->groups[i].results.absence_count;
    if (count == 0)
        return;
    report_heading(to, format, "Not measured");
    table_begin(&t, heads, 5);
    for (size_t i = 0; i < report->count; i++)
        absence_rows(&t, &report->groups[i]);
    table_end(&t, to, format, 5);
}

void kernels_print(const void *given, FILE *to, enum format format)
{
    const struct kernels_report *const report = given;
    print_head(report, to, format);
    print_limits(report, to, format);
    print_memory(report, to, format);
    for (size_t i = 0; i < report->options->ciphers.count; i++)
        print_cipher(report, &report->options->ciphers.at[i], to, format);
    print_costs(report, to, format);
    print_absences(report, to, format);
}
