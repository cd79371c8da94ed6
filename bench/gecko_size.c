/* gecko_size.c: how large the object code of both ciphers is, as the build found it. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <string.h>

#include "gecko.h"
#include "object_sizes.h"

static const struct object_size *find(const char *name)
{
    for (const struct object_size *o = object_sizes; o->name; o++) {
        if (strcmp(o->name, name) == 0)
            return o;
    }
    return NULL;
}

/* CBC, and a side's own objects. */
static void fill(struct gecko_side *side, const struct object_size *own,
                 const struct object_size *cbc)
{
    side->text = own->text + cbc->text;
    side->rodata = own->rodata + cbc->rodata;
    side->value = (double)(side->text + side->rodata);
    snprintf(side->who, sizeof side->who, "%s %s", own->objects, cbc->objects);
}

static void compare(struct gecko_report *report, enum gecko_pair pair, const char *gecko,
                    const char *aes, const char *cbc)
{
    const struct object_size *const sizes[GECKO_SIDES] = {
        [GECKO_GECKO] = find(gecko), [GECKO_AES] = find(aes)};
    const struct object_size *const mode = find(cbc);
    if (!sizes[0] || !sizes[1] || !mode)
        return; /* this build has no such kernels */
    struct gecko_result *const r = gecko_add(report, GECKO_SIZE);
    r->original = "Internals Test 4";
    r->mode = "cbc";
    r->unit = "bytes";
    r->pair = pair;
    for (size_t i = 0; i < GECKO_SIDES; i++)
        fill(&r->side[i], sizes[i], mode);
    const double a = r->side[GECKO_GECKO].value, b = r->side[GECKO_AES].value;
    if (a == b)
        snprintf(r->verdict, sizeof r->verdict, "no difference");
    else
        snprintf(r->verdict, sizeof r->verdict, "%s %.1f %% smaller", a < b ? "Gecko" : "AES",
                 100 * (1 - (a < b ? a / b : b / a)));
    for (size_t i = 0; i < published_gecko_count && pair == PAIR_BYTEWISE; i++) {
        if (strcmp(published_gecko[i].test, "size") == 0)
            r->published = &published_gecko[i];
    }
}

void gecko_size(struct gecko_report *report)
{
    compare(report, PAIR_BYTEWISE, "gecko-bytewise", "aes-bytewise", "cbc-bytewise");
    compare(report, PAIR_PORTABLE, "gecko-portable", "aes-portable", "cbc");
    compare(report, PAIR_FASTEST, "gecko-vaes512", "aes-vaes512", "cbc");
}
