/* vectors.h: readers for published test vectors, all giving the same struct. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MTAES_TESTS_VECTORS_H
#define MTAES_TESTS_VECTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes {
    uint8_t *p;
    size_t n;
    bool given; /* the file names it, be it empty */
};

enum { VECTOR_FLAGS = 4, VECTOR_WORD = 32 };

/* One case of a file. The bytes belong to the reader and last until the visit returns. */
struct vector {
    unsigned number;        /* within the file, from 1 */
    char mode[VECTOR_WORD]; /* "cbc"; also names of modes that the library does not have: "ccm" */
    bool encrypt, decrypt;  /* directions to run it in */
    bool made_decrypting;   /* the section or line of the file that it comes from */
    struct bytes key, iv, aad, plaintext, ciphertext, tag;
    size_t unit_bits;    /* XTS, where the file says so; else 0 */
    bool padded;         /* PKCS #7 padding is part of the case */
    bool wrong;          /* decryption must fail: the tag, or the padding where padded */
    bool key_refused;    /* encryption must refuse the key */
    const char *skip;    /* why no library can run it here; NULL: run it */
    bool long_text;      /* plaintext is the formula below, ciphertext is not given */
    size_t text_bytes;   /* of the long text */
    struct bytes digest; /* SHA-256 of its ciphertext */
    struct bytes last;   /* the last bytes of its ciphertext */
    char flags[VECTOR_FLAGS][VECTOR_WORD];
    int flag_count;
};

/* The long texts of the generated files. */
void vector_long_text(uint8_t *text, size_t bytes);

struct vector_reader {
    const char *mode; /* for files that do not name one, else NULL */
    void (*visit)(void *context, const struct vector *vector);
    /* Wycheproof: each flag that the file says it has, before the first visit. May be NULL. */
    void (*flag)(void *context, const char *flag);
    void *context;
    char error[160]; /* why reading stopped */
};

/* Read the file and visit every case. False: `error` says what is wrong with the file. */
bool vectors_read_rsp(struct vector_reader *reader, const char *path);  /* NIST, pyca, generated */
bool vectors_read_evp(struct vector_reader *reader, const char *path);  /* OpenSSL's evp tests */
bool vectors_read_json(struct vector_reader *reader, const char *path); /* Wycheproof */

/*
 * The folder tests/vectors: the argument when it is not NULL, else below $srcdir (automake sets
 * it), else the one that the build named. Never NULL; it need not exist.
 */
const char *vectors_folder(const char *given);

/* Used by the readers: bytes from hexadecimal digits; false when they are none. Frees the old. */
bool bytes_from_hex(struct bytes *bytes, const char *hex);
void bytes_free(struct bytes *bytes);
void vector_clear(struct vector *vector); /* frees all bytes, zeroes the rest */

#endif
