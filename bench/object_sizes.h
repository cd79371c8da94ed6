/* object_sizes.h: how large compiled ciphers are; tools/object-sizes makes object_sizes.c. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_OBJECT_SIZES_H
#define BENCH_OBJECT_SIZES_H

#include <stddef.h>

struct object_size {
    const char *name;    /* "gecko-portable" */
    const char *objects; /* what was added up: "gecko_key gecko_portable" */
    size_t text, rodata; /* bytes of all sections of code, and of constants */
};

extern const struct object_size object_sizes[]; /* name NULL: the end */
extern const char object_flags[];               /* what the compiler was told */

#endif
