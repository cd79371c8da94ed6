/* threads.c: affinity mask and cgroup CPU quota. Sources: sched_getaffinity(2); Linux cgroup-v1 and cgroup-v2. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "threads.h"

#include <limits.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The first line of a file, without its end; false when it cannot be read. */
static bool first_line(const char *path, char *line, size_t room)
{
    FILE *const file = fopen(path, "re");
    if (!file)
        return false;
    const bool ok = fgets(line, (int)room, file) != NULL;
    fclose(file);
    if (ok)
        line[strcspn(line, "\n")] = '\0';
    return ok;
}

/* quota / period rounded up, or 0 where they say no limit. */
static size_t cpus(long long quota, long long period)
{
    return quota > 0 && period > 0 ? (size_t)((quota + period - 1) / period) : 0;
}

static size_t smaller_limit(size_t a, size_t b)
{
    return a == 0 || (b != 0 && b < a) ? b : a;
}

/* The limit written in one cgroup folder. */
static size_t quota_of_folder(const char *folder, bool v2)
{
    char path[PATH_MAX], line[64];
    long long quota, period;
    if (v2) {
        const int n = snprintf(path, sizeof path, "%s/cpu.max", folder);
        if (n < 0 || (size_t)n >= sizeof path || !first_line(path, line, sizeof line) ||
            sscanf(line, "%lld %lld", &quota, &period) != 2) /* "max 100000": no limit */
            return 0;
        return cpus(quota, period);
    }
    int n = snprintf(path, sizeof path, "%s/cpu.cfs_quota_us", folder);
    if (n < 0 || (size_t)n >= sizeof path || !first_line(path, line, sizeof line))
        return 0;
    quota = strtoll(line, NULL, 10);
    n = snprintf(path, sizeof path, "%s/cpu.cfs_period_us", folder);
    if (n < 0 || (size_t)n >= sizeof path || !first_line(path, line, sizeof line))
        return 0;
    return cpus(quota, strtoll(line, NULL, 10));
}

/* The smallest limit of a group and all groups above it, up to the mount point. Inside a container the path that the
   kernel names may not exist below the mount; the mount point itself is then the container's group. */
static size_t quota_of_group(const char *mount, const char *group, bool v2)
{
    char folder[PATH_MAX];
    size_t limit = quota_of_folder(mount, v2);
    for (size_t length = strlen(group); length > 1;) {
        const int n = snprintf(folder, sizeof folder, "%s%.*s", mount, (int)length, group);
        if (n > 0 && (size_t)n < sizeof folder)
            limit = smaller_limit(limit, quota_of_folder(folder, v2));
        while (length > 1 && group[--length] != '/')
            ;
    }
    return limit;
}

static bool has_word(const char *list, const char *word)
{
    const size_t length = strlen(word);
    for (const char *p = list; (p = strstr(p, word)) != NULL; p += length)
        if ((p == list || p[-1] == ',') && (p[length] == ',' || p[length] == '\0'))
            return true;
    return false;
}

/* Where the cpu controller (v1) or the unified tree (v2) is mounted, from mountinfo. */
static bool find_mount(const char *root, bool v2, char *mount, size_t room)
{
    char path[PATH_MAX], line[4096], point[2048], type[64], super[1024];
    snprintf(path, sizeof path, "%s/proc/self/mountinfo", root);
    FILE *const file = fopen(path, "re");
    bool found = false;
    while (file && !found && fgets(line, sizeof line, file)) {
        const char *const rest = strstr(line, " - ");
        if (!rest || sscanf(line, "%*s %*s %*s %*s %2047s", point) != 1 ||
            sscanf(rest, " - %63s %*s %1023s", type, super) != 2)
            continue;
        found = v2 ? !strcmp(type, "cgroup2") : !strcmp(type, "cgroup") && has_word(super, "cpu");
    }
    if (file)
        fclose(file);
    const int n = found ? snprintf(mount, room, "%s%s", root, point) : -1;
    return n > 0 && (size_t)n < room;
}

/* Both versions may be mounted side by side; the smaller limit holds. */
static size_t cgroup_quota(const char *root)
{
    char path[PATH_MAX], line[4096], mount[PATH_MAX];
    size_t limit = 0;
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *const file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file)) { /* number:controllers:group */
        line[strcspn(line, "\n")] = '\0';
        char *const controllers = strchr(line, ':');
        char *const group = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!group)
            continue;
        *group = '\0';
        const bool v2 = controllers[1] == '\0';
        if ((v2 || has_word(controllers + 1, "cpu")) && find_mount(root, v2, mount, sizeof mount))
            limit = smaller_limit(limit, quota_of_group(mount, group + 1, v2));
    }
    if (file)
        fclose(file);
    return limit;
}

/* CPUs in the affinity mask; the set grows until the kernel's fits. */
static size_t affinity(void)
{
    for (size_t size = 1024; size <= 1 << 20; size *= 2) {
        cpu_set_t *const set = CPU_ALLOC(size);
        if (!set)
            return 0;
        const bool ok = sched_getaffinity(0, CPU_ALLOC_SIZE(size), set) == 0;
        const int count = ok ? CPU_COUNT_S(CPU_ALLOC_SIZE(size), set) : 0;
        CPU_FREE(set);
        if (ok)
            return (size_t)count;
    }
    return 0;
}

struct thread_limits thread_limits(const char *root)
{
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    struct thread_limits limits = {
        .online = online > 0 ? (size_t)online : 0,
        .affinity = affinity(),
        .quota = cgroup_quota(root),
    };
    limits.chosen = smaller_limit(smaller_limit(limits.online, limits.affinity), limits.quota);
    if (limits.chosen == 0)
        limits.chosen = 1;
    return limits;
}
