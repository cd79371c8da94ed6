/* kdf.c: HKDF (RFC 5869), HMAC and SHA-512 from libcrypto, Argon2id (RFC 9106), secret memory. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "kdf.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if HAVE_LIBARGON2
#include <argon2.h>
#include <pthread.h>
#endif

static bool derive(const char *name, const OSSL_PARAM *parameters, uint8_t *out, size_t out_bytes,
                   struct problem *problem)
{
    EVP_KDF *const kdf = EVP_KDF_fetch(NULL, name, NULL);
    EVP_KDF_CTX *const context = kdf != NULL ? EVP_KDF_CTX_new(kdf) : NULL;
    EVP_KDF_free(kdf);
    const bool right = context != NULL && EVP_KDF_derive(context, out, out_bytes, parameters) > 0;
    EVP_KDF_CTX_free(context);
    return right || problem_set(problem, EXIT_OTHER, "libcrypto cannot compute %s", name);
}

static OSSL_PARAM octets(const char *name, const uint8_t *bytes, size_t count)
{
    /* libcrypto only reads them; its constructor has no const form */
    return OSSL_PARAM_construct_octet_string(name, (void *)(uintptr_t)bytes, count);
}

bool hkdf_expand(const uint8_t *prk, size_t prk_bytes, const uint8_t *info, size_t info_bytes,
                 uint8_t *out, size_t out_bytes, struct problem *problem)
{
    int mode = EVP_KDF_HKDF_MODE_EXPAND_ONLY;
    char digest[] = "SHA512";
    const OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_int(OSSL_KDF_PARAM_MODE, &mode),
        OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest, 0),
        octets(OSSL_KDF_PARAM_KEY, prk, prk_bytes),
        octets(OSSL_KDF_PARAM_INFO, info, info_bytes),
        OSSL_PARAM_construct_end(),
    };
    return derive("HKDF", parameters, out, out_bytes, problem);
}

bool hkdf(const uint8_t *secret, size_t secret_bytes, const uint8_t *salt, size_t salt_bytes,
          const uint8_t *info, size_t info_bytes, uint8_t *out, size_t out_bytes,
          struct problem *problem)
{
    int mode = EVP_KDF_HKDF_MODE_EXTRACT_AND_EXPAND;
    char digest[] = "SHA512";
    const OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_int(OSSL_KDF_PARAM_MODE, &mode),
        OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest, 0),
        octets(OSSL_KDF_PARAM_KEY, secret, secret_bytes),
        octets(OSSL_KDF_PARAM_SALT, salt, salt_bytes),
        octets(OSSL_KDF_PARAM_INFO, info, info_bytes),
        OSSL_PARAM_construct_end(),
    };
    return derive("HKDF", parameters, out, out_bytes, problem);
}

bool hmac_sha512(const uint8_t *key, size_t key_bytes, const uint8_t *first, size_t first_bytes,
                 const uint8_t *second, size_t second_bytes, uint8_t out[64],
                 struct problem *problem)
{
    char digest[] = "SHA512";
    const OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0),
        OSSL_PARAM_construct_end(),
    };
    EVP_MAC *const mac = EVP_MAC_fetch(NULL, "HMAC", NULL);
    EVP_MAC_CTX *const context = mac != NULL ? EVP_MAC_CTX_new(mac) : NULL;
    EVP_MAC_free(mac);
    size_t written = 0;
    const bool right = context != NULL && EVP_MAC_init(context, key, key_bytes, parameters) > 0 &&
                       EVP_MAC_update(context, first, first_bytes) > 0 &&
                       EVP_MAC_update(context, second, second_bytes) > 0 &&
                       EVP_MAC_final(context, out, &written, 64) > 0 && written == 64;
    EVP_MAC_CTX_free(context);
    return right || problem_set(problem, EXIT_OTHER, "libcrypto cannot compute HMAC-SHA-512");
}

bool sha512(const uint8_t *bytes, size_t count, uint8_t out[64], struct problem *problem)
{
    size_t written = 0;
    return (EVP_Q_digest(NULL, "SHA512", NULL, bytes, count, out, &written) > 0 && written == 64) ||
           problem_set(problem, EXIT_OTHER, "libcrypto cannot compute SHA-512");
}

struct argon2_cost argon2_default_cost(void)
{
    return (struct argon2_cost){.memory_kib = 65536, .passes = 3, .lanes = 4};
}

static bool in_range(const char *what, uint64_t value, uint64_t least, uint64_t most,
                     enum exit_code code, const char *where, struct problem *problem)
{
    return (value >= least && value <= most) ||
           problem_set(problem, code, "%s: Argon2id with %s %llu; %llu to %llu is allowed", where,
                       what, (unsigned long long)value, (unsigned long long)least,
                       (unsigned long long)most);
}

bool argon2_cost_check(const struct argon2_cost *cost, enum exit_code code, const char *where,
                       struct problem *problem)
{
    return in_range("memory in KiB", cost->memory_kib, ARGON2_MEMORY_KIB_LEAST,
                    ARGON2_MEMORY_KIB_MOST, code, where, problem) &&
           in_range("passes", cost->passes, ARGON2_PASSES_LEAST, ARGON2_PASSES_MOST, code, where,
                    problem) &&
           in_range("lanes", cost->lanes, ARGON2_LANES_LEAST, ARGON2_LANES_MOST, code, where,
                    problem) &&
           in_range("memory in KiB times passes", (uint64_t)cost->memory_kib * cost->passes,
                    ARGON2_WORK_KIB_LEAST, ARGON2_WORK_KIB_MOST, code, where, problem);
}

#if HAVE_LIBARGON2

bool argon2id_available(void)
{
    return true;
}

static void *wait_at(void *gate)
{
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

/* Whether so many threads can run at once. libargon2 must not find out: when a thread does not
   start, it returns while others still work on what is gone then. */
static bool can_start(unsigned count)
{
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    pthread_t threads[ARGON2_LANES_MOST];
    unsigned started = 0;
    pthread_mutex_lock(&gate);
    while (started < count && pthread_create(&threads[started], NULL, wait_at, &gate) == 0)
        started++;
    pthread_mutex_unlock(&gate);
    for (unsigned i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    return started == count;
}

bool argon2id(const uint8_t *passphrase, size_t bytes, const uint8_t *salt, size_t salt_bytes,
              const struct argon2_cost *cost, uint8_t *out, size_t out_bytes,
              struct problem *problem)
{
    argon2_context context = {
        .out = out,
        .outlen = (uint32_t)out_bytes,
        .pwd = (uint8_t *)(uintptr_t)passphrase, /* only read, without ARGON2_FLAG_CLEAR_PASSWORD */
        .pwdlen = (uint32_t)bytes,
        .salt = (uint8_t *)(uintptr_t)salt,
        .saltlen = (uint32_t)salt_bytes,
        .t_cost = cost->passes,
        .m_cost = cost->memory_kib,
        .lanes = cost->lanes,
        .threads = can_start(cost->lanes) ? cost->lanes : 1, /* the result is the same */
        .version = ARGON2_VERSION_13,
        .flags = ARGON2_DEFAULT_FLAGS,
    };
    const int result = argon2_ctx(&context, Argon2_id);
    return result == ARGON2_OK || problem_set(problem, EXIT_OTHER, "Argon2id over %u KiB: %s",
                                              cost->memory_kib, argon2_error_message(result));
}

#else

/* libcrypto has it from version 3.2 on; whether the one that is linked does shows at run time. */
bool argon2id_available(void)
{
    EVP_KDF *const kdf = EVP_KDF_fetch(NULL, "ARGON2ID", NULL);
    EVP_KDF_free(kdf);
    return kdf != NULL;
}

bool argon2id(const uint8_t *passphrase, size_t bytes, const uint8_t *salt, size_t salt_bytes,
              const struct argon2_cost *cost, uint8_t *out, size_t out_bytes,
              struct problem *problem)
{
    if (!argon2id_available())
        return problem_set(problem, EXIT_OTHER,
                           "this build has no Argon2id, which passphrases need: build it with "
                           "libargon2 or with OpenSSL 3.2 or later");
    uint32_t passes = cost->passes, memory_kib = cost->memory_kib, lanes = cost->lanes;
    const OSSL_PARAM parameters[] = {
        octets(OSSL_KDF_PARAM_PASSWORD, passphrase, bytes),
        octets(OSSL_KDF_PARAM_SALT, salt, salt_bytes),
        OSSL_PARAM_construct_uint32(OSSL_KDF_PARAM_ITER, &passes),
        OSSL_PARAM_construct_uint32("memcost", &memory_kib),
        OSSL_PARAM_construct_uint32("lanes", &lanes),
        OSSL_PARAM_construct_end(),
    };
    return derive("ARGON2ID", parameters, out, out_bytes, problem);
}

#endif

bool random_bytes(uint8_t *out, size_t count, struct problem *problem)
{
    return RAND_bytes_ex(NULL, out, count, 256) > 0 ||
           problem_set(problem, EXIT_OTHER, "the system gives no random bytes");
}

static atomic_bool lock_failed;

static size_t whole_pages(size_t bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return (bytes + page - 1) / page * page;
}

void *secret_alloc(size_t bytes)
{
    const size_t mapped = whole_pages(bytes);
    void *const pages =
        mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
        return NULL;
    if (mlock(pages, mapped) != 0)
        atomic_store(&lock_failed, true);
    madvise(pages, mapped, MADV_DONTDUMP);
    return pages;
}

void secret_free(void *secret, size_t bytes)
{
    if (secret == NULL)
        return;
    secret_wipe(secret, bytes);
    munmap(secret, whole_pages(bytes));
}

bool secret_lock_failed(void)
{
    return atomic_load(&lock_failed);
}

void secret_wipe(void *bytes, size_t count)
{
    OPENSSL_cleanse(bytes, count);
}

bool secret_equal(const uint8_t *a, const uint8_t *b, size_t count)
{
    return CRYPTO_memcmp(a, b, count) == 0;
}
