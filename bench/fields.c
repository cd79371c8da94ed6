/* fields.c: parsers for options about ciphers, modes, kernels, engines and reports. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "fields.h"

#include <stdio.h>
#include <string.h>

#include "plot.h"

bool parse_cipher(const char *name, const char *word, void *workload_field)
{
    char names[256];
    if (workload_set_cipher(workload_field, word))
        return true;
    workload_cipher_names(names, sizeof names);
    return complain("--%s='%s': no such cipher; there are %s", name, word, names);
}

bool parse_mode(const char *name, const char *word, void *workload_field)
{
    const mtaes_mode *mode = mtaes_mode_find(word);
    if (mode) {
        workload_set_mode(workload_field, mode);
        return true;
    }
    char names[256] = "";
    size_t used = 0;
    while ((mode = mtaes_mode_next(mode)) && used < sizeof names)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
                                 mtaes_mode_name(mode));
    return complain("--%s='%s': no such mode; there are %s", name, word, names);
}

/* mtaes_kernel_find knows only those that run here; one that does not is named in the report. */
bool parse_kernel(const char *name, const char *word, void *field)
{
    const mtaes_kernel *kernel = NULL;
    char names[512] = "";
    size_t used = 0;
    while ((kernel = mtaes_kernel_next(kernel))) {
        if (strcmp(mtaes_kernel_name(kernel), word) == 0) {
            *(const mtaes_kernel **)field = kernel;
            return true;
        }
        if (used < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
                                     mtaes_kernel_name(kernel));
    }
    return complain("--%s='%s': no such kernel; there are %s", name, word, names);
}

struct engine_context {
    const char *name;
    struct engine_list *list;
};

static bool take_engine(const char *item, void *context)
{
    const struct engine_context *const c = context;
    const struct peer *const peer = peer_find(item);
    if (!peer) {
        char names[256];
        peer_names(names, sizeof names);
        return complain("--%s='%s': no such engine; there are %s", c->name, item, names);
    }
    for (size_t i = 0; i < c->list->count; i++) {
        if (c->list->at[i] == peer)
            return true;
    }
    if (c->list->count == ENGINES_MAX)
        return complain("--%s: '%s' is one too many", c->name, item);
    c->list->at[c->list->count++] = peer;
    return true;
}

bool parse_engines(const char *name, const char *word, void *field)
{
    struct engine_context c = {name, field};
    c.list->count = 0;
    return each_item(name, word, take_engine, &c);
}

bool parse_unit(const char *name, const char *word, void *field)
{
    const size_t most = (size_t)16 << 20;
    size_t bytes;
    if (!read_bytes(word, &bytes) || bytes < BLOCK || bytes > most)
        return complain("--%s='%s': 16 bytes to 16M are needed", name, word);
    *(size_t *)field = bytes;
    return true;
}

bool parse_format(const char *name, const char *word, void *field)
{
    for (size_t i = 0; format_name(i); i++) {
        if (strcmp(format_name(i), word) == 0) {
            *(enum format *)field = (enum format)i;
            return true;
        }
    }
    return complain("--%s='%s': no such format; there are text, markdown, csv, json", name, word);
}

bool parse_plot(const char *name, const char *word, void *field)
{
    return plot_name_good(word) && parse_path(name, word, field);
}

bool kernel_agrees(const struct workload *w)
{
    if (w->kernel && strcmp(mtaes_kernel_cipher(w->kernel), w->family) != 0)
        return complain("--kernel='%s' is of cipher %s, not of --cipher='%s'",
                        mtaes_kernel_name(w->kernel), mtaes_kernel_cipher(w->kernel), w->cipher);
    return true;
}

bool sizes_agree(const struct workload *w, const struct size_list *sizes, size_t unit_bytes)
{
    for (size_t i = 0; i < sizes->count; i++) {
        struct workload sized = *w;
        char reason[REASON_ROOM];
        if (!workload_set_bytes(&sized, sizes->at[i], unit_bytes, reason, sizeof reason))
            return complain("--sizes: %s", reason);
    }
    return true;
}
