/* options.c: command-line options as rows of a table, and the one way to complain about them. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "options.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "mtaes.h"

enum { VALUE_HELP = 'h', VALUE_VERSION = 1, VALUE_ROWS = 256, THREADS_MAX = 1024 };

bool complain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("mtaes-bench: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return false;
}

void options_help(const struct option_set *set)
{
    printf("Usage: mtaes-bench %s\n\nOptions of %s:\n", set->synopsis, set->command);
    for (size_t i = 0; i < set->count; i++) {
        const struct option_row *const row = &set->rows[i];
        char left[80];
        snprintf(left, sizeof left, "--%s%s%s", row->name, row->value ? "=" : "",
                 row->value ? row->value : "");
        if (strlen(left) > 25)
            printf("  %s\n  %-25s  %s\n", left, "", row->help);
        else
            printf("  %-25s  %s\n", left, row->help);
    }
    printf("  %-25s  %s\n  %-25s  %s\n", "--help", "this text", "--version", "the version");
}

static void complain_about_option(const struct option_set *set, const char *word)
{
    char list[1024] = "";
    size_t used = 0;
    for (size_t i = 0; i < set->count && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, " --%s", set->rows[i].name);
    complain("%s: no option '%s', or it is short for several; there are%s --help --version",
             set->command, word, list);
}

/* What getopt_long did not like. */
static void complain_about_getopt(const struct option_set *set, int found, const char *word)
{
    const int row = optopt - VALUE_ROWS;
    if (found == ':' && row >= 0)
        complain("option '--%s' needs a value: --%s=%s", set->rows[row].name, set->rows[row].name,
                 set->rows[row].value);
    else if (row >= 0)
        complain("option '%s': --%s takes no value", word, set->rows[row].name);
    else if (optopt == VALUE_HELP || optopt == VALUE_VERSION)
        complain("option '%s' takes no value", word);
    else
        complain_about_option(set, word);
}

static struct option *getopt_table(const struct option_set *set)
{
    struct option *const table = allocate(set->count + 3, sizeof *table);
    for (size_t i = 0; i < set->count; i++)
        table[i] =
            (struct option){set->rows[i].name, set->rows[i].value ? required_argument : no_argument,
                            NULL, VALUE_ROWS + (int)i};
    table[set->count] = (struct option){"help", no_argument, NULL, VALUE_HELP};
    table[set->count + 1] = (struct option){"version", no_argument, NULL, VALUE_VERSION};
    return table;
}

/* One option that getopt_long found; true to go on. */
static bool take_option(const struct option_set *set, int found, const char *word, void *fields,
                        int *exit_code)
{
    *exit_code = EXIT_DONE;
    if (found == VALUE_HELP) {
        options_help(set);
        return false;
    }
    if (found == VALUE_VERSION) {
        printf("mtaes-bench %s\n", mtaes_version());
        return false;
    }
    *exit_code = EXIT_USAGE;
    if (found < VALUE_ROWS) {
        complain_about_getopt(set, found, word);
        return false;
    }
    const struct option_row *const row = &set->rows[found - VALUE_ROWS];
    return row->parse(row->name, optarg, (char *)fields + row->offset);
}

static bool take_operands(const struct option_set *set, int argc, char **argv,
                          const char **operands)
{
    const size_t given = (size_t)(argc - optind);
    if (given > set->operands)
        return complain("%s: unexpected word '%s'; options begin with --", set->command,
                        argv[optind + (int)set->operands]);
    if (given < set->operands)
        return complain("%s needs %zu words beside its options, not %zu: mtaes-bench %s",
                        set->command, set->operands, given, set->synopsis);
    for (size_t i = 0; i < given; i++)
        operands[i] = argv[optind + (int)i];
    return true;
}

bool options_parse(const struct option_set *set, int argc, char **argv, void *fields,
                   const char **operands, int *exit_code)
{
    struct option *const table = getopt_table(set);
    bool go_on = true;
    optind = 0; /* glibc: begin anew */
    opterr = 0;
    while (go_on) {
        const int found = getopt_long(argc, argv, ":h", table, NULL);
        if (found == -1)
            break;
        char letter[3] = {'-', (char)optopt, 0};
        const bool short_one =
            (found == '?' || found == ':') && optopt > ' ' && optopt < 127 && optopt != VALUE_HELP;
        go_on = take_option(set, found, short_one ? letter : argv[optind - 1], fields, exit_code);
    }
    free(table);
    if (!go_on)
        return false;
    *exit_code = EXIT_USAGE;
    return take_operands(set, argc, argv, operands);
}

bool each_item(const char *name, const char *word, bool (*take)(const char *item, void *context),
               void *context)
{
    char *const copy = copy_text(word);
    bool good = true;
    char *rest = copy;
    while (good && rest) {
        const char *const item = strsep(&rest, ",");
        good = *item ? take(item, context)
                     : complain("--%s='%s': an item of the list is empty", name, word);
    }
    free(copy);
    return good;
}

bool size_list_add(struct size_list *list, size_t value)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->at[i] == value)
            return true;
    }
    if (list->count == LIST_MAX)
        return false;
    list->at[list->count++] = value;
    return true;
}

static int ascending(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

void size_list_sort(struct size_list *list)
{
    qsort(list->at, list->count, sizeof list->at[0], ascending);
}

bool read_number(const char *word, uint64_t *number)
{
    uint64_t value = 0;
    if (!*word)
        return false;
    for (; *word; word++) {
        if (*word < '0' || *word > '9' || __builtin_mul_overflow(value, 10u, &value) ||
            __builtin_add_overflow(value, (uint64_t)(*word - '0'), &value))
            return false;
    }
    *number = value;
    return true;
}

bool read_bytes(const char *word, size_t *bytes)
{
    const size_t length = strlen(word);
    char digits[32];
    if (length == 0 || length >= sizeof digits)
        return false;
    memcpy(digits, word, length + 1);
    size_t factor = 1;
    const char *const letters = "kKmMgG", *const letter = strchr(letters, word[length - 1]);
    if (letter) {
        factor = (size_t)1 << (10 * ((letter - letters) / 2 + 1));
        digits[length - 1] = 0;
    }
    uint64_t number;
    return read_number(digits, &number) && !__builtin_mul_overflow(number, factor, bytes);
}

bool parse_flag(const char *name, const char *word, void *bool_field)
{
    (void)name, (void)word;
    *(bool *)bool_field = true;
    return true;
}

bool parse_path(const char *name, const char *word, void *const_char_pointer_field)
{
    if (!*word)
        return complain("--%s='': a file name is needed", name);
    *(const char **)const_char_pointer_field = word;
    return true;
}

bool parse_seed(const char *name, const char *word, void *uint64_field)
{
    uint64_t *const seed = uint64_field;
    if (!read_number(word, seed) || *seed > INT64_MAX) /* the integers of JSON reports */
        return complain("--%s='%s': a number from 0 to 9223372036854775807 is needed", name, word);
    return true;
}

bool parse_bytes(const char *name, const char *word, void *size_field)
{
    if (!read_bytes(word, size_field) || *(size_t *)size_field == 0)
        return complain("--%s='%s': a number of bytes is needed, 1 or more, with K, M or G behind "
                        "it for powers of 1024",
                        name, word);
    return true;
}

bool parse_count(const char *name, const char *word, void *size_field)
{
    uint64_t number;
    if (!read_number(word, &number) || number < 1 || number > 1000000)
        return complain("--%s='%s': a number from 1 to 1000000 is needed", name, word);
    *(size_t *)size_field = number;
    return true;
}

struct list_context {
    const char *name;
    struct size_list *list;
};

static bool add_item(const struct list_context *c, const char *item, size_t value)
{
    if (size_list_add(c->list, value))
        return true;
    return complain("--%s: '%s' is one too many; a list has at most %d items", c->name, item,
                    LIST_MAX);
}

static bool take_size(const char *item, void *context)
{
    const struct list_context *const c = context;
    size_t bytes;
    return parse_bytes(c->name, item, &bytes) && add_item(c, item, bytes);
}

bool parse_size_list(const char *name, const char *word, void *list_field)
{
    struct list_context c = {name, list_field};
    c.list->count = 0;
    return each_item(name, word, take_size, &c);
}

static bool take_threads(const char *item, void *context)
{
    const struct list_context *const c = context;
    uint64_t number;
    if (strcmp(item, "auto") == 0)
        number = mtaes_threads_available().chosen;
    else if (!read_number(item, &number) || number < 1 || number > THREADS_MAX)
        return complain("--%s='%s': auto, or a number from 1 to %d is needed", c->name, item,
                        THREADS_MAX);
    return add_item(c, item, number);
}

bool parse_thread_list(const char *name, const char *word, void *list_field)
{
    struct list_context c = {name, list_field};
    c.list->count = 0;
    return each_item(name, word, take_threads, &c);
}
