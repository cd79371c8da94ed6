/* load.c: reading the secrets that the command line names. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli.h"

#include "file/kdf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t message_key_bytes[] = {16, 32, 0};
static const size_t raw_key_bytes[] = {16, 24, 32, 64, 0};

/* Whether standard input is the data of some file of this command. */
static bool takes_stdin(const struct options *options)
{
    for (size_t i = 0; i < options->file_count; i++)
        if (strcmp(options->files[i], "-") == 0)
            return true;
    return options->file_count == 0;
}

static bool load_fd(const struct options *options, struct secret *secret, const char *argument,
                    struct problem *problem)
{
    char *end;
    char name[64];
    const long fd = strtol(argument, &end, 10);
    if (*argument < '0' || *argument > '9' || *end != 0 || fd > 65535)
        return problem_set(problem, EXIT_USAGE,
                           "--passphrase-fd: '%s'; the number of an open descriptor is right",
                           argument);
    if (takes_stdin(options) && secret_shares_stdin((int)fd))
        return problem_set(problem, EXIT_USAGE,
                           "--passphrase-fd=%ld: standard input is the data; another descriptor, "
                           "or a FILE, is right",
                           fd);
    snprintf(name, sizeof name, "descriptor %ld", fd);
    return secret_from_fd(secret, (int)fd, name, problem);
}

/* The key of a tool that takes text: filled with blanks to 16 bytes, or cut. */
static bool load_key_text(struct secret *secret, const char *path, bool stdin_is_data,
                          struct problem *problem)
{
    enum { TEXT_KEY_BYTES = 16 };
    if (!secret_from_file(secret, path, stdin_is_data, problem))
        return false;
    for (size_t i = secret->bytes; i < TEXT_KEY_BYTES; i++)
        secret->data[i] = ' ';
    secret->kind = SECRET_KEY;
    secret->bytes = TEXT_KEY_BYTES;
    return true;
}

static bool load_one(const struct options *options, const struct source *source, bool is_new,
                     struct secret *secret, struct problem *problem)
{
    const char *const argument = source->argument;
    const bool confirm = is_new || ((options->verb == VERB_NONE || options->verb == VERB_ENCRYPT) &&
                                    !options->decrypt);
    const bool stdin_is_data = takes_stdin(options);
    switch (source->kind) {
    case SOURCE_KEY_FILE:
        return secret_from_key_file(secret, argument, stdin_is_data,
                                    options->verb == VERB_RAW ? raw_key_bytes : message_key_bytes,
                                    problem);
    case SOURCE_KEY_TEXT_FILE:
        return load_key_text(secret, argument, stdin_is_data, problem);
    case SOURCE_TERMINAL:
        return secret_from_terminal(secret, is_new ? "New passphrase: " : "Passphrase: ", confirm,
                                    problem);
    case SOURCE_FILE:
        return secret_from_file(secret, argument, stdin_is_data, problem);
    case SOURCE_FD:
        return load_fd(options, secret, argument, problem);
    case SOURCE_ENVIRONMENT:
        return secret_from_environment(secret, argument, problem);
    case SOURCE_COMMAND:
        return secret_from_command(secret, argument, problem);
    default:
        return problem_set(problem, EXIT_OTHER, "no such source of secrets");
    }
}

static bool load_list(const struct options *options, const struct source *sources, size_t count,
                      bool is_new, struct secrets **secrets, struct problem *problem)
{
    *secrets = secrets_create(problem);
    if (*secrets == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        struct secret *const secret = secrets_next(*secrets, problem);
        if (secret == NULL || !load_one(options, &sources[i], is_new, secret, problem))
            return false;
        (*secrets)->count++;
    }
    return true;
}

static bool any_passphrase(const struct source *sources, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (sources[i].kind != SOURCE_KEY_FILE && sources[i].kind != SOURCE_KEY_TEXT_FILE)
            return true;
    return false;
}

static bool check_counts(const struct options *options, struct problem *problem)
{
    if (options->source_count == 0)
        return problem_set(problem, EXIT_USAGE,
                           "no key: -k FILE, -p or one of the --passphrase options is right");
    if (options->verb == VERB_RAW && options->source_count != 1)
        return problem_set(problem, EXIT_USAGE, "raw takes one key, not %zu",
                           options->source_count);
    if (options->verb == VERB_SLOT_ADD && options->new_source_count == 0)
        return problem_set(problem, EXIT_USAGE,
                           "slot-add: no new secret: --new-key-file, --new-passphrase or one of "
                           "the --new-passphrase options is right");
    if (options->verb == VERB_REWRAP && options->new_source_count > 1)
        return problem_set(problem, EXIT_USAGE, "rewrap takes one new secret, not %zu",
                           options->new_source_count);
    return true;
}

bool secrets_load(struct options *options, struct problem *problem)
{
    if (options->verb == VERB_INFO || options->verb == VERB_KEYGEN)
        return true;
    if (!check_counts(options, problem))
        return false;
    if ((any_passphrase(options->sources, options->source_count) ||
         any_passphrase(options->new_sources, options->new_source_count)) &&
        !argon2id_available())
        return problem_set(problem, EXIT_OTHER,
                           "this build has no Argon2id, which passphrases need: build it with "
                           "libargon2 or with OpenSSL 3.2 or later; key files (-k) work");
    return load_list(options, options->sources, options->source_count, false, &options->secrets,
                     problem) &&
           load_list(options, options->new_sources, options->new_source_count, true,
                     &options->new_secrets, problem);
}
