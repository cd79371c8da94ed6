/* beecrypt_print.c: the BeeCrypt workloads as text, Markdown and CSV, published rows beside. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "beecrypt.h"
#include "published.h"

static const double mb = 1e6, mib = 1048576;

static const char *const notes[] = {
    "the published figures are of 1999-2000 and of machines that are named in each row; they "
    "stand beside ours to show their kind of work, not as rivals of this machine",
    "their MB is 2^20 bytes (MiB); neither key size nor buffer size is stated there; a test "
    "program of that time used 8 MiB in place for Blowfish and 16 MiB for SHA-1, as here",
    "the published CBC \"decryption\" of that program encrypts with the decryption key; ours "
    "decrypts real ciphertext",
    "Java's rows are there for exponentiation alone; theirs is Barrett's reduction (BeeCrypt), "
    "ours Montgomery's, both prepared once; the modulus is the 1024-bit prime of RFC 2409, group 2",
    "arithmetic, Blowfish and SHA-1 are libcrypto's; several threads are this program's own, with "
    "parts and contexts made before the clock starts: the library's pool runs its own ciphers only",
    "every result was checked: Blowfish by published vectors, a round trip and, on several "
    "threads, against one thread; SHA-1 by known digests; exponentiation by b^(p-1) = 1, "
    "b^e * b^(p-1-e) = 1 and a second algorithm; and each run's last result again after it",
    "Blowfish has blocks of 64 bits, SHA-1 has collisions, and 1024-bit groups are too small: "
    "none is for protecting anything new",
};

const char *beecrypt_note(size_t i)
{
    return i < sizeof notes / sizeof notes[0] ? notes[i] : NULL;
}

bool beecrypt_counts_bytes(const struct beecrypt_work *work)
{
    return strcmp(work->kind->unit, "bytes") == 0;
}

double beecrypt_rate(const struct beecrypt_result *r)
{
    return (double)r->amount * 1e9 / r->ns;
}

static void print_line(FILE *to, enum format format, const char *name, const char *text)
{
    fprintf(to, format == FORMAT_MARKDOWN ? "- %s: %s\n" : "%-9s %s\n", name, text);
}

static void print_head(const struct beecrypt_report *r, FILE *to, enum format format)
{
    const struct host *const h = r->host;
    char text[768], how[96] = "the published units of work";
    if (r->seconds)
        snprintf(how, sizeof how, "units of 1 MiB or one exponentiation for %zu seconds",
                 r->seconds);
    fprintf(to,
            format == FORMAT_MARKDOWN ? "## mtaes-bench beecrypt: %s, %zu run%s\n\n"
                                      : "mtaes-bench beecrypt: %s, %zu run%s\n",
            how, r->runs, r->runs == 1 ? "" : "s; times are medians");
    snprintf(text, sizeof text, "%s, %s, %s, %s, %s", h->date, h->machine, h->system, h->kernel,
             h->architecture);
    print_line(to, format, "machine", text);
    print_line(to, format, "cpu", h->cpu);
    host_threads_text(h, text, sizeof text);
    print_line(to, format, "threads", text);
    snprintf(text, sizeof text, "%s, built by %s", h->openssl, h->compiler);
    print_line(to, format, "versions", text);
    print_line(to, format, "units", "MB = 10^6 bytes, MiB = 2^20 bytes; the clock is monotonic");
}

/* --- one table for all that belong to the same published one --------------------------------- */

static bool same_table(const struct beecrypt_work *a, const struct beecrypt_work *b)
{
    return a == b || (a->published && b->published && strcmp(a->published, b->published) == 0);
}

static void amount_cells(struct table *t, const struct beecrypt_result *r)
{
    const double rate = beecrypt_rate(r);
    char size[32];
    if (beecrypt_counts_bytes(r->work)) {
        table_cell(t, "%s", size_text(r->amount, size, sizeof size));
        table_cell(t, "%.6f", r->ns / 1e9);
        table_cell(t, "%.2f", rate / mib);
        table_cell(t, "%.2f", rate / mb);
    } else {
        table_cell(t, "%zu", r->amount);
        table_cell(t, "%.6f", r->ns / 1e9);
        table_cell(t, "%.2f", rate);
        table_cell(t, "%.6f", BEECRYPT_EXPONENTIATIONS / rate);
    }
}

static void measured_row(struct table *t, const struct beecrypt_report *report,
                         const struct beecrypt_result *r)
{
    table_cell(t, "%s", r->work->name);
    table_cell(t, "%.40s", report->host->openssl);
    table_cell(t, "%s", report->host->cpu);
    table_cell(t, "%.4s", report->host->date);
    table_cell(t, "%zu", r->threads);
    amount_cells(t, r);
}

static void published_row(struct table *t, const struct published_beecrypt *p, bool bytes)
{
    table_cell(t, "%s, AS PUBLISHED", p->table);
    table_cell(t, "%s", p->library);
    table_cell(t, "%s, %u MB, %s", p->processor, p->memory_mb, p->system);
    table_cell(t, "%s", published_beecrypt_year);
    table_cell(t, "1");
    if (bytes) {
        table_cell(t, "-");
        table_cell(t, "-");
        table_cell(t, "%.2f", p->value);
        table_cell(t, "%.2f", p->value * mib / mb);
    } else {
        table_cell(t, "%d", BEECRYPT_EXPONENTIATIONS);
        table_cell(t, "%.1f", p->value);
        table_cell(t, "%.2f", BEECRYPT_EXPONENTIATIONS / p->value);
        table_cell(t, "%.1f", p->value);
    }
}

static void print_table(const struct beecrypt_report *report, const struct beecrypt_work *work,
                        FILE *to, enum format format)
{
    const bool bytes = beecrypt_counts_bytes(work);
    const char *const heads[] = {"Workload",
                                 "Library",
                                 "Machine",
                                 "Year",
                                 "Threads",
                                 bytes ? "Amount" : "Powers",
                                 "Time (s)",
                                 bytes ? "MiB/s" : "Powers/s",
                                 bytes ? "MB/s" : "Seconds for 100"};
    struct table t;
    fprintf(to, format == FORMAT_MARKDOWN ? "\n### %s\n\n" : "\n%s\n", work->what);
    table_begin(&t, heads, 9);
    for (size_t i = 0; i < report->result_count; i++) {
        if (same_table(report->results[i].work, work))
            measured_row(&t, report, &report->results[i]);
    }
    for (size_t i = 0; work->published && i < published_beecrypt_count; i++) {
        if (strcmp(published_beecrypt[i].table, work->published) == 0)
            published_row(&t, &published_beecrypt[i], bytes);
    }
    table_end(&t, to, format, 4);
    if (!work->published)
        fputs(format == FORMAT_MARKDOWN ? "\nNo published rows of this kind.\n"
                                        : "No published rows of this kind.\n",
              to);
}

/* Whether nothing before it is in the same table. */
static bool begins_table(const struct beecrypt_report *report, size_t i)
{
    for (size_t k = 0; k < i; k++) {
        if (same_table(report->results[k].work, report->results[i].work))
            return false;
    }
    return true;
}

void beecrypt_print(const struct beecrypt_report *report, FILE *to, enum format format)
{
    print_head(report, to, format);
    for (size_t i = 0; i < report->result_count; i++) {
        if (begins_table(report, i))
            print_table(report, report->results[i].work, to, format);
    }
    if (report->absence_count) {
        static const char *const heads[] = {"Workload", "Result", "Reason"};
        struct table t;
        fputs(format == FORMAT_MARKDOWN ? "\n### Not measured\n\n" : "\nNot measured\n", to);
        table_begin(&t, heads, 3);
        for (size_t i = 0; i < report->absence_count; i++) {
            table_cell(&t, "%s", report->absences[i].work->name);
            table_cell(&t, "n/a");
            table_cell(&t, "%s", report->absences[i].reason);
        }
        table_end(&t, to, format, 3);
    }
    fputs(format == FORMAT_MARKDOWN ? "\n### To be read with it\n\n" : "\nTo be read with it\n",
          to);
    for (size_t i = 0; beecrypt_note(i); i++)
        fprintf(to, "- %s\n", beecrypt_note(i));
    fprintf(to, "- %s: %s\n", published_beecrypt_title, published_beecrypt_note);
}

/* --- CSV (RFC 4180): one record a result, published rows behind ------------------------------- */

static void published_csv(FILE *to, const struct published_beecrypt *p)
{
    const bool bytes = strcmp(p->unit, "MB/s") == 0;
    fprintf(to, "published,%s,", p->table);
    csv_field(to, p->library);
    fputc(',', to);
    csv_field(to, p->processor);
    fputc(',', to);
    csv_field(to, p->system);
    fprintf(to, ",%s,1,", published_beecrypt_year);
    if (bytes)
        fprintf(to, ",,,,%.15g,\n", p->value);
    else
        fprintf(to, ",%d,%.15g,,,\n", BEECRYPT_EXPONENTIATIONS, p->value * 1e9);
}

void beecrypt_csv(const struct beecrypt_report *report, FILE *to)
{
    fputs("record,workload,library,processor,system,year,threads,bytes,exponentiations,"
          "nanoseconds,runs,mib_per_second,remark\n",
          to);
    for (size_t i = 0; i < report->result_count; i++) {
        const struct beecrypt_result *const r = &report->results[i];
        const bool bytes = beecrypt_counts_bytes(r->work);
        fprintf(to, "measured,%s,", r->work->name);
        csv_field(to, report->host->openssl);
        fputc(',', to);
        csv_field(to, report->host->cpu);
        fputc(',', to);
        csv_field(to, report->host->system);
        fprintf(to, ",%.4s,%zu,", report->host->date, r->threads);
        fprintf(to, bytes ? "%zu,," : ",%zu,", r->amount);
        fprintf(to, "%.15g,%zu,", r->ns, r->runs);
        if (bytes)
            fprintf(to, "%.15g", beecrypt_rate(r) / mib);
        fputs(",\n", to);
    }
    for (size_t i = 0; i < published_beecrypt_count; i++)
        published_csv(to, &published_beecrypt[i]);
    for (size_t i = 0; i < report->absence_count; i++) {
        fprintf(to, "unsupported,%s,,,,,,,,,,,", report->absences[i].work->name);
        csv_field(to, report->absences[i].reason);
        fputc('\n', to);
    }
}
