/* evp.c: OpenSSL's EVP interface as the two OpenSSL engines use it (EVP_EncryptInit(3), 3.0). */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "evp.h"

#include <ctype.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <stdio.h>
#include <string.h>

/* EVP takes lengths as int. */
static const size_t piece_max = (size_t)1 << 29;

bool evp_failed(const char *what, char *error)
{
    const unsigned long code = ERR_get_error();
    const char *const text = code ? ERR_reason_error_string(code) : NULL;
    snprintf(error, REASON_ROOM, "%s: %s", what, text ? text : "failed");
    ERR_clear_error();
    return false;
}

EVP_CIPHER *evp_fetch(struct contender *c)
{
    const struct workload *const w = c->work;
    char name[96];
    snprintf(name, sizeof name, "%s-%s", w->cipher, w->mode_name);
    for (char *p = name; *p; p++)
        *p = (char)toupper((unsigned char)*p);
    EVP_CIPHER *const cipher = EVP_CIPHER_fetch(NULL, name, NULL);
    if (!cipher)
        peer_lacks_all(c, "OpenSSL %s has no %s", OpenSSL_version(OPENSSL_VERSION_STRING), name);
    ERR_clear_error();
    snprintf(c->kernel, sizeof c->kernel, "libcrypto");
    return cipher;
}

EVP_CIPHER_CTX *evp_context(struct contender *c, const EVP_CIPHER *cipher, bool decrypt)
{
    const struct workload *const w = c->work;
    EVP_CIPHER_CTX *const context = EVP_CIPHER_CTX_new();
    const uint8_t *const iv = w->iv_bytes ? w->iv : NULL;
    if (context && EVP_CipherInit_ex2(context, cipher, NULL, NULL, !decrypt, NULL) == 1 &&
        EVP_CIPHER_CTX_get_key_length(context) == (int)w->key_bytes &&
        EVP_CIPHER_CTX_get_iv_length(context) == (int)w->iv_bytes &&
        EVP_CipherInit_ex2(context, NULL, w->key, iv, !decrypt, NULL) == 1 &&
        EVP_CIPHER_CTX_set_padding(context, 0) == 1)
        return context;
    evp_failed("setting up the context", c->error);
    EVP_CIPHER_CTX_free(context);
    return NULL;
}

static bool update(EVP_CIPHER_CTX *context, uint8_t *dst, const uint8_t *src, size_t bytes,
                   char *error)
{
    while (bytes) {
        const size_t piece = bytes < piece_max ? bytes : piece_max;
        int written = -1;
        if (EVP_CipherUpdate(context, dst, &written, src, (int)piece) != 1)
            return evp_failed("EVP_CipherUpdate", error);
        if (written != (int)piece) {
            snprintf(error, REASON_ROOM, "EVP_CipherUpdate wrote %d bytes, not %zu", written,
                     piece);
            return false;
        }
        dst += piece;
        src += piece;
        bytes -= piece;
    }
    return true;
}

static bool restart(EVP_CIPHER_CTX *context, const uint8_t *iv, char *error)
{
    return EVP_CipherInit_ex2(context, NULL, NULL, iv, -1, NULL) == 1 ||
           evp_failed("setting the IV", error);
}

bool evp_process(EVP_CIPHER_CTX *context, const struct workload *w, const struct span *span)
{
    const struct task *const task = span->task;
    return (w->iv_bytes == 0 || restart(context, span->iv, span->error)) &&
           update(context, task->dst + span->at, task->src + span->at, span->bytes, span->error);
}
