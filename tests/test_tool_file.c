/* test_tool_file.c: the container: limits, every flipped byte, every cut, traces of keys. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "file/bytes.h"
#include "file/message.h"
#include "file/pipeline.h"

#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    TEXT_BYTES = 2 * CHUNK_TEXT_BYTES + 100,
    FILE_BYTES = HEADER_BYTES + PREFIX_BYTES + 2 * CHUNK_BYTES + 116
};

static mtaes_engine *engine;
static struct secrets *secrets;
static struct message_options options = {.cost = {65536, 3, 4}};
static uint8_t text[TEXT_BYTES];
static uint8_t file[FILE_BYTES];

static void set_up_keys(void)
{
    struct problem problem = {.code = EXIT_DONE};
    const mtaes_engine_options inline_only = {.threads = 1};
    ck_assert_int_eq(mtaes_engine_create(&engine, &inline_only), MTAES_OK);
    secrets = secrets_create(&problem);
    ck_assert_ptr_nonnull(secrets);
    secrets->count = 1;
    secrets->list[0].kind = SECRET_KEY;
    secrets->list[0].bytes = 32;
    for (size_t i = 0; i < 32; i++)
        secrets->list[0].data[i] = (uint8_t)(7 * i + 3);
    for (size_t i = 0; i < TEXT_BYTES; i++)
        text[i] = (uint8_t)(i * 131 + (i >> 8));
}

static void tear_down_keys(void)
{
    secrets_free(secrets);
    ck_assert_int_eq(mtaes_engine_free(engine), MTAES_OK);
}

static int memory_file(const void *bytes, size_t count)
{
    const int fd = memfd_create("test", MFD_CLOEXEC);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(pwrite(fd, bytes, count, 0), (ssize_t)count);
    return fd;
}

static bool encrypt_fd(int in, int out, size_t threads, struct problem *problem)
{
    uint8_t lead[LEAD_BYTES_MOST];
    size_t lead_bytes;
    struct message message;
    struct input input;
    struct output output;
    struct transfer_result result;
    output_from_fd(&output, out, "output");
    if (!input_from_fd(&input, in, "input", problem) ||
        !message_create(engine, &options, secrets, lead, &lead_bytes, &message, problem))
        return false;
    struct transfer t = {.message = message.keys,
                         .direction = MTAES_ENCRYPT,
                         .threads = threads,
                         .input = &input,
                         .in_bytes = input.length,
                         .to_the_end = true,
                         .output = &output,
                         .output_at = lead_bytes,
                         .most = UINT64_MAX};
    const bool right =
        output_write(&output, lead, lead_bytes, problem) && transfer_run(&t, &result, problem);
    message_close(&message);
    return right;
}

/* out < 0: verify only. */
static bool decrypt_fd(int in, int out, size_t threads, struct problem *problem)
{
    struct message message;
    struct input input;
    struct output output;
    struct transfer_result result;
    output_from_fd(&output, out, "output");
    if (!input_from_fd(&input, in, "input", problem) ||
        !message_open(engine, &input, &options, secrets, &message, problem))
        return false;
    struct transfer t = {.message = message.keys,
                         .direction = MTAES_DECRYPT,
                         .threads = threads,
                         .input = &input,
                         .message_at = message.at,
                         .in_bytes =
                             input.positioned ? input.length - message.at - PREFIX_BYTES : 0,
                         .to_the_end = true,
                         .output = out < 0 ? NULL : &output,
                         .most = UINT64_MAX};
    const bool right = transfer_run(&t, &result, problem);
    message_close(&message);
    return right;
}

/* An encrypted file of three chunks, in `file`. */
static void make_file(void)
{
    struct problem problem = {.code = EXIT_DONE};
    const int in = memory_file(text, TEXT_BYTES), out = memory_file("", 0);
    ck_assert_msg(encrypt_fd(in, out, 2, &problem), "%s", problem.text);
    ck_assert_int_eq(lseek(out, 0, SEEK_END), FILE_BYTES);
    ck_assert_int_eq(pread(out, file, FILE_BYTES, 0), FILE_BYTES);
    close(in);
    close(out);
}

/* What mtaes(1) promises for damage at a byte. */
static enum exit_code code_of_damage(size_t at)
{
    return at < FLAGS_AT + 2 ? EXIT_FORMAT : EXIT_DAMAGED; /* magic, version, suite, critical */
}

static enum exit_code code_of_cut(size_t bytes)
{
    if (bytes < HEADER_BYTES + PREFIX_BYTES)
        return EXIT_TRUNCATED;
    const size_t rest = (bytes - HEADER_BYTES - PREFIX_BYTES) % CHUNK_BYTES;
    return rest < CHUNK_TAG_BYTES ? EXIT_TRUNCATED : EXIT_DAMAGED;
}

START_TEST(test_flip_every_byte)
{
    static const uint8_t masks[] = {0x01, 0x80, 0xff};
    make_file();
    const int fd = memory_file(file, FILE_BYTES);
    for (size_t at = 0; at < FILE_BYTES; at++) {
        struct problem problem = {.code = EXIT_DONE};
        const uint8_t wrong = file[at] ^ masks[at % sizeof masks];
        ck_assert_int_eq(pwrite(fd, &wrong, 1, (off_t)at), 1);
        lseek(fd, 0, SEEK_SET);
        ck_assert_msg(!decrypt_fd(fd, -1, 1, &problem), "byte %zu flipped and accepted", at);
        ck_assert_msg(problem.code == code_of_damage(at), "byte %zu: code %d: %s", at,
                      (int)problem.code, problem.text);
        ck_assert_int_eq(pwrite(fd, &file[at], 1, (off_t)at), 1);
    }
    struct problem problem = {.code = EXIT_DONE};
    lseek(fd, 0, SEEK_SET);
    ck_assert_msg(decrypt_fd(fd, -1, 1, &problem), "%s", problem.text);
    close(fd);
}
END_TEST

/* Each bit of the header that is not always zero, and of the prefix: none is let through. */
START_TEST(test_flip_every_header_bit)
{
    make_file();
    const int fd = memory_file(file, FILE_BYTES);
    for (size_t bit = 0; bit < (size_t)8 * (HEADER_BYTES + PREFIX_BYTES); bit++) {
        if (bit / 8 >= copy_at(0) + COPY_BYTES && bit / 8 < HEADER_BYTES &&
            (bit / 8 < copy_at(1) || bit / 8 >= copy_at(1) + COPY_BYTES))
            continue;
        struct problem problem = {.code = EXIT_DONE};
        const uint8_t wrong = file[bit / 8] ^ (uint8_t)(1 << bit % 8);
        ck_assert_int_eq(pwrite(fd, &wrong, 1, (off_t)(bit / 8)), 1);
        lseek(fd, 0, SEEK_SET);
        ck_assert_msg(!decrypt_fd(fd, -1, 1, &problem), "bit %zu flipped and accepted", bit);
        ck_assert_int_eq(problem.code, code_of_damage(bit / 8));
        ck_assert_int_eq(pwrite(fd, &file[bit / 8], 1, (off_t)(bit / 8)), 1);
    }
    close(fd);
}
END_TEST

START_TEST(test_cut_everywhere)
{
    make_file();
    const int fd = memory_file(file, FILE_BYTES);
    for (size_t bytes = FILE_BYTES; bytes-- > 0;) {
        struct problem problem = {.code = EXIT_DONE};
        ck_assert_int_eq(ftruncate(fd, (off_t)bytes), 0);
        lseek(fd, 0, SEEK_SET);
        ck_assert_msg(!decrypt_fd(fd, -1, 1, &problem), "%zu bytes accepted", bytes);
        ck_assert_msg(problem.code == code_of_cut(bytes), "%zu bytes: code %d: %s", bytes,
                      (int)problem.code, problem.text);
    }
    close(fd);
}
END_TEST

/* Every place near an edge, and every 37th of the others. */
static bool worth_cutting(size_t bytes)
{
    const size_t inside = bytes < HEADER_BYTES + PREFIX_BYTES
                              ? bytes
                              : (bytes - HEADER_BYTES - PREFIX_BYTES) % CHUNK_BYTES;
    return bytes % 37 == 0 || inside < 40 || inside >= CHUNK_BYTES - 40 ||
           bytes >= FILE_BYTES - 40 ||
           (bytes > HEADER_BYTES - 40 && bytes < HEADER_BYTES + PREFIX_BYTES);
}

/* The same from a pipe, where the length is not known before the end. The file is smaller than a
   pipe's 64 KiB. What came out before is right, and only whole chunks. */
START_TEST(test_cut_everywhere_stream)
{
    static uint8_t got[TEXT_BYTES];
    make_file();
    for (size_t bytes = 0; bytes <= FILE_BYTES; bytes++) {
        struct problem problem = {.code = EXIT_DONE};
        int ends[2];
        if (!worth_cutting(bytes))
            continue;
        const int out = memory_file("", 0);
        ck_assert_int_eq(pipe(ends), 0);
        ck_assert_int_eq(write(ends[1], file, bytes), (ssize_t)bytes);
        close(ends[1]);
        const bool right = decrypt_fd(ends[0], out, 1, &problem);
        ck_assert_msg(right == (bytes == FILE_BYTES), "%zu bytes accepted", bytes);
        ck_assert_msg(right || problem.code == code_of_cut(bytes), "%zu bytes: code %d: %s", bytes,
                      (int)problem.code, problem.text);
        const ssize_t released = pread(out, got, sizeof got, 0);
        ck_assert(released % CHUNK_TEXT_BYTES == 0 || released == TEXT_BYTES);
        ck_assert_mem_eq(got, text, (size_t)released);
        close(ends[0]);
        close(out);
    }
}
END_TEST

/* Several bytes wrong at once, most of them in the header: always refused, whatever else is wrong. */
START_TEST(test_many_wrong_bytes)
{
    static uint8_t bad[FILE_BYTES];
    uint32_t random = 1;
    make_file();
    for (unsigned round = 0; round < 3000; round++) {
        struct problem problem = {.code = EXIT_DONE};
        memcpy(bad, file, FILE_BYTES);
        for (unsigned i = 0; i <= round % 8; i++) {
            random = random * 1664525u + 1013904223u;
            /* behind the magic; the slots' fields and their values count most */
            const size_t range = round % 3 == 0 ? FILE_BYTES : round % 3 == 1 ? 256 : HEADER_BYTES;
            bad[16 + (random >> 8) % (range - 16)] = (uint8_t)(random >> 24 & 3);
        }
        const int fd = memory_file(bad, FILE_BYTES);
        const bool right = decrypt_fd(fd, -1, 1, &problem);
        ck_assert(right == (memcmp(bad, file, FILE_BYTES) == 0));
        close(fd);
    }
}
END_TEST

/* The last number that a chunk may have, and the first that it may not. */
START_TEST(test_last_counter)
{
    const uint8_t salt[SALT_BYTES] = {1}, key[16] = {2};
    uint8_t commitment[COMMITMENT_BYTES], chunks[2 * CHUNK_BYTES];
    size_t good;
    struct problem problem = {.code = EXIT_DONE};
    struct cobblestone *const message =
        cobblestone_create(engine, key, 16, salt, NULL, 0, commitment, &problem);
    ck_assert_ptr_nonnull(message);
    memcpy(chunks, text, CHUNK_TEXT_BYTES);
    ck_assert(
        cobblestone_crypt(message, MTAES_ENCRYPT, CHUNKS_MOST - 1, chunks, 1, 77, &good, &problem));
    ck_assert(
        cobblestone_crypt(message, MTAES_DECRYPT, CHUNKS_MOST - 1, chunks, 1, 77, &good, &problem));
    ck_assert_uint_eq(good, 1);
    ck_assert_mem_eq(chunks, text, 77);
    const uint64_t past[] = {CHUNKS_MOST, CHUNKS_MOST + 1, UINT64_MAX};
    for (size_t i = 0; i < 3; i++) {
        struct problem refused = {.code = EXIT_DONE};
        ck_assert(
            !cobblestone_crypt(message, MTAES_ENCRYPT, past[i], chunks, 1, 77, &good, &refused));
        ck_assert_uint_eq(good, 0);
    }
    ck_assert(!cobblestone_crypt(message, MTAES_ENCRYPT, CHUNKS_MOST - 1, chunks, 2, 77, &good,
                                 &problem));
    ck_assert_mem_eq(chunks, text, 77); /* nothing was done */
    cobblestone_free(message);
}
END_TEST

/* No two chunks of a message have the same nonce: equal text under far numbers differs in every
   pair, and the number's bytes are big-endian at the nonce's end. */
START_TEST(test_counter_bytes)
{
    static const uint64_t numbers[] = {0,
                                       1,
                                       255,
                                       256,
                                       65535,
                                       65536,
                                       (1u << 24),
                                       UINT64_C(1) << 32,
                                       0x12345678,
                                       0x123456789,
                                       CHUNKS_MOST / 2,
                                       CHUNKS_MOST - 1};
    enum { N = sizeof numbers / sizeof numbers[0] };
    const uint8_t salt[SALT_BYTES] = {1}, key[32] = {2};
    uint8_t commitment[COMMITMENT_BYTES], chunks[N][CHUNK_BYTES] = {{0}};
    size_t good;
    struct problem problem = {.code = EXIT_DONE};
    struct cobblestone *const message =
        cobblestone_create(engine, key, 32, salt, NULL, 0, commitment, &problem);
    ck_assert_ptr_nonnull(message);
    for (size_t i = 0; i < N; i++) {
        ck_assert(cobblestone_crypt(message, MTAES_ENCRYPT, numbers[i], chunks[i], 1, 32, &good,
                                    &problem));
        for (size_t j = 0; j < i; j++)
            ck_assert_mem_ne(chunks[i], chunks[j], 16);
    }
    cobblestone_free(message);
}
END_TEST

/* A key of another length is refused. */
START_TEST(test_key_lengths)
{
    const uint8_t salt[SALT_BYTES] = {1}, key[40] = {2};
    uint8_t commitment[COMMITMENT_BYTES];
    for (size_t bytes = 0; bytes <= 40; bytes++) {
        struct problem problem = {.code = EXIT_DONE};
        struct cobblestone *const message =
            cobblestone_create(engine, key, bytes, salt, NULL, 0, commitment, &problem);
        ck_assert_int_eq(message != NULL, bytes == 16 || bytes == 32);
        ck_assert_int_eq(problem.code, message != NULL ? EXIT_DONE : EXIT_USAGE);
        cobblestone_free(message);
    }
}
END_TEST

/* The cost of a passphrase slot is refused before any work: 0, 1, the largest, each field. */
START_TEST(test_cost_bounds)
{
    static const struct argon2_cost wrong[] = {{0, 3, 4},
                                               {1, 3, 4},
                                               {19455, 3, 4},
                                               {1048577, 1, 1},
                                               {UINT32_MAX, 3, 4},
                                               {65536, 0, 4},
                                               {65536, 17, 4},
                                               {65536, UINT32_MAX, 4},
                                               {65536, 3, 0},
                                               {65536, 3, 17},
                                               {65536, 3, UINT32_MAX},
                                               {19456, 1, 1},
                                               {1048576, 5, 1},
                                               {UINT32_MAX, UINT32_MAX, UINT32_MAX}};
    static const struct argon2_cost right[] = {
        {19456, 2, 1}, {65536, 3, 4}, {1048576, 4, 16}, {262144, 16, 1}};
    make_file();
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0] + sizeof right / sizeof right[0]; i++) {
        const bool allowed = i >= sizeof wrong / sizeof wrong[0];
        const struct argon2_cost cost =
            allowed ? right[i - sizeof wrong / sizeof wrong[0]] : wrong[i];
        struct problem problem = {.code = EXIT_DONE};
        struct header_view view;
        for (unsigned copy = 0; copy < COPIES; copy++) {
            uint8_t *const slot = slot_of(file + copy_at(copy), 1);
            slot[SLOT_TYPE_AT] = SLOT_PASSPHRASE;
            put_be(slot + SLOT_MEMORY_AT, 4, cost.memory_kib);
            put_be(slot + SLOT_PASSES_AT, 4, cost.passes);
            put_be(slot + SLOT_LANES_AT, 4, cost.lanes);
        }
        ck_assert_int_eq(header_check(file, HEADER_BYTES, false, "file", &view, &problem), allowed);
        ck_assert_int_eq(problem.code, allowed ? EXIT_DONE : EXIT_DAMAGED);
    }
}
END_TEST

/* Both copies changed alike by somebody without the key: a slot opens, the MAC does not fit. */
START_TEST(test_mac)
{
    struct problem problem = {.code = EXIT_DONE};
    make_file();
    for (unsigned copy = 0; copy < COPIES; copy++)
        file[copy_at(copy) + COPY_GENERATION_BYTES - 1]++;
    const int fd = memory_file(file, FILE_BYTES);
    ck_assert(!decrypt_fd(fd, -1, 1, &problem));
    ck_assert_int_eq(problem.code, EXIT_DAMAGED);
    ck_assert_ptr_nonnull(strstr(problem.text, "MAC"));
    close(fd);
}
END_TEST

/* The slot area of one file in another: the immutable part is the AAD, so no slot opens. */
START_TEST(test_splice_slots)
{
    static uint8_t other[FILE_BYTES];
    struct problem problem = {.code = EXIT_DONE};
    make_file();
    memcpy(other, file, FILE_BYTES);
    make_file();
    ck_assert_mem_ne(other + FILE_ID_AT, file + FILE_ID_AT, FILE_ID_BYTES);
    ck_assert_mem_ne(other + HEADER_BYTES, file + HEADER_BYTES, SALT_BYTES);
    ck_assert_mem_ne(other + HEADER_BYTES + PREFIX_BYTES, file + HEADER_BYTES + PREFIX_BYTES, 16);
    memcpy(file + IMMUTABLE_BYTES, other + IMMUTABLE_BYTES, HEADER_BYTES - IMMUTABLE_BYTES);
    int fd = memory_file(file, FILE_BYTES);
    ck_assert(!decrypt_fd(fd, -1, 1, &problem));
    ck_assert_int_eq(problem.code, EXIT_NO_SLOT);
    close(fd);
    problem.code = EXIT_DONE; /* the whole header: the commitment is that of other data */
    memcpy(file, other, HEADER_BYTES);
    fd = memory_file(file, FILE_BYTES);
    ck_assert(!decrypt_fd(fd, -1, 1, &problem));
    ck_assert_int_eq(problem.code, EXIT_DAMAGED);
    close(fd);
}
END_TEST

/* ------------------------------------------------------------------------------------------------
 * traces of keys: the process's own memory is searched after everything has been closed */

enum { NEEDLE_BYTES = 16, NEEDLES_MOST = 8 };
static uint8_t inverted[NEEDLES_MOST][NEEDLE_BYTES]; /* so that the needle itself is no find */
static unsigned needles;

static void keep_inverted(const uint8_t *bytes)
{
    for (size_t i = 0; i < NEEDLE_BYTES; i++)
        inverted[needles][i] = bytes[i] ^ 0xff;
    needles++;
}

static bool is_needle(const uint8_t *at, unsigned needle)
{
    for (size_t i = 0; i < NEEDLE_BYTES; i++) {
        const uint8_t wanted = inverted[needle][i] ^ 0xff;
        if (at[i] != wanted)
            return false;
    }
    return true;
}

static size_t search(const uint8_t *bytes, size_t count)
{
    size_t found = 0;
    for (size_t i = 0; i + NEEDLE_BYTES <= count; i++)
        for (unsigned needle = 0; needle < needles; needle++)
            found += is_needle(bytes + i, needle);
    return found;
}

/* All that this process can write, read through the kernel into a buffer that is left out. */
static size_t search_memory(void)
{
    enum { WINDOW = 1 << 16 };
    char line[512];
    size_t found = 0;
    FILE *const maps = fopen("/proc/self/maps", "r");
    const int memory = open("/proc/self/mem", O_RDONLY);
    uint8_t *const window =
        mmap(NULL, WINDOW, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert(maps != NULL && memory >= 0 && window != MAP_FAILED);
    while (fgets(line, sizeof line, maps) != NULL) {
        unsigned long begin, end;
        char access[5];
        /* what is larger than all we ever use is the shadow of a sanitizer */
        if (sscanf(line, "%lx-%lx %4s", &begin, &end, access) != 3 || access[1] != 'w' ||
            end - begin > 1ul << 30)
            continue;
        for (unsigned long at = begin; at < end; at += WINDOW - NEEDLE_BYTES) {
            if (at <= (unsigned long)(uintptr_t)window + WINDOW &&
                at + WINDOW >= (unsigned long)(uintptr_t)window)
                continue;
            const ssize_t n =
                pread(memory, window, end - at < WINDOW ? end - at : WINDOW, (off_t)at);
            found += n > 0 ? search(window, (size_t)n) : 0;
        }
    }
    munmap(window, WINDOW);
    close(memory);
    fclose(maps);
    return found;
}

/* The wrapping key that a slot's secret gives. */
static void find_wrapping_key(const uint8_t *secret, size_t bytes, const uint8_t *slot)
{
    struct problem problem = {.code = EXIT_DONE};
    uint8_t info[19 + SLOT_SALT_AT] = "mtaes-file v1 slot", key[64];
    memcpy(info + 19, slot, SLOT_SALT_AT);
    ck_assert(hkdf(secret, bytes, slot + SLOT_SALT_AT, SLOT_SALT_BYTES, info, sizeof info, key,
                   sizeof key, &problem));
    keep_inverted(key);
    secret_wipe(key, sizeof key);
}

/* A passphrase, what Argon2id makes of it, and its wrapping key. */
static void find_passphrase_keys(const char *passphrase)
{
    struct problem problem = {.code = EXIT_DONE};
    const uint8_t *const slot = slot_of(file + copy_at(0), 1);
    uint8_t stretched[32];
    keep_inverted((const uint8_t *)passphrase);
    if (!argon2id_available())
        return;
    ck_assert(argon2id((const uint8_t *)passphrase, 16, slot + SLOT_SALT_AT, SLOT_SALT_BYTES,
                       &options.cost, stretched, sizeof stretched, &problem));
    keep_inverted(stretched);
    find_wrapping_key(stretched, sizeof stretched, slot);
    secret_wipe(stretched, sizeof stretched);
}

/* The key file's key and its wrapping key, the data key, the message's AES key (also the first round
   key), the key of the slots' MAC. */
static void find_keys(void)
{
    struct problem problem = {.code = EXIT_DONE};
    struct header_view view;
    struct header_opened opened;
    uint8_t info[31 + 17 + SALT_BYTES + IMMUTABLE_BYTES], key[32];
    keep_inverted(secrets->list[0].data);
    find_wrapping_key(secrets->list[0].data, 32, slot_of(file + copy_at(0), 0));
    ck_assert(header_check(file, HEADER_BYTES, false, "file", &view, &problem));
    ck_assert(header_open(engine, file, &view, secrets, "file", &opened, &problem));
    memcpy(info, "c2sp.org/chunked-encryption@v1+AEAD_AES_256_GCM", 48);
    memcpy(info + 48, file + HEADER_BYTES, SALT_BYTES);
    memcpy(info + 48 + SALT_BYTES, file, IMMUTABLE_BYTES);
    ck_assert(hkdf_expand(opened.key->key, 32, info, sizeof info, key, sizeof key, &problem));
    keep_inverted(opened.key->key);
    keep_inverted(key);
    ck_assert(hkdf_expand(opened.key->key, 32, (const uint8_t *)"mtaes-file v1 slot area", 23, key,
                          sizeof key, &problem));
    keep_inverted(key);
    secret_wipe(key, sizeof key);
    secret_free(opened.key, sizeof *opened.key);
}

START_TEST(test_no_trace_of_keys)
{
    struct problem problem = {.code = EXIT_DONE};
    char passphrase[17];
    for (size_t i = 0; i < 16; i++)
        passphrase[i] = (char)('A' + 5 * i % 26);
    if (argon2id_available()) { /* a passphrase beside the key, and opened by it */
        secrets->count = 2;
        secrets->list[1].kind = SECRET_PASSPHRASE;
        secrets->list[1].bytes = 16;
        memcpy(secrets->list[1].data, passphrase, 16);
    }
    make_file();
    find_keys();
    find_passphrase_keys(passphrase);
    const int fd = memory_file(file, FILE_BYTES), out = memory_file("", 0);
    ck_assert_msg(decrypt_fd(fd, out, 2, &problem), "%s", problem.text);
    if (secrets->count == 2) {
        secrets->list[0].data[31] ^= 1; /* another key: now the passphrase opens it */
        lseek(fd, 0, SEEK_SET);
        ck_assert_msg(decrypt_fd(fd, -1, 2, &problem), "%s", problem.text);
    }
    ck_assert_uint_ge(search_memory(), 2); /* the search works: key and passphrase are there */
    secret_wipe(passphrase, sizeof passphrase);
    secrets_free(secrets);
    secrets = NULL;
    ck_assert_uint_eq(search_memory(), 0);
    close(fd);
    close(out);
}
END_TEST

int main(void)
{
    Suite *const suite = suite_create("tool_file");
    TCase *const tests = tcase_create("container");
    tcase_set_timeout(tests, 600);
    tcase_add_checked_fixture(tests, set_up_keys, tear_down_keys);
    tcase_add_test(tests, test_flip_every_byte);
    tcase_add_test(tests, test_flip_every_header_bit);
    tcase_add_test(tests, test_cut_everywhere);
    tcase_add_test(tests, test_cut_everywhere_stream);
    tcase_add_test(tests, test_many_wrong_bytes);
    tcase_add_test(tests, test_last_counter);
    tcase_add_test(tests, test_counter_bytes);
    tcase_add_test(tests, test_key_lengths);
    tcase_add_test(tests, test_cost_bounds);
    tcase_add_test(tests, test_mac);
    tcase_add_test(tests, test_splice_slots);
    suite_add_tcase(suite, tests);
    TCase *const traces = tcase_create("traces"); /* also for itself: tool_lto.sh */
    tcase_set_timeout(traces, 600);
    tcase_add_checked_fixture(traces, set_up_keys, tear_down_keys);
#if defined(__SANITIZE_ADDRESS__)
    printf("test_no_trace_of_keys: skipped, the address sanitizer keeps copies\n");
#else
    tcase_add_test(traces, test_no_trace_of_keys);
#endif
    suite_add_tcase(suite, traces);
    SRunner *const runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failures = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failures != 0;
}
