/* message.c: opening and beginning messages, with our header before them or bare. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "message.h"

#include <stdlib.h>
#include <string.h>

static bool truncated(const char *name, uint64_t length, const char *where, struct problem *problem)
{
    return problem_set(problem, EXIT_TRUNCATED, "%s: truncated: it ends at byte %llu, %s", name,
                       (unsigned long long)length, where);
}

bool message_measure(const struct input *input, uint64_t at, uint64_t *full_chunks,
                     size_t *last_bytes, struct problem *problem)
{
    if (input->length < at + PREFIX_BYTES)
        return truncated(input->name, input->length, "before the first chunk", problem);
    const uint64_t chunks = input->length - at - PREFIX_BYTES;
    *full_chunks = chunks / CHUNK_BYTES;
    *last_bytes = (size_t)(chunks % CHUNK_BYTES);
    if (*full_chunks >= CHUNKS_MOST)
        return problem_set(problem, EXIT_DAMAGED,
                           "%s: %llu bytes; a message has at most 2^38 chunks", input->name,
                           (unsigned long long)input->length);
    return *last_bytes >= CHUNK_TAG_BYTES ||
           truncated(input->name, input->length,
                     *last_bytes == 0 ? "where a chunk ends that is not the last"
                                      : "which leaves less than a tag for the last chunk",
                     problem);
}

static bool measure_if_possible(const struct input *input, uint64_t at, struct problem *problem)
{
    uint64_t full_chunks;
    size_t last_bytes;
    return !input->positioned || message_measure(input, at, &full_chunks, &last_bytes, problem);
}

static bool read_prefix(struct input *input, uint64_t at, uint8_t prefix[PREFIX_BYTES],
                        struct problem *problem)
{
    size_t got;
    if (!input_read(input, prefix, PREFIX_BYTES, &got, problem))
        return false;
    return got == PREFIX_BYTES ||
           truncated(input->name, at + got, "before the first chunk", problem);
}

static bool bare_key(const struct message_options *options, const struct secrets *secrets,
                     unsigned *suite, struct problem *problem)
{
    if (secrets->count != 1 || secrets->list[0].kind != SECRET_KEY)
        return problem_set(problem, EXIT_USAGE,
                           "--bare takes one key file and no passphrase: its key encrypts the "
                           "message itself");
    const size_t bytes = secrets->list[0].bytes;
    *suite = options->suite == 0 ? (unsigned)bytes * 8 : options->suite;
    return bytes * 8 == *suite ||
           problem_set(problem, EXIT_USAGE, "--bare: a key of %zu bytes; suite %u takes %u", bytes,
                       *suite, *suite / 8);
}

/* Derive the keys that go with a prefix, and compare its commitment before anything else. */
static bool open_prefix(mtaes_engine *engine, const uint8_t *key, size_t key_bytes,
                        const uint8_t prefix[PREFIX_BYTES], const uint8_t *context,
                        size_t context_bytes, struct message *message, bool *committed,
                        struct problem *problem)
{
    uint8_t commitment[COMMITMENT_BYTES];
    message->keys = cobblestone_create(engine, key, key_bytes, prefix, context, context_bytes,
                                       commitment, problem);
    if (message->keys == NULL)
        return false;
    *committed = secret_equal(commitment, prefix + SALT_BYTES, COMMITMENT_BYTES);
    if (!*committed)
        message_close(message);
    return true;
}

static bool open_bare(mtaes_engine *engine, struct input *input,
                      const struct message_options *options, const struct secrets *secrets,
                      struct message *message, struct problem *problem)
{
    uint8_t prefix[PREFIX_BYTES];
    bool committed = false;
    message->at = 0;
    if (!bare_key(options, secrets, &message->suite, problem) ||
        !measure_if_possible(input, 0, problem) || !read_prefix(input, 0, prefix, problem) ||
        !open_prefix(engine, secrets->list[0].data, secrets->list[0].bytes, prefix,
                     options->context, options->context_bytes, message, &committed, problem))
        return false;
    return committed || problem_set(problem, EXIT_NO_SLOT,
                                    "%s: the commitment, bytes %d to %d, is that of another key, "
                                    "suite or context, or the first %d bytes are damaged",
                                    input->name, SALT_BYTES, PREFIX_BYTES - 1, PREFIX_BYTES);
}

bool message_check_commitment(mtaes_engine *engine, struct input *input, const uint8_t *header,
                              const struct data_key *key, struct message *message,
                              struct problem *problem)
{
    uint8_t prefix[PREFIX_BYTES];
    bool committed = false;
    if (!read_prefix(input, HEADER_BYTES, prefix, problem) ||
        !open_prefix(engine, key->key, key->bytes, prefix, header, IMMUTABLE_BYTES, message,
                     &committed, problem))
        return false;
    return committed || problem_set(problem, EXIT_DAMAGED,
                                    "%s: damaged between byte %d and byte %d: the commitment is "
                                    "wrong",
                                    input->name, HEADER_BYTES, HEADER_BYTES + PREFIX_BYTES - 1);
}

static bool open_container(mtaes_engine *engine, struct input *input,
                           const struct message_options *options, const struct secrets *secrets,
                           struct message *message, struct problem *problem)
{
    uint8_t header[HEADER_BYTES];
    struct header_view view;
    struct header_opened opened;
    size_t got;
    message->at = HEADER_BYTES;
    if (!input_read(input, header, sizeof header, &got, problem) ||
        !header_check(header, got, options->salvage, input->name, &view, problem) ||
        !measure_if_possible(input, HEADER_BYTES, problem) ||
        !header_open(engine, header, &view, secrets, input->name, &opened, problem))
        return false;
    message->suite = view.suite;
    const bool right =
        message_check_commitment(engine, input, header, opened.key, message, problem);
    secret_free(opened.key, sizeof *opened.key);
    return right;
}

bool message_open(mtaes_engine *engine, struct input *input, const struct message_options *options,
                  const struct secrets *secrets, struct message *message, struct problem *problem)
{
    *message = (struct message){.keys = NULL};
    return options->bare ? open_bare(engine, input, options, secrets, message, problem)
                         : open_container(engine, input, options, secrets, message, problem);
}

static bool create_bare(mtaes_engine *engine, const struct message_options *options,
                        const struct secrets *secrets, uint8_t *prefix, struct message *message,
                        struct problem *problem)
{
    if (!bare_key(options, secrets, &message->suite, problem))
        return false;
    message->keys =
        cobblestone_create(engine, secrets->list[0].data, secrets->list[0].bytes, prefix,
                           options->context, options->context_bytes, prefix + SALT_BYTES, problem);
    return message->keys != NULL;
}

static bool create_container(mtaes_engine *engine, const struct message_options *options,
                             const struct secrets *secrets, uint8_t *lead, struct message *message,
                             struct problem *problem)
{
    struct data_key *key;
    uint8_t *const prefix = lead + HEADER_BYTES;
    message->suite = options->suite == 0 ? 256 : options->suite;
    message->at = HEADER_BYTES;
    if (!header_create(engine, message->suite, secrets, &options->cost, lead, &key, problem))
        return false;
    message->keys = cobblestone_create(engine, key->key, key->bytes, prefix, lead, IMMUTABLE_BYTES,
                                       prefix + SALT_BYTES, problem);
    secret_free(key, sizeof *key);
    return message->keys != NULL;
}

bool message_create(mtaes_engine *engine, const struct message_options *options,
                    const struct secrets *secrets, uint8_t lead[LEAD_BYTES_MOST],
                    size_t *lead_bytes, struct message *message, struct problem *problem)
{
    *message = (struct message){.keys = NULL};
    *lead_bytes = (options->bare ? 0 : HEADER_BYTES) + PREFIX_BYTES;
    if (!random_bytes(lead + *lead_bytes - PREFIX_BYTES, SALT_BYTES, problem))
        return false;
    return options->bare ? create_bare(engine, options, secrets, lead, message, problem)
                         : create_container(engine, options, secrets, lead, message, problem);
}

void message_close(struct message *message)
{
    cobblestone_free(message->keys);
    message->keys = NULL;
}

bool message_verify_end(const struct message *message, struct input *input, struct problem *problem)
{
    uint64_t full_chunks;
    size_t last_bytes, got, good = 0;
    if (!message_measure(input, message->at, &full_chunks, &last_bytes, problem))
        return false;
    uint8_t *const chunk = malloc(CHUNK_BYTES);
    if (chunk == NULL)
        return problem_set(problem, EXIT_OTHER, "out of memory");
    const uint64_t at = message->at + PREFIX_BYTES + full_chunks * CHUNK_BYTES;
    bool right =
        input_read_spread(input, at, chunk, last_bytes, last_bytes, last_bytes, &got, problem) &&
        cobblestone_crypt(message->keys, MTAES_DECRYPT, full_chunks, chunk, 1,
                          last_bytes - CHUNK_TAG_BYTES, &good, problem);
    free(chunk);
    return right && (good == 1 || problem_set(problem, EXIT_DAMAGED,
                                              "%s: the last chunk, at byte %llu (number %llu), is "
                                              "damaged, or the end is cut off inside it",
                                              input->name, (unsigned long long)at,
                                              (unsigned long long)full_chunks));
}
