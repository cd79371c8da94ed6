/* monte_carlo.c: the Monte Carlo tests of NIST's AES Algorithm Validation Suite, section 6.4. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "replay.h"
#include "util.h"

#include <stdio.h>
#include <string.h>

/* A chain of calls under one key: the last two results. */
struct walk {
    uint8_t before[16], last[16];
};

/* 1,000 calls of one block each. In ECB the next input is the last output; in the chained modes it
   is the output before that, the first of these being the IV. */
static mtaes_status walk_thousand(struct replay *replay, const struct vector *v,
                                  const mtaes_mode *mode, struct walk *walk)
{
    const bool chained = mtaes_mode_describe(mode).iv_bytes_max != 0;
    const bool output_feedback = strcmp(v->mode, "ofb") == 0;
    const struct bytes *given = v->made_decrypting ? &v->ciphertext : &v->plaintext;
    uint8_t in[16], iv[16] = {0};
    mtaes_key *key = key_for(replay->kernel, mode, v->key.p, v->key.n);
    mtaes_status status = MTAES_OK;
    memcpy(in, given->p, 16);
    if (chained)
        memcpy(iv, v->iv.p, 16);
    memcpy(walk->last, iv, 16);
    for (int i = 0; i < 1000 && status == MTAES_OK; i++) {
        mtaes_message m = {.key = key, .src = in, .bytes = 16};
        uint8_t out[16];
        m.direction = v->made_decrypting ? MTAES_DECRYPT : MTAES_ENCRYPT;
        m.dst = out;
        m.iv = chained ? iv : NULL;
        m.iv_bytes = chained ? 16 : 0;
        status = mtaes_run(replay->engines[0], &m, 1);
        /* What the next block hangs on: the ciphertext of this one, or in OFB its keystream. */
        if (output_feedback)
            xor_block(iv, in, out);
        else
            memcpy(iv, v->made_decrypting ? in : out, 16);
        memcpy(walk->before, walk->last, 16);
        memcpy(walk->last, out, 16);
        memcpy(in, chained ? walk->before : walk->last, 16);
    }
    mtaes_key_free(key);
    return status;
}

/* The key is XORed with the end of the last two results; IV and text are those two. */
static void predict(const struct vector *v, const struct walk *walk, bool chained,
                    struct monte_carlo *next)
{
    uint8_t results[32];
    memcpy(results, walk->before, 16);
    memcpy(results + 16, walk->last, 16);
    for (size_t i = 0; i < v->key.n; i++)
        next->key[i] = v->key.p[i] ^ results[32 - v->key.n + i];
    memcpy(next->iv, walk->last, 16);
    memcpy(next->text, chained ? walk->before : walk->last, 16);
    next->decrypting = v->made_decrypting;
    next->known = true;
}

static const char *compare_begin(const struct vector *v, bool chained,
                                 const struct monte_carlo *expected)
{
    const struct bytes *given = v->made_decrypting ? &v->ciphertext : &v->plaintext;
    if (!expected->known || expected->decrypting != v->made_decrypting)
        return NULL;
    const char *fault = difference(v->key.p, expected->key, v->key.n);
    if (fault == NULL && chained)
        fault = difference(v->iv.p, expected->iv, 16);
    return fault ? fault : difference(given->p, expected->text, 16);
}

enum replay_result replay_monte_carlo(struct replay *replay, const struct vector *vector,
                                      struct monte_carlo *next)
{
    const mtaes_mode *mode = NULL;
    const char *fault = replay_skip(vector, &mode);
    if (fault != NULL) {
        snprintf(replay->why, sizeof replay->why, "%s", fault);
        return REPLAY_SKIPPED;
    }
    const bool chained = mtaes_mode_describe(mode).iv_bytes_max != 0;
    const struct bytes *expected =
        vector->made_decrypting ? &vector->plaintext : &vector->ciphertext;
    if (vector->plaintext.n != 16 || vector->ciphertext.n != 16 || vector->key.n > 32 ||
        (chained && vector->iv.n != 16)) {
        snprintf(replay->why, sizeof replay->why, "not a Monte Carlo case");
        return REPLAY_FAILED;
    }
    struct walk walk;
    fault = compare_begin(vector, chained, next);
    if (fault == NULL) {
        const mtaes_status status = walk_thousand(replay, vector, mode, &walk);
        fault =
            status == MTAES_OK ? difference(walk.last, expected->p, 16) : mtaes_status_text(status);
    }
    if (fault != NULL) {
        snprintf(replay->why, sizeof replay->why, "%s", fault);
        return REPLAY_FAILED;
    }
    predict(vector, &walk, chained, next);
    return REPLAY_PASSED;
}
