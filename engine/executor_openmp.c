/* executor_openmp.c: run fn(arg, i) for every i with OpenMP, where the build has it. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "execute.h"

#ifdef _OPENMP

bool executor_openmp_exists(void)
{
    return true;
}

bool executor_openmp_run(size_t threads, void (*fn)(void *arg, size_t i), void *arg, size_t count)
{
#pragma omp parallel for schedule(dynamic) num_threads((int)threads)
    for (size_t i = 0; i < count; i++)
        fn(arg, i);
    return true;
}

#else

bool executor_openmp_exists(void)
{
    return false;
}

bool executor_openmp_run(size_t threads, void (*fn)(void *arg, size_t i), void *arg, size_t count)
{
    (void)threads, (void)fn, (void)arg, (void)count;
    return false;
}

#endif
