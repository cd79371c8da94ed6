/* generic.c: all forms of bulk and chain from a kernel's `blocks` alone; SP 800-38A, IEEE 1619. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "cpu.h"
#include "kernel.h"
#include "util.h"

enum { SCRATCH_BLOCKS = 64 }; /* enough to keep a wide kernel busy */

enum { SRC = 1, STATE = 2 }; /* what is summed up */

/* A form: what goes into the cipher, what is added to what comes out, and whether the cipher is the
   inverse one when encrypting [0] and decrypting [1]. */
static const struct {
    uint8_t in, out;
    bool inverse[2];
} forms[] = {
    [FORM_ECB] = {0, 0, {false, true}}, /* needs no scratch */
    [FORM_CTR] = {STATE, SRC, {false, false}},
    [FORM_CTR32] = {STATE, SRC, {false, false}},
    [FORM_CBC] = {SRC, STATE, {true, true}},
    [FORM_CFB] = {STATE, SRC, {false, false}},
    [FORM_PCBC] = {SRC, SRC, {true, true}}, /* see after_cipher */
    [FORM_XEX] = {SRC | STATE, STATE, {false, true}},
};

struct scratch {
    uint8_t in[SCRATCH_BLOCKS][BLOCK_BYTES];
    uint8_t out[SCRATCH_BLOCKS][BLOCK_BYTES];
};

/* dst may be the same as either. */
static inline void sum(uint8_t *dst, unsigned what, const uint8_t *src, const uint8_t *state)
{
    static const uint8_t zero[BLOCK_BYTES];
    xor_block(dst, what & SRC ? src : zero, what & STATE ? state : zero);
}

/* IEEE 1619, 5.2: times x, the first byte being the lowest. */
static void multiply_by_x(uint8_t state[BLOCK_BYTES])
{
    const uint64_t low = load_le64(state), high = load_le64(state + 8);
    store_le64(state, low << 1 ^ (high >> 63) * 0x87);
    store_le64(state + 8, high << 1 | low >> 63);
}

/* As one 64-bit word: a narrow store would hold up the wide load that follows. */
static inline void add_be32(uint8_t state[BLOCK_BYTES])
{
    const uint64_t low = load_be64(state + 8);
    store_be64(state + 8, (low & 0xffffffff00000000) | (uint32_t)(low + 1));
}

static inline void next_state(enum form form, uint8_t state[BLOCK_BYTES], const uint8_t *src)
{
    switch (form) {
    case FORM_CTR:
        add_be128(state, 1);
        break;
    case FORM_CTR32:
        add_be32(state);
        break;
    case FORM_CBC:
    case FORM_CFB:
        memcpy(state, src, BLOCK_BYTES);
        break;
    case FORM_XEX:
        multiply_by_x(state);
        break;
    case FORM_ECB:
    case FORM_PCBC:
        break;
    }
}

/* Everything that is needed later is taken from src here: dst may be the same. */
static void before_cipher(struct scratch *scratch, enum form form, uint8_t state[BLOCK_BYTES],
                          const uint8_t *src, size_t n)
{
    for (size_t i = 0; i < n; i++, src += BLOCK_BYTES) {
        sum(scratch->in[i], forms[form].in, src, state);
        sum(scratch->out[i], forms[form].out, src, state);
        next_state(form, state, src);
    }
}

/* PCBC is the only form whose state depends on what comes out of the cipher. */
static void after_cipher(struct scratch *scratch, enum form form, uint8_t state[BLOCK_BYTES],
                         uint8_t *dst, size_t n)
{
    for (size_t i = 0; i < n; i++, dst += BLOCK_BYTES) {
        if (form == FORM_PCBC) {
            xor_block(dst, scratch->in[i], state);
            xor_block(state, dst, scratch->out[i]);
        } else {
            xor_block(dst, scratch->in[i], scratch->out[i]);
        }
    }
}

void kernel_bulk(const struct mtaes_kernel *kernel, const void *ks, enum form form, bool decrypt,
                 struct lane *lane, size_t lanes, size_t blocks_each, enum reach reach)
{
    if (kernel->bulk != NULL) {
        kernel->bulk(ks, form, decrypt, lane, lanes, blocks_each, reach);
        return;
    }
    const bool inverse = forms[form].inverse[decrypt];
    struct scratch scratch;
    for (; lanes > 0; lanes--, lane++) {
        if (form == FORM_ECB) {
            kernel->blocks(ks, inverse, lane->dst, lane->src, blocks_each);
            continue;
        }
        size_t n;
        for (size_t done = 0; done < blocks_each; done += n) {
            const uint8_t *const src = lane->src + done * BLOCK_BYTES;
            n = blocks_each - done < SCRATCH_BLOCKS ? blocks_each - done : SCRATCH_BLOCKS;
            before_cipher(&scratch, form, lane->state, src, n);
            kernel->blocks(ks, inverse, scratch.in[0], scratch.in[0], n);
            after_cipher(&scratch, form, lane->state, lane->dst + done * BLOCK_BYTES, n);
        }
    }
    wipe(&scratch, sizeof scratch);
}

void kernel_chain(const struct mtaes_kernel *kernel, const void *ks, unsigned shape,
                  struct lane *lane, size_t lanes, size_t blocks_each)
{
    if (kernel->chain != NULL) {
        kernel->chain(ks, shape, lane, lanes, blocks_each);
        return;
    }
    const unsigned in = STATE | (shape & CHAIN_IN ? SRC : 0);
    const unsigned out = STATE | (shape & CHAIN_OUT ? SRC : 0);
    const unsigned next = STATE | (shape & CHAIN_NEXT ? SRC : 0);
    uint8_t y[CHAIN_LANES][BLOCK_BYTES];
    for (size_t at = 0; at < blocks_each * BLOCK_BYTES; at += BLOCK_BYTES) {
        for (size_t i = 0; i < lanes; i++)
            sum(y[i], in, lane[i].src + at, lane[i].state);
        kernel->blocks(ks, false, y[0], y[0], lanes);
        for (size_t i = 0; i < lanes; i++) {
            sum(lane[i].state, next, lane[i].src + at, y[i]);
            sum(lane[i].dst + at, out, lane[i].src + at, y[i]); /* last: dst may be src */
        }
    }
    wipe(y, sizeof y);
}

size_t kernel_large_lanes(void)
{
    return cpu_features() & CPU_FOUR_STREAMS ? KERNEL_LANES : 1;
}
