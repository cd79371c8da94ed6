/* kernels_options.c: what `mtaes-bench kernels` is asked to do. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernels_options.h"

#include <string.h>

/* A list under construction. */
struct context {
    const char *name;
    void *list;
};

static bool one_too_many(const struct context *c, const char *item)
{
    return complain("--%s: '%s' is one too many; a list has at most %d items", c->name, item,
                    CHOICES_MAX);
}

static bool take_cipher(const char *item, void *context)
{
    const struct context *const c = context;
    struct cipher_list *const list = c->list;
    struct workload work = {0};
    if (!parse_cipher(c->name, item, &work))
        return false;
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->at[i].cipher, work.cipher) == 0)
            return true;
    }
    if (list->count == CHOICES_MAX)
        return one_too_many(c, item);
    list->at[list->count++] = work;
    return true;
}

static bool take_mode(const char *item, void *context)
{
    const struct context *const c = context;
    struct mode_list *const list = c->list;
    struct workload work = {0};
    if (!parse_mode(c->name, item, &work))
        return false;
    for (size_t i = 0; i < list->count; i++) {
        if (list->at[i] == work.mode)
            return true;
    }
    if (list->count == CHOICES_MAX)
        return one_too_many(c, item);
    list->at[list->count++] = work.mode;
    return true;
}

static bool take_kernel(const char *item, void *context)
{
    const struct context *const c = context;
    struct kernel_list *const list = c->list;
    const mtaes_kernel *kernel = NULL;
    if (!parse_kernel(c->name, item, &kernel))
        return false;
    for (size_t i = 0; i < list->count; i++) {
        if (list->at[i] == kernel)
            return true;
    }
    if (list->count == CHOICES_MAX)
        return one_too_many(c, item);
    list->at[list->count++] = kernel;
    return true;
}

static bool parse_ciphers(const char *name, const char *word, void *field)
{
    struct context c = {name, field};
    ((struct cipher_list *)field)->count = 0;
    return each_item(name, word, take_cipher, &c);
}

static bool parse_modes(const char *name, const char *word, void *field)
{
    struct context c = {name, field};
    ((struct mode_list *)field)->count = 0;
    return each_item(name, word, take_mode, &c);
}

static bool parse_kernels(const char *name, const char *word, void *field)
{
    struct context c = {name, field};
    ((struct kernel_list *)field)->count = 0;
    return each_item(name, word, take_kernel, &c);
}

#define FIELD(member) offsetof(struct kernels_options, member)

static const struct option_row rows[] = {
    {"cipher", "NAME[,NAME...]", "aes-128, aes-192, ... (aes-128,aes-256)", parse_ciphers,
     FIELD(ciphers)},
    {"modes", "NAME[,NAME...]", "ecb, ctr, ... (all)", parse_modes, FIELD(modes)},
    {"kernels", "NAME[,NAME...]", "as info lists them (all that run here)", parse_kernels,
     FIELD(kernels)},
    {"engines", "NAME[,NAME...]", "others to measure beside them, as info lists them (none)",
     parse_engines, FIELD(engines)},
    {"sizes", "SIZE[,SIZE...]",
     "bytes; K, M, G are powers of 1024 (64,1K,16K,64K,1M,64M,1G; quick: 64,64K,16M)",
     parse_size_list, FIELD(sizes)},
    {"runs", "N", "runs of each cell (7; quick: 3)", parse_count, FIELD(runs)},
    {"quick", NULL, "fewer sizes, fewer and shorter runs: rough figures", parse_flag, FIELD(quick)},
    {"in-place", NULL, "source and destination are one buffer", parse_flag, FIELD(in_place)},
    {"format", "FORMAT", "text, markdown, csv or json (text)", parse_format, FIELD(format)},
    {"output", "FILE", "write there, in full or not at all", parse_path, FIELD(output)},
    {"seed", "N", "of keys, IVs and text (1)", parse_seed, FIELD(seed)},
};

static const struct option_set set = {
    .command = "kernels",
    .synopsis = "kernels [OPTION...]",
    .rows = rows,
    .count = sizeof rows / sizeof rows[0],
};

/* Every kernel named is of a cipher named. */
static bool agree(const struct kernels_options *o)
{
    for (size_t i = 0; i < o->kernels.count; i++) {
        const char *const family = mtaes_kernel_cipher(o->kernels.at[i]);
        size_t k = 0;
        while (k < o->ciphers.count && strcmp(o->ciphers.at[k].family, family) != 0)
            k++;
        if (k == o->ciphers.count)
            return complain("--kernels='%s' is of cipher %s, of which --cipher names none",
                            mtaes_kernel_name(o->kernels.at[i]), family);
    }
    return true;
}

static void fill_defaults(struct kernels_options *o)
{
    if (o->runs == 0)
        o->runs = o->quick ? 3 : 7;
    if (o->sizes.count == 0)
        parse_size_list("sizes", o->quick ? "64,64K,16M" : "64,1K,16K,64K,1M,64M,1G", &o->sizes);
    const bool all = o->modes.count == 0;
    for (const mtaes_mode *m = NULL;
         all && o->modes.count < CHOICES_MAX && (m = mtaes_mode_next(m)) != NULL;)
        o->modes.at[o->modes.count++] = m;
    size_list_sort(&o->sizes);
}

bool kernels_options_parse(int argc, char **argv, struct kernels_options *o, int *exit_code)
{
    *o = (struct kernels_options){.seed = 1};
    *exit_code = EXIT_FAILED;
    if (!parse_ciphers("cipher", "aes-128,aes-256", &o->ciphers) ||
        !options_parse(&set, argc, argv, o, NULL, exit_code))
        return false;
    *exit_code = EXIT_USAGE;
    if (!agree(o))
        return false;
    fill_defaults(o);
    return true;
}
