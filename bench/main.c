/* main.c: mtaes-bench: finds the command and hands over to it. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "mtaes.h"
#include "options.h"

/* The first row is what runs when no command is named. */
static const struct command commands[] = {
    {"tables", "run tables: times and rates of each run, engine and size", cmd_tables},
    {"kernels", "every kernel, one thread: a grid of modes and sizes, and its limits", cmd_kernels},
    {"scaling", "rates against threads and sizes: where threads begin to pay", cmd_scaling},
    {"compare", "two JSON reports: ratios, their spread, and what got slower", cmd_compare},
    {"gecko", "Gecko against AES: the published tests, measured again", cmd_gecko},
    {"beecrypt", "the workloads of BeeCrypt's published benchmarks, by libcrypto", cmd_beecrypt},
    {"report", "all published suites in one folder, with plots and one HTML page", cmd_report},
    {"info", "this machine, its kernels and threads, and why they are chosen", cmd_info},
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

const struct command *command_find(const char *name)
{
    for (size_t i = 0; i < COMMANDS; i++) {
        if (strcmp(name, commands[i].name) == 0)
            return &commands[i];
    }
    return NULL;
}

static int help(void)
{
    printf("Usage: mtaes-bench [COMMAND] [OPTION...]\n\n"
           "Measures libmtaes beside other engines on the same work, every byte checked.\n\n"
           "Commands (%s when none is named):\n",
           commands[0].name);
    for (size_t i = 0; i < COMMANDS; i++)
        printf("  %-10s  %s\n", commands[i].name, commands[i].summary);
    printf("\nmtaes-bench COMMAND --help lists the options of a command.\n"
           "Exit codes: 0 done, 1 failed, 2 wrong usage.\n");
    return EXIT_DONE;
}

static int unknown(const char *word)
{
    char list[256] = "";
    size_t used = 0;
    for (size_t i = 0; i < COMMANDS && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "",
                                 commands[i].name);
    complain("no command '%s'; there are %s", word, list);
    return EXIT_USAGE;
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2 || argv[1][0] == '-')
        return commands[0].run(argc, argv);
    const struct command *command = command_find(argv[1]);
    return command ? command->run(argc - 1, argv + 1) : unknown(argv[1]);
}

int main(int argc, char **argv)
{
    const bool asks = argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0);
    const int code = asks ? help() : dispatch(argc, argv);
    /* what was printed may still be in the buffer, and the disk full */
    if (fflush(stdout) != 0 || ferror(stdout)) {
        perror("mtaes-bench: standard output");
        return code == EXIT_USAGE ? code : EXIT_FAILED;
    }
    return code;
}
