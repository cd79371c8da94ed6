/* cmd_compare.c: `mtaes-bench compare`: two JSON reports: ratios, spread, and what got slower. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "compare_load.h"
#include "fields.h"
#include "json.h"
#include "memory.h"
#include "report.h"

struct compare_options {
    enum format format;
    const char *output;
    bool fail_on_slower;
};

#define FIELD(member) offsetof(struct compare_options, member)

static const struct option_row rows[] = {
    {"fail-on-slower", NULL, "exit code 1 if something got slower", parse_flag,
     FIELD(fail_on_slower)},
    {"format", "FORMAT", "text, markdown, csv or json (text)", parse_format, FIELD(format)},
    {"output", "FILE", "write there, in full or not at all", parse_path, FIELD(output)},
};

static const struct option_set set = {
    .command = "compare",
    .synopsis = "compare A.json B.json [OPTION...]",
    .rows = rows,
    .count = sizeof rows / sizeof rows[0],
    .operands = 2,
};

enum verdict { VERDICT_SAME, VERDICT_FASTER, VERDICT_SLOWER, VERDICTS };

static const char *const verdicts[VERDICTS] = {"same", "faster", "slower"};

/* A measurement that both reports have. Ratios are of rates, B over A. */
struct pair {
    const struct loaded_row *a, *b;
    double ratio, low, high;
    enum verdict verdict;
};

struct comparison {
    struct loaded a, b;
    struct pair *pairs;
    size_t count, counts[VERDICTS];
    size_t only_a, only_b;
};

/* Slower or faster only where the spreads of the two do not meet. */
static struct pair judge(const struct loaded_row *a, const struct loaded_row *b)
{
    struct pair p = {.a = a,
                     .b = b,
                     .ratio = a->median_ns / b->median_ns,
                     .low = a->low_ns / b->high_ns,
                     .high = a->high_ns / b->low_ns};
    p.verdict = p.high < 1 ? VERDICT_SLOWER : p.low > 1 ? VERDICT_FASTER : VERDICT_SAME;
    return p;
}

static void match(struct comparison *c)
{
    c->pairs = allocate(c->a.count, sizeof *c->pairs);
    for (size_t i = 0; i < c->a.count; i++) {
        const struct loaded_row *const other = loaded_find(&c->b, &c->a.rows[i]);
        if (!other)
            continue;
        c->pairs[c->count] = judge(&c->a.rows[i], other);
        c->counts[c->pairs[c->count++].verdict]++;
    }
    c->only_a = c->a.count - c->count;
    c->only_b = c->b.count - c->count;
}

/* ------------------------------------------------------------------------------------- report */

static double rate(const struct loaded_row *row)
{
    return rate_of(row->bytes, row->median_ns);
}

static void print_row(struct table *t, const struct pair *p)
{
    const struct loaded_row *const a = p->a;
    char size[32];
    table_cell(t, "%s", p->verdict == VERDICT_SAME ? "" : verdicts[p->verdict]);
    table_cell(t, "%s", a->engine);
    table_cell(t, "%s", a->kernel);
    table_cell(t, "%s", a->cipher);
    if (a->streams > 1)
        table_cell(t, "%s, batch of %zu", a->mode, a->streams);
    else
        table_cell(t, "%s", a->mode);
    table_cell(t, "%s", a->operation);
    table_cell(t, "%s", size_text(a->bytes, size, sizeof size));
    table_cell(t, "%zu", a->threads);
    table_cell(t, "%.1f", rate(a) / 1e6);
    table_cell(t, "%.1f", rate(p->b) / 1e6);
    table_cell(t, "%.3f", p->ratio);
    table_cell(t, "%.3f to %.3f", p->low, p->high);
}

static void print(const void *comparison, FILE *to, enum format format)
{
    const struct comparison *const c = comparison;
    static const char *const heads[] = {"Verdict", "Engine",    "Kernel", "Cipher",
                                        "Mode",    "Operation", "Size",   "Threads",
                                        "A MB/s",  "B MB/s",    "B / A",  "spread"};
    const bool markdown = format == FORMAT_MARKDOWN;
    struct table t;
    fprintf(to,
            "%smtaes-bench compare: B over A: %zu slower, %zu faster, %zu within their spread\n%s",
            markdown ? "## " : "", c->counts[VERDICT_SLOWER], c->counts[VERDICT_FASTER],
            c->counts[VERDICT_SAME], markdown ? "\n" : "");
    report_line(to, format, "A", c->a.path);
    report_line(to, format, "B", c->b.path);
    report_line(to, format, "ratios",
                "of median rates; spread: from A's slow quartile against B's fast one and the "
                "other way round; slower, faster: the two do not meet");
    if (c->a.in_place != c->b.in_place)
        report_line(to, format, "note", "one is in place, and the other is not");
    char text[128];
    snprintf(text, sizeof text, "%zu rows are in A only, %zu in B only", c->only_a, c->only_b);
    report_line(to, format, "unmatched", text);
    fputs("\n", to);
    table_begin(&t, heads, sizeof heads / sizeof heads[0]);
    for (size_t i = 0; i < c->count; i++)
        print_row(&t, &c->pairs[i]);
    table_end(&t, to, format, 7);
}

static void write_csv(const void *comparison, FILE *to)
{
    const struct comparison *const c = comparison;
    fputs("verdict,engine,kernel,cipher,mode,streams,operation,bytes,threads,a_median_ns,"
          "b_median_ns,ratio,ratio_low,ratio_high\n",
          to);
    for (size_t i = 0; i < c->count; i++) {
        const struct pair *const p = &c->pairs[i];
        fprintf(to, "%s,", verdicts[p->verdict]);
        csv_field(to, p->a->engine);
        fputs(",", to);
        csv_field(to, p->a->kernel);
        fprintf(to, ",%s,%s,%zu,%s,%zu,%zu,%.15g,%.15g,%.6f,%.6f,%.6f\n", p->a->cipher, p->a->mode,
                p->a->streams, p->a->operation, p->a->bytes, p->a->threads, p->a->median_ns,
                p->b->median_ns, p->ratio, p->low, p->high);
    }
}

static json_t *json_pair(const struct pair *p)
{
    json_t *const row = json_object();
    json_set_text(row, "engine", p->a->engine);
    json_set_text(row, "cipher", p->a->cipher);
    json_set_text(row, "mode", p->a->mode);
    json_set_text(row, "kernel", p->a->kernel);
    json_set_size(row, "threads", p->a->threads);
    json_set_size(row, "bytes", p->a->bytes);
    if (p->a->streams > 1)
        json_set_size(row, "streams", p->a->streams);
    json_set_text(row, "operation", p->a->operation);
    json_set(row, "a_median_ns", json_number(p->a->median_ns));
    json_set(row, "b_median_ns", json_number(p->b->median_ns));
    json_set(row, "ratio", json_number(p->ratio));
    json_set(row, "ratio_low", json_number(p->low));
    json_set(row, "ratio_high", json_number(p->high));
    json_set_text(row, "verdict", verdicts[p->verdict]);
    return row;
}

static bool write_json(const void *comparison, FILE *to)
{
    const struct comparison *const c = comparison;
    json_t *const report = json_object(), *const list = json_array();
    json_set_text(report, "schema", "mtaes-bench/1");
    json_set_text(report, "command", "compare");
    json_set_text(report, "a", c->a.path);
    json_set_text(report, "b", c->b.path);
    for (size_t i = 0; i < VERDICTS; i++)
        json_set_size(report, verdicts[i], c->counts[i]);
    json_set_size(report, "only_a", c->only_a);
    json_set_size(report, "only_b", c->only_b);
    for (size_t i = 0; i < c->count; i++)
        json_add(list, json_pair(&c->pairs[i]));
    json_set(report, "ratios", list);
    return json_write(report, to);
}

/* --------------------------------------------------------------------------------------------- */

int cmd_compare(int argc, char **argv)
{
    struct compare_options o = {.format = FORMAT_TEXT};
    struct comparison c = {0};
    const char *paths[2];
    int exit_code;
    if (!options_parse(&set, argc, argv, &o, paths, &exit_code))
        return exit_code;
    bool good = loaded_read(paths[0], &c.a) && loaded_read(paths[1], &c.b);
    if (good) {
        match(&c);
        good = c.count || complain("no measurement of %s is in %s", paths[0], paths[1]);
    }
    const struct delivery delivery = {.output = o.output,
                                      .format = o.format,
                                      .report = &c,
                                      .print = print,
                                      .csv = write_csv,
                                      .json = write_json};
    good = good && delivery_send(&delivery);
    if (good && o.fail_on_slower && c.counts[VERDICT_SLOWER])
        good = complain("%zu measurements got slower", c.counts[VERDICT_SLOWER]);
    free(c.pairs);
    loaded_free(&c.a);
    loaded_free(&c.b);
    return good ? EXIT_DONE : EXIT_FAILED;
}
