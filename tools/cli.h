/* cli.h: what the verbs of mtaes share: options, secrets, input and output of a file. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MTAES_TOOLS_CLI_H
#define MTAES_TOOLS_CLI_H

#include "file/message.h"
#include "file/output.h"
#include "file/problem.h"
#include "file/secret.h"
#include "mtaes.h"

enum verb {
    VERB_NONE, /* encrypt, or decrypt with -d */
    VERB_ENCRYPT,
    VERB_DECRYPT,
    VERB_CAT,
    VERB_VERIFY,
    VERB_INFO,
    VERB_KEYGEN,
    VERB_REWRAP,
    VERB_SLOT_ADD,
    VERB_SLOT_RM,
    VERB_RAW,
};

enum progress { PROGRESS_OFF, PROGRESS_TEXT, PROGRESS_JSON };

/* Where a secret comes from. */
enum source_kind {
    SOURCE_KEY_FILE,
    SOURCE_KEY_TEXT_FILE, /* raw only */
    SOURCE_TERMINAL,
    SOURCE_FILE,
    SOURCE_FD,
    SOURCE_ENVIRONMENT,
    SOURCE_COMMAND,
};

struct source {
    enum source_kind kind;
    const char *argument;
};

enum { SOURCES_MOST = SECRETS_MOST + 1, CONTEXT_BYTES_MOST = 4096 };

struct options {
    enum verb verb;
    bool decrypt, to_stdout, force, quiet, remove_input, json, verbose;
    enum progress progress;
    size_t threads;
    const char *output;
    struct message_options message;
    uint8_t context[CONTEXT_BYTES_MOST];

    struct source sources[SOURCES_MOST], new_sources[SOURCES_MOST];
    size_t source_count, new_source_count;
    struct secrets *secrets, *new_secrets;

    bool has_range, range_to_end;
    uint64_t range_at, range_bytes;
    int slot;      /* -1: not given */
    unsigned bits; /* keygen; 0: not given */

    const char *cipher, *mode, *kernel, *iv, *pad; /* raw; NULL: not given */
    bool hex;
    uint64_t unit_bytes;

    char **files;
    size_t file_count;
};

/* options.c: fill in the options; *stop says that there is nothing more to do (--help). */
bool options_parse(struct options *options, int argc, char **argv, bool *stop,
                   struct problem *problem);
void options_free(struct options *options);

/* load.c: read the secrets that the options name. */
bool secrets_load(struct options *options, struct problem *problem);

/* The verbs, for one file each (NULL: standard input). */
bool verb_encrypt(const struct options *options, const char *file, struct problem *problem);
bool verb_decrypt(const struct options *options, const char *file, struct problem *problem);
bool verb_verify(const struct options *options, const char *file, struct problem *problem);
bool verb_info(const struct options *options, const char *file, struct problem *problem);
bool verb_keygen(const struct options *options, const char *file, struct problem *problem);
bool verb_slots(const struct options *options, const char *file, struct problem *problem);
bool verb_raw(const struct options *options, const char *file, struct problem *problem);

/* An engine that runs everything on the thread that calls it; NULL: see the problem. */
mtaes_engine *engine_create(size_t threads, struct problem *problem);

/* One line on standard error, beginning with "mtaes: ". */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
