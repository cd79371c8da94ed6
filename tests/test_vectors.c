/* test_vectors.c: all published vectors over every kernel that runs here, in every way. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "pieces.h"
#include "sets.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* _i counts all pairs of a set and a kernel. */
START_TEST(set)
{
    const struct vector_set *vectors = &vector_sets[_i / kernel_count()];
    struct replay replay = {
        .kernel = kernel_at(_i % kernel_count()), .thorough = true, .random = {(uint64_t)_i}};
    if (strcmp(vectors->cipher, replay.kernel->cipher) != 0)
        return;
    if (!mtaes_kernel_runs_here(replay.kernel)) {
        printf("%s: not on this CPU\n", replay.kernel->name);
        return;
    }
    if (!kernel_is_tested(replay.kernel)) {
        printf("%s: left out, see kernel_is_tested\n", replay.kernel->name);
        return;
    }
    for (int i = 0; i < THREAD_COUNTS; i++)
        replay.engines[i] = engine_with(thread_counts[i]);
    const int faults = set_run(vectors, vectors_folder(NULL), &replay);
    for (int i = 0; i < THREAD_COUNTS; i++)
        ck_assert(mtaes_engine_free(replay.engines[i]) == MTAES_OK);
    ck_assert_msg(faults == 0, "%d faults", faults);
}
END_TEST

/* No cipher and no mode without published vectors. */
START_TEST(complete)
{
    for (int i = 0, n = kernel_count(); i < n; i++) {
        bool found = false;
        for (int j = 0; j < vector_set_count; j++)
            found |= strcmp(vector_sets[j].cipher, kernel_at(i)->cipher) == 0;
        ck_assert_msg(found, "there are no vectors for the cipher of %s", kernel_at(i)->name);
    }
    for (int i = 0, n = mode_count(); i < n; i++) {
        const char *name = mtaes_mode_name(mode_at(i));
        bool found = false;
        for (int j = 0; j < vector_set_count; j++)
            found |= vector_sets[j].mode != NULL && strcmp(vector_sets[j].mode, name) == 0;
        ck_assert_msg(found, "there are no vectors for the mode %s", name);
    }
}
END_TEST

int main(void)
{
    coverage_begin();
    Suite *suite = suite_create("vectors");
    TCase *tcase = tcase_create("vectors");
    if (!pieces_exist())
        printf("pieces: skipped, this build has no streams\n");
    fflush(stdout);
    tcase_set_timeout(tcase, 600);
    tcase_add_test(tcase, complete);
    tcase_add_loop_test(tcase, set, 0, vector_set_count * kernel_count());
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return coverage_report() + failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
