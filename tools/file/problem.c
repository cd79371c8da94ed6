/* problem.c: recording the first thing that went wrong. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "problem.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool problem_set(struct problem *problem, enum exit_code code, const char *format, ...)
{
    if (problem->code != EXIT_DONE)
        return false;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(problem->text, sizeof problem->text, format, arguments);
    va_end(arguments);
    problem->code = code;
    return false;
}

bool problem_system(struct problem *problem, int error, const char *format, ...)
{
    if (problem->code != EXIT_DONE)
        return false;
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(problem->text, sizeof problem->text, format, arguments);
    va_end(arguments);
    /* a name that fills the line must not push out the reason */
    const size_t reserve = 128, room = sizeof problem->text;
    size_t used = length < 0 ? 0 : (size_t)length;
    if (used > room - reserve)
        used = room - reserve;
    snprintf(problem->text + used, room - used, ": %s", strerror(error));
    problem->code = EXIT_IO;
    return false;
}
