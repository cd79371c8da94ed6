/* prompt.c: a passphrase from the terminal; echo comes back on every way out. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "secret.h"

#include "kdf.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

/* Not SIGTTIN and SIGTTOU: their default, to stop until the terminal is ours, is what is wanted. */
static const int caught[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP};
enum { CAUGHT = sizeof caught / sizeof caught[0] };

static volatile sig_atomic_t pending;

static void note(int number)
{
    pending = number;
}

/* The signals are blocked but while we wait, so that none falls between a look and the wait. */
struct guard {
    sigset_t mask;
    struct sigaction actions[CAUGHT];
};

static void guard_begin(struct guard *guard)
{
    sigset_t block;
    sigemptyset(&block);
    for (size_t i = 0; i < CAUGHT; i++)
        sigaddset(&block, caught[i]);
    sigprocmask(SIG_BLOCK, &block, &guard->mask);
    pending = 0;
    for (size_t i = 0; i < CAUGHT; i++) {
        struct sigaction action = {.sa_handler = note};
        sigaction(caught[i], NULL, &guard->actions[i]);
        if (guard->actions[i].sa_handler != SIG_IGN)
            sigaction(caught[i], &action, NULL);
    }
}

static void guard_end(const struct guard *guard)
{
    for (size_t i = 0; i < CAUGHT; i++)
        sigaction(caught[i], &guard->actions[i], NULL);
    sigprocmask(SIG_SETMASK, &guard->mask, NULL);
}

/* Read a line; 0, or an errno value, EINTR being a signal that is in `pending`. */
static int read_line(int tty, const sigset_t *mask, struct secret *secret)
{
    secret->bytes = 0;
    for (;;) {
        uint8_t byte;
        struct pollfd ready = {.fd = tty, .events = POLLIN};
        if (ppoll(&ready, 1, NULL, mask) < 0) {
            if (errno != EINTR || pending != 0)
                return errno;
            continue;
        }
        const ssize_t n = read(tty, &byte, 1);
        if (n < 0 && errno != EINTR && errno != EAGAIN)
            return errno;
        if (n == 0 || (n == 1 && byte == '\n'))
            return 0;
        if (n == 1 && secret->bytes == sizeof secret->data)
            return EMSGSIZE;
        if (n == 1)
            secret->data[secret->bytes++] = byte;
    }
}

static bool say(int tty, const char *text)
{
    const ssize_t n = write(tty, text, strlen(text));
    return n == (ssize_t)strlen(text);
}

/*
 * A background job would take the echo away from whoever is at the terminal. tcdrain changes
 * nothing there, but stops such a job until it is called to the foreground, or fails with EIO where
 * nobody could call it; with SIGTTOU ignored it does neither.
 */
static int wait_for_foreground(int tty)
{
    while (tcgetpgrp(tty) != getpgrp()) {
        if (tcdrain(tty) == 0)
            return tcgetpgrp(tty) == getpgrp() ? 0 : EIO;
        if (errno != EINTR)
            return errno;
    }
    return 0;
}

/* One try, with echo off in the middle of it. */
static int ask(int tty, const char *prompt, struct secret *secret)
{
    struct guard guard;
    struct termios before, silent;
    const int wait_error = wait_for_foreground(tty);
    if (wait_error != 0 || tcgetattr(tty, &before) != 0)
        return wait_error != 0 ? wait_error : errno;
    guard_begin(&guard);
    silent = before;
    silent.c_lflag &= ~(tcflag_t)(ECHO | ECHOE | ECHOK | ECHONL);
    silent.c_lflag |= ICANON | ISIG;
    int error = tcsetattr(tty, TCSAFLUSH, &silent) != 0 ? errno : 0;
    if (error == 0) {
        error = say(tty, prompt) ? read_line(tty, &guard.mask, secret) : EIO;
        say(tty, "\n");
    }
    while (tcsetattr(tty, TCSAFLUSH, &before) != 0 && errno == EINTR)
        ;
    guard_end(&guard);
    return error;
}

static bool ask_until_answered(int tty, const char *prompt, struct secret *secret,
                               struct problem *problem)
{
    for (;;) {
        const int error = ask(tty, prompt, secret);
        if (error == EINTR && pending != 0) {
            const int number = (int)pending;
            raise(number); /* now as it would have acted without us; a stop comes back here */
            if (number == SIGTSTP)
                continue;
            return problem_set(problem, EXIT_OTHER, "the prompt was ended by signal %d", number);
        }
        if (error == EMSGSIZE)
            return problem_set(problem, EXIT_USAGE, "a passphrase has at most %d bytes",
                               SECRET_BYTES_MOST);
        return error == 0 ||
               problem_system(problem, error, "asking on the terminal, in the foreground");
    }
}

/* The second time must give the same. */
static bool confirm_secret(int tty, const struct secret *secret, struct problem *problem)
{
    struct secret *const again = secret_alloc(sizeof *again);
    if (again == NULL)
        return problem_set(problem, EXIT_OTHER, "no memory for secrets");
    const bool right =
        ask_until_answered(tty, "The same again: ", again, problem) &&
        ((again->bytes == secret->bytes && secret_equal(again->data, secret->data, again->bytes)) ||
         problem_set(problem, EXIT_OTHER, "the two passphrases differ"));
    secret_free(again, sizeof *again);
    return right;
}

bool secret_from_terminal(struct secret *secret, const char *prompt, bool confirm,
                          struct problem *problem)
{
    const int tty = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
    if (tty < 0)
        return problem_system(problem, errno, "no terminal to ask for a passphrase; /dev/tty");
    secret->kind = SECRET_PASSPHRASE;
    bool right = ask_until_answered(tty, prompt, secret, problem);
    if (right && secret->bytes == 0)
        right =
            problem_set(problem, EXIT_USAGE, "the passphrase is empty; it has at least one byte");
    if (right && confirm)
        right = confirm_secret(tty, secret, problem);
    close(tty);
    return right;
}
