/* json.h: what all JSON reports have in common. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_JSON_H
#define BENCH_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "host.h"

/* {"schema": "mtaes-bench/1", "command": ..., "host": {...}} */
json_t *json_report(const char *command, const struct host *host);

/* An integer where the value is one, else a real; never inf or nan. */
json_t *json_number(double value);

/* Set a member; memory lacking ends the program, so that no report is ever short of one. */
void json_set(json_t *object, const char *name, json_t *value);
void json_add(json_t *array, json_t *value);
void json_set_text(json_t *object, const char *name, const char *text);
void json_set_size(json_t *object, const char *name, uint64_t value);

/* Write with a newline at the end, and free the value. */
bool json_write(json_t *value, FILE *to);

#endif
