/* verb_slots.c: rewrap, slot-add and slot-rm: other key slots without touching the data. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

struct change {
    const struct options *options;
    const char *name;
    int fd;
    struct input input;
    mtaes_engine *engine;
    uint8_t header[HEADER_BYTES];
    struct header_view view;
    struct header_opened opened;
    uint8_t copy[COPY_BYTES]; /* the new one */
};

/* Two changes at a time would lose one of them. */
static bool open_locked(struct change *c, struct problem *problem)
{
    struct stat status;
    c->fd = open(c->name, O_RDWR | O_CLOEXEC | O_NOCTTY);
    if (c->fd < 0)
        return problem_system(problem, errno, "%s", c->name);
    /* a file system without locks is no reason to refuse */
    if (flock(c->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return problem_system(problem, errno, "%s: it is being changed by another", c->name);
    if (fstat(c->fd, &status) != 0)
        return problem_system(problem, errno, "%s", c->name);
    return S_ISREG(status.st_mode) || S_ISBLK(status.st_mode) ||
           problem_set(problem, EXIT_USAGE, "%s: a regular file is right", c->name);
}

static bool read_header(struct change *c, struct problem *problem)
{
    size_t got;
    return input_from_fd(&c->input, c->fd, c->name, problem) &&
           input_read(&c->input, c->header, HEADER_BYTES, &got, problem) &&
           header_check(c->header, got, c->options->message.salvage, c->name, &c->view, problem);
}

/* The commitment ties the data key to the data: a slot area of another file must not be renewed. */
static bool check_commitment(struct change *c, struct problem *problem)
{
    struct message message = {.keys = NULL};
    const bool right =
        message_check_commitment(c->engine, &c->input, c->header, c->opened.key, &message, problem);
    message_close(&message);
    return right;
}

static unsigned count_slots(uint8_t *copy)
{
    unsigned count = 0;
    for (unsigned slot = 0; slot < SLOTS; slot++)
        count += slot_of(copy, slot)[SLOT_TYPE_AT] != SLOT_EMPTY;
    return count;
}

static bool seal(struct change *c, const struct secret *secret, unsigned slot,
                 struct problem *problem)
{
    return slot_seal(c->engine, c->header, secret, &c->options->message.cost, c->opened.key,
                     slot_of(c->copy, slot), problem);
}

/* Which slot of the new copy the secret opened; it may stand only in the older copy. */
static bool opened_slot(struct change *c, unsigned *slot, struct problem *problem)
{
    const unsigned opened = c->opened.slot;
    *slot = c->options->slot >= 0 ? (unsigned)c->options->slot : opened;
    if (*slot != opened && c->options->new_secrets->count == 0)
        return problem_set(
            problem, EXIT_USAGE,
            "%s: --slot=%u, but what was given opens slot %u: --new-... is needed to "
            "replace somebody else's",
            c->name, *slot, opened);
    if (c->options->slot >= 0)
        return slot_of(c->copy, *slot)[SLOT_TYPE_AT] != SLOT_EMPTY ||
               problem_set(problem, EXIT_USAGE, "%s: --slot=%u is empty", c->name, *slot);
    return secret_equal(slot_of(c->copy, opened),
                        slot_of(c->header + copy_at(c->opened.copy), opened), SLOT_BYTES) ||
           problem_set(
               problem, EXIT_OTHER,
               "%s: an unfinished change has replaced slot %u, which what was given opened; "
               "the newer secret, or --slot=N, is right",
               c->name, opened);
}

static bool rewrap(struct change *c, struct problem *problem)
{
    const struct secrets *const news = c->options->new_secrets;
    const struct secret *const secret =
        news->count != 0 ? &news->list[0] : &c->options->secrets->list[c->opened.secret];
    unsigned slot;
    return opened_slot(c, &slot, problem) && seal(c, secret, slot, problem);
}

static bool slot_add(struct change *c, struct problem *problem)
{
    const struct secrets *const news = c->options->new_secrets;
    for (size_t i = 0; i < news->count; i++) {
        unsigned slot = 0;
        while (slot < SLOTS && slot_of(c->copy, slot)[SLOT_TYPE_AT] != SLOT_EMPTY)
            slot++;
        if (slot == SLOTS)
            return problem_set(problem, EXIT_OTHER,
                               "%s: all %d key slots are in use; slot-rm makes room", c->name,
                               SLOTS);
        if (!seal(c, &news->list[i], slot, problem))
            return false;
    }
    return true;
}

static bool slot_rm(struct change *c, struct problem *problem)
{
    if (c->options->slot < 0)
        return problem_set(problem, EXIT_USAGE,
                           "slot-rm: --slot=N is needed; 'mtaes info' shows the slots");
    const unsigned slot = (unsigned)c->options->slot;
    if (slot_of(c->copy, slot)[SLOT_TYPE_AT] == SLOT_EMPTY)
        return problem_set(problem, EXIT_USAGE, "%s: --slot=%u is empty", c->name, slot);
    if (count_slots(c->copy) == 1)
        return problem_set(problem, EXIT_OTHER,
                           "%s: slot %u is the only one: without it nobody could read the file",
                           c->name, slot);
    memset(slot_of(c->copy, slot), 0, SLOT_BYTES);
    return true;
}

static bool make_copy(struct change *c, struct problem *problem)
{
    const enum verb verb = c->options->verb;
    memcpy(c->copy, c->header + copy_at(c->opened.base), COPY_BYTES);
    if (!(verb == VERB_REWRAP     ? rewrap(c, problem)
          : verb == VERB_SLOT_ADD ? slot_add(c, problem)
                                  : slot_rm(c, problem)))
        return false;
    return header_sign_copy(c->header, c->opened.key, c->copy, problem);
}

static bool change_slots(struct change *c, struct problem *problem)
{
    if (!open_locked(c, problem) || !read_header(c, problem))
        return false;
    c->engine = engine_create(1, problem);
    return c->engine != NULL &&
           header_open(c->engine, c->header, &c->view, c->options->secrets, c->name, &c->opened,
                       problem) &&
           check_commitment(c, problem) && make_copy(c, problem) &&
           header_rewrite(c->fd, c->name, c->opened.base, c->copy, problem);
}

bool verb_slots(const struct options *options, const char *file, struct problem *problem)
{
    struct change c = {.options = options, .name = file, .fd = -1};
    if (file == NULL || strcmp(file, "-") == 0)
        return problem_set(problem, EXIT_USAGE, "a FILE is needed: it is changed where it is");
    bool right = change_slots(&c, problem);
    secret_free(c.opened.key, sizeof *c.opened.key);
    if (c.fd >= 0)
        close(c.fd);
    if (mtaes_engine_free(c.engine) != MTAES_OK)
        right = problem_set(problem, EXIT_OTHER, "libmtaes: the engine is busy");
    return right;
}
