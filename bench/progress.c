/* progress.c: one line on standard error that says what is going on, if that is a terminal. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

void progress_show(const char *format, ...)
{
    if (!isatty(STDERR_FILENO))
        return;
    va_list arguments;
    va_start(arguments, format);
    fputs("\r\033[K", stderr);
    vfprintf(stderr, format, arguments);
    fflush(stderr);
    va_end(arguments);
}

void progress_clear(void)
{
    progress_show("%s", "");
}
