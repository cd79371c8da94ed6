/* output.c: a file that is there in full or not at all. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.h"
#include "options.h"

static bool complain_about(const char *path)
{
    return complain("%s: %s", path, strerror(errno));
}

/* Whether path names something that a rename would replace by mistake. */
static bool is_special(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode);
}

static bool is_directory(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* Make a temporary file beside the target: same folder, same rights as a new file. */
static int make_temporary(struct output *o)
{
    const size_t room = strlen(o->target) + sizeof ".XXXXXX";
    o->temporary = allocate(room, 1);
    snprintf(o->temporary, room, "%s.XXXXXX", o->target);
    const int file = mkstemp(o->temporary);
    if (file < 0) {
        free(o->temporary);
        o->temporary = NULL;
        return -1;
    }
    const mode_t mask = umask(0);
    umask(mask);
    if (fchmod(file, 0666 & ~mask) != 0) {
        /* stricter rights than usual are no reason to fail */
    }
    return file;
}

static void release(struct output *o)
{
    free(o->temporary);
    free(o->target);
    *o = (struct output){0};
}

bool output_check(const char *path)
{
    struct output o;
    if (!path)
        return true;
    if (is_special(path)) { /* opening a pipe would wait for its reader */
        if (access(path, W_OK) == 0 && !is_directory(path))
            return true;
        if (is_directory(path))
            errno = EISDIR;
        return complain_about(path);
    }
    if (!output_open(&o, path))
        return false;
    output_abandon(&o);
    return true;
}

bool output_open(struct output *o, const char *path)
{
    *o = (struct output){.stream = stdout};
    if (!path)
        return true;
    char *const real = realpath(path, NULL); /* of a link, what it points to is replaced */
    o->target = real ? real : copy_text(path);
    const int file =
        is_special(o->target) ? open(o->target, O_WRONLY | O_CLOEXEC) : make_temporary(o);
    o->stream = file >= 0 ? fdopen(file, "w") : NULL;
    if (o->stream)
        return true;
    complain_about(path);
    if (file >= 0)
        close(file);
    if (o->temporary)
        unlink(o->temporary);
    release(o);
    return false;
}

bool output_commit(struct output *o)
{
    if (!o->target)
        return (fflush(o->stream) == 0 && !ferror(o->stream)) || complain_about("standard output");
    bool good = fflush(o->stream) == 0 && !ferror(o->stream);
    if (good && o->temporary)
        good = fsync(fileno(o->stream)) == 0;
    if (fclose(o->stream) != 0)
        good = false;
    if (good && o->temporary)
        good = rename(o->temporary, o->target) == 0;
    if (!good) {
        complain_about(o->target);
        if (o->temporary)
            unlink(o->temporary);
    }
    release(o);
    return good;
}

void output_abandon(struct output *o)
{
    if (!o->target)
        return;
    fclose(o->stream);
    if (o->temporary)
        unlink(o->temporary);
    release(o);
}
