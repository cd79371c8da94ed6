/* beecrypt_modexp.c: 100 modular exponentiations in the 1024-bit group 2 of RFC 2409. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <openssl/bn.h>
#include <stdio.h>
#include <stdlib.h>

#include "beecrypt.h"
#include "memory.h"
#include "random.h"

enum { PRIME_BITS = 1024, BYTES_MAX = PRIME_BITS / 8 };

struct state {
    BN_CTX *context;
    BN_MONT_CTX *reduction; /* made once, as the published program did with its own */
    BIGNUM *prime, *base, *exponent, *expected;
    BIGNUM *result[BEECRYPT_EXPONENTIATIONS]; /* all kept, so that each can be checked */
};

static void release(struct beecrypt_job *job)
{
    struct state *const s = job->state;
    if (!s)
        return;
    for (size_t i = 0; i < BEECRYPT_EXPONENTIATIONS; i++)
        BN_free(s->result[i]);
    BN_free(s->prime);
    BN_free(s->base);
    BN_free(s->exponent);
    BN_free(s->expected);
    BN_MONT_CTX_free(s->reduction);
    BN_CTX_free(s->context);
    free(s);
    job->state = NULL;
}

static BIGNUM *random_number(uint64_t seed, enum random_use use, size_t bytes, bool top_bit)
{
    uint8_t octets[BYTES_MAX];
    random_fill(seed, use, octets, bytes);
    if (top_bit)
        octets[0] |= 0x80;
    return BN_bin2bn(octets, (int)bytes, NULL);
}

/* Base below the prime, exponent with its top bit set. */
static bool draw(struct state *s, uint64_t seed, int exponent_bits)
{
    s->context = BN_CTX_new();
    s->reduction = BN_MONT_CTX_new();
    s->prime = BN_get_rfc2409_prime_1024(NULL);
    s->base = random_number(seed, RANDOM_TEXT, BYTES_MAX, false);
    s->exponent = random_number(seed, RANDOM_KEY, (size_t)exponent_bits / 8, true);
    s->expected = BN_new();
    bool good = s->context && s->reduction && s->prime && s->base && s->exponent && s->expected;
    for (size_t i = 0; good && i < BEECRYPT_EXPONENTIATIONS; i++)
        good = (s->result[i] = BN_new()) != NULL;
    return good && BN_mod(s->base, s->base, s->prime, s->context) == 1 &&
           BN_MONT_CTX_set(s->reduction, s->prime, s->context) == 1;
}

static bool power(struct state *s, BIGNUM *result, const BIGNUM *exponent)
{
    return BN_mod_exp_mont(result, s->base, exponent, s->prime, s->context, s->reduction) == 1;
}

/* Fermat: b^(p-1) = 1, and so b^e * b^(p-1-e) = 1; and b^e by another algorithm is the same. */
static bool identities_hold(struct state *s)
{
    BIGNUM *const order = BN_dup(s->prime), *const rest = BN_new(), *const value = BN_new();
    bool good = order && rest && value && BN_sub_word(order, 1) == 1 &&
                BN_sub(rest, order, s->exponent) == 1;
    if (good && BN_is_negative(rest)) /* e mod (p - 1) */
        good = BN_add(rest, rest, order) == 1;
    good = good && power(s, value, order) && BN_is_one(value) &&
           power(s, s->expected, s->exponent) && power(s, value, rest) &&
           BN_mod_mul(value, value, s->expected, s->prime, s->context) == 1 && BN_is_one(value) &&
           BN_mod_exp_simple(value, s->base, s->exponent, s->prime, s->context) == 1 &&
           BN_cmp(value, s->expected) == 0;
    BN_free(order);
    BN_free(rest);
    BN_free(value);
    return good;
}

static bool prepare(struct beecrypt_job *job, char reason[REASON_ROOM])
{
    struct state *const s = job->state = allocate(1, sizeof *s);
    job->plan.threads = 1;
    job->amount = job->plan.timed ? 1 : BEECRYPT_EXPONENTIATIONS;
    if (!draw(s, job->plan.seed, job->work->variant)) {
        snprintf(reason, REASON_ROOM, "libcrypto could not set up the numbers");
        return false;
    }
    if (!identities_hold(s)) {
        snprintf(reason, REASON_ROOM,
                 "libcrypto's powers are not those of a group: b^(p-1), b^e * b^(p-1-e) or a "
                 "second algorithm disagrees");
        return false;
    }
    return true;
}

static void reset(struct beecrypt_job *job)
{
    struct state *const s = job->state;
    for (size_t i = 0; i < job->amount; i++)
        BN_zero(s->result[i]);
}

static bool run(struct beecrypt_job *job)
{
    struct state *const s = job->state;
    for (size_t i = 0; i < job->amount; i++) {
        if (!power(s, s->result[i], s->exponent))
            return false;
    }
    return true;
}

static bool check(struct beecrypt_job *job)
{
    const struct state *const s = job->state;
    for (size_t i = 0; i < job->amount; i++) {
        if (BN_cmp(s->result[i], s->expected) != 0)
            return false;
    }
    return true;
}

const struct beecrypt_kind beecrypt_modexp = {
    .unit = "exponentiations",
    .prepare = prepare,
    .reset = reset,
    .run = run,
    .check = check,
    .free = release,
};
