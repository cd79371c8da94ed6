/* gecko_print.c: the comparison of Gecko with AES as text, Markdown or CSV. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "gecko.h"
#include "object_sizes.h"

static double difference(const struct gecko_result *r)
{
    return gecko_difference_percent(r->side[GECKO_GECKO].value, r->side[GECKO_AES].value);
}

static const char *or_dash(const char *text)
{
    return text ? text : "-";
}

/* AES / Gecko, as the page prints them. */
static void published_cell(struct table *t, const struct gecko_result *r)
{
    const struct published_gecko *const p = r->published;
    if (!p)
        table_cell(t, "-");
    else if (p->aes.percent > 0)
        table_cell(t, "%.10g (%.6g %%) / %.10g (%.6g %%)", p->aes.value, p->aes.percent,
                   p->gecko.value, p->gecko.percent);
    else
        table_cell(t, "%.10g / %.10g %s", p->aes.value, p->gecko.value, p->unit);
}

static void print_time(struct table *t, const struct gecko_result *r)
{
    const struct gecko_side *const aes = &r->side[GECKO_AES], *const gecko = &r->side[GECKO_GECKO];
    table_cell(t, "%s", or_dash(r->original));
    table_cell(t, "%s", or_dash(r->mode));
    if (r->kind)
        table_cell(t, "%s (%zu)", r->kind, r->block_bytes);
    else
        table_cell(t, "-");
    if (r->pair == PAIR_FASTEST)
        table_cell(t, "%s, %s", aes->who, gecko->who);
    else
        table_cell(t, "%s", gecko_pair_name(r->pair));
    table_cell(t, "%s", r->verdict);
    table_cell(t, "%u", r->key_bits);
    table_cell(t, "%llu", (unsigned long long)r->passes);
    table_cell(t, "%.4g", aes->value);
    table_cell(t, "%.4g", gecko->value);
    if (aes->rate > 0)
        table_cell(t, "%.1f / %.1f", aes->rate / 1e6, gecko->rate / 1e6);
    else
        table_cell(t, "-");
    table_cell(t, "%.2f", aes->value / gecko->value);
    table_cell(t, "%.2f-%.2f", r->ratio_low, r->ratio_high);
    table_cell(t, "%.1f", difference(r));
    published_cell(t, r);
}

static void print_times(const struct gecko_report *report, FILE *to, enum format format,
                        enum gecko_test test)
{
    static const char *const heads[] = {"Original",     "Mode",
                                        "Text",         "Pair",
                                        "Verdict",      "Key bits",
                                        "Passes",       "AES s",
                                        "Gecko s",      "AES / Gecko MB/s",
                                        "Ratio",        "Middle half",
                                        "Difference %", "Published AES / Gecko"};
    struct table t;
    table_begin(&t, heads, sizeof heads / sizeof *heads);
    for (size_t i = 0; i < report->count; i++) {
        if (report->at[i].test == test)
            print_time(&t, &report->at[i]);
    }
    table_end(&t, to, format, 5);
    fprintf(to, "\nMB: 10^6 bytes, both directions. Ratio: of the speeds, Gecko's over AES's; "
                "middle half: where that of half of the rounds lies;\n"
                "no difference, where 1 lies there too. Difference: of the times, over their mean, "
                "as the page has it.\n");
}

static void print_sizes(const struct gecko_report *report, FILE *to, enum format format)
{
    static const char *const heads[] = {
        "Pair",          "Verdict",      "Objects of Gecko",     "Objects of AES",  "AES code",
        "AES constants", "AES bytes",    "Gecko code",           "Gecko constants", "Gecko bytes",
        "Ratio",         "Difference %", "Published AES / Gecko"};
    struct table t;
    table_begin(&t, heads, sizeof heads / sizeof *heads);
    for (size_t i = 0; i < report->count; i++) {
        const struct gecko_result *const r = &report->at[i];
        const struct gecko_side *const aes = &r->side[GECKO_AES];
        const struct gecko_side *const gecko = &r->side[GECKO_GECKO];
        if (r->test != GECKO_SIZE)
            continue;
        table_cell(&t, "%s", gecko_pair_name(r->pair));
        table_cell(&t, "%s", r->verdict);
        table_cell(&t, "%s", gecko->who);
        table_cell(&t, "%s", aes->who);
        table_cell(&t, "%zu", aes->text);
        table_cell(&t, "%zu", aes->rodata);
        table_cell(&t, "%.0f", aes->value);
        table_cell(&t, "%zu", gecko->text);
        table_cell(&t, "%zu", gecko->rodata);
        table_cell(&t, "%.0f", gecko->value);
        table_cell(&t, "%.3f", gecko->value / aes->value);
        table_cell(&t, "%.2f", difference(r));
        published_cell(&t, r);
    }
    table_end(&t, to, format, 4);
    fprintf(to,
            "\nRatio: Gecko's bytes over AES's. Difference: over the mean of both, as the page has "
            "it. Built with: %s\n",
            object_flags);
}

static void print_counts(const struct gecko_report *report, FILE *to, enum format format,
                         enum gecko_test test)
{
    static const char *const heads[] = {
        "Original",   "Mode",  "Verdict", "Key bits",     "Passes",
        "Bits",       "AES",   "AES %",   "Gecko",        "Gecko %",
        "Expected %", "Error", "Ratio",   "Difference %", "Published AES / Gecko"};
    struct table t;
    table_begin(&t, heads, sizeof heads / sizeof *heads);
    for (size_t i = 0; i < report->count; i++) {
        const struct gecko_result *const r = &report->at[i];
        const struct gecko_side *const aes = &r->side[GECKO_AES];
        const struct gecko_side *const gecko = &r->side[GECKO_GECKO];
        if (r->test != test)
            continue;
        table_cell(&t, "%s", or_dash(r->original));
        table_cell(&t, "%s", r->mode);
        table_cell(&t, "%s", r->verdict);
        table_cell(&t, "%u", r->key_bits);
        table_cell(&t, "%llu", (unsigned long long)r->passes);
        table_cell(&t, "%llu", (unsigned long long)r->bits);
        table_cell(&t, "%.0f", aes->value);
        table_cell(&t, "%.4f", aes->percent);
        table_cell(&t, "%.0f", gecko->value);
        table_cell(&t, "%.4f", gecko->percent);
        table_cell(&t, "%.4f", r->expected_percent);
        table_cell(&t, "+-%.0f", r->sampling_error);
        table_cell(&t, "%.6f", gecko->value / aes->value);
        table_cell(&t, "%.6f", difference(r));
        published_cell(&t, r);
    }
    table_end(&t, to, format, 3);
}

static void print_pairs(const struct gecko_report *report, FILE *to, enum format format)
{
    static const char *const heads[] = {
        "Original",  "Bytes of",    "Verdict",      "Key bits",
        "Keys",      "AES pairs",   "a table",      "Gecko pairs",
        "a table",   "Random",      "Error",        "Ratio",
        "AES 100/n", "Gecko 100/n", "Difference %", "Published AES / Gecko"};
    struct table t;
    table_begin(&t, heads, sizeof heads / sizeof *heads);
    for (size_t i = 0; i < report->count; i++) {
        const struct gecko_result *const r = &report->at[i];
        const struct gecko_side *const aes = &r->side[GECKO_AES];
        const struct gecko_side *const gecko = &r->side[GECKO_GECKO];
        if (r->test != GECKO_DUPLICATES)
            continue;
        table_cell(&t, "%s", or_dash(r->original));
        table_cell(&t, "%s", r->kind);
        table_cell(&t, "%s", r->verdict);
        table_cell(&t, "%u", r->key_bits);
        table_cell(&t, "%llu", (unsigned long long)r->passes);
        table_cell(&t, "%.0f", aes->value);
        table_cell(&t, "%.4f", 100 / aes->percent);
        table_cell(&t, "%.0f", gecko->value);
        table_cell(&t, "%.4f", 100 / gecko->percent);
        table_cell(&t, "%.4f", 100 / r->expected_percent);
        table_cell(&t, "+-%.0f", r->sampling_error);
        table_cell(&t, "%.6f", gecko->value / aes->value);
        table_cell(&t, "%.4f", aes->percent);
        table_cell(&t, "%.4f", gecko->percent);
        table_cell(&t, "%.4f", difference(r));
        published_cell(&t, r);
    }
    table_end(&t, to, format, 3);
}

/* What the columns of counts are. */
static void explain_counts(FILE *to)
{
    fputs("\nError: one standard deviation of a count. No difference: the two differ by no more "
          "than three "
          "standard deviations of their\ndifference, each 1.41 times that. Ratio: Gecko's count "
          "over AES's. "
          "Difference: over the mean of both, as the page has it.\n",
          to);
}

static void print_test(const struct gecko_report *report, FILE *to, enum format format,
                       enum gecko_test test)
{
    const bool markdown = format == FORMAT_MARKDOWN;
    if (!(report->options->tests & test))
        return;
    fprintf(to, "\n%s%s\n%s%s\n\n", markdown ? "## " : "", gecko_test_name(test),
            markdown ? "\n" : "", gecko_note(test));
    switch (test) {
    case GECKO_SPEED:
    case GECKO_KEY_SETUP:
        print_times(report, to, format, test);
        break;
    case GECKO_SIZE:
        print_sizes(report, to, format);
        break;
    case GECKO_DUPLICATES:
        print_pairs(report, to, format);
        explain_counts(to);
        break;
    default:
        print_counts(report, to, format, test);
        explain_counts(to);
        break;
    }
}

void gecko_print(const struct gecko_report *report, FILE *to, enum format format)
{
    const bool markdown = format == FORMAT_MARKDOWN;
    const char *const item = markdown ? "- " : "  ";
    fprintf(to, "%sGecko against AES\n\n", markdown ? "# " : "");
    fprintf(
        to,
        "Gecko is an unreviewed cipher. Nothing here says anything about its strength; nothing new "
        "should be protected by it.\n\nPairs:\n%sbytewise: the published condition, both a byte at "
        "a "
        "time with S-box tables, same compiler and flags\n%sportable: this library's portable "
        "kernels; its AES is bitsliced and its timing independent of\n  the data, which costs "
        "speed "
        "where few blocks are worked on at once\n%sfastest: the fastest kernels that run here\n\n",
        item, item, item);
    fprintf(to, "Seed %llu; the flipped bit is %s.\nPublished: \"%s\" (%s).\n",
            (unsigned long long)report->options->seed,
            report->options->random_bit ? "random" : "chosen as in the original",
            published_gecko_title, published_gecko_machine);
    for (unsigned test = 1; test < GECKO_ALL; test *= 2)
        print_test(report, to, format, (enum gecko_test)test);
}

void gecko_csv(const struct gecko_report *report, FILE *to)
{
    fputs("test,kind,original,mode,pair,key_bits,block_bytes,passes,bits,unit,gecko,aes,gecko_"
          "percent,"
          "aes_percent,expected_percent,sampling_error,difference_percent_of_mean,verdict,"
          "published_gecko,published_aes\n",
          to);
    for (size_t i = 0; i < report->count; i++) {
        const struct gecko_result *const r = &report->at[i];
        fprintf(to, "%s,", gecko_test_name(r->test));
        csv_field(to, r->kind ? r->kind : "");
        fprintf(to, ",%s,%s,%s,%u,%zu,%llu,%llu,%s,", r->original ? r->original : "",
                r->mode ? r->mode : "", gecko_pair_name(r->pair), r->key_bits, r->block_bytes,
                (unsigned long long)r->passes, (unsigned long long)r->bits, r->unit);
        fprintf(to, "%.15g,%.15g,%.9g,%.9g,%.9g,%.9g,%.9g,%s,", r->side[GECKO_GECKO].value,
                r->side[GECKO_AES].value, r->side[GECKO_GECKO].percent, r->side[GECKO_AES].percent,
                r->expected_percent, r->sampling_error, difference(r), r->verdict);
        if (r->published)
            fprintf(to, "%.10g,%.10g\n", r->published->gecko.value, r->published->aes.value);
        else
            fputs(",\n", to);
    }
}
