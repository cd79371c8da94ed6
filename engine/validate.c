/* validate.c: lengths, limits and aliasing of a message, after which almost nothing can fail. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "validate.h"

#include "util.h"

bool validate_disjoint(const void *a, size_t a_bytes, const void *b, size_t b_bytes)
{
    const uintptr_t a_begin = (uintptr_t)a, b_begin = (uintptr_t)b;
    return a_bytes == 0 || b_bytes == 0 ||
           (a_begin <= b_begin ? b_begin - a_begin >= a_bytes : a_begin - b_begin >= b_bytes);
}

mtaes_status validate_iv(const struct mtaes_mode *mode, const void *iv, size_t iv_bytes)
{
    if (iv_bytes < mode->iv_bytes_min || iv_bytes > mode->iv_bytes_max)
        return MTAES_IV;
    return iv_bytes && !iv ? MTAES_ARG : MTAES_OK;
}

static mtaes_status validate_tag_and_aad(const struct mtaes_message *message)
{
    const struct mtaes_mode *const mode = message->key->mode;
    if (message->tag_bytes != mode->tag_bytes)
        return MTAES_TAG;
    if (mode->tag_bytes && !message->tag)
        return MTAES_ARG;
    if (message->aad_bytes && (!message->aad || !mode->tag_bytes))
        return MTAES_ARG;
    return message->aad_bytes > VALIDATE_AAD_BYTES_MAX ? MTAES_LENGTH : MTAES_OK;
}

/* The last unit's number, counted up from the first one's, must still be a number of 128 bits. */
static bool units_wrap(const struct mtaes_message *message, size_t unit_bytes)
{
    uint8_t number[BLOCK_BYTES];
    const size_t after_first = (message->bytes - 1) / unit_bytes;
    memcpy(number, message->iv, sizeof number);
    return add_le128(number, after_first);
}

static mtaes_status validate_units(const struct mtaes_message *message)
{
    const struct mtaes_mode *const mode = message->key->mode;
    const size_t unit = message->unit_bytes ? message->unit_bytes : message->bytes;
    if (unit < mode->bytes_min || unit > mode->bytes_max || message->bytes < mode->bytes_min)
        return MTAES_LENGTH;
    const size_t rest = message->bytes % unit;
    if (rest && rest < mode->bytes_min)
        return MTAES_LENGTH;
    return units_wrap(message, unit) ? MTAES_IV : MTAES_OK;
}

static mtaes_status validate_length(const struct mtaes_message *message)
{
    const struct mtaes_mode *const mode = message->key->mode;
    if (mode->units)
        return validate_units(message);
    if (message->unit_bytes)
        return MTAES_ARG;
    return message->bytes % mode->multiple_bytes || message->bytes < mode->bytes_min ||
                   message->bytes > mode->bytes_max
               ? MTAES_LENGTH
               : MTAES_OK;
}

static bool wraps_around(const void *p, size_t bytes)
{
    return (uintptr_t)p + bytes < (uintptr_t)p;
}

static mtaes_status validate_aliasing(const struct mtaes_message *message)
{
    const size_t bytes = message->bytes;
    if (message->src != message->dst &&
        !validate_disjoint(message->src, bytes, message->dst, bytes))
        return MTAES_OVERLAP;
    return validate_disjoint(message->iv, message->iv_bytes, message->dst, bytes) &&
                   validate_disjoint(message->aad, message->aad_bytes, message->dst, bytes) &&
                   validate_disjoint(message->tag, message->tag_bytes, message->dst, bytes)
               ? MTAES_OK
               : MTAES_OVERLAP;
}

mtaes_status validate_message(const struct mtaes_message *message)
{
    if (!message->key ||
        (message->direction != MTAES_ENCRYPT && message->direction != MTAES_DECRYPT))
        return MTAES_ARG;
    if (message->bytes && (!message->src || !message->dst))
        return MTAES_ARG;
    if (message->key->weak && message->direction == MTAES_ENCRYPT)
        return MTAES_KEY;
    mtaes_status status = validate_iv(message->key->mode, message->iv, message->iv_bytes);
    if (status == MTAES_OK)
        status = validate_tag_and_aad(message);
    if (status == MTAES_OK)
        status = validate_length(message);
    if (status == MTAES_OK &&
        (wraps_around(message->src, message->bytes) || wraps_around(message->dst, message->bytes)))
        status = MTAES_LENGTH;
    return status == MTAES_OK ? validate_aliasing(message) : status;
}
