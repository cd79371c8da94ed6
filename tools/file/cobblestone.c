/* cobblestone.c: keys, nonces, runs of chunks; source: c2sp.org/chunked-encryption, version 1. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "cobblestone.h"

#include "bytes.h"
#include "kdf.h"

#include <stdlib.h>
#include <string.h>

enum { NONCE_BYTES = 12, KEY_BYTES_MOST = 32 };

struct cobblestone {
    mtaes_engine *engine;
    mtaes_key *key;
    uint8_t base_nonce[NONCE_BYTES];
};

/* HKDF's info: label, AEAD name, a zero byte, salt, context. NULL: no memory. */
static uint8_t *make_info(size_t key_bytes, const uint8_t salt[SALT_BYTES], const uint8_t *context,
                          size_t context_bytes, size_t *info_bytes)
{
    static const char label[] = "c2sp.org/chunked-encryption@v1+";
    const char *const aead = key_bytes == 16 ? "AEAD_AES_128_GCM" : "AEAD_AES_256_GCM";
    const size_t label_bytes = sizeof label - 1, aead_bytes = strlen(aead) + 1;
    *info_bytes = label_bytes + aead_bytes + SALT_BYTES + context_bytes;
    uint8_t *const info = malloc(*info_bytes);
    if (info == NULL)
        return NULL;
    memcpy(info, label, label_bytes);
    memcpy(info + label_bytes, aead, aead_bytes); /* its own zero byte is the separator */
    memcpy(info + label_bytes + aead_bytes, salt, SALT_BYTES);
    if (context_bytes != 0)
        memcpy(info + label_bytes + aead_bytes + SALT_BYTES, context, context_bytes);
    return info;
}

/* Output, in order: AEAD key, base nonce, commitment. */
static bool set_keys(struct cobblestone *message, const uint8_t *derived, size_t key_bytes,
                     uint8_t commitment[COMMITMENT_BYTES], struct problem *problem)
{
    const mtaes_kernel *const kernel = mtaes_kernel_find("aes");
    const mtaes_mode *const mode = mtaes_mode_find("gcm");
    if (kernel == NULL || mode == NULL)
        return problem_set(problem, EXIT_OTHER, "libmtaes %s has no AES-GCM", mtaes_version());
    const mtaes_status status = mtaes_key_create(&message->key, kernel, mode, derived, key_bytes);
    if (status != MTAES_OK)
        return problem_set(problem, EXIT_OTHER, "AES-GCM key: %s", mtaes_status_text(status));
    memcpy(message->base_nonce, derived + key_bytes, NONCE_BYTES);
    memcpy(commitment, derived + key_bytes + NONCE_BYTES, COMMITMENT_BYTES);
    return true;
}

struct cobblestone *cobblestone_create(mtaes_engine *engine, const uint8_t *key, size_t key_bytes,
                                       const uint8_t salt[SALT_BYTES], const uint8_t *context,
                                       size_t context_bytes, uint8_t commitment[COMMITMENT_BYTES],
                                       struct problem *problem)
{
    if (key_bytes != 16 && key_bytes != 32) {
        problem_set(problem, EXIT_USAGE,
                    "a Cobblestone key of %zu bytes; it has 16 (suite 128) or 32 (suite 256)",
                    key_bytes);
        return NULL;
    }
    uint8_t derived[KEY_BYTES_MOST + NONCE_BYTES + COMMITMENT_BYTES];
    size_t info_bytes;
    uint8_t *const info = make_info(key_bytes, salt, context, context_bytes, &info_bytes);
    struct cobblestone *message = calloc(1, sizeof *message);
    bool right = info != NULL && message != NULL;
    if (!right)
        problem_set(problem, EXIT_OTHER, "out of memory");
    right = right &&
            hkdf_expand(key, key_bytes, info, info_bytes, derived,
                        key_bytes + NONCE_BYTES + COMMITMENT_BYTES, problem) &&
            set_keys(message, derived, key_bytes, commitment, problem);
    secret_wipe(derived, sizeof derived);
    free(info);
    if (right) {
        message->engine = engine;
        return message;
    }
    cobblestone_free(message);
    return NULL;
}

void cobblestone_free(struct cobblestone *message)
{
    if (message == NULL)
        return;
    mtaes_key_free(message->key);
    secret_wipe(message, sizeof *message);
    free(message);
}

/* The base nonce XOR the chunk's number as a 96-bit big-endian integer. */
static void chunk_nonce(const struct cobblestone *message, uint64_t number,
                        uint8_t nonce[NONCE_BYTES])
{
    memcpy(nonce, message->base_nonce, NONCE_BYTES);
    for (size_t i = NONCE_BYTES; number != 0; number >>= 8)
        nonce[--i] ^= (uint8_t)number;
}

static size_t count_good(const mtaes_message *messages, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (messages[i].status != MTAES_OK)
            return i;
    return count;
}

bool cobblestone_crypt(const struct cobblestone *message, mtaes_direction direction, uint64_t first,
                       uint8_t *chunks, size_t count, size_t last_text_bytes, size_t *good,
                       struct problem *problem)
{
    *good = 0;
    if (count == 0 || count > CHUNKS_A_CALL || last_text_bytes > CHUNK_TEXT_BYTES)
        return problem_set(problem, EXIT_OTHER, "%zu chunks in one call; 1 to %d are allowed",
                           count, CHUNKS_A_CALL);
    if (first >= CHUNKS_MOST || count > CHUNKS_MOST - first)
        return problem_set(problem, EXIT_OTHER,
                           "the message is too long: at most 2^38 chunks, 4 PiB - 1 byte of text");
    uint8_t nonces[CHUNKS_A_CALL][NONCE_BYTES];
    mtaes_message batch[CHUNKS_A_CALL];
    memset(batch, 0, count * sizeof batch[0]);
    for (size_t i = 0; i < count; i++) {
        uint8_t *const text = chunks + i * CHUNK_BYTES;
        const size_t bytes = i + 1 < count ? CHUNK_TEXT_BYTES : last_text_bytes;
        chunk_nonce(message, first + i, nonces[i]);
        batch[i] = (mtaes_message){.key = message->key,
                                   .direction = direction,
                                   .src = text,
                                   .dst = text,
                                   .bytes = bytes,
                                   .iv = nonces[i],
                                   .iv_bytes = NONCE_BYTES,
                                   .tag = text + bytes,
                                   .tag_bytes = CHUNK_TAG_BYTES};
    }
    const mtaes_status status = mtaes_run(message->engine, batch, count);
    *good = count_good(batch, count);
    if (status == MTAES_OK && *good == count)
        return true;
    if (*good < count && direction == MTAES_DECRYPT && batch[*good].status == MTAES_AUTH)
        return true;
    *good = 0;
    return problem_set(problem, EXIT_OTHER, "AES-GCM: %s", mtaes_status_text(status));
}
