/* slot.c: one key slot: the data key sealed under what a secret and a salt give. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "header.h"

#include "bytes.h"

#include <string.h>

enum { WRAP_KEY_BYTES = 32, WRAP_BYTES = WRAP_KEY_BYTES + SLOT_COMMITMENT_BYTES, TAG_BYTES = 16 };

const char *slot_type_name(unsigned type)
{
    return type == SLOT_EMPTY        ? "empty"
           : type == SLOT_KEY_FILE   ? "key file"
           : type == SLOT_PASSPHRASE ? "passphrase"
                                     : "unknown";
}

struct argon2_cost slot_cost(const uint8_t *slot)
{
    return (struct argon2_cost){.memory_kib = (uint32_t)get_be(slot + SLOT_MEMORY_AT, 4),
                                .passes = (uint32_t)get_be(slot + SLOT_PASSES_AT, 4),
                                .lanes = (uint32_t)get_be(slot + SLOT_LANES_AT, 4)};
}

/* HKDF-SHA-512 of the secret and the slot's salt; info: a label, a zero byte, type and cost. */
static bool wrap_from(const uint8_t *secret, size_t bytes, const uint8_t *slot, uint8_t *wrap,
                      struct problem *problem)
{
    static const char label[] = "mtaes-file v1 slot"; /* with its zero byte */
    uint8_t info[sizeof label + SLOT_SALT_AT];
    memcpy(info, label, sizeof label);
    memcpy(info + sizeof label, slot, SLOT_SALT_AT);
    return hkdf(secret, bytes, slot + SLOT_SALT_AT, SLOT_SALT_BYTES, info, sizeof info, wrap,
                WRAP_BYTES, problem);
}

/* The wrapping key and the slot's commitment to it. */
static bool make_wrap(const struct secret *secret, const uint8_t *slot, uint8_t *wrap,
                      struct problem *problem)
{
    if (secret->kind == SECRET_KEY)
        return wrap_from(secret->data, secret->bytes, slot, wrap, problem);
    const struct argon2_cost cost = slot_cost(slot);
    uint8_t stretched[WRAP_KEY_BYTES];
    const bool right = argon2id(secret->data, secret->bytes, slot + SLOT_SALT_AT, SLOT_SALT_BYTES,
                                &cost, stretched, sizeof stretched, problem) &&
                       wrap_from(stretched, sizeof stretched, slot, wrap, problem);
    secret_wipe(stretched, sizeof stretched);
    return right;
}

/* AES-256-GCM, the immutable part as AAD. The nonce is zero: a wrapping key seals one thing only,
   as it comes from a fresh salt. */
static mtaes_status run_gcm(mtaes_engine *engine, mtaes_direction direction, const uint8_t *wrap,
                            const uint8_t *immutable, const uint8_t *src, uint8_t *dst,
                            uint8_t *tag)
{
    static const uint8_t nonce[12];
    mtaes_key *key;
    mtaes_status status = mtaes_key_create(&key, mtaes_kernel_find("aes"), mtaes_mode_find("gcm"),
                                           wrap, WRAP_KEY_BYTES);
    if (status != MTAES_OK)
        return status;
    mtaes_message message = {.key = key,
                             .direction = direction,
                             .src = src,
                             .dst = dst,
                             .bytes = DATA_KEY_ROOM,
                             .iv = nonce,
                             .iv_bytes = sizeof nonce,
                             .aad = immutable,
                             .aad_bytes = IMMUTABLE_BYTES,
                             .tag = tag,
                             .tag_bytes = TAG_BYTES};
    status = mtaes_run(engine, &message, 1);
    mtaes_key_free(key);
    return status;
}

static bool gcm_problem(mtaes_status status, struct problem *problem)
{
    return status == MTAES_OK ||
           problem_set(problem, EXIT_OTHER, "AES-GCM: %s", mtaes_status_text(status));
}

bool slot_seal(mtaes_engine *engine, const uint8_t *immutable, const struct secret *secret,
               const struct argon2_cost *cost, const struct data_key *key, uint8_t *slot,
               struct problem *problem)
{
    uint8_t wrap[WRAP_BYTES];
    memset(slot, 0, SLOT_BYTES);
    slot[SLOT_TYPE_AT] = secret->kind == SECRET_KEY ? SLOT_KEY_FILE : SLOT_PASSPHRASE;
    if (secret->kind == SECRET_PASSPHRASE) {
        if (!argon2_cost_check(cost, EXIT_USAGE, "the new slot", problem))
            return false;
        put_be(slot + SLOT_MEMORY_AT, 4, cost->memory_kib);
        put_be(slot + SLOT_PASSES_AT, 4, cost->passes);
        put_be(slot + SLOT_LANES_AT, 4, cost->lanes);
    }
    if (!random_bytes(slot + SLOT_SALT_AT, SLOT_SALT_BYTES, problem))
        return false;
    bool right = make_wrap(secret, slot, wrap, problem);
    if (right) {
        memcpy(slot + SLOT_COMMITMENT_AT, wrap + WRAP_KEY_BYTES, SLOT_COMMITMENT_BYTES);
        right = gcm_problem(run_gcm(engine, MTAES_ENCRYPT, wrap, immutable, key->key,
                                    slot + SLOT_SEALED_AT, slot + SLOT_TAG_AT),
                            problem);
    }
    secret_wipe(wrap, sizeof wrap);
    return right;
}

bool slot_open(mtaes_engine *engine, const uint8_t *immutable, const struct secret *secret,
               const uint8_t *slot, struct data_key *key, bool *opened, struct problem *problem)
{
    uint8_t wrap[WRAP_BYTES], tag[TAG_BYTES];
    const unsigned wanted = secret->kind == SECRET_KEY ? SLOT_KEY_FILE : SLOT_PASSPHRASE;
    *opened = false;
    if (slot[SLOT_TYPE_AT] != wanted)
        return true;
    if (!make_wrap(secret, slot, wrap, problem))
        return false;
    mtaes_status status = MTAES_AUTH;
    memcpy(tag, slot + SLOT_TAG_AT, sizeof tag);
    if (secret_equal(wrap + WRAP_KEY_BYTES, slot + SLOT_COMMITMENT_AT, SLOT_COMMITMENT_BYTES))
        status =
            run_gcm(engine, MTAES_DECRYPT, wrap, immutable, slot + SLOT_SEALED_AT, key->key, tag);
    secret_wipe(wrap, sizeof wrap);
    *opened = status == MTAES_OK;
    return status == MTAES_AUTH || gcm_problem(status, problem);
}
