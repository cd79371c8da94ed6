/* system.h: small readers of what the system tells in files. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_SYSTEM_H
#define BENCH_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The first line of a file, without its end; false and "" if it cannot be read. */
bool system_line(const char *path, char *text, size_t room);

/* What stands behind "key", blanks and a separator in the first such line of a file. */
bool system_field(const char *path, const char *key, char separator, char *text, size_t room);

/* Memory that can be had without swapping, in bytes: MemAvailable, and no more than the control
   group allows. 0: unknown. */
uint64_t system_memory_available(void);
uint64_t system_memory_total(void);

#endif
