/* scene.c: a kernel, a mode and a key, with texts and what the portable kernel makes of them. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void give_up(const struct scene *scene, const char *what)
{
    fprintf(stderr, "%s, %s, key of %zu bytes: %s\n", mtaes_kernel_name(scene->kernel),
            mtaes_mode_name(scene->mode), scene->key_bytes, what);
    exit(99);
}

void scene_begin(struct scene *scene, const mtaes_kernel *kernel, const mtaes_mode *mode,
                 size_t key_bytes)
{
    *scene = (struct scene){.kernel = kernel, .mode = mode, .key_bytes = key_bytes};
    scene->info = mtaes_mode_describe(mode);
    scene->random.state = key_bytes;
    random_fill(&scene->random, scene->material, sizeof scene->material);
    scene->key = key_for(kernel, mode, scene->material, key_bytes);
    mtaes_status status = mtaes_key_create(&scene->portable_key, portable_of(kernel), mode,
                                           scene->material, key_bytes);
    if (status != MTAES_OK)
        give_up(scene, mtaes_status_text(status));
    scene->one = engine_with(1);
}

void scene_end(struct scene *scene)
{
    mtaes_key_free(scene->key);
    mtaes_key_free(scene->portable_key);
    if (mtaes_engine_free(scene->one) != MTAES_OK)
        give_up(scene, "an idle engine cannot be freed");
}

mtaes_message text_message(const struct scene *scene, const struct text *text,
                           mtaes_direction direction, const void *src, void *dst, void *tag)
{
    mtaes_message m = {.key = scene->key, .direction = direction, .src = src, .dst = dst};
    m.bytes = text->bytes;
    m.unit_bytes = text->unit_bytes;
    if (text->iv_bytes > 0) {
        m.iv = text->iv;
        m.iv_bytes = text->iv_bytes;
    }
    if (scene->info.authenticates) {
        m.aad = text->aad;
        m.aad_bytes = text->aad_bytes;
        m.tag = tag;
        m.tag_bytes = scene->info.tag_bytes;
        if (direction == MTAES_DECRYPT)
            memcpy(tag, text->tag, scene->info.tag_bytes);
    }
    return m;
}

struct text text_create(struct scene *scene, size_t bytes, size_t unit_bytes, const uint8_t *iv)
{
    struct text text = {.bytes = bytes, .unit_bytes = unit_bytes};
    text.iv_bytes = usual_iv_bytes(scene->mode);
    text.aad_bytes = scene->info.authenticates ? random_below(&scene->random, AAD_ROOM) : 0;
    random_fill(&scene->random, text.iv, sizeof text.iv);
    random_fill(&scene->random, text.aad, sizeof text.aad);
    if (iv != NULL)
        memcpy(text.iv, iv, sizeof text.iv);
    text.plaintext = malloc(bytes + 1);
    text.ciphertext = malloc(bytes + 1);
    if (text.plaintext == NULL || text.ciphertext == NULL)
        give_up(scene, "out of memory");
    random_fill(&scene->random, text.plaintext, bytes);
    mtaes_message m =
        text_message(scene, &text, MTAES_ENCRYPT, text.plaintext, text.ciphertext, text.tag);
    m.key = scene->portable_key;
    const mtaes_status status = mtaes_run(scene->one, &m, 1);
    if (status != MTAES_OK)
        give_up(scene, mtaes_status_text(status));
    return text;
}

void text_free(struct text *text)
{
    free(text->plaintext);
    free(text->ciphertext);
    text->plaintext = text->ciphertext = NULL;
}

const uint8_t *text_source(const struct text *text, mtaes_direction direction)
{
    return direction == MTAES_DECRYPT ? text->ciphertext : text->plaintext;
}

const uint8_t *text_result(const struct text *text, mtaes_direction direction)
{
    return direction == MTAES_DECRYPT ? text->plaintext : text->ciphertext;
}

const char *text_run(const struct scene *scene, const struct text *text, mtaes_engine *engine,
                     mtaes_direction direction, const void *src, void *dst)
{
    uint8_t tag[16];
    mtaes_message m = text_message(scene, text, direction, src, dst, tag);
    const mtaes_status status = mtaes_run(engine, &m, 1);
    if (status != MTAES_OK)
        return mtaes_status_text(status);
    if (m.status != MTAES_OK)
        return "the message's own status is another";
    const char *fault = difference(dst, text_result(text, direction), text->bytes);
    if (fault == NULL && src != dst)
        fault =
            difference(src, text_source(text, direction), text->bytes) ? "src was changed" : NULL;
    if (fault == NULL && scene->info.authenticates)
        fault = difference(tag, text->tag, scene->info.tag_bytes);
    return fault;
}

static void run_backwards(void *context, void (*fn)(void *arg, size_t i), void *arg, size_t count)
{
    (void)context;
    while (count > 0)
        fn(arg, --count);
}

mtaes_engine *engine_backwards(size_t threads)
{
    const mtaes_engine_options options = {
        .threads = threads, .executor = MTAES_EXECUTOR_CALLER, .run = run_backwards};
    mtaes_engine *engine = NULL;
    if (mtaes_engine_create(&engine, &options) != MTAES_OK) {
        fprintf(stderr, "an engine with the caller's executor is refused\n");
        exit(99);
    }
    return engine;
}
