/* rewrite.c: changing key slots in place, so that a crash at any point loses nothing. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "header.h"

#include <errno.h>
#include <unistd.h>

static bool write_synced(int fd, const char *name, size_t at, const uint8_t *bytes, size_t count,
                         struct problem *problem)
{
    size_t done = 0;
    while (done < count) {
        const ssize_t n = pwrite(fd, bytes + done, count - done, (off_t)(at + done));
        if (n > 0)
            done += (size_t)n;
        else if (n == 0 || errno != EINTR)
            return problem_system(problem, n == 0 ? EIO : errno, "%s: writing", name);
    }
    while (fsync(fd) != 0)
        if (errno != EINTR)
            return problem_system(problem, errno, "%s: syncing", name);
    return true;
}

bool header_rewrite(int fd, const char *name, unsigned base, const uint8_t copy[COPY_BYTES],
                    struct problem *problem)
{
    const uint8_t changing = STATE_CHANGING, at_rest = STATE_AT_REST;
    return write_synced(fd, name, STATE_AT, &changing, 1, problem) &&
           write_synced(fd, name, copy_at(1 - base), copy, COPY_BYTES, problem) &&
           write_synced(fd, name, copy_at(base), copy, COPY_BYTES, problem) &&
           write_synced(fd, name, STATE_AT, &at_rest, 1, problem);
}
