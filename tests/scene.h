/* scene.h: a kernel, a mode and a key, with texts and what the portable kernel makes of them. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MTAES_TESTS_SCENE_H
#define MTAES_TESTS_SCENE_H

#include "support.h"

struct scene {
    const mtaes_kernel *kernel;
    const mtaes_mode *mode;
    mtaes_mode_info info;
    size_t key_bytes;
    uint8_t material[64];
    mtaes_key *key, *portable_key; /* the same key for the kernel, and for the portable one */
    mtaes_engine *one;             /* one thread */
    struct random random;
};

/* Exits with a message when the library refuses anything. The kernel must run here. */
void scene_begin(struct scene *scene, const mtaes_kernel *kernel, const mtaes_mode *mode,
                 size_t key_bytes);
void scene_end(struct scene *scene);

enum { IV_ROOM = 16, AAD_ROOM = 100 };

/* A plaintext and what the portable kernel makes of it in one thread. */
struct text {
    size_t bytes, unit_bytes;
    size_t iv_bytes, aad_bytes;
    uint8_t iv[IV_ROOM], aad[AAD_ROOM];
    uint8_t *plaintext, *ciphertext;
    uint8_t tag[16];
};

/* A random text, IV and aad; encrypt it. iv: NULL, or the IV to take. Exits when it is refused. */
struct text text_create(struct scene *scene, size_t bytes, size_t unit_bytes, const uint8_t *iv);
void text_free(struct text *text);

/* What goes in and comes out in this direction. */
const uint8_t *text_source(const struct text *text, mtaes_direction direction);
const uint8_t *text_result(const struct text *text, mtaes_direction direction);

/* A message of this text from src to dst. tag: 16 bytes, written by encryption; for decryption the
   right tag is put there. */
mtaes_message text_message(const struct scene *scene, const struct text *text,
                           mtaes_direction direction, const void *src, void *dst, void *tag);

/* Run on the engine with the kernel's key, from `src` to `dst`, and compare: NULL, or what is
   wrong. src: a copy of text_source; may be dst. */
const char *text_run(const struct scene *scene, const struct text *text, mtaes_engine *engine,
                     mtaes_direction direction, const void *src, void *dst);

/* An engine that runs items on the calling thread, the last first, as if with so many threads. */
mtaes_engine *engine_backwards(size_t threads);

#endif
