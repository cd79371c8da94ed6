/* verb_keygen.c: keygen: a new key file, hexadecimal digits and a newline, mode 0600. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli.h"

#include "file/bytes.h"
#include "file/kdf.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KEY_BYTES_MOST = 32 };

bool verb_keygen(const struct options *options, const char *file, struct problem *problem)
{
    const size_t bytes = options->bits == 0 ? KEY_BYTES_MOST : options->bits / 8;
    uint8_t key[KEY_BYTES_MOST];
    char line[2 * KEY_BYTES_MOST + 1];
    struct output output = {.fd = -1};
    if (options->output != NULL && file != NULL)
        return problem_set(problem, EXIT_USAGE, "keygen: -o %s and %s: one of them is right",
                           options->output, file);
    const char *const path = options->output != NULL ? options->output : file;
    bool right = output_open(&output, path, options->force, NULL, problem) &&
                 random_bytes(key, bytes, problem);
    if (right) {
        hex_encode(line, key, bytes);
        line[2 * bytes] = '\n';
        right =
            output_write(&output, line, 2 * bytes + 1, problem) && output_commit(&output, problem);
    }
    secret_wipe(key, sizeof key);
    secret_wipe(line, sizeof line);
    if (!right)
        output_abort(&output);
    return right;
}
