/* verb_info.c: info: what a file's header says, for people and as JSON; needs no key. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli.h"

#include "file/bytes.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct facts {
    uint8_t header[HEADER_BYTES];
    struct header_view view;
    bool bare, has_text;
    uint64_t file_bytes, text_bytes; /* by the length alone */
};

static bool gather(const struct options *options, struct input *input, struct facts *facts,
                   struct problem *problem)
{
    size_t got;
    uint64_t full_chunks;
    size_t last_bytes;
    facts->bare = options->message.bare;
    if (!facts->bare &&
        (!input_read(input, facts->header, HEADER_BYTES, &got, problem) ||
         /* damage in one copy is shown below, not refused */
         !header_check(facts->header, got, true, input->name, &facts->view, problem)))
        return false;
    if (facts->bare && !input->positioned)
        return problem_set(problem, EXIT_USAGE,
                           "%s: info --bare needs a file: all it can tell is by the length",
                           input->name);
    facts->file_bytes = input->length;
    facts->has_text = input->positioned;
    if (!input->positioned)
        return true;
    if (!message_measure(input, facts->bare ? 0 : HEADER_BYTES, &full_chunks, &last_bytes, problem))
        return false;
    facts->text_bytes = full_chunks * CHUNK_TEXT_BYTES + last_bytes - CHUNK_TAG_BYTES;
    return true;
}

static const char *state_name(const struct facts *facts)
{
    const uint8_t state = facts->header[STATE_AT];
    const bool equal =
        memcmp(facts->header + copy_at(0), facts->header + copy_at(1), COPY_BYTES) == 0;
    return state == STATE_CHANGING           ? "a change was not finished"
           : state == STATE_AT_REST && equal ? "at rest"
                                             : "damaged";
}

/* The copy that a reader would take, as far as that can be told without a key. */
static unsigned shown_copy(const struct facts *facts)
{
    const struct header_view *const v = &facts->view;
    return v->well_formed[1] && (!v->well_formed[0] || v->generation[1] > v->generation[0]);
}

static const uint8_t *slot_shown(const struct facts *facts, unsigned slot)
{
    return facts->header + copy_at(shown_copy(facts)) + COPY_SLOTS_AT + slot * (size_t)SLOT_BYTES;
}

static json_t *slot_json(const uint8_t *bytes, unsigned slot)
{
    json_t *const object = json_object();
    const unsigned type = bytes[SLOT_TYPE_AT];
    json_object_set_new(object, "slot", json_integer(slot));
    json_object_set_new(object, "type", json_string(slot_type_name(type)));
    if (type == SLOT_PASSPHRASE) {
        const struct argon2_cost cost = slot_cost(bytes);
        json_object_set_new(object, "memory_kib", json_integer(cost.memory_kib));
        json_object_set_new(object, "passes", json_integer(cost.passes));
        json_object_set_new(object, "lanes", json_integer(cost.lanes));
    }
    return object;
}

static void header_json(const struct facts *facts, json_t *object)
{
    char id[2 * FILE_ID_BYTES + 1] = "";
    json_t *const slots = json_array();
    hex_encode(id, facts->header + FILE_ID_AT, FILE_ID_BYTES);
    for (unsigned slot = 0; slot < SLOTS; slot++)
        if (slot_shown(facts, slot)[SLOT_TYPE_AT] != SLOT_EMPTY)
            json_array_append_new(slots, slot_json(slot_shown(facts, slot), slot));
    json_object_set_new(object, "version", json_integer(FORMAT_VERSION));
    json_object_set_new(object, "suite", json_sprintf("Cobblestone-%u", facts->view.suite));
    json_object_set_new(object, "flags", json_integer(facts->view.flags));
    json_object_set_new(object, "file_id", json_string(id));
    json_object_set_new(object, "header_bytes", json_integer(HEADER_BYTES));
    json_object_set_new(object, "state", json_string(state_name(facts)));
    json_object_set_new(object, "generation",
                        json_integer((json_int_t)facts->view.generation[shown_copy(facts)]));
    json_object_set_new(object, "slots", slots);
}

static bool print_json(const struct input *input, const struct facts *facts,
                       struct problem *problem)
{
    json_t *const object = json_object();
    json_t *const name = json_string(input->name); /* NULL: not UTF-8 */
    json_object_set_new(object, "name", name != NULL ? name : json_null());
    json_object_set_new(object, "format", json_string(facts->bare ? "cobblestone" : "mtaes"));
    if (!facts->bare)
        header_json(facts, object);
    json_object_set_new(object, "chunk_bytes", json_integer(CHUNK_TEXT_BYTES));
    json_object_set_new(object, "file_bytes",
                        facts->has_text ? json_integer((json_int_t)facts->file_bytes)
                                        : json_null());
    json_object_set_new(object, "text_bytes",
                        facts->has_text ? json_integer((json_int_t)facts->text_bytes)
                                        : json_null());
    json_object_set_new(object, "verified", json_false());
    char *const text = json_dumps(object, JSON_COMPACT | JSON_PRESERVE_ORDER);
    json_decref(object);
    if (text == NULL)
        return problem_set(problem, EXIT_OTHER, "out of memory");
    puts(text);
    free(text);
    return true;
}

static void print_slots(const struct facts *facts)
{
    for (unsigned slot = 0; slot < SLOTS; slot++) {
        const uint8_t *const bytes = slot_shown(facts, slot);
        const unsigned type = bytes[SLOT_TYPE_AT];
        const struct argon2_cost cost = slot_cost(bytes);
        if (type == SLOT_EMPTY)
            continue;
        printf("  slot %u: %s", slot, slot_type_name(type));
        if (type == SLOT_PASSPHRASE)
            printf(", Argon2id %u KiB, %u passes, %u lanes", cost.memory_kib, cost.passes,
                   cost.lanes);
        putchar('\n');
    }
}

static void print_text(const struct input *input, const struct facts *facts)
{
    char id[2 * FILE_ID_BYTES + 1] = "";
    printf("%s:\n", input->name);
    if (facts->bare)
        puts("  Cobblestone message without header");
    else {
        hex_encode(id, facts->header + FILE_ID_AT, FILE_ID_BYTES);
        printf("  format version %d, Cobblestone-%u, flags %08x\n", FORMAT_VERSION,
               facts->view.suite, facts->view.flags);
        printf("  file id %s\n", id);
        printf("  key slots: %s, generation %llu\n", state_name(facts),
               (unsigned long long)facts->view.generation[shown_copy(facts)]);
        print_slots(facts);
    }
    if (facts->has_text)
        printf("  text: %llu bytes by the file's length; 'mtaes verify' proves it\n",
               (unsigned long long)facts->text_bytes);
}

bool verb_info(const struct options *options, const char *file, struct problem *problem)
{
    struct input input;
    struct facts facts = {.bare = false};
    if (!input_open(&input, file, problem))
        return false;
    bool right = gather(options, &input, &facts, problem);
    if (right && options->json)
        right = print_json(&input, &facts, problem);
    else if (right)
        print_text(&input, &facts);
    input_close(&input);
    return right;
}
