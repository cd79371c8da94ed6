/* verb_crypt.c: encrypt, decrypt, cat and verify: a message from input to output. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli.h"

#include "file/pipeline.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static const char suffix[] = ".mta";

/* All that one file needs; close_all ends it whatever has been opened. */
struct session {
    const struct options *options;
    mtaes_engine *engine;
    struct input input;
    struct output output;
    struct message message;
    bool has_input, has_output;
    char output_name[PATH_MAX];
    struct timespec begin;
};

static double seconds_since(const struct timespec *begin)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - begin->tv_sec) + (double)(now.tv_nsec - begin->tv_nsec) / 1e9;
}

static bool begin_session(struct session *s, const struct options *options, const char *file,
                          struct problem *problem)
{
    *s = (struct session){.options = options};
    clock_gettime(CLOCK_MONOTONIC, &s->begin);
    s->has_input =
        output_refuse_input(options->output, file, problem) && input_open(&s->input, file, problem);
    if (s->has_input)
        s->engine = engine_create(1, problem); /* its own workers: the pipeline has them */
    return s->engine != NULL;
}

static bool close_all(struct session *s, bool right, struct problem *problem)
{
    if (s->has_output && !right)
        output_abort(&s->output);
    if (s->has_input)
        input_close(&s->input);
    message_close(&s->message);
    if (mtaes_engine_free(s->engine) != MTAES_OK)
        return problem_set(problem, EXIT_OTHER, "libmtaes: the engine is busy");
    return right;
}

/* ------------------------------------------------------------------------------------------------
 * where the output goes */

static bool is_standard(const char *file)
{
    return file == NULL || strcmp(file, "-") == 0;
}

/* FILE to FILE.mta, FILE.mta to FILE. NULL: standard output. */
static bool choose_output(struct session *s, const char *file, bool decrypt, const char **path,
                          struct problem *problem)
{
    const struct options *const o = s->options;
    *path = o->output;
    if (o->output != NULL || o->to_stdout || is_standard(file) || o->verb == VERB_CAT)
        return true;
    const size_t length = strlen(file), tail = sizeof suffix - 1;
    *path = s->output_name;
    if (length + tail >= sizeof s->output_name)
        return problem_system(problem, ENAMETOOLONG, "%s", file);
    snprintf(s->output_name, sizeof s->output_name, "%s%s", file, decrypt ? "" : suffix);
    if (!decrypt)
        return true;
    if (length <= tail || strcmp(file + length - tail, suffix) != 0)
        return problem_set(problem, EXIT_USAGE,
                           "%s: does not end in %s, so that -o FILE or -c is needed", file, suffix);
    s->output_name[length - tail] = 0;
    return true;
}

/* --rm, before anything is done: whether the input may be removed at the end. */
static bool check_removal(const struct session *s, const char *file, struct problem *problem)
{
    if (!s->options->remove_input || is_standard(file))
        return true;
    if (!s->output.file || !S_ISREG(s->input.status.st_mode))
        return problem_set(problem, EXIT_USAGE, "%s: --rm needs a regular file as input and output",
                           file);
    return !secrets_from(s->options->secrets, &s->input.status) ||
           problem_set(problem, EXIT_USAGE,
                       "%s: --rm of a key or passphrase of this very command: what it opens would "
                       "be lost",
                       file);
}

static bool open_output(struct session *s, const char *file, bool decrypt, struct problem *problem)
{
    const char *path;
    if (!choose_output(s, file, decrypt, &path, problem) ||
        !secrets_spared(s->options->secrets, path, problem))
        return false;
    s->has_output = output_open(&s->output, path, s->options->force, &s->input, problem);
    if (s->has_output && !decrypt && !s->options->force && isatty(s->output.fd))
        return problem_set(problem, EXIT_USAGE,
                           "%s is a terminal: ciphertext goes there with -f only; -o FILE or a "
                           "redirection is right",
                           s->output.name);
    return s->has_output && check_removal(s, file, problem);
}

static bool same_time(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

/* --rm: only the very file that was read, as it was read. */
static bool remove_input(struct session *s, const char *file, struct problem *problem)
{
    const struct stat *const before = &s->input.status;
    struct stat now;
    if (!s->options->remove_input || is_standard(file))
        return true;
    if (lstat(file, &now) != 0)
        return problem_system(problem, errno, "%s", file);
    if (now.st_dev != before->st_dev || now.st_ino != before->st_ino)
        return problem_set(problem, EXIT_OTHER,
                           "%s: not removed: it is another file than the one that was read", file);
    if (now.st_size != before->st_size || !same_time(&now.st_mtim, &before->st_mtim) ||
        !same_time(&now.st_ctim, &before->st_ctim))
        return problem_set(problem, EXIT_OTHER, "%s: not removed: it was changed meanwhile", file);
    return unlink(file) == 0 || problem_system(problem, errno, "%s: removing", file);
}

static bool commit(struct session *s, const char *file, struct problem *problem)
{
    return output_commit(&s->output, problem) && remove_input(s, file, problem);
}

/* ------------------------------------------------------------------------------------------------
 * what is said */

static void show_progress(void *context, uint64_t done_bytes, uint64_t total_bytes)
{
    const struct session *const s = context;
    const double seconds = seconds_since(&s->begin);
    const double rate = seconds > 0 ? (double)done_bytes / seconds : 0;
    if (s->options->progress == PROGRESS_JSON) {
        fprintf(stderr, "{\"bytes\":%llu,\"total\":", (unsigned long long)done_bytes);
        if (total_bytes != 0)
            fprintf(stderr, "%llu", (unsigned long long)total_bytes);
        else
            fputs("null", stderr);
        fprintf(stderr, ",\"seconds\":%.3f,\"bytes_per_second\":%.0f}\n", seconds, rate);
        return;
    }
    fprintf(stderr, "\r%.1f MB", (double)done_bytes / 1e6);
    if (total_bytes != 0)
        fprintf(stderr, " of %.1f MB, %.0f %%", (double)total_bytes / 1e6,
                100.0 * (double)done_bytes / (double)total_bytes);
    fprintf(stderr, ", %.1f MB/s   ", rate / 1e6);
    fflush(stderr);
}

static void summarize(const struct session *s, const struct transfer_result *result)
{
    struct rusage usage;
    const double seconds = seconds_since(&s->begin);
    const mtaes_kernel *const kernel = mtaes_kernel_find("aes");
    if (s->options->progress == PROGRESS_TEXT)
        fputc('\n', stderr);
    if (!s->options->verbose)
        return;
    getrusage(RUSAGE_SELF, &usage);
    say("%s: %llu bytes in, %llu out, %.3f s, %.1f MB/s; Cobblestone-%u, %s, %zu threads, "
        "buffers %.1f MiB, peak memory %.1f MiB",
        s->input.name, (unsigned long long)result->in_bytes, (unsigned long long)result->out_bytes,
        seconds, seconds > 0 ? (double)result->in_bytes / seconds / 1e6 : 0.0, s->message.suite,
        kernel == NULL ? "no kernel" : mtaes_kernel_name(kernel), result->threads,
        (double)result->buffer_bytes / 1048576, (double)usage.ru_maxrss / 1024);
}

static bool transfer(struct session *s, struct transfer *t, struct problem *problem)
{
    struct transfer_result result;
    t->message = s->message.keys;
    t->threads = s->options->threads;
    t->input = &s->input;
    t->message_at = s->message.at;
    if (s->options->progress != PROGRESS_OFF) {
        t->progress = show_progress;
        t->progress_context = s;
    }
    const bool right = transfer_run(t, &result, problem);
    if (right)
        summarize(s, &result);
    else if (s->options->progress == PROGRESS_TEXT)
        fputc('\n', stderr);
    return right;
}

/* ------------------------------------------------------------------------------------------------
 * the verbs */

static bool encrypt(struct session *s, const char *file, struct problem *problem)
{
    uint8_t lead[LEAD_BYTES_MOST];
    size_t lead_bytes;
    if (s->input.length / CHUNK_TEXT_BYTES >= CHUNKS_MOST)
        return problem_set(problem, EXIT_OTHER,
                           "%s: %llu bytes; at most 4 PiB - 1 byte is possible", s->input.name,
                           (unsigned long long)s->input.length);
    if (!open_output(s, file, false, problem) ||
        !message_create(s->engine, &s->options->message, s->options->secrets, lead, &lead_bytes,
                        &s->message, problem) ||
        !output_write(&s->output, lead, lead_bytes, problem))
        return false;
    struct transfer t = {.direction = MTAES_ENCRYPT,
                         .in_bytes = s->input.length,
                         .to_the_end = true,
                         .output = &s->output,
                         .output_at = lead_bytes,
                         .most = UINT64_MAX};
    return transfer(s, &t, problem) && commit(s, file, problem);
}

bool verb_encrypt(const struct options *options, const char *file, struct problem *problem)
{
    struct session s;
    const bool right = begin_session(&s, options, file, problem) && encrypt(&s, file, problem);
    return close_all(&s, right, problem);
}

static uint64_t chunk_bytes_of(const struct session *s)
{
    return s->input.positioned ? s->input.length - s->message.at - PREFIX_BYTES : 0;
}

/* Only the chunks that a range touches, and the last one, which proves the length. */
static bool plan_range(struct session *s, struct transfer *t, struct problem *problem)
{
    const struct options *const o = s->options;
    uint64_t full_chunks;
    size_t last_bytes;
    if (!s->input.positioned)
        return problem_set(problem, EXIT_USAGE,
                           "%s: --range needs a file that can be read at any place", s->input.name);
    if (!message_measure(&s->input, s->message.at, &full_chunks, &last_bytes, problem) ||
        !message_verify_end(&s->message, &s->input, problem))
        return false;
    const uint64_t text = full_chunks * CHUNK_TEXT_BYTES + last_bytes - CHUNK_TAG_BYTES;
    if (o->range_at > text || (!o->range_to_end && o->range_bytes > text - o->range_at))
        return problem_set(problem, EXIT_USAGE,
                           "%s: --range goes past the end; the text has %llu bytes", s->input.name,
                           (unsigned long long)text);
    const uint64_t bytes = o->range_to_end ? text - o->range_at : o->range_bytes;
    const uint64_t end_chunk = bytes == 0 ? o->range_at / CHUNK_TEXT_BYTES
                                          : (o->range_at + bytes - 1) / CHUNK_TEXT_BYTES + 1;
    t->first_chunk = o->range_at / CHUNK_TEXT_BYTES;
    t->skip = o->range_at % CHUNK_TEXT_BYTES;
    t->most = bytes;
    t->to_the_end = end_chunk > full_chunks;
    t->in_bytes = (end_chunk - t->first_chunk) * CHUNK_BYTES;
    if (t->to_the_end)
        t->in_bytes = (full_chunks - t->first_chunk) * CHUNK_BYTES + last_bytes;
    return true;
}

static bool decrypt(struct session *s, const char *file, struct problem *problem)
{
    const struct options *const o = s->options;
    /* the output is opened before the costly key derivation, so that a wrong name is told at once,
       but nothing is written before the header is right */
    struct transfer t = {.direction = MTAES_DECRYPT, .to_the_end = true, .most = UINT64_MAX};
    if ((o->verb != VERB_VERIFY && !open_output(s, file, true, problem)) ||
        !message_open(s->engine, &s->input, &o->message, o->secrets, &s->message, problem))
        return false;
    t.in_bytes = chunk_bytes_of(s);
    if (o->has_range && !plan_range(s, &t, problem))
        return false;
    t.output = o->verb == VERB_VERIFY ? NULL : &s->output;
    if (!transfer(s, &t, problem))
        return false;
    return o->verb == VERB_VERIFY || commit(s, file, problem);
}

bool verb_decrypt(const struct options *options, const char *file, struct problem *problem)
{
    struct session s;
    const bool right = begin_session(&s, options, file, problem) && decrypt(&s, file, problem);
    return close_all(&s, right, problem);
}

bool verb_verify(const struct options *options, const char *file, struct problem *problem)
{
    return verb_decrypt(options, file, problem);
}
