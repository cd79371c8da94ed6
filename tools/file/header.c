/* header.c: making, checking and opening the header that mtaes(5) describes. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "header.h"

#include "bytes.h"

#include <stdio.h>
#include <string.h>

/* As in PNG: a byte that is not ASCII, a name, and line ends that text conversion would change. */
static const uint8_t magic[MAGIC_BYTES] = {0x89, 'M', 'T', 'A', 'E', 'S', '\r', '\n'};

/* ------------------------------------------------------------------------------------------------
 * checking, before any key is known */

static bool check_prefix(const uint8_t *bytes, size_t got, const char *name,
                         struct problem *problem)
{
    const size_t compared = got < MAGIC_BYTES ? got : (size_t)MAGIC_BYTES;
    if (memcmp(bytes, magic, compared) != 0)
        return problem_set(problem, EXIT_FORMAT,
                           "%s: is not a file of mtaes: it does not begin with 89 4d 54 41 45 53 "
                           "0d 0a",
                           name);
    if (got < IMMUTABLE_BYTES)
        return true;
    const unsigned version = (unsigned)get_be(bytes + VERSION_AT, 2);
    const unsigned suite = (unsigned)get_be(bytes + SUITE_AT, 2);
    const uint32_t flags = (uint32_t)get_be(bytes + FLAGS_AT, 4);
    if (version != FORMAT_VERSION)
        return problem_set(problem, EXIT_FORMAT, "%s: format version %u; this mtaes knows %d", name,
                           version, FORMAT_VERSION);
    if (suite != 128 && suite != 256)
        return problem_set(problem, EXIT_FORMAT, "%s: suite %u; this mtaes knows 128 and 256", name,
                           suite);
    if (flags >> 16 != 0)
        return problem_set(problem, EXIT_FORMAT,
                           "%s: critical flags %04x; this mtaes knows none of them", name,
                           flags >> 16);
    return true;
}

/* The first byte of a range that is not zero, or SIZE_MAX. */
static size_t find_nonzero(const uint8_t *bytes, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (bytes[i] != 0)
            return i;
    return SIZE_MAX;
}

static bool check_slot(const uint8_t *slot, size_t at, const char *name, struct problem *problem)
{
    char where[256];
    const unsigned type = slot[SLOT_TYPE_AT];
    /* the fields that must be zero in a slot of this type */
    const size_t zero_end = type == SLOT_EMPTY      ? (size_t)SLOT_BYTES
                            : type == SLOT_KEY_FILE ? (size_t)SLOT_SALT_AT
                                                    : (size_t)SLOT_MEMORY_AT;
    const size_t odd = find_nonzero(slot, SLOT_TYPE_AT + 1, zero_end);
    if (type > SLOT_PASSPHRASE)
        return problem_set(problem, EXIT_DAMAGED,
                           "%s: damaged at byte %zu: slot type %u; 0 to 2 is allowed", name, at,
                           type);
    if (odd != SIZE_MAX)
        return problem_set(problem, EXIT_DAMAGED, "%s: damaged at byte %zu: it must be zero", name,
                           at + odd);
    if (type != SLOT_PASSPHRASE)
        return true;
    const struct argon2_cost cost = slot_cost(slot);
    snprintf(where, sizeof where, "%.200s: damaged at byte %zu", name, at + SLOT_MEMORY_AT);
    return argon2_cost_check(&cost, EXIT_DAMAGED, where, problem);
}

/* One copy for itself: what can be wrong with it without a key. */
static bool check_copy(const uint8_t *header, unsigned copy, const char *name,
                       struct problem *problem)
{
    const size_t begin = copy_at(copy);
    const uint8_t *const bytes = header + begin;
    const size_t odd = find_nonzero(bytes, COPY_GENERATION_BYTES, COPY_SLOTS_AT);
    if (odd != SIZE_MAX)
        return problem_set(problem, EXIT_DAMAGED, "%s: damaged at byte %zu: it must be zero", name,
                           begin + odd);
    for (unsigned slot = 0; slot < SLOTS; slot++) {
        const size_t at = COPY_SLOTS_AT + slot * (size_t)SLOT_BYTES;
        if (!check_slot(bytes + at, begin + at, name, problem))
            return false;
    }
    return true;
}

/* What is neither immutable nor in a copy: the state, and zeros. */
static bool check_rest(const uint8_t *header, const char *name, struct problem *problem)
{
    const size_t zeros[][2] = {{STATE_AT + 1, copy_at(0)},
                               {copy_at(0) + COPY_BYTES, copy_at(1)},
                               {copy_at(1) + COPY_BYTES, HEADER_BYTES}};
    if (header[STATE_AT] != STATE_AT_REST && header[STATE_AT] != STATE_CHANGING)
        return problem_set(problem, EXIT_DAMAGED,
                           "%s: damaged at byte %d: state %02x; 00 or %02x is allowed", name,
                           STATE_AT, header[STATE_AT], STATE_CHANGING);
    for (size_t i = 0; i < sizeof zeros / sizeof zeros[0]; i++) {
        const size_t odd = find_nonzero(header, zeros[i][0], zeros[i][1]);
        if (odd != SIZE_MAX)
            return problem_set(problem, EXIT_DAMAGED, "%s: damaged at byte %zu: it must be zero",
                               name, odd);
    }
    return true;
}

static bool make_check(const uint8_t *immutable, uint8_t check[CHECK_BYTES],
                       struct problem *problem)
{
    uint8_t digest[64];
    if (!sha512(immutable, CHECK_AT, digest, problem))
        return false;
    memcpy(check, digest, CHECK_BYTES);
    return true;
}

static bool check_immutable(const uint8_t *bytes, const char *name, struct problem *problem)
{
    uint8_t check[CHECK_BYTES];
    if (!make_check(bytes, check, problem))
        return false;
    return secret_equal(check, bytes + CHECK_AT, CHECK_BYTES) ||
           problem_set(problem, EXIT_DAMAGED,
                       "%s: damaged between byte %d and byte %d: the check sum is wrong", name,
                       VERSION_AT, CHECK_AT + CHECK_BYTES - 1);
}

/* At rest the copies are the same, and both well formed. */
static bool check_copies_at_rest(const uint8_t *header, const char *name, struct problem *problem)
{
    const uint8_t *const first = header + copy_at(0), *const second = header + copy_at(1);
    for (size_t i = 0; i < COPY_BYTES; i++)
        if (first[i] != second[i])
            return problem_set(problem, EXIT_DAMAGED,
                               "%s: damaged at byte %zu or at byte %zu, which must be equal; "
                               "--salvage reads it if one copy of the key slots is whole",
                               name, copy_at(0) + i, copy_at(1) + i);
    return check_copy(header, 0, name, problem);
}

static bool check_copies(const uint8_t *header, const char *name, struct header_view *view,
                         struct problem *problem)
{
    struct problem first = {.code = EXIT_DONE};
    for (unsigned copy = 0; copy < COPIES; copy++) {
        view->well_formed[copy] = check_copy(header, copy, name, &first);
        view->generation[copy] = get_be(header + copy_at(copy), COPY_GENERATION_BYTES);
    }
    if (!view->well_formed[0] && !view->well_formed[1])
        *problem = first;
    return view->well_formed[0] || view->well_formed[1];
}

bool header_check(const uint8_t *bytes, size_t got, bool salvage, const char *name,
                  struct header_view *view, struct problem *problem)
{
    if (!check_prefix(bytes, got, name, problem))
        return false;
    if (got < HEADER_BYTES)
        return problem_set(problem, EXIT_TRUNCATED,
                           "%s: truncated: it ends at byte %zu, inside the header of %d bytes",
                           name, got, HEADER_BYTES);
    if (!check_immutable(bytes, name, problem))
        return false;
    if (!salvage && !check_rest(bytes, name, problem))
        return false;
    *view = (struct header_view){
        .suite = (unsigned)get_be(bytes + SUITE_AT, 2),
        .flags = (uint32_t)get_be(bytes + FLAGS_AT, 4),
        .changing = salvage || bytes[STATE_AT] == STATE_CHANGING,
    };
    if (!view->changing && !check_copies_at_rest(bytes, name, problem))
        return false;
    return check_copies(bytes, name, view, problem);
}

/* ------------------------------------------------------------------------------------------------
 * the copies' MAC */

static bool copy_mac(const uint8_t *immutable, const struct data_key *key, const uint8_t *copy,
                     uint8_t mac[COPY_MAC_BYTES], struct problem *problem)
{
    static const uint8_t info[] = "mtaes-file v1 slot area";
    uint8_t mac_key[64];
    const bool right = hkdf_expand(key->key, key->bytes, info, sizeof info - 1, mac_key,
                                   sizeof mac_key, problem) &&
                       hmac_sha512(mac_key, sizeof mac_key, immutable, IMMUTABLE_BYTES, copy,
                                   COPY_MAC_AT, mac, problem);
    secret_wipe(mac_key, sizeof mac_key);
    return right;
}

bool header_verify_copy(const uint8_t *immutable, const struct data_key *key, const uint8_t *copy,
                        bool *right, struct problem *problem)
{
    uint8_t mac[COPY_MAC_BYTES];
    if (!copy_mac(immutable, key, copy, mac, problem))
        return false;
    *right = secret_equal(mac, copy + COPY_MAC_AT, COPY_MAC_BYTES);
    return true;
}

bool header_sign_copy(const uint8_t *immutable, const struct data_key *key, uint8_t *copy,
                      struct problem *problem)
{
    const uint64_t generation = get_be(copy + COPY_GENERATION_AT, COPY_GENERATION_BYTES);
    if (generation == UINT64_MAX)
        return problem_set(problem, EXIT_OTHER, "the key slots cannot be changed again");
    put_be(copy + COPY_GENERATION_AT, COPY_GENERATION_BYTES, generation + 1);
    return copy_mac(immutable, key, copy, copy + COPY_MAC_AT, problem);
}

/* ------------------------------------------------------------------------------------------------
 * opening */

struct opening {
    mtaes_engine *engine;
    uint8_t *header;
    const struct header_view *view;
    const struct secrets *secrets;
    struct header_opened *opened;
};

static bool stands_in_both(const struct opening *o, unsigned slot)
{
    return secret_equal(slot_of(o->header + copy_at(0), slot),
                        slot_of(o->header + copy_at(1), slot), SLOT_BYTES);
}

/* Try one secret on the slots of copies [first, end), once on what stands in both. What cannot be
   tried, as there is no memory for its cost, is skipped: another slot may open. */
static bool try_secret(const struct opening *o, size_t secret, unsigned first, unsigned end,
                       struct problem *skipped)
{
    for (unsigned copy = first; copy < end; copy++)
        for (unsigned slot = 0; slot < SLOTS; slot++) {
            bool found = false;
            if (!o->view->well_formed[copy] ||
                (copy > first && o->view->well_formed[first] && stands_in_both(o, slot)))
                continue;
            (void)slot_open(o->engine, o->header, &o->secrets->list[secret],
                            slot_of(o->header + copy_at(copy), slot), o->opened->key, &found,
                            skipped);
            if (!found)
                continue;
            o->opened->copy = copy;
            o->opened->slot = slot;
            o->opened->secret = secret;
            return true;
        }
    return false;
}

/* Key files first: they cost nothing. */
static bool try_secrets(const struct opening *o, unsigned first, unsigned end,
                        struct problem *skipped)
{
    static const enum secret_kind order[] = {SECRET_KEY, SECRET_PASSPHRASE};
    for (size_t kind = 0; kind < 2; kind++)
        for (size_t i = 0; i < o->secrets->count; i++)
            if (o->secrets->list[i].kind == order[kind] && try_secret(o, i, first, end, skipped))
                return true;
    return false;
}

/* The newest copy whose MAC is right is what counts. */
static bool choose_base(const struct opening *o, const char *name, struct problem *problem)
{
    bool any = false;
    for (unsigned copy = 0; copy < COPIES; copy++) {
        bool right;
        if (!header_verify_copy(o->header, o->opened->key, o->header + copy_at(copy), &right,
                                problem))
            return false;
        if (!right || !o->view->well_formed[copy] ||
            (any && o->view->generation[copy] <= o->view->generation[o->opened->base]))
            continue;
        o->opened->base = copy;
        any = true;
    }
    return any || problem_set(problem, EXIT_DAMAGED,
                              "%s: damaged: key slot %u opened, but the MAC of the key slots, at "
                              "byte %zu, is wrong",
                              name, o->opened->slot, copy_at(o->opened->copy) + COPY_MAC_AT);
}

/* In a change that was not finished the slot that opened may be one that the copy that counts has
   no more. That copy is preferred if any of the secrets opens it. */
static void prefer_base(const struct opening *o)
{
    const unsigned base = o->opened->base;
    struct problem ignored = {.code = EXIT_DONE};
    if (o->opened->copy != base && !stands_in_both(o, o->opened->slot))
        (void)try_secrets(o, base, base + 1, &ignored);
}

static bool no_slot(const struct opening *o, const char *name, struct problem *problem)
{
    char present[128] = "";
    const unsigned copy = o->view->well_formed[0] ? 0 : 1;
    for (unsigned slot = 0; slot < SLOTS; slot++) {
        const unsigned type = slot_of(o->header + copy_at(copy), slot)[SLOT_TYPE_AT];
        const size_t used = strlen(present);
        if (type != SLOT_EMPTY)
            snprintf(present + used, sizeof present - used, "%s%s", used == 0 ? "" : ", ",
                     slot_type_name(type));
    }
    return problem_set(problem, EXIT_NO_SLOT,
                       "%s: no key slot opens with what was given; the file has: %s", name,
                       present[0] == 0 ? "no key slot at all" : present);
}

bool header_open(mtaes_engine *engine, uint8_t header[HEADER_BYTES], const struct header_view *view,
                 const struct secrets *secrets, const char *name, struct header_opened *opened,
                 struct problem *problem)
{
    const struct opening o = {engine, header, view, secrets, opened};
    struct problem skipped = {.code = EXIT_DONE};
    *opened = (struct header_opened){.key = secret_alloc(sizeof *opened->key)};
    if (opened->key == NULL)
        return problem_set(problem, EXIT_OTHER, "no memory for the data key");
    bool right = try_secrets(&o, 0, COPIES, &skipped);
    if (right) {
        opened->key->bytes = view->suite / 8;
        right = choose_base(&o, name, problem);
    } else if (skipped.code != EXIT_DONE)
        *problem = skipped;
    else
        no_slot(&o, name, problem);
    if (right)
        prefer_base(&o);
    else {
        secret_free(opened->key, sizeof *opened->key);
        opened->key = NULL;
    }
    return right;
}

/* ------------------------------------------------------------------------------------------------
 * making */

static bool make_immutable(unsigned suite, uint8_t *header, struct problem *problem)
{
    memcpy(header, magic, MAGIC_BYTES);
    put_be(header + VERSION_AT, 2, FORMAT_VERSION);
    put_be(header + SUITE_AT, 2, suite);
    return random_bytes(header + FILE_ID_AT, FILE_ID_BYTES, problem) &&
           make_check(header, header + CHECK_AT, problem);
}

static bool make_copies(mtaes_engine *engine, const struct secrets *secrets,
                        const struct argon2_cost *cost, const struct data_key *key, uint8_t *header,
                        struct problem *problem)
{
    uint8_t *const copy = header + copy_at(0);
    for (unsigned i = 0; i < secrets->count; i++)
        if (!slot_seal(engine, header, &secrets->list[i], cost, key, slot_of(copy, i), problem))
            return false;
    if (!header_sign_copy(header, key, copy, problem))
        return false;
    memcpy(header + copy_at(1), copy, COPY_BYTES);
    return true;
}

bool header_create(mtaes_engine *engine, unsigned suite, const struct secrets *secrets,
                   const struct argon2_cost *cost, uint8_t header[HEADER_BYTES],
                   struct data_key **key, struct problem *problem)
{
    if (suite != 128 && suite != 256)
        return problem_set(problem, EXIT_USAGE, "suite %u; 128 or 256 is allowed", suite);
    memset(header, 0, HEADER_BYTES);
    *key = secret_alloc(sizeof **key);
    if (*key == NULL)
        return problem_set(problem, EXIT_OTHER, "no memory for the data key");
    (*key)->bytes = suite / 8;
    if (random_bytes((*key)->key, (*key)->bytes, problem) &&
        make_immutable(suite, header, problem) &&
        make_copies(engine, secrets, cost, *key, header, problem))
        return true;
    secret_free(*key, sizeof **key);
    *key = NULL;
    return false;
}
