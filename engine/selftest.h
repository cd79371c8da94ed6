/* selftest.h: whether a kernel gives right bytes on this machine. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MTAES_ENGINE_SELFTEST_H
#define MTAES_ENGINE_SELFTEST_H

#include "kernel.h"

/* Tests a row of the table the first time it is asked for, and remembers the answer. */
bool selftest_passes(const struct mtaes_kernel *kernel);

/* For tests: forget all answers; corrupt: let the next tests fail. */
void selftest_reset(bool corrupt);

#endif
