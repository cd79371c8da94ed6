/* aes_unit.h: how fast this CPU's AES instructions are by themselves. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_AES_UNIT_H
#define BENCH_AES_UNIT_H

/* 16-byte rounds a nanosecond on one core, from registers alone; 0: no such instructions. */
struct aes_unit {
    double rounds;        /* independent ones, with the widest registers that help */
    double chained;       /* each waiting for the one before */
    unsigned vector_bits; /* of the registers that were the fastest */
};

struct aes_unit aes_unit_measure(void);

#endif
