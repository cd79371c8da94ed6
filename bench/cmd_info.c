/* cmd_info.c: `mtaes-bench info`: this machine, its kernels and threads, and why. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "host.h"
#include "json.h"
#include "options.h"
#include "output.h"
#include "peer.h"
#include "table.h"

struct info_options {
    enum format format;
    const char *output;
};

static bool parse_info_format(const char *name, const char *word, void *field)
{
    const bool json = strcmp(word, "json") == 0;
    if (!json && strcmp(word, "text") != 0)
        return complain("--%s='%s': no such format; there are text, json", name, word);
    *(enum format *)field = json ? FORMAT_JSON : FORMAT_TEXT;
    return true;
}

static const struct option_row rows[] = {
    {"format", "FORMAT", "text or json (text)", parse_info_format,
     offsetof(struct info_options, format)},
    {"output", "FILE", "write there, in full or not at all", parse_path,
     offsetof(struct info_options, output)},
};

static const struct option_set set = {
    .command = "info",
    .synopsis = "info [OPTION...]",
    .rows = rows,
    .count = sizeof rows / sizeof rows[0],
};

static bool is_chosen(const mtaes_kernel *kernel)
{
    return mtaes_kernel_find(mtaes_kernel_cipher(kernel)) == kernel;
}

/* Whether this is the first row of its cipher. */
static bool is_first(const mtaes_kernel *kernel)
{
    for (const mtaes_kernel *k = mtaes_kernel_next(NULL); k != kernel; k = mtaes_kernel_next(k)) {
        if (strcmp(mtaes_kernel_cipher(k), mtaes_kernel_cipher(kernel)) == 0)
            return false;
    }
    return true;
}

/* --- text ------------------------------------------------------------------------------------ */

static void print_machine(const struct host *h, FILE *to)
{
    char caches[512], threads[512];
    host_caches_text(h, caches, sizeof caches);
    host_threads_text(h, threads, sizeof threads);
    fprintf(to, "date        %s\nmachine     %s (%s)\nsystem      %s, %s\n", h->date, h->machine,
            h->architecture, h->system, h->kernel);
    fprintf(to, "cpu         %s\nfeatures    %s\ncaches      %s\n", h->cpu,
            h->features[0] ? h->features : "none that matters here", caches);
    fprintf(to, "memory      %llu MiB, %llu MiB of it available\nhuge pages  %s\n",
            (unsigned long long)(h->memory_bytes >> 20),
            (unsigned long long)(h->memory_available_bytes >> 20), h->huge_pages);
    fprintf(to, "threads     %s\n", threads);
    fprintf(to, "versions    mtaes %s, %s, built by %s\n", h->mtaes, h->openssl, h->compiler);
}

static void print_kernels(FILE *to)
{
    static const char *const heads[] = {"Kernel", "Cipher", "Runs here",
                                        "Chosen", "Needs",  "Missing"};
    struct table t;
    fputs("\nKernels, fastest first within a cipher:\n", to);
    table_begin(&t, heads, 6);
    for (const mtaes_kernel *k = mtaes_kernel_next(NULL); k; k = mtaes_kernel_next(k)) {
        char needs[160], missing[160];
        mtaes_kernel_features(k, false, needs, sizeof needs);
        mtaes_kernel_features(k, true, missing, sizeof missing);
        table_cell(&t, "%s", mtaes_kernel_name(k));
        table_cell(&t, "%s", mtaes_kernel_cipher(k));
        table_cell(&t, "%s", mtaes_kernel_runs_here(k) ? "yes" : "no");
        table_cell(&t, "%s", is_chosen(k) ? "chosen" : "");
        table_cell(&t, "%s", needs[0] ? needs : "nothing");
        table_cell(&t, "%s", missing[0] ? missing : "-");
    }
    table_end(&t, to, FORMAT_TEXT, 6);
    for (const mtaes_kernel *k = mtaes_kernel_next(NULL); k; k = mtaes_kernel_next(k)) {
        char why[512];
        if (!is_first(k))
            continue;
        host_choice_text(mtaes_kernel_cipher(k), why, sizeof why);
        fprintf(to, "Chosen for %s: %s.\n", mtaes_kernel_cipher(k), why);
    }
}

static void print_modes(FILE *to)
{
    static const char *const heads[] = {"Mode", "Encryption", "Decryption", "IV bytes",
                                        "Tag bytes"};
    struct table t;
    fputs("\nModes (parallel: one message is spread over threads):\n", to);
    table_begin(&t, heads, 5);
    for (const mtaes_mode *m = mtaes_mode_next(NULL); m; m = mtaes_mode_next(m)) {
        const mtaes_mode_info info = mtaes_mode_describe(m);
        table_cell(&t, "%s", mtaes_mode_name(m));
        table_cell(&t, "%s", info.encrypt_parallel ? "parallel" : "a chain");
        table_cell(&t, "%s", info.decrypt_parallel ? "parallel" : "a chain");
        if (info.iv_bytes_min == info.iv_bytes_max)
            table_cell(&t, "%zu", info.iv_bytes_min);
        else
            table_cell(&t, "%zu or more", info.iv_bytes_min);
        table_cell(&t, "%zu", info.tag_bytes);
    }
    table_end(&t, to, FORMAT_TEXT, 3);
}

static void print_engines(FILE *to)
{
    static const char *const heads[] = {"Engine", "What it is"};
    struct table t;
    fputs("\nEngines of this program:\n", to);
    table_begin(&t, heads, 2);
    for (const struct peer *p = peer_next(NULL); p; p = peer_next(p)) {
        table_cell(&t, "%s", p->name);
        table_cell(&t, "%s%s%s%s", p->summary, p->package ? " (not built in: needs " : "",
                   p->package ? p->package : "", p->package ? ")" : "");
    }
    table_end(&t, to, FORMAT_TEXT, 2);
}

/* --- JSON ------------------------------------------------------------------------------------ */

static json_t *kernels(void)
{
    json_t *const list = json_array();
    for (const mtaes_kernel *k = mtaes_kernel_next(NULL); k; k = mtaes_kernel_next(k)) {
        json_t *const row = json_object();
        char text[512];
        json_set_text(row, "name", mtaes_kernel_name(k));
        json_set_text(row, "cipher", mtaes_kernel_cipher(k));
        json_set(row, "runs_here", json_boolean(mtaes_kernel_runs_here(k)));
        json_set(row, "chosen", json_boolean(is_chosen(k)));
        mtaes_kernel_features(k, false, text, sizeof text);
        json_set_text(row, "needs", text);
        mtaes_kernel_features(k, true, text, sizeof text);
        json_set_text(row, "missing", text);
        if (is_chosen(k)) {
            host_choice_text(mtaes_kernel_cipher(k), text, sizeof text);
            json_set_text(row, "why", text);
        }
        json_add(list, row);
    }
    return list;
}

static json_t *modes(void)
{
    json_t *const list = json_array();
    for (const mtaes_mode *m = mtaes_mode_next(NULL); m; m = mtaes_mode_next(m)) {
        const mtaes_mode_info info = mtaes_mode_describe(m);
        json_t *const row = json_object();
        json_set_text(row, "name", mtaes_mode_name(m));
        json_set(row, "encrypt_parallel", json_boolean(info.encrypt_parallel));
        json_set(row, "decrypt_parallel", json_boolean(info.decrypt_parallel));
        json_set(row, "authenticates", json_boolean(info.authenticates));
        json_add(list, row);
    }
    return list;
}

static bool write_json(const struct host *h, FILE *to)
{
    json_t *const report = json_report("info", h);
    json_t *const threads = json_object(), *const engines = json_array();
    char why[512];
    json_set(report, "kernels", kernels());
    json_set(report, "modes", modes());
    host_threads_text(h, why, sizeof why);
    json_set_size(threads, "chosen", h->threads.chosen);
    json_set_text(threads, "why", why);
    json_set(report, "threads", threads);
    for (const struct peer *p = peer_next(NULL); p; p = peer_next(p))
        json_add(engines, json_string(p->name));
    json_set(report, "engines", engines);
    return json_write(report, to);
}

/* --------------------------------------------------------------------------------------------- */

int cmd_info(int argc, char **argv)
{
    struct info_options o = {.format = FORMAT_TEXT};
    struct output out;
    struct host host;
    int exit_code;
    if (!options_parse(&set, argc, argv, &o, NULL, &exit_code))
        return exit_code;
    if (!output_open(&out, o.output))
        return EXIT_FAILED;
    host_read(&host);
    if (o.format == FORMAT_JSON) {
        if (!write_json(&host, out.stream)) {
            output_abandon(&out);
            complain("the report could not be written");
            return EXIT_FAILED;
        }
    } else {
        print_machine(&host, out.stream);
        print_kernels(out.stream);
        print_modes(out.stream);
        print_engines(out.stream);
    }
    return output_commit(&out) ? EXIT_DONE : EXIT_FAILED;
}
