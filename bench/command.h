/* command.h: the commands of mtaes-bench: one file and one row in main.c each. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_COMMAND_H
#define BENCH_COMMAND_H

/* argv[0] is the command's name; the result is the exit code (options.h). */
struct command {
    const char *name, *summary;
    int (*run)(int argc, char **argv);
};

/* NULL: there is no such command in this build. */
const struct command *command_find(const char *name);

int cmd_tables(int argc, char **argv);
int cmd_kernels(int argc, char **argv);
int cmd_scaling(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_beecrypt(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_gecko(int argc, char **argv);
int cmd_info(int argc, char **argv);

#endif
