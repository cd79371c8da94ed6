/* peers.c: the table of engines in the bench. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "peer.h"
#include "spread.h"

static const struct peer *const peers[] = {
    &peer_mtaes,   &peer_mtaes_openmp, &peer_mtaes_caller, &peer_mtaes_spawn,
    &peer_openssl, &peer_openssl_mt,   &peer_ipsec_mb,     &peer_libgcrypt,
    &peer_nettle,  &peer_memcpy,       &peer_rmw,
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

bool peer_has_cipher(struct contender *c)
{
    const struct workload *const w = c->work;
    if (strcmp(w->family, "aes") != 0)
        peer_lacks_all(c, "%s has no cipher %s", c->peer->name, w->family);
    else if (w->structure == STRUCTURE_UNIT && w->key_bits == 192)
        peer_lacks_all(c, "mode %s has no keys of 192 bits", w->mode_name);
    else
        return true;
    return false;
}

void peer_not_built(struct contender *c)
{
    snprintf(c->kernel, sizeof c->kernel, "none");
    peer_lacks_all(c, "not built in: needs %s when configure runs", c->peer->package);
}

void peer_no_state(struct contender *c)
{
    c->state = NULL;
}

bool peer_run_spread(struct contender *c, const struct task *task)
{
    return spread_run(c->spread, task);
}

void peer_free_spread(struct contender *c)
{
    spread_free(c->spread);
    c->spread = NULL;
}
