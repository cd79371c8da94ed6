/* mtaes.c: the main program of the file tool: signals, options, secrets, one verb for each file. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli.h"

#include "file/kdf.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

void say(const char *format, ...)
{
    char line[1200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    fprintf(stderr, "mtaes: %s\n", line);
}

mtaes_engine *engine_create(size_t threads, struct problem *problem)
{
    mtaes_engine *engine;
    const mtaes_engine_options options = {.threads = threads};
    const mtaes_status status = mtaes_engine_create(&engine, &options);
    if (status == MTAES_OK)
        return engine;
    problem_set(problem, EXIT_OTHER, "libmtaes: %s", mtaes_status_text(status));
    return NULL;
}

/* Remove the temporary file and die of the signal, as the default would. */
static void handle_deadly(int number)
{
    output_abort_in_handler();
    raise(number); /* SA_RESETHAND: now the default; SA_NODEFER: at once */
}

static void set_signals(void)
{
    static const int deadly[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU};
    struct sigaction action = {.sa_handler = handle_deadly,
                               .sa_flags = (int)SA_RESETHAND | SA_NODEFER};
    for (size_t i = 0; i < sizeof deadly / sizeof deadly[0]; i++) {
        struct sigaction before;
        if (sigaction(deadly[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(deadly[i], &action, NULL);
    }
    signal(SIGPIPE, SIG_IGN); /* writing then says EPIPE */
    signal(SIGXFSZ, SIG_IGN); /* and EFBIG */
}

/* A descriptor that is closed at the start would become some file's. It is opened the wrong way
   round, so that using it fails: data must not vanish in /dev/null. */
static bool open_standard_descriptors(void)
{
    for (int fd = 0; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 &&
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
            return false;
    return true;
}

static bool run_verb(const struct options *options, const char *file, struct problem *problem)
{
    switch (options->verb) {
    case VERB_NONE:
        return options->decrypt ? verb_decrypt(options, file, problem)
                                : verb_encrypt(options, file, problem);
    case VERB_ENCRYPT:
        return verb_encrypt(options, file, problem);
    case VERB_DECRYPT:
    case VERB_CAT:
        return verb_decrypt(options, file, problem);
    case VERB_VERIFY:
        return verb_verify(options, file, problem);
    case VERB_INFO:
        return verb_info(options, file, problem);
    case VERB_KEYGEN:
        return verb_keygen(options, file, problem);
    case VERB_RAW:
        return verb_raw(options, file, problem);
    case VERB_REWRAP:
    case VERB_SLOT_ADD:
    case VERB_SLOT_RM:
        return verb_slots(options, file, problem);
    default:
        return problem_set(problem, EXIT_USAGE, "no such verb");
    }
}

/* All files in turn; the first that fails gives the exit code, the others are still done. */
static enum exit_code run_all(const struct options *options)
{
    enum exit_code code = EXIT_DONE;
    const size_t count = options->file_count == 0 ? 1 : options->file_count;
    for (size_t i = 0; i < count; i++) {
        struct problem problem = {.code = EXIT_DONE};
        const char *const file = options->file_count == 0 ? NULL : options->files[i];
        if (run_verb(options, file, &problem))
            continue;
        say("%s", problem.text);
        if (code == EXIT_DONE)
            code = problem.code;
    }
    return code;
}

/* Closing can tell of writes that failed late: a quota on a network file system. */
static enum exit_code close_output(enum exit_code code)
{
    const bool failed = fflush(stdout) != 0 || ferror(stdout) || close(STDOUT_FILENO) != 0;
    if (!failed || code != EXIT_DONE)
        return code;
    say("standard output: closing: %s", strerror(errno));
    return EXIT_IO;
}

static enum exit_code run(int argc, char **argv)
{
    struct options options;
    struct problem problem = {.code = EXIT_DONE};
    bool stop;
    enum exit_code code = EXIT_DONE;
    const bool right = options_parse(&options, argc, argv, &stop, &problem) &&
                       (stop || secrets_load(&options, &problem));
    if (!right) {
        say("%s", problem.text);
        if (problem.code == EXIT_USAGE)
            say("'mtaes --help' shows what is right");
        code = problem.code;
    } else if (!stop) {
        code = run_all(&options);
        if (secret_lock_failed() && !options.quiet)
            say("warning: memory for keys could not be locked (ulimit -l); it may have been "
                "swapped out");
    }
    options_free(&options);
    return close_output(code);
}

int main(int argc, char **argv)
{
    const struct rlimit no_core = {0, 0};
    if (!open_standard_descriptors())
        return EXIT_OTHER;
    setrlimit(RLIMIT_CORE, &no_core); /* a core would hold keys */
    set_signals();
    return (int)run(argc, argv);
}
