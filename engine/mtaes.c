/* mtaes.c: public functions that only look things up: statuses, kernels, modes, threads. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mtaes.h"

#include <stdio.h>
#include <string.h>

#include "cpu.h"
#include "mode.h"
#include "registry.h"
#include "selftest.h"
#include "threads.h"

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

const char *mtaes_version(void)
{
    return TEXT(MTAES_VERSION_MAJOR) "." TEXT(MTAES_VERSION_MINOR) "." TEXT(MTAES_VERSION_PATCH);
}

const char *mtaes_status_text(mtaes_status status)
{
    switch (status) {
    case MTAES_OK:
        return "done";
    case MTAES_ARG:
        return "a required argument is missing, or an option is out of range";
    case MTAES_KEY:
        return "no such key for this cipher and mode";
    case MTAES_IV:
        return "the IV has a length that the mode does not take, or counts past its last value";
    case MTAES_TAG:
        return "the tag has a length that the mode does not take";
    case MTAES_LENGTH:
        return "the length is not a multiple that the mode needs, or outside its limits";
    case MTAES_OVERLAP:
        return "source and destination overlap in part, or tag, IV or AAD lie inside the "
               "destination";
    case MTAES_AUTH:
        return "the tag is wrong: the text is damaged or forged";
    case MTAES_MEMORY:
        return "the system gave no memory";
    case MTAES_BUSY:
        return "in use in a way that excludes this call";
    case MTAES_UNSUPPORTED:
        return "this does not run on this machine, or does not go together";
    }
    return "no such status";
}

mtaes_thread_limits mtaes_threads_available(void)
{
    const struct thread_limits limits = thread_limits("");
    return (mtaes_thread_limits){
        .online = limits.online,
        .affinity = limits.affinity,
        .quota = limits.quota,
        .chosen = limits.chosen,
    };
}

const mtaes_kernel *mtaes_kernel_find(const char *name)
{
    for (size_t i = 0; name && registry_kernels[i]; i++) {
        const mtaes_kernel *const row = registry_kernels[i];
        if ((!strcmp(name, row->name) || !strcmp(name, row->cipher)) && mtaes_kernel_runs_here(row))
            return row;
    }
    return NULL;
}

const mtaes_kernel *mtaes_kernel_next(const mtaes_kernel *previous)
{
    size_t i = 0;
    while (previous && registry_kernels[i] && registry_kernels[i] != previous)
        i++;
    return !previous ? registry_kernels[0] : registry_kernels[i] ? registry_kernels[i + 1] : NULL;
}

const char *mtaes_kernel_name(const mtaes_kernel *kernel)
{
    return kernel ? kernel->name : "";
}

const char *mtaes_kernel_cipher(const mtaes_kernel *kernel)
{
    return kernel ? kernel->cipher : "";
}

bool mtaes_kernel_runs_here(const mtaes_kernel *kernel)
{
    return kernel && (kernel->needs & ~cpu_features()) == 0 && selftest_passes(kernel);
}

size_t mtaes_kernel_features(const mtaes_kernel *kernel, bool missing, char *text, size_t room)
{
    const uint32_t have = cpu_features();
    if (kernel && missing && (kernel->needs & ~have) == 0 && !selftest_passes(kernel))
        return (size_t)snprintf(text, room, "right-results");
    return cpu_feature_names(!kernel   ? have
                             : missing ? kernel->needs & ~have
                                       : kernel->needs,
                             text, room);
}

const mtaes_mode *mtaes_mode_find(const char *name)
{
    for (size_t i = 0; name && registry_modes[i]; i++)
        if (!strcmp(name, registry_modes[i]->name))
            return registry_modes[i];
    return NULL;
}

const mtaes_mode *mtaes_mode_next(const mtaes_mode *previous)
{
    size_t i = 0;
    while (previous && registry_modes[i] && registry_modes[i] != previous)
        i++;
    return !previous ? registry_modes[0] : registry_modes[i] ? registry_modes[i + 1] : NULL;
}

const char *mtaes_mode_name(const mtaes_mode *mode)
{
    return mode ? mode->name : "";
}

mtaes_mode_info mtaes_mode_describe(const mtaes_mode *mode)
{
    if (!mode)
        return (mtaes_mode_info){0};
    return (mtaes_mode_info){
        .encrypt_parallel = mode->encrypt.cut,
        .decrypt_parallel = mode->decrypt.cut,
        .authenticates = mode->tag_bytes,
        .iv_bytes_min = mode->iv_bytes_min,
        .iv_bytes_max = mode->iv_bytes_max,
        .tag_bytes = mode->tag_bytes,
        .multiple_bytes = mode->multiple_bytes,
        .bytes_min = mode->bytes_min,
        .bytes_max = mode->bytes_max,
    };
}
