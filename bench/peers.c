/* peers.c: the table of engines in the bench. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "peer.h"

static const struct peer *const peers[] = {
    &peer_mtaes,
    &peer_openssl,
    &peer_openssl_mt,
    &peer_memcpy,
};

enum { PEERS = sizeof peers / sizeof peers[0] };

const struct peer *peer_next(const struct peer *previous)
{
    size_t i = 0;
    while (previous && i < PEERS && peers[i++] != previous)
        ;
    return i < PEERS ? peers[i] : NULL;
}

const struct peer *peer_find(const char *name)
{
    for (size_t i = 0; i < PEERS; i++) {
        if (strcmp(name, peers[i]->name) == 0)
            return peers[i];
    }
    return NULL;
}

void peer_names(char *text, size_t room)
{
    size_t used = 0;
    text[0] = 0;
    for (size_t i = 0; i < PEERS && used < room; i++)
        used += (size_t)snprintf(text + used, room - used, "%s%s", i ? ", " : "", peers[i]->name);
}

void peer_lacks_all(struct contender *contender, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(contender->lacks[0], sizeof contender->lacks[0], format, arguments);
    va_end(arguments);
    memcpy(contender->lacks[1], contender->lacks[0], sizeof contender->lacks[1]);
}
