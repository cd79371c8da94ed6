/* vectors_json.c: a reader for Wycheproof's JSON vectors: AEAD, MAC with IV, and plain ciphers. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "vectors.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

static bool complain(struct vector_reader *reader, const char *what, const char *word)
{
    snprintf(reader->error, sizeof reader->error, "%s %.60s", what, word);
    return false;
}

static const char *text_of(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

/* A field that may be missing, but must be hexadecimal where it is there. */
static bool read_bytes(struct bytes *bytes, const json_t *test, const char *name)
{
    const char *hex = text_of(test, name);
    return hex == NULL || bytes_from_hex(bytes, hex);
}

static bool read_flags(struct vector *vector, const json_t *test)
{
    const json_t *flags = json_object_get(test, "flags");
    for (size_t i = 0; i < json_array_size(flags); i++) {
        const char *flag = json_string_value(json_array_get(flags, i));
        if (flag == NULL || vector->flag_count == VECTOR_FLAGS || strlen(flag) >= VECTOR_WORD)
            return false;
        strcpy(vector->flags[vector->flag_count++], flag);
    }
    return true;
}

/* The number of an XTS unit is given in as many bytes as it needs: zeros follow. */
static bool lengthen_number(struct bytes *iv)
{
    uint8_t number[16] = {0};
    if (iv->n > sizeof number)
        return false;
    memcpy(number, iv->p, iv->n);
    if (!bytes_from_hex(iv, "00000000000000000000000000000000"))
        return false;
    memcpy(iv->p, number, sizeof number);
    return true;
}

/* What `msg` is depends on the algorithm. */
static bool read_texts(struct vector *vector, const json_t *test, const char *algorithm)
{
    const bool mac = strcmp(algorithm, "AES-GMAC") == 0;
    if (!read_bytes(&vector->key, test, "key") || !read_bytes(&vector->iv, test, "iv") ||
        !read_bytes(&vector->aad, test, "aad") || !read_bytes(&vector->tag, test, "tag") ||
        !read_bytes(&vector->ciphertext, test, "ct") ||
        !read_bytes(mac ? &vector->aad : &vector->plaintext, test, "msg"))
        return false;
    if (mac &&
        (!bytes_from_hex(&vector->plaintext, "") || !bytes_from_hex(&vector->ciphertext, "")))
        return false;
    if (strcmp(algorithm, "AES-XTS") == 0 && !lengthen_number(&vector->iv))
        return false;
    return vector->key.given && vector->iv.given && vector->plaintext.given &&
           vector->ciphertext.given;
}

static bool read_test(struct vector_reader *reader, const json_t *test, const char *algorithm,
                      const char *mode)
{
    const char *result = text_of(test, "result");
    struct vector vector = {.encrypt = true, .decrypt = true};
    vector.number = (unsigned)json_integer_value(json_object_get(test, "tcId"));
    strcpy(vector.mode, mode);
    vector.padded = strcmp(algorithm, "AES-CBC-PKCS5") == 0;
    bool good = result != NULL && read_texts(&vector, test, algorithm) && read_flags(&vector, test);
    if (good) {
        vector.wrong = strcmp(result, "invalid") == 0;
        vector.encrypt = !vector.wrong;
        good = vector.wrong || strcmp(result, "valid") == 0;
    }
    if (good)
        reader->visit(reader->context, &vector);
    else
        complain(reader, "bad case in", algorithm);
    vector_clear(&vector);
    return good;
}

static bool read_groups(struct vector_reader *reader, const json_t *root, const char *algorithm,
                        const char *mode)
{
    const json_t *groups = json_object_get(root, "testGroups");
    size_t count = 0;
    for (size_t g = 0; g < json_array_size(groups); g++) {
        const json_t *tests = json_object_get(json_array_get(groups, g), "tests");
        for (size_t i = 0; i < json_array_size(tests); i++, count++)
            if (!read_test(reader, json_array_get(tests, i), algorithm, mode))
                return false;
    }
    return json_integer_value(json_object_get(root, "numberOfTests")) == (json_int_t)count ||
           complain(reader, "not as many cases as stated in", algorithm);
}

bool vectors_read_json(struct vector_reader *reader, const char *path)
{
    static const char *const modes[][2] = {
        {"AES-GCM", "gcm"}, {"AES-GMAC", "gcm"}, {"AES-CBC-PKCS5", "cbc"}, {"AES-XTS", "xts"}};
    json_error_t error;
    json_t *root = json_load_file(path, 0, &error);
    if (root == NULL)
        return complain(reader, "cannot read:", error.text);
    const char *algorithm = text_of(root, "algorithm"), *mode = NULL;
    for (size_t i = 0; algorithm != NULL && i < sizeof modes / sizeof *modes; i++)
        if (strcmp(algorithm, modes[i][0]) == 0)
            mode = modes[i][1];
    const char *flag;
    json_t *note;
    if (reader->flag != NULL && mode != NULL)
        json_object_foreach(json_object_get(root, "notes"), flag, note)
            reader->flag(reader->context, flag);
    const bool good = mode != NULL
                          ? read_groups(reader, root, algorithm, mode)
                          : complain(reader, "unknown algorithm", algorithm ? algorithm : "");
    json_decref(root);
    return good;
}
