/* mtaes.h: the whole public interface of libmtaes, multi-threaded AES for large buffers. */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MTAES_H
#define MTAES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version stands here and nowhere else; the build reads it from these lines. */
#define MTAES_VERSION_MAJOR 0
#define MTAES_VERSION_MINOR 1
#define MTAES_VERSION_PATCH 0

#define MTAES_API __attribute__((visibility("default")))
#define MTAES_CHECKED __attribute__((warn_unused_result))

/*
 * Five nouns, one verb. A kernel is a cipher on one instruction set. A key is an expanded schedule:
 * immutable, and free to be used from any number of threads. A mode says how the blocks of one
 * message depend on each other. A message is one buffer to process. An engine is a pool of threads
 * and the scheduler above it. Run is the verb.
 *
 * The library keeps no global state but the cached CPU features and the once-flag of its self test.
 * It never prints, never aborts, never touches errno on purpose, installs no signal handler, and
 * reads no environment variable.
 */

typedef enum mtaes_status {
    MTAES_OK = 0,
    MTAES_ARG,    /* a pointer is NULL that may not be, or an option is out of range */
    MTAES_KEY,    /* no such key length for this cipher and mode, or an XTS key with equal halves */
    MTAES_IV,     /* the IV is not of the mode's length, or counts past its last value */
    MTAES_TAG,    /* the tag is not of the mode's length, or given to a mode without tags */
    MTAES_LENGTH, /* not a multiple the mode needs, or past the mode's limit */
    MTAES_OVERLAP,     /* src and dst overlap in part, or tag, IV or AAD lie inside dst */
    MTAES_AUTH,        /* the tag is wrong: the text is damaged or forged */
    MTAES_MEMORY,      /* the system gave no memory */
    MTAES_BUSY,        /* the object is in use in a way that excludes this call */
    MTAES_UNSUPPORTED, /* this kernel does not run on this CPU, or does not go with this mode */
} mtaes_status;

/* One line of English for a status, never NULL. Any thread. */
MTAES_API const char *mtaes_status_text(mtaes_status status);

/* The version of the library that is linked, as "0.1.0". Any thread. */
MTAES_API const char *mtaes_version(void);

typedef enum mtaes_direction { MTAES_ENCRYPT = 0, MTAES_DECRYPT = 1 } mtaes_direction;

typedef struct mtaes_kernel mtaes_kernel; /* static row */
typedef struct mtaes_mode mtaes_mode;     /* static row */
typedef struct mtaes_engine mtaes_engine; /* owned by the caller, as are the three below */
typedef struct mtaes_key mtaes_key;
typedef struct mtaes_stream mtaes_stream;
typedef struct mtaes_job mtaes_job;

/* ------------------------------------------------------------------------------------------------
 * kernels, modes */

/*
 * Find a kernel. "aes" or "gecko" gives the fastest that runs on this CPU; "aes-aesni" exactly that
 * one. NULL when there is no such kernel or this CPU cannot run it. Rows live as long as the
 * library. Any thread.
 */
MTAES_API const mtaes_kernel *mtaes_kernel_find(const char *name);

/* Iterate over all kernels built in, fastest first within a cipher, those included that do not run
   here. NULL starts; NULL is the end. Any thread. */
MTAES_API const mtaes_kernel *mtaes_kernel_next(const mtaes_kernel *previous);

MTAES_API const char *mtaes_kernel_name(const mtaes_kernel *kernel);   /* "aes-vaes256" */
MTAES_API const char *mtaes_kernel_cipher(const mtaes_kernel *kernel); /* "aes" */
/* Whether this CPU has what the kernel needs, and the kernel passed its self test: a known answer, and CTR in its widest
   steps against one block at a time. The test is made once, at the first question. */
MTAES_API bool mtaes_kernel_runs_here(const mtaes_kernel *kernel);

/*
 * The CPU features that a kernel needs, as words separated by blanks, in text[0..room), always
 * terminated: all of them, or (missing) those that this machine lacks or whose registers its system
 * does not save. kernel == NULL: all features known to the library that this machine has. Returns
 * the length of the whole text, as snprintf does.
 */
MTAES_API size_t mtaes_kernel_features(const mtaes_kernel *kernel, bool missing, char *text,
                                       size_t room);

/* The same for modes: "ecb", "ctr", ... NULL: no such mode. Any thread. */
MTAES_API const mtaes_mode *mtaes_mode_find(const char *name);
MTAES_API const mtaes_mode *mtaes_mode_next(const mtaes_mode *previous);
MTAES_API const char *mtaes_mode_name(const mtaes_mode *mode);

typedef struct mtaes_mode_info {
    bool encrypt_parallel,
        decrypt_parallel;              /* one message is spread over threads in this direction */
    bool authenticates;                /* has a tag */
    size_t iv_bytes_min, iv_bytes_max; /* both 0: takes no IV */
    size_t tag_bytes;                  /* exactly; 0: none */
    size_t multiple_bytes;             /* a message is a multiple of this */
    uint64_t bytes_min, bytes_max;     /* a message's length (XTS: of one unit) */
} mtaes_mode_info;

MTAES_API mtaes_mode_info mtaes_mode_describe(const mtaes_mode *mode);

/* --------------------------------------------------------------------------------------------------------
 * engine */

typedef enum mtaes_executor {
    MTAES_EXECUTOR_POOL = 0, /* the engine's own worker threads */
    MTAES_EXECUTOR_OPENMP,   /* MTAES_UNSUPPORTED unless built with OpenMP */
    MTAES_EXECUTOR_CALLER,   /* the function `run` below */
} mtaes_executor;

typedef struct mtaes_engine_options {
    size_t threads; /* that one call may use, the caller's own included; 0: what this process may
                       use */
    mtaes_executor executor;
    /* MTAES_EXECUTOR_CALLER only: call fn(arg, i) for each i in [0, count), on any threads, in any
       order, and return when all have returned. May be called from several threads at once if the
       engine is. */
    void (*run)(void *run_context, void (*fn)(void *arg, size_t i), void *arg, size_t count);
    void *run_context;
} mtaes_engine_options;

/*
 * Make an engine; options may be NULL for the defaults. The worker threads are started here, as
 * many as the system gives; fewer than asked for is no error, as the calling thread alone is
 * enough. They block all signals. An engine may be used from any number of threads at once. A
 * message too small to gain from threads is processed on the caller's own and waits for nobody:
 * one under 64 KiB; and one under 512 KiB while the workers sleep, which they do after some 60 us
 * without work, or have other work. Of calls that come one right after another, the second wakes
 * them. After fork, the child may use and free the engine: all work then happens on the calling thread.
 * Errors: ARG (engine is NULL, executor unknown, CALLER without run), MEMORY, UNSUPPORTED (no
 * OpenMP in this build).
 */
MTAES_API mtaes_status mtaes_engine_create(mtaes_engine **engine,
                                           const mtaes_engine_options *options) MTAES_CHECKED;

/* Wait for all jobs that the engine's threads have to end, stop the threads and free it; NULL is fine.
   What is done in mtaes_job_wait only (see mtaes_submit) can still be waited for afterwards. Not while
   another thread is about to use it. Errors: BUSY (called from a completion callback of this
   engine, or from one within it; nothing was done). */
MTAES_API mtaes_status mtaes_engine_free(mtaes_engine *engine);

/* How many threads one call may use: the workers that did start, and the caller. */
MTAES_API size_t mtaes_engine_threads(const mtaes_engine *engine);

/* Why threads == 0 means what it means. All are counts of CPUs; 0: no such limit. */
typedef struct mtaes_thread_limits {
    size_t online;   /* CPUs that the system has online */
    size_t affinity; /* in this process's affinity mask */
    size_t quota;    /* cgroup v1 or v2 CPU quota, rounded up */
    size_t chosen;   /* the smallest of these, at least 1 */
} mtaes_thread_limits;

MTAES_API mtaes_thread_limits mtaes_threads_available(void);

/* -----------------------------------------------------------------------------------------------------------
 * key */

/*
 * Expand a key for one kernel and one mode. key[0..key_bytes) is 16, 24 or 32 bytes; XTS takes both
 * halves, data key first, 32 or 64 bytes (IEEE 1619 has no AES-192). The key is immutable, may be
 * used from any number of threads and engines, and holds no reference to the caller's bytes. Its
 * memory is locked and kept out of core dumps where the system allows it. An XTS key with equal
 * halves is made, but only decrypts: old data must stay readable. Errors: ARG, KEY, MEMORY,
 * UNSUPPORTED (this CPU cannot run the kernel; the mode is not for this cipher). Source: FIPS 197,
 * section 5.2.
 */
MTAES_API mtaes_status mtaes_key_create(mtaes_key **key, const mtaes_kernel *kernel,
                                        const mtaes_mode *mode, const void *key_material,
                                        size_t key_bytes) MTAES_CHECKED;

/* Wipe and free; NULL is fine. Not while a message, stream or job uses the key. */
MTAES_API void mtaes_key_free(mtaes_key *key);

/* Whether the system locked the key's memory (RLIMIT_MEMLOCK may forbid it; that is no error). */
MTAES_API bool mtaes_key_is_locked(const mtaes_key *key);

/* -------------------------------------------------------------------------------------------------------
 * message */

/*
 * One buffer to process. Zero the struct and set what the mode needs; what it does not need must
 * stay 0. Aliasing: dst == src, or the two do not overlap. iv, aad and tag do not overlap dst.
 */
typedef struct mtaes_message {
    const mtaes_key *key;
    mtaes_direction direction;
    const void *src; /* bytes; any alignment, as all pointers here; NULL only when bytes is 0 */
    void *dst;       /* bytes */
    size_t
        bytes; /* ECB, CBC, PCBC: a multiple of 16. CTR, CFB, OFB, GCM: any. XTS: see unit_bytes */
    const void
        *iv; /* CTR: first counter block, big-endian, 16. CBC, PCBC, CFB, OFB: 16. GCM: 1 or more,
                12 is usual. XTS: number of the first unit, little-endian, 16. ECB: none */
    size_t iv_bytes;
    const void *aad; /* GCM only: authenticated, not encrypted; at most 2^61-1 bytes */
    size_t aad_bytes;
    void *tag;         /* GCM only: written by encryption, read by decryption */
    size_t tag_bytes;  /* GCM: 16 */
    size_t unit_bytes; /* XTS only: the data unit, 16 bytes to 16 MiB; the message is any number of
                          units, the last of which may be shorter, but not under 16. 0: the message
                          is one unit */
    mtaes_status status; /* written by run: of this message alone */
} mtaes_message;

/*
 * Process count messages and return when all are done. Each message's own status is written; the
 * first that is not OK is returned. A message that is refused leaves its dst and tag untouched, and
 * the others are processed all the same. GCM decryption compares the tag in constant time; when it
 * is wrong, dst is zeroed and the status is AUTH. Buffers of different messages must not overlap.
 * Chained directions (encryption in CBC, PCBC, CFB; OFB) run on one thread a message; many such
 * messages under one key are interleaved, which is the one way to speed them up. Allocates nothing.
 * Any thread. Errors: ARG, IV, TAG, LENGTH, OVERLAP, AUTH, KEY (equal XTS halves, when encrypting).
 * Sources: NIST SP 800-38A (ECB, CBC, CFB, OFB, CTR), SP
 * 800-38D (GCM), IEEE 1619 and SP 800-38E (XTS).
 */
MTAES_API mtaes_status mtaes_run(mtaes_engine *engine, mtaes_message *messages,
                                 size_t count) MTAES_CHECKED;

/* ----------------------------------------------------------------------------------------------------------
 * jobs */

typedef struct mtaes_job_options {
    /* Called once, before wait returns, on whichever thread finishes the job. It may run and submit
       more work on the same engine; it may not wait for its own job or free the engine. */
    void (*finished)(void *context, mtaes_status status);
    void *context;
} mtaes_job_options;

/*
 * Begin what mtaes_run does, and return. options may be NULL. The messages and all their buffers
 * stay valid and untouched by the caller until mtaes_job_wait has returned; each job is waited for
 * exactly once. With no worker threads, with OpenMP or with a caller's executor, the work happens
 * in wait. The AAD of the first message may be hashed before this returns. Errors: ARG, MEMORY;
 * nothing is begun then. Bad messages are reported by wait.
 */
MTAES_API mtaes_status mtaes_submit(mtaes_engine *engine, mtaes_message *messages, size_t count,
                                    const mtaes_job_options *options,
                                    mtaes_job **job) MTAES_CHECKED;

/* Wait for the job, helping with it; free it; return what mtaes_run would have. Errors: those of
   mtaes_run; BUSY (from inside the job's own callback, or one within it: the job then is not freed;
   or in a forked child, for a job begun by the parent). */
MTAES_API mtaes_status mtaes_job_wait(mtaes_job *job) MTAES_CHECKED;

/* -------------------------------------------------------------------------------------------------------
 * streams */

/*
 * Process one message in pieces: the same bytes and tag as one call. ECB, CBC and PCBC hold back up
 * to 15 bytes, XTS (one data unit) up to 31, GCM none. A stream may be used by one thread at a
 * time: any of these calls that has a status says BUSY while another is under way on the same stream. GCM decryption
 * by stream releases text before it is verified; only finish tells whether it was right. Use
 * mtaes_run where that matters. Errors of create: ARG, IV, KEY (equal XTS halves, when encrypting),
 * MEMORY. iv[0..iv_bytes) is copied. The key and the engine outlive the stream.
 */
MTAES_API mtaes_status mtaes_stream_create(mtaes_stream **stream, mtaes_engine *engine,
                                           const mtaes_key *key, mtaes_direction direction,
                                           const void *iv, size_t iv_bytes) MTAES_CHECKED;

/* GCM only, before the first update; any number of pieces. Errors: ARG, BUSY, LENGTH, UNSUPPORTED
 * (another mode). */
MTAES_API mtaes_status mtaes_stream_aad(mtaes_stream *stream, const void *aad,
                                        size_t aad_bytes) MTAES_CHECKED;

/*
 * Feed src[0..src_bytes). What can be processed is written to dst, of which dst_room bytes may be
 * written; *written says how many were: at most src_bytes plus what was held back. Large pieces run
 * on the engine's threads. Aliasing: dst is src minus what is held back at the moment (dst == src
 * when nothing is), or the two do not overlap. A piece that is refused changes nothing, but once one
 * went past the mode's limit finish says LENGTH, too: its end was not the message's. Errors: ARG, BUSY, LENGTH (past the mode's limit, or dst_room too small), OVERLAP.
 */
MTAES_API mtaes_status mtaes_stream_update(mtaes_stream *stream, const void *src, size_t src_bytes,
                                           void *dst, size_t dst_room,
                                           size_t *written) MTAES_CHECKED;

/* How many bytes are held back at the moment. */
MTAES_API size_t mtaes_stream_held(const mtaes_stream *stream);

/*
 * End the message. What is held back (XTS) goes to dst, at most dst_room bytes, *written of them.
 * GCM: tag[0..tag_bytes) is written by encryption and compared by decryption; tag_bytes is 16.
 * Afterwards only reset and free are allowed. Errors: ARG, BUSY, TAG, LENGTH (a remainder that is
 * no whole block, a unit under 16 bytes, dst_room too small), AUTH.
 */
MTAES_API mtaes_status mtaes_stream_finish(mtaes_stream *stream, void *dst, size_t dst_room,
                                           size_t *written, void *tag,
                                           size_t tag_bytes) MTAES_CHECKED;

/* An independent stream at the same point. Errors: ARG, BUSY, MEMORY. */
MTAES_API mtaes_status mtaes_stream_copy(mtaes_stream **copy, mtaes_stream *stream) MTAES_CHECKED;

/* Begin a new message under the same key and direction. Errors: ARG, BUSY, IV, MEMORY. */
MTAES_API mtaes_status mtaes_stream_reset(mtaes_stream *stream, const void *iv,
                                          size_t iv_bytes) MTAES_CHECKED;

/* Wipe and free; NULL is fine. */
MTAES_API void mtaes_stream_free(mtaes_stream *stream);

#ifdef __cplusplus
}
#endif
#endif
