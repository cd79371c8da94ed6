/* tables_published.c: the published run tables beside the measured ones. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "tables_report.h"

static const double mib = 1048576;

void published_ns(const struct published_table *table, bool decrypt, double *ns)
{
    for (size_t i = 0; i < PUBLISHED_RUNS; i++)
        ns[i] = 1e9 * (decrypt ? table->run[i].decrypt_s : table->run[i].encrypt_s);
}

static void row(struct table *t, const char *name, const struct published_run *run)
{
    table_cell(t, "%s", name);
    table_cell(t, "%.9g", run->encrypt_s);
    table_cell(t, "%.2f", run->encrypt_rate);
    table_cell(t, "%.9g", run->decrypt_s);
    table_cell(t, "%.2f", run->decrypt_rate);
}

/* Mean or median of the printed times, and the size over it. */
static void recomputed(struct table *t, const struct published_table *p, bool median)
{
    table_cell(t, "%s of the rows", median ? "median" : "mean");
    for (int d = 0; d < 2; d++) {
        double ns[PUBLISHED_RUNS];
        published_ns(p, d, ns);
        const struct stats s = stats_of(ns, PUBLISHED_RUNS);
        const double chosen = median ? s.median : s.mean;
        table_cell(t, "%.6f", chosen / 1e9);
        table_cell(t, "%.2f", rate_of(p->mib << 20, chosen) / mib);
    }
}

static void print_one(const struct published_table *p, FILE *to, enum format format)
{
    static const char *const heads[] = {"Run", "Encryption Time (s)", "Encryption Rate (MiB/s)",
                                        "Decryption Time (s)", "Decryption Rate (MiB/s)"};
    const bool markdown = format == FORMAT_MARKDOWN;
    fprintf(to, "%s%zu MiB, %s, AS PUBLISHED (%s, %s %s; %s)\n%s", markdown ? "\n### " : "\n",
            p->mib, p->system, published_tables_title, published_tables_cipher,
            published_tables_mode, published_tables_machine, markdown ? "\n" : "");
    struct table t;
    table_begin(&t, heads, 5);
    for (size_t i = 0; i < PUBLISHED_RUNS; i++) {
        char number[24];
        snprintf(number, sizeof number, "%zu", i + 1);
        row(&t, number, &p->run[i]);
    }
    row(&t, "printed \"average\"", &p->average);
    recomputed(&t, p, false);
    recomputed(&t, p, true);
    table_end(&t, to, format, 1);
}

void published_print(size_t bytes, FILE *to, enum format format)
{
    size_t found = 0;
    for (size_t i = 0; i < published_tables_count; i++) {
        if (published_tables[i].mib << 20 == bytes) {
            print_one(&published_tables[i], to, format);
            found++;
        }
    }
    if (found) {
        fputs("\nThe page's MB is 2^20 bytes. Its \"average\" is its row 10, and each of its rates "
              "holds a tenth of the one before;\nthe last two lines are computed from the times: "
              "size over mean, size over median.\n",
              to);
        return;
    }
    char size[32];
    fprintf(to, "\nNo published rows for %s; there are some for 512, 1024 and 2048 MiB.\n",
            size_text(bytes, size, sizeof size));
}
