/* reference.c: an outside opinion: OpenSSL's libcrypto, where the build has it. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "reference.h"

#ifndef MTAES_TESTS_WITHOUT_LIBCRYPTO

#include <limits.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <string.h>

bool reference_exists(void)
{
    return true;
}

bool reference_sha256(const void *p, size_t bytes, uint8_t digest[32])
{
    return EVP_Digest(p, bytes, digest, NULL, EVP_sha256(), NULL) == 1;
}

/* EVP takes lengths as int: a multiple of a block, well below 2^31. */
static const size_t step_bytes = (size_t)1 << 30;

static bool update(EVP_CIPHER_CTX *context, uint8_t *dst, const uint8_t *src, size_t bytes)
{
    for (size_t at = 0; at < bytes;) {
        const size_t n = bytes - at < step_bytes ? bytes - at : step_bytes;
        int written = 0;
        if (EVP_CipherUpdate(context, dst ? dst + at : NULL, &written, src + at, (int)n) != 1 ||
            written != (int)n)
            return false;
        at += n;
    }
    return true;
}

static bool run_once(const EVP_CIPHER *cipher, const uint8_t *key, const uint8_t *iv, bool encrypt,
                     uint8_t *dst, const uint8_t *src, size_t bytes)
{
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    const bool done =
        context != NULL && EVP_CipherInit_ex(context, cipher, NULL, key, iv, encrypt) == 1 &&
        EVP_CIPHER_CTX_set_padding(context, 0) == 1 && update(context, dst, src, bytes);
    EVP_CIPHER_CTX_free(context);
    return done;
}

/* libcrypto does one unit a call. */
static bool run_units(const EVP_CIPHER *cipher, const uint8_t *key, const mtaes_message *m,
                      uint8_t *dst)
{
    uint8_t number[16];
    memcpy(number, m->iv, 16);
    const size_t unit = m->unit_bytes ? m->unit_bytes : m->bytes;
    for (size_t at = 0; at < m->bytes; at += unit) {
        const size_t n = m->bytes - at < unit ? m->bytes - at : unit;
        if (!run_once(cipher, key, number, m->direction == MTAES_ENCRYPT, dst + at,
                      (const uint8_t *)m->src + at, n))
            return false;
        for (int i = 0; i < 16 && ++number[i] == 0; i++)
            ;
    }
    return true;
}

static bool start_gcm(EVP_CIPHER_CTX *context, const EVP_CIPHER *cipher, const uint8_t *key,
                      const mtaes_message *m, int encrypt)
{
    return m->iv_bytes <= 128 &&
           EVP_CipherInit_ex(context, cipher, NULL, NULL, NULL, encrypt) == 1 &&
           EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, (int)m->iv_bytes, NULL) == 1 &&
           EVP_CipherInit_ex(context, NULL, NULL, key, m->iv, encrypt) == 1 &&
           update(context, NULL, m->aad, m->aad_bytes);
}

/* Always by encryption: decryption recovers the plaintext first, whose tag it then computes. */
static bool run_gcm(const EVP_CIPHER *cipher, const uint8_t *key, const mtaes_message *m,
                    uint8_t *dst, uint8_t tag[16])
{
    uint8_t unused[16];
    int written = 0;
    for (int pass = m->direction == MTAES_ENCRYPT; pass < 2; pass++) {
        EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
        if (context == NULL)
            return false;
        /* The second pass of a decryption encrypts dst back into itself, then once more. */
        const uint8_t *src = pass == 1 && m->direction == MTAES_DECRYPT ? dst : m->src;
        bool done = start_gcm(context, cipher, key, m, 1) && update(context, dst, src, m->bytes) &&
                    EVP_CipherFinal_ex(context, unused, &written) == 1 &&
                    EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, tag) == 1;
        EVP_CIPHER_CTX_free(context);
        if (!done)
            return false;
    }
    if (m->direction == MTAES_ENCRYPT)
        return true;
    uint8_t ignored[16];
    mtaes_message again = *m;
    again.direction = MTAES_ENCRYPT;
    return run_gcm(cipher, key, &again, dst, ignored);
}

bool reference_verifies_gcm(const uint8_t *key, size_t key_bytes, const mtaes_message *message)
{
    static uint8_t scratch[1 << 20];
    const EVP_CIPHER *cipher = key_bytes == 16   ? EVP_aes_128_gcm()
                               : key_bytes == 24 ? EVP_aes_192_gcm()
                                                 : EVP_aes_256_gcm();
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    bool good = context != NULL && start_gcm(context, cipher, key, message, 0) &&
                EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, 16, message->tag) == 1;
    for (size_t at = 0; good && at < message->bytes;) {
        const size_t left = message->bytes - at, n = left < sizeof scratch ? left : sizeof scratch;
        good = update(context, scratch, (const uint8_t *)message->src + at, n);
        at += n;
    }
    int written = 0;
    good = good && EVP_CipherFinal_ex(context, scratch, &written) == 1;
    EVP_CIPHER_CTX_free(context);
    return good;
}

bool reference_message(const char *mode, const uint8_t *key, size_t key_bytes,
                       const mtaes_message *message, uint8_t *dst, uint8_t tag[16])
{
    char name[32];
    const bool xts = strcmp(mode, "xts") == 0, gcm = strcmp(mode, "gcm") == 0;
    snprintf(name, sizeof name, "AES-%zu-%s", key_bytes * 8 / (xts ? 2 : 1), mode);
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, name, NULL);
    if (cipher == NULL)
        return false;
    bool done;
    if (xts)
        done = run_units(cipher, key, message, dst);
    else if (gcm)
        done = run_gcm(cipher, key, message, dst, tag);
    else
        done = run_once(cipher, key, message->iv, message->direction == MTAES_ENCRYPT, dst,
                        message->src, message->bytes);
    EVP_CIPHER_free(cipher);
    return done;
}

#else

bool reference_verifies_gcm(const uint8_t *key, size_t key_bytes, const mtaes_message *message)
{
    (void)key, (void)key_bytes, (void)message;
    return false;
}

bool reference_exists(void)
{
    return false;
}

bool reference_sha256(const void *p, size_t bytes, uint8_t digest[32])
{
    (void)p, (void)bytes, (void)digest;
    return false;
}

bool reference_message(const char *mode, const uint8_t *key, size_t key_bytes,
                       const mtaes_message *message, uint8_t *dst, uint8_t tag[16])
{
    (void)mode, (void)key, (void)key_bytes, (void)message, (void)dst, (void)tag;
    return false;
}

#endif
