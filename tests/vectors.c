/* vectors.c: readers for NIST response files and the like, and for OpenSSL's evp tests. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#ifndef VECTOR_DIR
#define VECTOR_DIR "tests/vectors"
#endif

const char *vectors_folder(const char *given)
{
    static char path[4096];
    const char *source = getenv("srcdir");
    if (given != NULL)
        return given;
    if (source == NULL)
        return VECTOR_DIR;
    snprintf(path, sizeof path, "%s/tests/vectors", source);
    return path;
}

void vector_long_text(uint8_t *text, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        text[i] = (uint8_t)(i * 131 + (i >> 8) * 7 + 17);
}

static int digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

bool bytes_from_hex(struct bytes *bytes, const char *hex)
{
    const size_t n = strlen(hex) / 2;
    bytes_free(bytes);
    bytes->p = malloc(n + 1); /* never NULL, so that "empty" and "not given" differ */
    bytes->n = n;
    bytes->given = true;
    if (bytes->p == NULL || strlen(hex) % 2 != 0)
        return false;
    for (size_t i = 0; i < n; i++) {
        const int high = digit(hex[2 * i]), low = digit(hex[2 * i + 1]);
        if (high < 0 || low < 0)
            return false;
        bytes->p[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}

void bytes_free(struct bytes *bytes)
{
    free(bytes->p);
    *bytes = (struct bytes){NULL, 0, false};
}

void vector_clear(struct vector *vector)
{
    bytes_free(&vector->key);
    bytes_free(&vector->iv);
    bytes_free(&vector->aad);
    bytes_free(&vector->plaintext);
    bytes_free(&vector->ciphertext);
    bytes_free(&vector->tag);
    bytes_free(&vector->digest);
    bytes_free(&vector->last);
    *vector = (struct vector){0};
}

/* What is read so far. */
struct parse {
    struct vector_reader *reader;
    struct vector vector;
    unsigned line, cases;
    bool open;         /* a case has begun */
    bool decrypting;   /* section */
    bool fips_only;    /* evp: Availablein = fips */
    char result[40];   /* evp: Result */
    char operation[8]; /* evp: Operation */
};

static bool complain(struct parse *parse, const char *what, const char *word)
{
    snprintf(parse->reader->error, sizeof parse->reader->error, "line %u: %s %.60s", parse->line,
             what, word);
    return false;
}

/* "CFB128" and "CFB" are one mode; all names are in small letters here. */
static void set_mode(struct vector *vector, const char *name)
{
    if (strcasecmp(name, "cfb128") == 0)
        name = "cfb";
    size_t i = 0;
    for (; name[i] != '\0' && i + 1 < sizeof vector->mode; i++)
        vector->mode[i] = (char)tolower((unsigned char)name[i]);
    vector->mode[i] = '\0';
}

/* A unit number in decimal: 16 bytes, little-endian. */
static bool set_number(struct bytes *iv, const char *decimal)
{
    char *end;
    unsigned long long number = strtoull(decimal, &end, 10);
    if (*end != '\0' || !bytes_from_hex(iv, "00000000000000000000000000000000"))
        return false;
    for (size_t i = 0; i < 8; i++, number >>= 8)
        iv->p[i] = (uint8_t)number;
    return true;
}

static bool set_size(size_t *size, const char *decimal)
{
    char *end;
    *size = strtoull(decimal, &end, 10);
    return *end == '\0';
}

/* The fields that are bytes, under all the names that the files give them. */
static struct bytes *bytes_named(struct vector *vector, const char *name)
{
    const struct {
        const char *name;
        struct bytes *bytes;
    } fields[] = {
        {"KEY", &vector->key},
        {"IV", &vector->iv},
        {"i", &vector->iv},
        {"TWEAK", &vector->iv},
        {"AAD", &vector->aad},
        {"PLAINTEXT", &vector->plaintext},
        {"PT", &vector->plaintext},
        {"CIPHERTEXT", &vector->ciphertext},
        {"CT", &vector->ciphertext},
        {"TAG", &vector->tag},
        {"CT_SHA256", &vector->digest},
        {"CT_LAST32", &vector->last},
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (strcasecmp(name, fields[i].name) == 0)
            return fields[i].bytes;
    return NULL;
}

/* Close the case under way, check that it is whole, and hand it out. */
static bool visit(struct parse *parse)
{
    struct vector *v = &parse->vector;
    if (!parse->open)
        return true;
    parse->open = false;
    v->number = ++parse->cases;
    if (v->mode[0] == '\0')
        return complain(parse, "a case without a mode", "");
    if (!v->key.given)
        return complain(parse, "a case without a key", "");
    const bool text = v->long_text ? v->digest.given : v->ciphertext.given;
    if (!text || (!v->long_text && !v->wrong && !v->plaintext.given))
        return complain(parse, "a case without its text", "");
    if (v->unit_bits != 0 && v->unit_bits % 8 != 0)
        v->skip = "its unit is not a whole number of bytes";
    else if (v->unit_bits != 0 && v->unit_bits != 8 * v->plaintext.n)
        return complain(parse, "a unit that is not of the length stated", "");
    parse->reader->visit(parse->reader->context, v);
    vector_clear(v);
    return true;
}

/* ------------------------------------------------------------------------------------------------
 * .rsp */

static bool rsp_begin(struct parse *parse)
{
    if (!visit(parse))
        return false;
    parse->open = true;
    parse->vector.encrypt = parse->vector.decrypt = true;
    parse->vector.made_decrypting = parse->decrypting;
    if (parse->reader->mode != NULL)
        set_mode(&parse->vector, parse->reader->mode);
    return true;
}

static bool rsp_bracket(struct parse *parse, const char *text)
{
    if (!visit(parse))
        return false;
    if (strcmp(text, "[ENCRYPT]") == 0)
        parse->decrypting = false;
    else if (strcmp(text, "[DECRYPT]") == 0)
        parse->decrypting = true;
    else if (strchr(text, '=') == NULL) /* lengths in bits: the values themselves tell them */
        return complain(parse, "unknown section", text);
    return true;
}

static bool rsp_pair(struct parse *parse, const char *name, const char *value)
{
    struct vector *v = &parse->vector;
    if (strcasecmp(name, "COUNT") == 0)
        return rsp_begin(parse);
    if (!parse->open)
        return complain(parse, "before the first case:", name);
    struct bytes *bytes = bytes_named(v, name);
    bool good = true;
    if (bytes != NULL)
        good = bytes_from_hex(bytes, value);
    else if (strcmp(name, "DataUnitSeqNumber") == 0)
        good = set_number(&v->iv, value);
    else if (strcmp(name, "DataUnitLen") == 0)
        good = set_size(&v->unit_bits, value);
    else if (strcmp(name, "LENGTH") == 0)
        good = v->long_text = set_size(&v->text_bytes, value);
    else if (strcmp(name, "MODE") == 0)
        set_mode(v, value);
    else if (strcmp(name, "SECTOR") != 0) /* the tweak is given beside it */
        return complain(parse, "unknown field", name);
    return good || complain(parse, "bad value of", name);
}

static bool rsp_line(struct parse *parse, char *text)
{
    if (*text == '\0' || *text == '#')
        return true;
    if (*text == '[')
        return rsp_bracket(parse, text);
    if (strcmp(text, "FAIL") == 0) {
        parse->vector.wrong = true;
        parse->vector.encrypt = false;
        return parse->open || complain(parse, "FAIL before the first case", "");
    }
    char *equal = strchr(text, '=');
    if (equal == NULL)
        return complain(parse, "neither section nor field:", text);
    char *value = equal + 1;
    while (equal > text && isspace((unsigned char)equal[-1]))
        equal--;
    *equal = '\0';
    return rsp_pair(parse, text, value + strspn(value, " \t"));
}

/* ------------------------------------------------------------------------------------------------
 * OpenSSL's evp tests */

static bool evp_finish(struct parse *parse)
{
    struct vector *v = &parse->vector;
    if (!parse->open)
        return true;
    v->encrypt = strcasecmp(parse->operation, "DECRYPT") != 0;
    v->decrypt = strcasecmp(parse->operation, "ENCRYPT") != 0;
    v->made_decrypting = !v->encrypt;
    if (parse->fips_only)
        v->skip = "it is of OpenSSL's FIPS provider only";
    else if (strcmp(parse->result, "KEY_SET_ERROR") == 0)
        v->key_refused = true;
    else if (strcmp(parse->result, "CIPHERFINAL_ERROR") == 0)
        v->wrong = true;
    else if (parse->result[0] != '\0' && strcmp(v->mode, "ccm") != 0)
        return complain(parse, "unknown result", parse->result);
    return visit(parse);
}

/* "AES-128-CBC", in any letters. */
static bool evp_cipher(struct parse *parse, const char *name)
{
    const char *mode = strrchr(name, '-');
    if (strncasecmp(name, "AES-", 4) != 0 || mode == NULL)
        return complain(parse, "unknown cipher", name);
    parse->open = true;
    set_mode(&parse->vector, mode + 1);
    return true;
}

static bool evp_pair(struct parse *parse, const char *name, const char *value)
{
    struct bytes *bytes = bytes_named(&parse->vector, name);
    if (bytes != NULL)
        return bytes_from_hex(bytes, value) || complain(parse, "bad value of", name);
    if (strcmp(name, "Cipher") == 0)
        return evp_cipher(parse, value);
    if (strcmp(name, "Availablein") == 0)
        parse->fips_only = strcmp(value, "fips") == 0;
    else if (strcmp(name, "Operation") == 0)
        snprintf(parse->operation, sizeof parse->operation, "%s", value);
    else if (strcmp(name, "Result") == 0)
        snprintf(parse->result, sizeof parse->result, "%s", value);
    else if (strcmp(name, "Title") != 0 && strcmp(name, "NextIV") != 0 &&
             strcmp(name, "SetTagLate") != 0)
        return complain(parse, "unknown field", name);
    return true;
}

static bool evp_line(struct parse *parse, char *text)
{
    if (*text == '#')
        return true;
    if (*text == '\0') {
        if (!evp_finish(parse))
            return false;
        parse->fips_only = false;
        parse->result[0] = parse->operation[0] = '\0';
        return true;
    }
    char *equal = strchr(text, '=');
    if (equal == NULL)
        return complain(parse, "not a field:", text);
    char *value = equal + 1;
    while (equal > text && isspace((unsigned char)equal[-1]))
        equal--;
    *equal = '\0';
    return evp_pair(parse, text, value + strspn(value, " \t"));
}

/* ------------------------------------------------------------------------------------------------
 * lines */

static bool read_lines(struct parse *parse, const char *path,
                       bool (*line)(struct parse *, char *text))
{
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return complain(parse, "cannot open", path);
    char *text = NULL;
    size_t room = 0;
    bool good = true;
    while (good && getline(&text, &room, file) >= 0) {
        size_t n = strlen(text);
        while (n > 0 && isspace((unsigned char)text[n - 1]))
            text[--n] = '\0';
        parse->line++;
        good = line(parse, text);
    }
    free(text);
    if (good && ferror(file))
        good = complain(parse, "cannot read", path);
    fclose(file);
    return good;
}

bool vectors_read_rsp(struct vector_reader *reader, const char *path)
{
    struct parse parse = {.reader = reader};
    const bool good = read_lines(&parse, path, rsp_line) && visit(&parse);
    vector_clear(&parse.vector);
    return good;
}

bool vectors_read_evp(struct vector_reader *reader, const char *path)
{
    struct parse parse = {.reader = reader};
    const bool good = read_lines(&parse, path, evp_line) && evp_finish(&parse);
    vector_clear(&parse.vector);
    return good;
}
