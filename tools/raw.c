/* raw.c: raw: single modes without header or authentication, as `openssl enc -K -iv` has them. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli.h"

#include "file/bytes.h"
#include "file/kdf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 16, PIECE_BYTES = 4 << 20, XTS_UNIT_BYTES = 512 };

enum padding { PAD_NONE, PAD_PKCS7, PAD_NUL };

struct raw {
    const struct options *options;
    mtaes_direction direction;
    enum padding padding;
    size_t unit_bytes; /* XTS; otherwise 0 */
    size_t piece_bytes;
    uint8_t iv[BLOCK];
    size_t iv_bytes;
    mtaes_engine *engine;
    mtaes_key *key;
    mtaes_stream *stream; /* not in XTS, which runs unit by unit */
    struct input input;
    struct output output;
    bool has_input, has_output;
    uint8_t *piece;      /* piece_bytes and one block; processed in place */
    uint8_t tail[BLOCK]; /* decryption with padding: the last block is not written before the end */
    bool has_tail;
    uint8_t text[4096]; /* hexadecimal input: text[text_at..text_bytes) is not yet decoded */
    size_t text_at, text_bytes;
    uint64_t done; /* bytes of input */
};

static bool status_problem(mtaes_status status, const char *what, struct problem *problem)
{
    const enum exit_code code = status == MTAES_KEY || status == MTAES_IV ? EXIT_USAGE : EXIT_OTHER;
    return status == MTAES_OK ||
           problem_set(problem, code, "raw: %s: %s", what, mtaes_status_text(status));
}

/* ------------------------------------------------------------------------------------------------
 * setting up */

/* "aes", or "aes-256" with the key to match; the kernel is the fastest or the one named. */
static const mtaes_kernel *choose_kernel(const struct options *o, size_t key_bytes, bool xts,
                                         struct problem *problem)
{
    const char *const cipher = o->cipher == NULL ? "aes" : o->cipher;
    const size_t base = strcspn(cipher, "-");
    char name[16], *end = NULL;
    const unsigned long bits = cipher[base] == '-' ? strtoul(cipher + base + 1, &end, 10) : 0;
    const bool known = (base == 3 && strncmp(cipher, "aes", 3) == 0) ||
                       (base == 5 && strncmp(cipher, "gecko", 5) == 0);
    if (!known || (end != NULL && (*end != 0 || (bits != 128 && bits != 192 && bits != 256)))) {
        problem_set(
            problem, EXIT_USAGE,
            "--cipher: '%s'; aes, aes-128, aes-192, aes-256 or the same with gecko is right",
            cipher);
        return NULL;
    }
    if (bits != 0 && bits / 8 * (xts ? 2 : 1) != key_bytes) {
        problem_set(problem, EXIT_USAGE, "--cipher: '%s' with a key of %zu bytes; %lu is right",
                    cipher, key_bytes, bits / 8 * (xts ? 2 : 1));
        return NULL;
    }
    snprintf(name, sizeof name, "%.*s", (int)base, cipher);
    const mtaes_kernel *const kernel = mtaes_kernel_find(o->kernel == NULL ? name : o->kernel);
    if (kernel == NULL)
        problem_set(problem, EXIT_USAGE, "no kernel '%s' that this CPU can run",
                    o->kernel == NULL ? name : o->kernel);
    else if (strcmp(mtaes_kernel_cipher(kernel), name) != 0) {
        problem_set(problem, EXIT_USAGE, "--kernel: '%s' is not for --cipher=%s", o->kernel, name);
        return NULL;
    }
    return kernel;
}

static bool set_key(struct raw *raw, const mtaes_mode *mode, bool xts, struct problem *problem)
{
    const struct secret *const secret = &raw->options->secrets->list[0];
    const mtaes_kernel *const kernel = choose_kernel(raw->options, secret->bytes, xts, problem);
    if (kernel == NULL)
        return false;
    const mtaes_status status =
        mtaes_key_create(&raw->key, kernel, mode, secret->data, secret->bytes);
    if (status == MTAES_KEY)
        return problem_set(problem, EXIT_USAGE, "raw: a key of %zu bytes; %s with %s takes %s",
                           secret->bytes, mtaes_kernel_cipher(kernel), mtaes_mode_name(mode),
                           xts ? "32 or 64" : "16, 24 or 32");
    return status_problem(status, "key", problem);
}

static bool set_iv(struct raw *raw, const mtaes_mode_info *info, const char *mode,
                   struct problem *problem)
{
    const char *const text = raw->options->iv;
    const size_t wanted = info->iv_bytes_max == 0 ? 0 : BLOCK;
    if (wanted == 0 && text != NULL)
        return problem_set(problem, EXIT_USAGE, "--iv: %s takes none", mode);
    if (wanted != 0 &&
        (text == NULL || strlen(text) != 2 * wanted || !hex_decode(raw->iv, text, wanted)))
        return problem_set(problem, EXIT_USAGE, "--iv: '%s'; %zu hexadecimal digits are right",
                           text == NULL ? "" : text, 2 * wanted);
    raw->iv_bytes = wanted;
    return true;
}

static bool set_padding(struct raw *raw, const mtaes_mode_info *info, const char *mode,
                        struct problem *problem)
{
    static const char *const names[] = {"none", "pkcs7", "nul"};
    const char *const text = raw->options->pad;
    const bool blocks = info->multiple_bytes == BLOCK;
    raw->padding = blocks ? PAD_PKCS7 : PAD_NONE;
    if (text == NULL)
        return true;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(text, names[i]) == 0) {
            raw->padding = (enum padding)i;
            return blocks || i == PAD_NONE ||
                   problem_set(problem, EXIT_USAGE, "--pad=%s: %s needs no padding", text, mode);
        }
    return problem_set(problem, EXIT_USAGE, "--pad: '%s'; pkcs7, nul or none is right", text);
}

static bool set_unit(struct raw *raw, bool xts, struct problem *problem)
{
    if (!xts && raw->options->unit_bytes != 0)
        return problem_set(problem, EXIT_USAGE, "--unit goes with --mode=xts only");
    raw->piece_bytes = PIECE_BYTES;
    if (!xts)
        return true;
    raw->unit_bytes =
        raw->options->unit_bytes == 0 ? XTS_UNIT_BYTES : (size_t)raw->options->unit_bytes;
    /* whole units, as many as a piece may have, but at least one */
    raw->piece_bytes = raw->unit_bytes >= PIECE_BYTES
                           ? raw->unit_bytes
                           : PIECE_BYTES / raw->unit_bytes * raw->unit_bytes;
    return true;
}

static void warn(const struct raw *raw, const char *mode)
{
    if (raw->options->quiet)
        return;
    const char *const cipher = raw->options->cipher == NULL ? "" : raw->options->cipher;
    say("raw: %s has no authentication: nobody will notice changed ciphertext%s%s", mode,
        strcmp(mode, "ecb") == 0 ? "; in ECB equal blocks of text stay equal" : "",
        strncmp(cipher, "gecko", 5) == 0
            ? "; Gecko has no published analysis and does not run in constant time"
            : "");
}

static bool set_up(struct raw *raw, struct problem *problem)
{
    const char *const name = raw->options->mode;
    const mtaes_mode *const mode = name == NULL ? NULL : mtaes_mode_find(name);
    if (mode == NULL || strcmp(name, "gcm") == 0)
        return problem_set(problem, EXIT_USAGE,
                           "--mode: '%s'; ecb, cbc, pcbc, cfb, ofb, ctr or xts is right "
                           "(gecko-ctr-compat for old data)",
                           name == NULL ? "" : name);
    const mtaes_mode_info info = mtaes_mode_describe(mode);
    const bool xts = strcmp(name, "xts") == 0;
    raw->direction = raw->options->decrypt ? MTAES_DECRYPT : MTAES_ENCRYPT;
    raw->engine = engine_create(raw->options->threads, problem);
    if (raw->engine == NULL || !set_iv(raw, &info, name, problem) ||
        !set_padding(raw, &info, name, problem) || !set_unit(raw, xts, problem) ||
        !set_key(raw, mode, xts, problem))
        return false;
    warn(raw, name);
    raw->piece = malloc(raw->piece_bytes + BLOCK);
    if (raw->piece == NULL)
        return problem_set(problem, EXIT_OTHER, "out of memory");
    return xts ||
           status_problem(mtaes_stream_create(&raw->stream, raw->engine, raw->key, raw->direction,
                                              raw->iv_bytes == 0 ? NULL : raw->iv, raw->iv_bytes),
                          name, problem);
}

/* ------------------------------------------------------------------------------------------------
 * the bytes */

static bool is_blank(int c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* The next character of hexadecimal text, -1 at the end. */
static bool read_character(struct raw *raw, int *c, struct problem *problem)
{
    *c = -1;
    if (raw->text_at == raw->text_bytes) {
        raw->text_at = 0;
        if (!input_read(&raw->input, raw->text, sizeof raw->text, &raw->text_bytes, problem))
            return false;
    }
    if (raw->text_at < raw->text_bytes)
        *c = raw->text[raw->text_at++];
    return true;
}

/* A piece from hexadecimal text, blanks ignored; *got < piece_bytes at the end only. */
static bool read_hex(struct raw *raw, size_t *got, struct problem *problem)
{
    int high = -1, c;
    *got = 0;
    while (*got < raw->piece_bytes) {
        if (!read_character(raw, &c, problem))
            return false;
        if (c < 0)
            break;
        if (is_blank(c))
            continue;
        const int value = hex_value((char)c);
        if (value < 0)
            return problem_set(problem, EXIT_DAMAGED, "%s: '%c' is no hexadecimal digit",
                               raw->input.name, c);
        if (high >= 0)
            raw->piece[(*got)++] = (uint8_t)(high << 4 | value);
        high = high >= 0 ? -1 : value;
    }
    return high < 0 || problem_set(problem, EXIT_DAMAGED, "%s: an odd number of hexadecimal digits",
                                   raw->input.name);
}

static bool write_hex(struct raw *raw, const uint8_t *bytes, size_t count, struct problem *problem)
{
    char digits[4096];
    for (size_t at = 0; at < count; at += sizeof digits / 2) {
        const size_t part = count - at < sizeof digits / 2 ? count - at : sizeof digits / 2;
        hex_encode(digits, bytes + at, part);
        if (!output_write(&raw->output, digits, 2 * part, problem))
            return false;
    }
    return true;
}

static bool read_piece(struct raw *raw, size_t *got, struct problem *problem)
{
    if (raw->options->hex && raw->direction == MTAES_DECRYPT)
        return read_hex(raw, got, problem);
    return input_read(&raw->input, raw->piece, raw->piece_bytes, got, problem);
}

static bool write_bytes(struct raw *raw, const uint8_t *bytes, size_t count,
                        struct problem *problem)
{
    if (raw->options->hex && raw->direction == MTAES_ENCRYPT)
        return write_hex(raw, bytes, count, problem);
    return output_write(&raw->output, bytes, count, problem);
}

/* Fill the last block: always at least one byte. */
static size_t add_padding(const struct raw *raw, size_t bytes)
{
    if (raw->padding == PAD_NONE || raw->direction == MTAES_DECRYPT)
        return bytes;
    const size_t added = BLOCK - bytes % BLOCK;
    memset(raw->piece + bytes, raw->padding == PAD_PKCS7 ? (int)added : 0, added);
    return bytes + added;
}

/* How much of the last block is text; BLOCK: no padding that can be right. */
static size_t text_of_tail(const struct raw *raw)
{
    size_t text = BLOCK;
    if (raw->padding == PAD_NUL) {
        while (text > 0 && raw->tail[text - 1] == 0)
            text--;
        return text;
    }
    const uint8_t count = raw->tail[BLOCK - 1];
    if (count == 0 || count > BLOCK)
        return BLOCK;
    for (size_t i = BLOCK - count; i < BLOCK; i++)
        if (raw->tail[i] != count)
            return BLOCK;
    return (size_t)BLOCK - count;
}

static bool remove_padding(struct raw *raw, struct problem *problem)
{
    const size_t text = raw->has_tail ? text_of_tail(raw) : (size_t)BLOCK;
    if (text == BLOCK)
        return problem_set(problem, EXIT_DAMAGED,
                           "%s: the end, before byte %llu, is no %s padding: the key, the IV or "
                           "the mode is another, or it is damaged",
                           raw->input.name, (unsigned long long)raw->done,
                           raw->padding == PAD_NUL ? "NUL" : "PKCS #7");
    return output_write(&raw->output, raw->tail, text, problem);
}

/* Write decrypted text, but hold back the last block, which may be padding. */
static bool write_held(struct raw *raw, size_t bytes, struct problem *problem)
{
    if (bytes < BLOCK)
        return true;
    if (raw->has_tail && !output_write(&raw->output, raw->tail, BLOCK, problem))
        return false;
    memcpy(raw->tail, raw->piece + bytes - BLOCK, BLOCK);
    raw->has_tail = true;
    return output_write(&raw->output, raw->piece, bytes - BLOCK, problem);
}

/* number += count, little-endian, 128 bits; the library refuses to count past the end. */
static void add_units(uint8_t number[BLOCK], uint64_t count)
{
    for (size_t i = 0; i < BLOCK; i++) {
        count += number[i];
        number[i] = (uint8_t)count;
        count >>= 8;
    }
}

static bool run_units(struct raw *raw, size_t bytes, struct problem *problem)
{
    mtaes_message message = {.key = raw->key,
                             .direction = raw->direction,
                             .src = raw->piece,
                             .dst = raw->piece,
                             .bytes = bytes,
                             .iv = raw->iv,
                             .iv_bytes = raw->iv_bytes,
                             .unit_bytes = raw->unit_bytes};
    const size_t last = bytes % raw->unit_bytes;
    if (last != 0 && last < BLOCK)
        return problem_set(problem, EXIT_OTHER,
                           "%s: the last unit has %zu bytes; XTS needs 16 at least",
                           raw->input.name, last);
    if (!status_problem(mtaes_run(raw->engine, &message, 1), "xts", problem))
        return false;
    add_units(raw->iv, bytes / raw->unit_bytes);
    return true;
}

static bool run_piece(struct raw *raw, size_t bytes, struct problem *problem)
{
    size_t written;
    if (bytes == 0)
        return true;
    if (raw->stream == NULL)
        return run_units(raw, bytes, problem);
    return status_problem(
        mtaes_stream_update(raw->stream, raw->piece, bytes, raw->piece, bytes, &written),
        raw->options->mode, problem);
}

static bool check_blocks(const struct raw *raw, size_t bytes, const mtaes_mode_info *info,
                         struct problem *problem)
{
    return info->multiple_bytes != BLOCK || bytes % BLOCK == 0 ||
           problem_set(problem, raw->direction == MTAES_DECRYPT ? EXIT_DAMAGED : EXIT_OTHER,
                       "%s: %llu bytes are not a multiple of 16%s", raw->input.name,
                       (unsigned long long)raw->done,
                       raw->direction == MTAES_DECRYPT ? "" : "; --pad=pkcs7 fills the last block");
}

static bool run_all_pieces(struct raw *raw, struct problem *problem)
{
    const mtaes_mode_info info = mtaes_mode_describe(mtaes_mode_find(raw->options->mode));
    const bool unpad = raw->direction == MTAES_DECRYPT && raw->padding != PAD_NONE;
    size_t got;
    do {
        if (!read_piece(raw, &got, problem))
            return false;
        raw->done += got;
        const size_t bytes = got < raw->piece_bytes ? add_padding(raw, got) : got;
        if (!check_blocks(raw, bytes, &info, problem) || !run_piece(raw, bytes, problem) ||
            !(unpad ? write_held(raw, bytes, problem)
                    : write_bytes(raw, raw->piece, bytes, problem)))
            return false;
    } while (got == raw->piece_bytes);
    if (unpad && !remove_padding(raw, problem))
        return false;
    if (raw->options->hex && raw->direction == MTAES_ENCRYPT)
        return output_write(&raw->output, "\n", 1, problem);
    return true;
}

static bool open_files(struct raw *raw, const char *file, struct problem *problem)
{
    const struct options *const o = raw->options;
    raw->has_input =
        output_refuse_input(o->output, file, problem) && input_open(&raw->input, file, problem);
    raw->has_output = raw->has_input && secrets_spared(o->secrets, o->output, problem) &&
                      output_open(&raw->output, o->output, o->force, &raw->input, problem);
    if (raw->has_output && !o->decrypt && !o->force && !o->hex && isatty(raw->output.fd))
        return problem_set(problem, EXIT_USAGE,
                           "%s is a terminal: ciphertext goes there with -f only; -o FILE or --hex "
                           "is right",
                           raw->output.name);
    return raw->has_output;
}

bool verb_raw(const struct options *options, const char *file, struct problem *problem)
{
    struct raw raw = {.options = options};
    bool right = set_up(&raw, problem) && open_files(&raw, file, problem) &&
                 run_all_pieces(&raw, problem) && input_check_end(&raw.input, problem) &&
                 output_commit(&raw.output, problem);
    if (raw.has_output && !right)
        output_abort(&raw.output);
    if (raw.has_input)
        input_close(&raw.input);
    mtaes_stream_free(raw.stream);
    mtaes_key_free(raw.key);
    if (mtaes_engine_free(raw.engine) != MTAES_OK)
        right = problem_set(problem, EXIT_OTHER, "libmtaes: the engine is busy");
    secret_wipe(raw.tail, sizeof raw.tail);
    free(raw.piece);
    return right;
}
