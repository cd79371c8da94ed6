/* execute.h: the engine: which threads a segment job runs on. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MTAES_ENGINE_EXECUTE_H
#define MTAES_ENGINE_EXECUTE_H

#include "segment.h"

/* Whether a job of so many bytes is better done by the calling thread alone, at once. */
bool execute_is_small(const mtaes_engine *engine, size_t bytes);

/* The limits of a job on this engine; alone: for the calling thread only. */
struct segment_limits execute_limits(const mtaes_engine *engine, bool alone);

/* Run a job and return when it is done. */
void execute_run(mtaes_engine *engine, struct segment_job *job, bool alone);

/* The same shape over OpenMP. (executor_openmp.c; false: not built in) */
bool executor_openmp_run(size_t threads, void (*fn)(void *arg, size_t i), void *arg, size_t count);
bool executor_openmp_exists(void);

#endif
