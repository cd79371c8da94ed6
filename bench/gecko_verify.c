/* gecko_verify.c: before any number is printed: all implementations give the same bytes. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "bytewise.h"
#include "gecko.h"
#include "mtaes.h"

enum { BLOCK = BYTEWISE_BLOCK, BYTES = 4096 + 5 * BLOCK };

struct sample {
    const struct bytewise *cipher;
    size_t key_bytes;
    uint8_t key[32], iv[BLOCK], plain[BYTES], expected[BYTES];
};

/* What the byte-wise cipher makes of the text, in the library's name for the mode. */
static void expect(struct sample *s, const char *mode)
{
    struct bytewise_key expanded;
    s->cipher->setup(&expanded, s->key, s->key_bytes);
    memcpy(s->expected, s->plain, BYTES);
    if (strcmp(mode, "cbc") == 0)
        bytewise_cbc_encrypt(s->cipher, &expanded, s->iv, s->expected, BYTES);
    else if (strcmp(mode, "ecb") == 0)
        bytewise_ecb_encrypt(s->cipher, &expanded, s->expected, BYTES);
    else
        bytewise_ctr(s->cipher, &expanded, s->iv, s->expected, BYTES);
}

/* The byte-wise cipher's own way back. */
static bool returns(const struct sample *s, const char *mode)
{
    struct bytewise_key expanded;
    uint8_t data[BYTES];
    s->cipher->setup(&expanded, s->key, s->key_bytes);
    memcpy(data, s->expected, BYTES);
    if (strcmp(mode, "cbc") == 0)
        bytewise_cbc_decrypt(s->cipher, &expanded, s->iv, data, BYTES);
    else if (strcmp(mode, "ecb") == 0)
        bytewise_ecb_decrypt(s->cipher, &expanded, data, BYTES);
    else
        bytewise_ctr(s->cipher, &expanded, s->iv, data, BYTES);
    return memcmp(data, s->plain, BYTES) == 0;
}

static bool run_agrees(mtaes_engine *engine, const struct sample *s, const mtaes_key *key,
                       bool decrypt, bool needs_iv)
{
    uint8_t data[BYTES];
    mtaes_message m = {.key = key,
                       .direction = decrypt ? MTAES_DECRYPT : MTAES_ENCRYPT,
                       .src = decrypt ? s->expected : s->plain,
                       .dst = data,
                       .bytes = BYTES,
                       .iv = needs_iv ? s->iv : NULL,
                       .iv_bytes = needs_iv ? BLOCK : 0};
    return mtaes_run(engine, &m, 1) == MTAES_OK &&
           memcmp(data, decrypt ? s->plain : s->expected, BYTES) == 0;
}

static bool kernel_agrees(mtaes_engine *engine, const struct sample *s, const mtaes_kernel *kernel,
                          const mtaes_mode *mode)
{
    const bool needs_iv = mtaes_mode_describe(mode).iv_bytes_max > 0;
    mtaes_key *key;
    if (mtaes_key_create(&key, kernel, mode, s->key, s->key_bytes) != MTAES_OK)
        return false;
    const bool good =
        run_agrees(engine, s, key, false, needs_iv) && run_agrees(engine, s, key, true, needs_iv);
    mtaes_key_free(key);
    return good;
}

/* One cipher in one mode, over every kernel that runs here. */
static bool mode_agrees(mtaes_engine *engine, struct sample *s, const char *name)
{
    const mtaes_mode *const mode = mtaes_mode_find(name);
    expect(s, name);
    if (!mode || !returns(s, name))
        return complain("%s, %s: the byte-wise cipher does not decrypt what it encrypted",
                        s->cipher->name, name);
    for (const mtaes_kernel *k = mtaes_kernel_next(NULL); k; k = mtaes_kernel_next(k)) {
        if (strcmp(mtaes_kernel_cipher(k), s->cipher->name) != 0 || !mtaes_kernel_runs_here(k))
            continue;
        if (!kernel_agrees(engine, s, k, mode))
            return complain("%s, %s, %zu bits: not the bytes of the byte-wise cipher",
                            mtaes_kernel_name(k), name, 8 * s->key_bytes);
    }
    return true;
}

static bool cipher_agrees(mtaes_engine *engine, const struct bytewise *cipher, size_t key_bytes,
                          uint32_t seed)
{
    const char *const counter = cipher == &bytewise_gecko ? "gecko-ctr-compat" : "ctr";
    struct sample s = {.cipher = cipher, .key_bytes = key_bytes};
    struct mt19937 random;
    mt19937_seed(&random, seed);
    mt19937_fill(&random, s.key, sizeof s.key);
    mt19937_fill(&random, s.iv, sizeof s.iv);
    mt19937_fill(&random, s.plain, sizeof s.plain);
    return mode_agrees(engine, &s, "ecb") && mode_agrees(engine, &s, "cbc") &&
           mode_agrees(engine, &s, counter);
}

bool gecko_verify(const struct gecko_options *o)
{
    const mtaes_engine_options options = {.threads = 1};
    mtaes_engine *engine;
    const mtaes_status status = mtaes_engine_create(&engine, &options);
    if (status != MTAES_OK)
        return complain("no engine: %s", mtaes_status_text(status));
    bool good = true;
    for (size_t i = 0; i < o->key_bits.count && good; i++) {
        const size_t key_bytes = o->key_bits.at[i] / 8;
        good = cipher_agrees(engine, &bytewise_gecko, key_bytes, (uint32_t)o->seed) &&
               cipher_agrees(engine, &bytewise_aes, key_bytes, (uint32_t)o->seed);
    }
    mtaes_engine_free(engine);
    return good;
}
