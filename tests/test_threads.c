/* test_threads.c: how many threads this process may use, in made-up trees of cgroup v1 and v2. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "threads.h"

#include "mtaes.h"

#include <check.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[64];

/* Write a file below the root, and the folders above it. */
static void put(const char *path, const char *text)
{
    char full[512];
    snprintf(full, sizeof full, "%s%s", root, path);
    for (char *slash = full + strlen(root) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        mkdir(full, 0700);
        *slash = '/';
    }
    FILE *file = fopen(full, "w");
    ck_assert_msg(file != NULL, "cannot write %s", full);
    fputs(text, file);
    ck_assert(fclose(file) == 0);
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *where)
{
    (void)status, (void)type, (void)where;
    return remove(path);
}

static void begin(void)
{
    strcpy(root, "/tmp/mtaes-threads-XXXXXX");
    if (getenv("TMPDIR") != NULL && strlen(getenv("TMPDIR")) < 30)
        snprintf(root, sizeof root, "%s/mtaes-threads-XXXXXX", getenv("TMPDIR"));
    ck_assert_ptr_nonnull(mkdtemp(root));
}

static void end(void)
{
    nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static const char v2_mount[] =
    "25 30 0:23 / /sys/fs/cgroup rw,nosuid,nodev,noexec,relatime shared:4 - cgroup2 cgroup2 rw\n";
static const char v1_mounts[] =
    "31 26 0:27 / /sys/fs/cgroup/memory rw shared:10 - cgroup cgroup rw,memory\n"
    "32 26 0:28 / /sys/fs/cgroup/cpuset rw shared:11 - cgroup cgroup rw,cpuset\n"
    "33 26 0:29 / /sys/fs/cgroup/cpu,cpuacct rw shared:12 - cgroup cgroup rw,cpu,cpuacct\n";

/* The one group of a v2 tree has this in cpu.max. */
static size_t quota_v2(const char *cpu_max)
{
    begin();
    put("/proc/self/mountinfo", v2_mount);
    put("/proc/self/cgroup", "0::/batch/job\n");
    if (cpu_max != NULL)
        put("/sys/fs/cgroup/batch/job/cpu.max", cpu_max);
    const size_t quota = thread_limits(root).quota;
    end();
    return quota;
}

static size_t quota_v1(const char *quota_us, const char *period_us)
{
    begin();
    put("/proc/self/mountinfo", v1_mounts);
    put("/proc/self/cgroup", "5:cpuset:/\n4:memory:/m\n3:cpu,cpuacct:/work\n1:name=systemd:/x\n");
    if (quota_us != NULL)
        put("/sys/fs/cgroup/cpu,cpuacct/work/cpu.cfs_quota_us", quota_us);
    if (period_us != NULL)
        put("/sys/fs/cgroup/cpu,cpuacct/work/cpu.cfs_period_us", period_us);
    const size_t quota = thread_limits(root).quota;
    end();
    return quota;
}

START_TEST(v2)
{
    ck_assert_uint_eq(quota_v2("100000 100000\n"), 1);
    ck_assert_uint_eq(quota_v2("100001 100000\n"), 2); /* rounded up */
    ck_assert_uint_eq(quota_v2("50000 100000\n"), 1);
    ck_assert_uint_eq(quota_v2("1000 100000\n"), 1);
    ck_assert_uint_eq(quota_v2("1600000 100000\n"), 16);
    ck_assert_uint_eq(quota_v2("max 100000\n"), 0);
    ck_assert_uint_eq(quota_v2("max\n"), 0);
    ck_assert_uint_eq(quota_v2(""), 0);
    ck_assert_uint_eq(quota_v2("what is this\n"), 0);
    ck_assert_uint_eq(quota_v2("100000 0\n"), 0);
    ck_assert_uint_eq(quota_v2("-5 100000\n"), 0);
    ck_assert_uint_eq(quota_v2(NULL), 0);
}
END_TEST

START_TEST(v1)
{
    ck_assert_uint_eq(quota_v1("100000\n", "100000\n"), 1);
    ck_assert_uint_eq(quota_v1("150000\n", "100000\n"), 2);
    ck_assert_uint_eq(quota_v1("-1\n", "100000\n"), 0);
    ck_assert_uint_eq(quota_v1("400000\n", "50000\n"), 8);
    ck_assert_uint_eq(quota_v1("400000\n", NULL), 0);
    ck_assert_uint_eq(quota_v1(NULL, "100000\n"), 0);
    ck_assert_uint_eq(quota_v1("400000\n", "0\n"), 0);
    ck_assert_uint_eq(quota_v1("\n", "\n"), 0);
}
END_TEST

/* The smallest limit of a group and all those above it holds. */
START_TEST(groups_above)
{
    begin();
    put("/proc/self/mountinfo", v2_mount);
    put("/proc/self/cgroup", "0::/a/b/c\n");
    put("/sys/fs/cgroup/a/cpu.max", "300000 100000\n");
    put("/sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
    put("/sys/fs/cgroup/a/b/c/cpu.max", "700000 100000\n");
    ck_assert_uint_eq(thread_limits(root).quota, 3);
    put("/sys/fs/cgroup/a/b/c/cpu.max", "200000 100000\n");
    ck_assert_uint_eq(thread_limits(root).quota, 2);
    put("/sys/fs/cgroup/a/b/cpu.max", "100000 100000\n");
    ck_assert_uint_eq(thread_limits(root).quota, 1);
    end();
}
END_TEST

/* In a container the path that is named may not be there: the mount is the container's group. */
START_TEST(container)
{
    begin();
    put("/proc/self/mountinfo", v2_mount);
    put("/proc/self/cgroup", "0::/../elsewhere\n");
    put("/sys/fs/cgroup/cpu.max", "250000 100000\n");
    ck_assert_uint_eq(thread_limits(root).quota, 3);
    put("/proc/self/cgroup", "0::/\n");
    ck_assert_uint_eq(thread_limits(root).quota, 3);
    end();
}
END_TEST

/* Both versions side by side: the smaller one. */
START_TEST(both_versions)
{
    char mounts[2048];
    begin();
    snprintf(mounts, sizeof mounts, "%s%s",
             "24 30 0:22 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n", v1_mounts);
    put("/proc/self/mountinfo", mounts);
    put("/proc/self/cgroup", "3:cpu,cpuacct:/work\n0::/work\n");
    put("/sys/fs/cgroup/unified/work/cpu.max", "500000 100000\n");
    put("/sys/fs/cgroup/cpu,cpuacct/work/cpu.cfs_quota_us", "400000\n");
    put("/sys/fs/cgroup/cpu,cpuacct/work/cpu.cfs_period_us", "100000\n");
    ck_assert_uint_eq(thread_limits(root).quota, 4);
    put("/sys/fs/cgroup/unified/work/cpu.max", "200000 100000\n");
    ck_assert_uint_eq(thread_limits(root).quota, 2);
    end();
}
END_TEST

/* Nothing to read, or nonsense: no limit, no crash. */
START_TEST(nothing)
{
    begin();
    ck_assert_uint_eq(thread_limits(root).quota, 0);
    put("/proc/self/cgroup", "\n:\n::\nnonsense\n0::\n7:cpu\n");
    ck_assert_uint_eq(thread_limits(root).quota, 0);
    put("/proc/self/mountinfo", "\n - \n - cgroup2\n1 2 3\n");
    ck_assert_uint_eq(thread_limits(root).quota, 0);
    char *line = malloc(20001);
    memset(line, 'x', 20000);
    line[20000] = '\0';
    put("/proc/self/cgroup", line);
    put("/proc/self/mountinfo", line);
    ck_assert_uint_eq(thread_limits(root).quota, 0);
    free(line);
    end();
}
END_TEST

/* The smallest of the three that is known, and at least 1; the public function says the same. */
START_TEST(chosen)
{
    begin();
    put("/proc/self/mountinfo", v2_mount);
    put("/proc/self/cgroup", "0::/a\n");
    put("/sys/fs/cgroup/a/cpu.max", "10000 100000\n");
    struct thread_limits limits = thread_limits(root);
    ck_assert_uint_eq(limits.quota, 1);
    ck_assert_uint_eq(limits.chosen, 1);
    put("/sys/fs/cgroup/a/cpu.max", "90000000 100000\n");
    limits = thread_limits(root);
    ck_assert_uint_eq(limits.quota, 900);
    ck_assert_uint_ge(limits.online, 1);
    ck_assert_uint_ge(limits.affinity, 1);
    const size_t smaller = limits.online < limits.affinity ? limits.online : limits.affinity;
    ck_assert_uint_eq(limits.chosen, smaller < 900 ? smaller : 900);
    end();
    limits = thread_limits("");
    const mtaes_thread_limits public = mtaes_threads_available();
    ck_assert_uint_eq(public.online, limits.online);
    ck_assert_uint_eq(public.affinity, limits.affinity);
    ck_assert_uint_eq(public.quota, limits.quota);
    ck_assert_uint_eq(public.chosen, limits.chosen);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("threads");
    TCase *tcase = tcase_create("threads");
    tcase_add_test(tcase, v2);
    tcase_add_test(tcase, v1);
    tcase_add_test(tcase, groups_above);
    tcase_add_test(tcase, container);
    tcase_add_test(tcase, both_versions);
    tcase_add_test(tcase, nothing);
    tcase_add_test(tcase, chosen);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
