/* json.c: what all JSON reports have in common. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "json.h"

#include <math.h>
#include <stdlib.h>

static void must(int result)
{
    if (result == 0)
        return;
    fputs("mtaes-bench: out of memory, or a value that JSON cannot hold\n", stderr);
    exit(EXIT_FAILURE);
}

void json_set(json_t *object, const char *name, json_t *value)
{
    must(json_object_set_new(object, name, value));
}

void json_add(json_t *array, json_t *value)
{
    must(json_array_append_new(array, value));
}

json_t *json_number(double value)
{
    const double exact = 9007199254740992.0; /* 2^53 */
    if (fabs(value) < exact && floor(value) == value)
        return json_integer((json_int_t)value);
    return json_real(value); /* NULL, and so refused by json_set, for inf and nan */
}

void json_set_text(json_t *object, const char *name, const char *text)
{
    json_t *const value = json_string(text);
    json_set(object, name, value ? value : json_string("(not UTF-8)"));
}

void json_set_size(json_t *object, const char *name, uint64_t value)
{
    json_set(object, name, json_integer((json_int_t)value));
}

static json_t *caches(const struct host *host)
{
    json_t *const list = json_array();
    for (size_t i = 0; i < host->caches; i++) {
        json_t *const cache = json_object();
        json_set_size(cache, "level", host->cache[i].level);
        json_set_text(cache, "type", host->cache[i].type);
        json_set_size(cache, "bytes", host->cache[i].bytes);
        json_set_size(cache, "shared_by_cpus", host->cache[i].cpus);
        json_add(list, cache);
    }
    return list;
}

static json_t *threads(const struct host *host)
{
    json_t *const limits = json_object();
    json_set_size(limits, "online", host->threads.online);
    json_set_size(limits, "affinity", host->threads.affinity);
    json_set_size(limits, "quota", host->threads.quota);
    json_set_size(limits, "chosen", host->threads.chosen);
    return limits;
}

static json_t *machine(const struct host *host)
{
    json_t *const object = json_object();
    json_set_text(object, "date", host->date);
    json_set_text(object, "machine", host->machine);
    json_set_text(object, "architecture", host->architecture);
    json_set_text(object, "system", host->system);
    json_set_text(object, "kernel", host->kernel);
    json_set_text(object, "cpu", host->cpu);
    json_set_text(object, "features", host->features);
    json_set(object, "threads", threads(host));
    json_set(object, "caches", caches(host));
    json_set_size(object, "memory_bytes", host->memory_bytes);
    json_set_size(object, "memory_available_bytes", host->memory_available_bytes);
    json_set_text(object, "huge_pages", host->huge_pages);
    json_set_text(object, "openssl", host->openssl);
    json_set_text(object, "mtaes", host->mtaes);
    json_set_text(object, "compiler", host->compiler);
    return object;
}

json_t *json_report(const char *command, const struct host *host)
{
    json_t *const report = json_object();
    json_set_text(report, "schema", "mtaes-bench/1");
    json_set_text(report, "command", command);
    json_set(report, "host", machine(host));
    return report;
}

bool json_write(json_t *value, FILE *to)
{
    const int result = json_dumpf(value, to, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
    json_decref(value);
    return result == 0 && fputc('\n', to) != EOF;
}
