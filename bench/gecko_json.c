/* gecko_json.c: the comparison of Gecko with AES as JSON. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "gecko.h"
#include "json.h"
#include "object_sizes.h"

static bool is_count(enum gecko_test test)
{
    return test == GECKO_DIFFUSION || test == GECKO_CONFUSION || test == GECKO_DUPLICATES;
}

static json_t *side_of(const struct gecko_result *r, const struct gecko_side *side)
{
    json_t *const object = json_object();
    if (is_count(r->test)) {
        json_set(object, "count", json_number(side->value));
        json_set(object, "percent", json_number(side->percent));
        if (r->test == GECKO_DUPLICATES)
            json_set(object, "pairs_per_table", json_number(100 / side->percent));
        return object;
    }
    json_set(object, r->test == GECKO_SIZE ? "bytes" : "seconds", json_number(side->value));
    if (r->test == GECKO_SIZE) {
        json_set_size(object, "text", side->text);
        json_set_size(object, "rodata", side->rodata);
    } else {
        json_set(object, "seconds_per_pass", json_number(side->value / (double)r->passes));
    }
    if (side->rate > 0)
        json_set(object, "bytes_per_second", json_number(side->rate));
    json_set_text(object, r->test == GECKO_SIZE ? "objects" : "implementation", side->who);
    return object;
}

static json_t *published_of(const struct published_gecko *p)
{
    json_t *const object = json_object();
    json_set_text(object, "original", p->original);
    json_set_text(object, "unit", p->unit);
    json_set(object, "gecko", json_number(p->gecko.value));
    json_set(object, "aes", json_number(p->aes.value));
    if (p->gecko.percent > 0) {
        json_set(object, "gecko_percent", json_number(p->gecko.percent));
        json_set(object, "aes_percent", json_number(p->aes.percent));
    }
    json_set(object, "difference_percent", json_number(p->difference_percent));
    return object;
}

static void add_labels(const struct gecko_result *r, json_t *row)
{
    json_set_text(row, "test", gecko_test_name(r->test));
    if (r->kind)
        json_set_text(row, "kind", r->kind);
    if (r->original)
        json_set_text(row, "original", r->original);
    if (r->pair != PAIR_NONE)
        json_set_text(row, "pair", gecko_pair_name(r->pair));
    if (r->mode)
        json_set_text(row, "mode", r->mode);
    if (r->key_bits)
        json_set_size(row, "key_bits", r->key_bits);
    if (r->block_bytes)
        json_set_size(row, "block_bytes", r->block_bytes);
    if (r->passes)
        json_set_size(row, "passes", r->passes);
    if (r->bits)
        json_set_size(row, "bits", r->bits);
    json_set_text(row, "unit", r->unit);
}

static json_t *result_of(const struct gecko_result *r)
{
    const double gecko = r->side[GECKO_GECKO].value, aes = r->side[GECKO_AES].value;
    json_t *const row = json_object();
    add_labels(r, row);
    if (r->scaled)
        json_set(row, "scaled_from_fewer_passes", json_true());
    json_set(row, "gecko", side_of(r, &r->side[GECKO_GECKO]));
    json_set(row, "aes", side_of(r, &r->side[GECKO_AES]));
    if (is_count(r->test)) {
        json_set(row, "expected_percent", json_number(r->expected_percent));
        json_set(row, "sampling_error", json_number(r->sampling_error));
        json_set(row, "difference_error", json_number(r->difference_error));
    }
    json_set(row, "difference_percent_of_mean", json_number(gecko_difference_percent(gecko, aes)));
    json_set(row, "gecko_over_aes", json_number(gecko / aes));
    if (r->ratio_high > 0) {
        json_set(row, "speed_ratio_lower_quartile", json_number(r->ratio_low));
        json_set(row, "speed_ratio_upper_quartile", json_number(r->ratio_high));
    }
    json_set_text(row, "verdict", r->verdict);
    if (r->published)
        json_set(row, "published", published_of(r->published));
    return row;
}

bool gecko_json(const struct gecko_report *report, FILE *to)
{
    json_t *const object = json_report("gecko", report->host);
    json_t *const results = json_array(), *const source = json_object();
    json_set(object, "verified", json_true()); /* or there is no report */
    json_set_size(object, "seed", report->options->seed);
    json_set(object, "random_bit", json_boolean(report->options->random_bit));
    json_set_text(object, "compiler_flags", object_flags);
    json_set_text(source, "title", published_gecko_title);
    json_set_text(source, "machine", published_gecko_machine);
    json_set(object, "published_source", source);
    for (size_t i = 0; i < report->count; i++)
        json_add(results, result_of(&report->at[i]));
    json_set(object, "results", results);
    return json_write(object, to);
}
