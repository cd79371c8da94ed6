/* test_cpu.c: CPU features, against what the system says of this CPU, and their names. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "cpu.h"

#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Our features, and Linux's words for the same in /proc/cpuinfo, all of which must be there. */
static const struct {
    uint32_t bit;
    const char *words[5];
} features[] = {
    {CPU_SSSE3, {"ssse3"}},
    {CPU_SSE41, {"sse4_1"}},
    {CPU_AES, {"aes"}},
    {CPU_PCLMUL, {"pclmulqdq"}},
    {CPU_AVX2, {"avx2", "avx"}},
    {CPU_VAES, {"vaes", "avx2"}},
    {CPU_VPCLMUL, {"vpclmulqdq", "avx2"}},
    {CPU_AVX512, {"avx512f", "avx512bw", "avx512dq", "avx512vl"}},
    {CPU_GFNI, {"gfni", "avx2"}},
    {CPU_VBMI, {"avx512vbmi", "avx512f", "avx512bw", "avx512dq", "avx512vl"}},
    {CPU_VBMI2, {"avx512_vbmi2", "avx512f", "avx512bw", "avx512dq", "avx512vl"}},
};
enum { FEATURES = sizeof features / sizeof *features };

static bool has_word(const char *list, const char *word)
{
    const size_t n = strlen(word);
    for (const char *p = list; (p = strstr(p, word)) != NULL; p += n)
        if ((p == list || p[-1] == ' ') && (p[n] == ' ' || p[n] == '\0' || p[n] == '\n'))
            return true;
    return false;
}

/* The kernel's list of flags; it leaves out what it does not save the registers of. */
static char *linux_flags(void)
{
    static char line[16384];
    FILE *file = fopen("/proc/cpuinfo", "r");
    char *found = NULL;
    while (file != NULL && found == NULL && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "flags", 5) == 0)
            found = strchr(line, ':');
    if (file != NULL)
        fclose(file);
    return found ? found + 1 : NULL;
}

START_TEST(as_linux_says)
{
    const char *flags = linux_flags();
    if (flags == NULL) {
        printf("as_linux_says: skipped, /proc/cpuinfo has no flags\n");
        return;
    }
    for (int i = 0; i < FEATURES; i++) {
        bool all = true;
        for (int w = 0; w < 5 && features[i].words[w] != NULL; w++)
            all = all && has_word(flags, features[i].words[w]);
        ck_assert_msg(((cpu_features() & features[i].bit) != 0) == all, "%s: %d, Linux says %d",
                      features[i].words[0], (cpu_features() & features[i].bit) != 0, all);
    }
}
END_TEST

START_TEST(masks)
{
    cpu_mask_features(~0u);
    const uint32_t all = cpu_features();
    for (int i = 0; i < FEATURES; i++) {
        cpu_mask_features(~features[i].bit);
        ck_assert_uint_eq(cpu_features(), all & ~features[i].bit);
        cpu_mask_features(features[i].bit);
        ck_assert_uint_eq(cpu_features(), all & features[i].bit);
    }
    cpu_mask_features(0);
    ck_assert_uint_eq(cpu_features(), 0);
    cpu_mask_features(~0u);
    ck_assert_uint_eq(cpu_features(), all);
}
END_TEST

/* Every bit has a name of its own, one blank between names, and never more bytes than there is room
   for. */
START_TEST(names)
{
    char text[300], part[300];
    uint32_t all = 0;
    for (int i = 0; i < FEATURES; i++) {
        all |= features[i].bit;
        const size_t n = cpu_feature_names(features[i].bit, text, sizeof text);
        ck_assert_uint_gt(n, 0);
        ck_assert_uint_eq(n, strlen(text));
        ck_assert_ptr_null(strchr(text, ' '));
        for (int j = 0; j < i; j++) {
            cpu_feature_names(features[j].bit, part, sizeof part);
            ck_assert_str_ne(text, part);
        }
    }
    const size_t length = cpu_feature_names(all, text, sizeof text);
    ck_assert_uint_eq(length, strlen(text));
    for (int i = 0; i < FEATURES; i++) {
        cpu_feature_names(features[i].bit, part, sizeof part);
        ck_assert(has_word(text, part));
    }
    for (size_t room = 0; room < length + 3; room++) {
        memset(part, '#', sizeof part);
        ck_assert_uint_eq(cpu_feature_names(all, room ? part : NULL, room), length);
        if (room == 0)
            continue;
        const size_t kept = room - 1 < length ? room - 1 : length;
        ck_assert(strlen(part) == kept && memcmp(part, text, kept) == 0);
        ck_assert(part[room] == '#');
    }
    ck_assert_uint_eq(cpu_feature_names(0, text, sizeof text), 0);
    ck_assert_str_eq(text, "");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cpu");
    TCase *tcase = tcase_create("cpu");
    tcase_add_test(tcase, as_linux_says);
    tcase_add_test(tcase, masks);
    tcase_add_test(tcase, names);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
