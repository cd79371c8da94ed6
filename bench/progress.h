/* progress.h: one line on standard error that says what is going on, if that is a terminal. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_PROGRESS_H
#define BENCH_PROGRESS_H

void progress_show(const char *format, ...) __attribute__((format(printf, 1, 2)));
void progress_clear(void);

#endif
