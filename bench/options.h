/* options.h: command-line options as rows of a table, and the one way to complain about them. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };
enum { LIST_MAX = 64 };

struct size_list {
    size_t count;
    size_t at[LIST_MAX]; /* no value twice */
};

/* One option of a command. `parse` reads word into the field, or complains and returns false; a
   flag's word is NULL. */
struct option_row {
    const char *name;  /* without the dashes */
    const char *value; /* how its value looks in the help; NULL: a flag */
    const char *help;
    bool (*parse)(const char *name, const char *word, void *field);
    size_t offset; /* of the field in the command's own struct */
};

struct option_set {
    const char *command, *synopsis; /* for the help */
    const struct option_row *rows;
    size_t count;
    size_t operands; /* how many words beside options the command takes, exactly */
};

/*
 * Read the options of a command (argv[0] is its name) into *fields. --help and --version are
 * known to all commands and end the work. Returns true to go on, operands[0..set->operands) set;
 * false: leave with *exit_code.
 */
bool options_parse(const struct option_set *set, int argc, char **argv, void *fields,
                   const char **operands, int *exit_code);

/* Print the options of a command. */
void options_help(const struct option_set *set);

/* Print "mtaes-bench: ..." on standard error; always false. */
bool complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Call take(item, context) for each item of a list with commas; an empty item is refused. */
bool each_item(const char *name, const char *word, bool (*take)(const char *item, void *context),
               void *context);

/* Append value unless it is there; false if the list is full. */
bool size_list_add(struct size_list *list, size_t value);

/* Ascending. */
void size_list_sort(struct size_list *list);

/* Whole words: digits, and for bytes K, M or G (powers of 1024). False: not such a number, or it
   does not fit. */
bool read_bytes(const char *word, size_t *bytes);
bool read_number(const char *word, uint64_t *number);

/* Parsers for fields of common types. */
bool parse_flag(const char *name, const char *word, void *bool_field);
bool parse_path(const char *name, const char *word, void *const_char_pointer_field);
bool parse_seed(const char *name, const char *word, void *uint64_field);
bool parse_bytes(const char *name, const char *word, void *size_field);       /* not 0 */
bool parse_count(const char *name, const char *word, void *size_field);       /* 1 to 1000000 */
bool parse_size_list(const char *name, const char *word, void *list_field);   /* bytes, not 0 */
bool parse_thread_list(const char *name, const char *word, void *list_field); /* auto resolved */

#endif
