/* system.c: small readers of what the system tells in files (proc(5), sysfs, cgroups(7)). */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool system_line(const char *path, char *text, size_t room)
{
    FILE *const file = fopen(path, "re");
    const bool good = file && fgets(text, (int)room, file);
    if (file)
        fclose(file);
    if (!good)
        text[0] = 0;
    text[strcspn(text, "\n")] = 0;
    return good;
}

/* If line is "key<blanks>separator<blanks>value", copy the value. */
static bool match(const char *line, const char *key, char separator, char *text, size_t room)
{
    const size_t length = strlen(key);
    if (strncmp(line, key, length) != 0)
        return false;
    line += length;
    line += strspn(line, " \t");
    if (*line != separator)
        return false;
    line++;
    line += strspn(line, " \t\"");
    snprintf(text, room, "%.*s", (int)strcspn(line, "\"\n"), line);
    return true;
}

bool system_field(const char *path, const char *key, char separator, char *text, size_t room)
{
    FILE *const file = fopen(path, "re");
    char *line = NULL;
    size_t line_room = 0;
    bool found = false;
    text[0] = 0;
    while (file && !found && getline(&line, &line_room, file) > 0)
        found = match(line, key, separator, text, room);
    free(line);
    if (file)
        fclose(file);
    return found;
}

static uint64_t meminfo(const char *key)
{
    char text[64];
    if (!system_field("/proc/meminfo", key, ':', text, sizeof text))
        return 0;
    return strtoull(text, NULL, 10) * 1024; /* "123 kB" */
}

/* Lower *bytes to the limit in a control group's file, if there is a number in it. */
static void apply_limit(const char *path, uint64_t *bytes)
{
    char text[64];
    if (!system_line(path, text, sizeof text) || text[0] < '0' || text[0] > '9')
        return;
    const uint64_t limit = strtoull(text, NULL, 10);
    if (limit < *bytes)
        *bytes = limit;
}

uint64_t system_memory_available(void)
{
    uint64_t bytes = meminfo("MemAvailable");
    apply_limit("/sys/fs/cgroup/memory.max", &bytes);
    apply_limit("/sys/fs/cgroup/memory/memory.limit_in_bytes", &bytes);
    return bytes;
}

uint64_t system_memory_total(void)
{
    return meminfo("MemTotal");
}
