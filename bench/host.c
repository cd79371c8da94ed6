/* host.c: the machine on which something was measured. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "host.h"

#include <openssl/crypto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "system.h"
#include "table.h"

static void read_date(struct host *h)
{
    const time_t now = time(NULL);
    struct tm parts;
    if (!gmtime_r(&now, &parts) || !strftime(h->date, sizeof h->date, "%Y-%m-%dT%H:%M:%SZ", &parts))
        h->date[0] = 0;
}

static void read_machine(struct host *h)
{
    char vendor[64], product[64];
    system_line("/sys/class/dmi/id/sys_vendor", vendor, sizeof vendor);
    system_line("/sys/class/dmi/id/product_name", product, sizeof product);
    snprintf(h->machine, sizeof h->machine, "%s%s%s", vendor, vendor[0] && product[0] ? " " : "",
             product);
    if (!h->machine[0])
        snprintf(h->machine, sizeof h->machine, "unknown");

    struct utsname u;
    if (uname(&u) == 0) {
        snprintf(h->architecture, sizeof h->architecture, "%.31s", u.machine);
        snprintf(h->kernel, sizeof h->kernel, "%.60s %.60s", u.sysname, u.release);
    }
    if (!system_field("/etc/os-release", "PRETTY_NAME", '=', h->system, sizeof h->system))
        snprintf(h->system, sizeof h->system, "unknown");
    if (!system_field("/proc/cpuinfo", "model name", ':', h->cpu, sizeof h->cpu))
        snprintf(h->cpu, sizeof h->cpu, "unknown");
}

/* How many CPUs a list such as "0-3,8" names. */
static size_t count_cpus(const char *list)
{
    size_t cpus = 0;
    while (*list >= '0' && *list <= '9') {
        char *end;
        const unsigned long first = strtoul(list, &end, 10);
        const unsigned long last = *end == '-' ? strtoul(end + 1, &end, 10) : first;
        cpus += last >= first ? last - first + 1 : 1;
        list = *end == ',' ? end + 1 : end;
    }
    return cpus;
}

static bool read_cache_line(size_t index, const char *what, char *text, size_t room)
{
    char path[96];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%zu/%s", index, what);
    return system_line(path, text, room);
}

static void read_caches(struct host *h)
{
    for (size_t i = 0; i < HOST_CACHES; i++) {
        struct host_cache *const c = &h->cache[h->caches];
        char text[256];
        char *end;
        if (!read_cache_line(i, "level", text, sizeof text))
            break;
        c->level = (unsigned)strtoul(text, NULL, 10);
        read_cache_line(i, "type", c->type, sizeof c->type);
        read_cache_line(i, "size", text, sizeof text);
        c->bytes = strtoul(text, &end, 10) * (*end == 'K' ? 1024u : *end == 'M' ? 1048576u : 1u);
        read_cache_line(i, "shared_cpu_list", text, sizeof text);
        c->cpus = count_cpus(text);
        h->caches++;
    }
}

/* The word in brackets of "always [madvise] never". */
static void read_huge_pages(struct host *h)
{
    char line[128];
    system_line("/sys/kernel/mm/transparent_hugepage/enabled", line, sizeof line);
    const char *const open = strchr(line, '[');
    const size_t length = open ? strcspn(open + 1, "]") : 0;
    snprintf(h->huge_pages, sizeof h->huge_pages, "%.*s", (int)length, open ? open + 1 : "");
    if (!h->huge_pages[0])
        snprintf(h->huge_pages, sizeof h->huge_pages, "unknown");
}

void host_read(struct host *h)
{
    *h = (struct host){0};
    read_date(h);
    read_machine(h);
    read_caches(h);
    read_huge_pages(h);
    mtaes_kernel_features(NULL, false, h->features, sizeof h->features);
    h->threads = mtaes_threads_available();
    h->memory_bytes = system_memory_total();
    h->memory_available_bytes = system_memory_available();
    snprintf(h->openssl, sizeof h->openssl, "%s", OpenSSL_version(OPENSSL_VERSION));
    snprintf(h->mtaes, sizeof h->mtaes, "%s", mtaes_version());
#ifdef __clang__
    snprintf(h->compiler, sizeof h->compiler, "clang %s", __clang_version__);
#else
    snprintf(h->compiler, sizeof h->compiler, "gcc %s", __VERSION__);
#endif
}

void host_caches_text(const struct host *h, char *text, size_t room)
{
    size_t used = 0;
    snprintf(text, room, "unknown");
    for (size_t i = 0; i < h->caches && used < room; i++) {
        const struct host_cache *const c = &h->cache[i];
        char size[32];
        used += (size_t)snprintf(text + used, room - used, "%sL%u %s %s", i ? ", " : "", c->level,
                                 c->type, size_text(c->bytes, size, sizeof size));
        if (c->cpus > 1 && used < room)
            used += (size_t)snprintf(text + used, room - used, " (shared by %zu CPUs)", c->cpus);
    }
}

/* A count of CPUs, or "none". */
static const char *limit_text(size_t cpus, char *text, size_t room)
{
    if (cpus)
        snprintf(text, room, "%zu", cpus);
    else
        snprintf(text, room, "none");
    return text;
}

void host_threads_text(const struct host *h, char *text, size_t room)
{
    char online[24], affinity[24], quota[24];
    snprintf(text, room,
             "%zu: the smallest of CPUs online (%s), affinity mask (%s) and control group quota, "
             "rounded up (%s)",
             h->threads.chosen, limit_text(h->threads.online, online, sizeof online),
             limit_text(h->threads.affinity, affinity, sizeof affinity),
             limit_text(h->threads.quota, quota, sizeof quota));
}

void host_choice_text(const char *cipher, char *text, size_t room)
{
    const mtaes_kernel *const chosen = mtaes_kernel_find(cipher);
    if (!chosen) {
        snprintf(text, room, "none: no kernel of %s runs here", cipher);
        return;
    }
    size_t used = (size_t)snprintf(text, room,
                                   "%s: the first kernel of %s in order of speed that "
                                   "runs here",
                                   mtaes_kernel_name(chosen), cipher);
    const char *word = "; ";
    for (const mtaes_kernel *k = mtaes_kernel_next(NULL); k && k != chosen && used < room;
         k = mtaes_kernel_next(k)) {
        char missing[160];
        if (strcmp(mtaes_kernel_cipher(k), cipher) != 0)
            continue;
        mtaes_kernel_features(k, true, missing, sizeof missing);
        used += (size_t)snprintf(text + used, room - used, "%s%s lacks %s", word,
                                 mtaes_kernel_name(k), missing);
        word = ", ";
    }
}
