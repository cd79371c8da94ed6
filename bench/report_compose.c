/* report_compose.c: the sections of a report, and its JSON form. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "json.h"
#include "report_folder.h"

static void pair(struct table *t, const char *name, const char *value)
{
    table_cell(t, "%s", name);
    table_cell(t, "%s", value);
}

static void add_machine(const struct report *r, struct document *d)
{
    static const char *const heads[] = {"What", "Value"};
    const struct host *const h = &r->host;
    char text[768];
    document_section(d, "machine", "Machine");
    struct table *const t = document_table(d, heads, 2, 2);
    pair(t, "date (UTC)", h->date);
    pair(t, "machine", h->machine);
    snprintf(text, sizeof text, "%s, %s, %s", h->system, h->kernel, h->architecture);
    pair(t, "system", text);
    pair(t, "CPU", h->cpu);
    pair(t, "features that matter here", h->features[0] ? h->features : "none");
    host_caches_text(h, text, sizeof text);
    pair(t, "caches", text);
    snprintf(text, sizeof text, "%llu MiB, %llu MiB of it available at the start",
             (unsigned long long)(h->memory_bytes >> 20),
             (unsigned long long)(h->memory_available_bytes >> 20));
    pair(t, "memory", text);
    pair(t, "huge pages", h->huge_pages);
    host_threads_text(h, text, sizeof text);
    pair(t, "threads", text);
    host_choice_text("aes", text, sizeof text);
    pair(t, "AES kernel", text);
    snprintf(text, sizeof text, "mtaes %s, %s, built by %s", h->mtaes, h->openssl, h->compiler);
    pair(t, "versions", text);
    pair(t, "commit", r->options->commit ? r->options->commit : "not told (--commit)");
    pair(t, "load average at the start", r->load);
}

static const char *outcome_text(const struct report_part *part)
{
    switch (part->outcome) {
    case OUTCOME_DONE:
        return json_is_true(json_object_get(part->json, "verified")) ? "done, every result verified"
                                                                     : "done";
    case OUTCOME_LEFT_OUT:
        return "left out";
    case OUTCOME_FAILED:
        break;
    }
    return "FAILED";
}

static void add_how(const struct report *r, struct document *d)
{
    static const char *const heads[] = {"Suite", "What", "Command", "Outcome", "Seconds"};
    document_section(d, "how", "What was measured, and how");
    document_text(d,
                  "%s report: each line below was one process of its own, one after another. No "
                  "number is printed before the bytes behind it were found right.",
                  r->options->quick ? "A quick" : "A full");
    struct table *const t = document_table(d, heads, 5, 4);
    for (size_t i = 0; i < r->count; i++) {
        const struct report_part *const part = &r->part[i];
        char text[512];
        report_command_text(part, text, sizeof text);
        table_cell(t, "%s", report_suite_name(part->suite));
        table_cell(t, "%s", part->title);
        table_cell(t, "%s", text);
        table_cell(t, "%s%s%s", outcome_text(part), part->reason[0] ? ": " : "", part->reason);
        table_cell(t, "%.1f", part->seconds);
    }
    for (size_t i = 0; i < SUITES; i++) {
        if (!r->options->suites[i])
            document_item(d, "%s: left out, as --suites does not name it", report_suite_name(i));
    }
    document_item(d, "the clock is CLOCK_MONOTONIC; MB is 10^6 bytes, MiB is 2^20 bytes");
    document_item(d, "run tables and curves: engines take turns run by run, on one source, one "
                     "destination and one check buffer for all, 2 MiB aligned, all pages touched; "
                     "decryption gets real ciphertext");
    document_item(d, "memcpy over the same parts on as many threads is the ceiling: what moving "
                     "the bytes alone costs");
    document_item(d, "a rate beside a mean or median is bytes over that time; the standard "
                     "deviation is that of the sample");
}

/* Why there is nothing, or not all, of a suite. */
static void add_gaps(const struct report *r, enum report_suite suite, struct document *d)
{
    bool planned = false;
    for (size_t i = 0; i < r->count; i++) {
        const struct report_part *const part = &r->part[i];
        if (part->suite != suite)
            continue;
        planned = true;
        if (part->outcome != OUTCOME_DONE)
            document_text(d, "%s: %s: %s.", part->title,
                          part->outcome == OUTCOME_FAILED ? "failed" : "left out", part->reason);
    }
    if (!planned)
        document_text(d, "Left out, as --suites does not name it.");
}

/* Where a suite has no section of its own making: what its reports list. */
static void add_listed(const struct report *r, enum report_suite suite, struct document *d)
{
    for (size_t i = 0; i < r->count; i++) {
        if (r->part[i].suite != suite || !r->part[i].json)
            continue;
        const json_t *const source = json_object_get(r->part[i].json, "published_source");
        if (source)
            document_text(d, "Published figures: %s (%s).", report_word(source, "title"),
                          report_word(source, "machine"));
        report_lists(r->part[i].json, d);
        report_remarks(r->part[i].json, d);
    }
}

static void add_caveats(const struct report *r, struct document *d)
{
    static const char *const caveats[] = {
        "published figures are of other machines, systems, compilers and years, named beside each; "
        "set beside ours they say what was claimed, not which program is better",
        "SIMD-MT-AES's page: each of its rates holds a tenth of the one before, so that rates "
        "from row 2 on are some 10 % too high; its \"average\" is its row 10; its decryption "
        "worked on plaintext; it had 8 threads and its OpenSSL one. Mean and median here are "
        "computed from its times",
        "the published Gecko comparison is against a byte-wise AES in C, and its differences in "
        "diffusion and confusion are within the error of sampling",
        "BeeCrypt's page: its MB is 2^20 bytes, key and buffer sizes are not stated there, and "
        "its CBC \"decryption\" encrypts with the decryption key; its rows are of 1999-2000",
        "Blowfish, SHA-1 and exponentiation are libcrypto's; where they run on several threads, "
        "these are the bench's own and not the library's pool",
        "engine openssl has one thread by nature; compare engine mtaes with openssl-mt at equal "
        "threads",
        "small messages in a loop stay in the caches and find the threads awake; large ones are "
        "bound by memory, and by whoever else uses it",
        "the ceiling is the C library's memcpy; where that uses ordinary stores, or on a busy "
        "machine, an engine can come out above it",
        "CPU frequency, and the neighbours of a virtual machine, are not controlled; the spread "
        "of the runs shows what they do",
        "ECB shows equal blocks, unauthenticated modes let anyone change the text, Blowfish, "
        "SHA-1 and 1024-bit groups are outdated, Gecko is unreviewed: a rate is no "
        "recommendation",
    };
    document_section(d, "caveats", "Caveats");
    if (r->options->quick)
        document_item(d, "this is a quick report: few runs, few sizes; read it as a test of the "
                         "program, not as a measurement");
    document_item(d, "load average at the start: %s; what else ran on the machine took its share",
                  r->load);
    if (r->options->no_plots)
        document_item(d, "there are no plots, as --no-plots asked");
    for (size_t i = 0; i < sizeof caveats / sizeof caveats[0]; i++)
        document_item(d, "%s", caveats[i]);
}

bool report_compose(const struct report *r, const char *folder, struct document *d)
{
    static const char *const titles[SUITES] = {"Run tables: libmtaes beside other engines",
                                               "Gecko against AES", "BeeCrypt's workloads",
                                               "Kernels, modes and sizes", "Scaling"};
    const char *const plots = r->options->no_plots ? NULL : folder;
    d->title = r->options->quick ? "mtaes-bench report (quick)" : "mtaes-bench report";
    add_machine(r, d);
    add_how(r, d);
    for (size_t suite = 0; suite < SUITES; suite++) {
        document_section(d, report_suite_name(suite), titles[suite]);
        add_gaps(r, (enum report_suite)suite, d);
        if (suite == SUITE_TABLES) {
            if (!report_tables(r, plots, d))
                return false;
            document_section(d, "curves", "Rate against size and threads");
            if (!report_has(r, SUITE_TABLES))
                document_text(d, "Nothing, as there are no run tables.");
            if (!report_curves(r, plots, d))
                return false;
        } else if (suite == SUITE_BEECRYPT) {
            report_beecrypt(r, d);
        } else {
            add_listed(r, (enum report_suite)suite, d);
        }
    }
    add_caveats(r, d);
    return true;
}

/* --- JSON ------------------------------------------------------------------------------------ */

static json_t *part_json(const struct report_part *part)
{
    static const char *const outcomes[] = {"done", "left out", "failed"};
    json_t *const object = json_object();
    char text[512];
    report_command_text(part, text, sizeof text);
    json_set_text(object, "suite", report_suite_name(part->suite));
    json_set_text(object, "title", part->title);
    json_set_text(object, "command", text);
    json_set_text(object, "outcome", outcomes[part->outcome]);
    if (part->reason[0])
        json_set_text(object, "reason", part->reason);
    json_set(object, "seconds", json_number(part->seconds));
    json_set(object, "report", part->json ? json_incref(part->json) : json_null());
    return object;
}

json_t *report_as_json(const struct report *r)
{
    json_t *const object = json_report("report", &r->host);
    json_t *const parts = json_array();
    if (r->options->commit)
        json_set_text(object, "commit", r->options->commit);
    json_set(object, "quick", json_boolean(r->options->quick));
    json_set_text(object, "load_average", r->load);
    for (size_t i = 0; i < r->count; i++)
        json_add(parts, part_json(&r->part[i]));
    json_set(object, "parts", parts);
    return object;
}
