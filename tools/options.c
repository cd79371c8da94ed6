/* options.c: the command line of mtaes. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli.h"

#include "file/bytes.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS_MOST = 64 };

/* Options without a letter. */
enum {
    OPT_ARGON2 = 256,
    OPT_BARE,
    OPT_BITS,
    OPT_CIPHER,
    OPT_CONTEXT_HEX,
    OPT_HEX,
    OPT_IV,
    OPT_JSON,
    OPT_KERNEL,
    OPT_KEY_TEXT_FILE,
    OPT_MODE,
    OPT_NEW_KEY_FILE,
    OPT_NEW_PASSPHRASE,
    OPT_NEW_PASSPHRASE_COMMAND,
    OPT_NEW_PASSPHRASE_ENV,
    OPT_NEW_PASSPHRASE_FD,
    OPT_NEW_PASSPHRASE_FILE,
    OPT_PAD,
    OPT_PASSPHRASE_COMMAND,
    OPT_PASSPHRASE_ENV,
    OPT_PASSPHRASE_FD,
    OPT_PASSPHRASE_FILE,
    OPT_PROGRESS,
    OPT_RANGE,
    OPT_RM,
    OPT_SALVAGE,
    OPT_SLOT,
    OPT_SUITE,
    OPT_UNIT,
};

enum {
    ON_ENCRYPT = 1 << 0,
    ON_DECRYPT = 1 << 1,
    ON_CAT = 1 << 2,
    ON_VERIFY = 1 << 3,
    ON_INFO = 1 << 4,
    ON_KEYGEN = 1 << 5,
    ON_REWRAP = 1 << 6,
    ON_SLOT_ADD = 1 << 7,
    ON_SLOT_RM = 1 << 8,
    ON_RAW = 1 << 9,

    ON_READ = ON_DECRYPT | ON_CAT | ON_VERIFY,
    ON_MESSAGE = ON_ENCRYPT | ON_READ,
    ON_SLOTS = ON_REWRAP | ON_SLOT_ADD | ON_SLOT_RM,
    ON_NEW = ON_REWRAP | ON_SLOT_ADD,
    ON_SECRET = ON_MESSAGE | ON_SLOTS,
    ON_FILE = ON_ENCRYPT | ON_DECRYPT | ON_RAW,
    ON_ALL = (1 << 10) - 1,
};

/* Each verb's name and bit, in the order of enum verb. */
static const struct {
    const char *name;
    unsigned on;
} verbs[] = {
    {"", ON_ENCRYPT},        {"encrypt", ON_ENCRYPT}, {"decrypt", ON_DECRYPT},
    {"cat", ON_CAT},         {"verify", ON_VERIFY},   {"info", ON_INFO},
    {"keygen", ON_KEYGEN},   {"rewrap", ON_REWRAP},   {"slot-add", ON_SLOT_ADD},
    {"slot-rm", ON_SLOT_RM}, {"raw", ON_RAW},
};

/* The verbs that an option goes with. */
static const struct {
    int option;
    unsigned on;
} allowed[] = {
    {'d', ON_ENCRYPT | ON_DECRYPT | ON_RAW},
    {'c', ON_FILE | ON_CAT},
    {'o', ON_FILE | ON_CAT | ON_KEYGEN},
    {'k', ON_SECRET | ON_RAW},
    {'p', ON_SECRET},
    {'T', ON_MESSAGE | ON_RAW},
    {'f', ON_FILE | ON_CAT | ON_KEYGEN},
    {'q', ON_ALL},
    {'v', ON_ALL},
    {OPT_ARGON2, ON_ENCRYPT | ON_NEW},
    {OPT_BARE, ON_MESSAGE | ON_INFO},
    {OPT_BITS, ON_KEYGEN},
    {OPT_CIPHER, ON_RAW},
    {OPT_CONTEXT_HEX, ON_MESSAGE},
    {OPT_HEX, ON_RAW},
    {OPT_IV, ON_RAW},
    {OPT_JSON, ON_INFO},
    {OPT_KERNEL, ON_RAW},
    {OPT_KEY_TEXT_FILE, ON_RAW},
    {OPT_MODE, ON_RAW},
    {OPT_NEW_KEY_FILE, ON_NEW},
    {OPT_NEW_PASSPHRASE, ON_NEW},
    {OPT_NEW_PASSPHRASE_COMMAND, ON_NEW},
    {OPT_NEW_PASSPHRASE_ENV, ON_NEW},
    {OPT_NEW_PASSPHRASE_FD, ON_NEW},
    {OPT_NEW_PASSPHRASE_FILE, ON_NEW},
    {OPT_PAD, ON_RAW},
    {OPT_PASSPHRASE_COMMAND, ON_SECRET},
    {OPT_PASSPHRASE_ENV, ON_SECRET},
    {OPT_PASSPHRASE_FD, ON_SECRET},
    {OPT_PASSPHRASE_FILE, ON_SECRET},
    {OPT_PROGRESS, ON_MESSAGE},
    {OPT_RANGE, ON_CAT},
    {OPT_RM, ON_ENCRYPT | ON_DECRYPT},
    {OPT_SALVAGE, ON_READ | ON_SLOTS},
    {OPT_SLOT, ON_REWRAP | ON_SLOT_RM},
    {OPT_SUITE, ON_MESSAGE},
    {OPT_UNIT, ON_RAW},
};

static const struct option long_options[] = {
    {"argon2", required_argument, NULL, OPT_ARGON2},
    {"bare", no_argument, NULL, OPT_BARE},
    {"bits", required_argument, NULL, OPT_BITS},
    {"cipher", required_argument, NULL, OPT_CIPHER},
    {"context-hex", required_argument, NULL, OPT_CONTEXT_HEX},
    {"decrypt", no_argument, NULL, 'd'},
    {"force", no_argument, NULL, 'f'},
    {"help", no_argument, NULL, 'h'},
    {"hex", no_argument, NULL, OPT_HEX},
    {"iv", required_argument, NULL, OPT_IV},
    {"json", no_argument, NULL, OPT_JSON},
    {"kernel", required_argument, NULL, OPT_KERNEL},
    {"key-file", required_argument, NULL, 'k'},
    {"key-text-file", required_argument, NULL, OPT_KEY_TEXT_FILE},
    {"mode", required_argument, NULL, OPT_MODE},
    {"new-key-file", required_argument, NULL, OPT_NEW_KEY_FILE},
    {"new-passphrase", no_argument, NULL, OPT_NEW_PASSPHRASE},
    {"new-passphrase-command", required_argument, NULL, OPT_NEW_PASSPHRASE_COMMAND},
    {"new-passphrase-env", required_argument, NULL, OPT_NEW_PASSPHRASE_ENV},
    {"new-passphrase-fd", required_argument, NULL, OPT_NEW_PASSPHRASE_FD},
    {"new-passphrase-file", required_argument, NULL, OPT_NEW_PASSPHRASE_FILE},
    {"output", required_argument, NULL, 'o'},
    {"pad", required_argument, NULL, OPT_PAD},
    {"passphrase", no_argument, NULL, 'p'},
    {"passphrase-command", required_argument, NULL, OPT_PASSPHRASE_COMMAND},
    {"passphrase-env", required_argument, NULL, OPT_PASSPHRASE_ENV},
    {"passphrase-fd", required_argument, NULL, OPT_PASSPHRASE_FD},
    {"passphrase-file", required_argument, NULL, OPT_PASSPHRASE_FILE},
    {"progress", optional_argument, NULL, OPT_PROGRESS},
    {"quiet", no_argument, NULL, 'q'},
    {"range", required_argument, NULL, OPT_RANGE},
    {"rm", no_argument, NULL, OPT_RM},
    {"salvage", no_argument, NULL, OPT_SALVAGE},
    {"slot", required_argument, NULL, OPT_SLOT},
    {"stdout", no_argument, NULL, 'c'},
    {"suite", required_argument, NULL, OPT_SUITE},
    {"threads", required_argument, NULL, 'T'},
    {"unit", required_argument, NULL, OPT_UNIT},
    {"verbose", no_argument, NULL, 'v'},
    {"version", no_argument, NULL, 'V'},
    {NULL, 0, NULL, 0},
};

static const char help[] =
    "Usage: mtaes [VERB] [OPTION]... [FILE]...\n"
    "Encrypt or decrypt files and pipes with AES-GCM, in chunks, on all cores.\n"
    "\n"
    "Without FILE, standard input to standard output. FILE is encrypted to FILE.mta, and FILE.mta\n"
    "decrypted to FILE, unless -o or -c says otherwise; '-' is standard input.\n"
    "\n"
    "Verbs (without one: encrypt, or decrypt with -d):\n"
    "  encrypt, decrypt\n"
    "  cat                      decrypt to standard output, all or a part (--range=OFF:LEN)\n"
    "  verify                   decrypt and write nothing\n"
    "  info [--json]            show the header; needs no key\n"
    "  keygen [-o FILE]         make a key file (--bits=128|256)\n"
    "  rewrap FILE              replace the key slot that opens; --new-... is the new secret\n"
    "  slot-add FILE            add a key slot for the secret of --new-...\n"
    "  slot-rm --slot=N FILE    remove a key slot\n"
    "  raw --mode=MODE          ECB, CBC, PCBC, CFB, OFB, CTR, XTS without header or "
    "authentication\n"
    "\n"
    "Keys (several may be given; nothing secret ever stands on the command line):\n"
    "  -k, --key-file=FILE      16 or 32 bytes, raw or as hexadecimal digits\n"
    "  -p, --passphrase         ask on the terminal\n"
    "  --passphrase-file=FILE, --passphrase-fd=N, --passphrase-env=NAME,\n"
    "  --passphrase-command=COMMAND\n"
    "  --new-key-file, --new-passphrase, --new-passphrase-...   of rewrap and slot-add\n"
    "  --argon2=MEM:PASSES:LANES   cost of a new passphrase slot (64M:3:4)\n"
    "\n"
    "Options:\n"
    "  -d, --decrypt            decrypt\n"
    "  -o, --output=FILE        write to FILE, which appears whole or not at all\n"
    "  -c, --stdout             write to standard output\n"
    "  -f, --force              replace an existing output; write ciphertext to a terminal\n"
    "  -T, --threads=N          threads that encrypt or decrypt; 0: all there are (default)\n"
    "  -q, --quiet              no warnings;  -v, --verbose  say what was done\n"
    "  --progress[=json]        report on standard error as it goes\n"
    "  --rm                     remove the input when the output is complete\n"
    "  --suite=128|256          AES key length of the message (256)\n"
    "  --bare, --context-hex=H  a plain Cobblestone message, without the header of mtaes\n"
    "  --salvage                read a file of which one copy of the key slots is damaged\n"
    "  raw: --cipher=aes|gecko, --iv=HEX, --pad=pkcs7|nul|none, --hex, --unit=BYTES,\n"
    "       --kernel=NAME, --key-text-file=FILE\n"
    "  -h, --help               this;  -V, --version\n"
    "\n"
    "Exit code: 0 done, 1 other failure, 2 usage, 3 damaged, 4 truncated, 5 no key slot opens,\n"
    "6 not a format this version knows, 7 input or output error. See mtaes(1), mtaes(5).\n";

/* A number with an optional K, M, G, T (powers of 1024) that ends at `stop`. */
static bool parse_size(const char *text, char stop, uint64_t *value, const char **end)
{
    char *after;
    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    const unsigned long long number = strtoull(text, &after, 10);
    static const char units[] = "KMGT";
    const char *const unit = *after == 0 ? NULL : strchr(units, *after);
    const unsigned shift = unit == NULL ? 0 : 10 * (unsigned)(unit - units + 1);
    after += unit != NULL;
    if (errno != 0 || number > UINT64_MAX >> shift || (*after != stop && *after != 0))
        return false;
    *value = (uint64_t)number << shift;
    *end = after;
    return *after == stop;
}

/* A whole argument as a number, within bounds. */
static bool parse_number(const char *option, const char *text, uint64_t least, uint64_t most,
                         uint64_t *value, struct problem *problem)
{
    const char *end;
    return (parse_size(text, 0, value, &end) && *value >= least && *value <= most) ||
           problem_set(problem, EXIT_USAGE, "%s: '%s'; a number from %llu to %llu is right", option,
                       text, (unsigned long long)least, (unsigned long long)most);
}

static bool parse_range(struct options *options, const char *text, struct problem *problem)
{
    const char *end;
    options->has_range = true;
    if (parse_size(text, ':', &options->range_at, &end)) {
        options->range_to_end = end[1] == 0;
        if (options->range_to_end || parse_size(end + 1, 0, &options->range_bytes, &end))
            return true;
    }
    return problem_set(problem, EXIT_USAGE,
                       "--range: '%s'; OFF:LEN is right, two numbers of bytes, or OFF: to the end",
                       text);
}

static bool parse_argon2(struct options *options, const char *text, struct problem *problem)
{
    uint64_t memory, passes, lanes;
    const char *end;
    if (!parse_size(text, ':', &memory, &end) || !parse_size(end + 1, ':', &passes, &end) ||
        !parse_size(end + 1, 0, &lanes, &end) || memory % 1024 != 0 || memory / 1024 > UINT32_MAX ||
        passes > UINT32_MAX || lanes > UINT32_MAX)
        return problem_set(problem, EXIT_USAGE,
                           "--argon2: '%s'; MEMORY:PASSES:LANES is right, such as 64M:3:4", text);
    options->message.cost = (struct argon2_cost){.memory_kib = (uint32_t)(memory / 1024),
                                                 .passes = (uint32_t)passes,
                                                 .lanes = (uint32_t)lanes};
    return argon2_cost_check(&options->message.cost, EXIT_USAGE, "--argon2", problem);
}

static bool parse_context(struct options *options, const char *text, struct problem *problem)
{
    const size_t digits = strlen(text);
    options->message.context = options->context;
    options->message.context_bytes = digits / 2;
    return (digits % 2 == 0 && digits / 2 <= CONTEXT_BYTES_MOST &&
            hex_decode(options->context, text, digits / 2)) ||
           problem_set(problem, EXIT_USAGE,
                       "--context-hex: '%s'; an even number of hexadecimal digits, at most %d, is "
                       "right",
                       text, 2 * CONTEXT_BYTES_MOST);
}

static bool parse_bits(const char *option, const char *text, unsigned *bits,
                       struct problem *problem)
{
    *bits = strcmp(text, "128") == 0 ? 128 : strcmp(text, "256") == 0 ? 256 : 0;
    return *bits != 0 ||
           problem_set(problem, EXIT_USAGE, "%s: '%s'; 128 or 256 is right", option, text);
}

static bool parse_progress(struct options *options, const char *text, struct problem *problem)
{
    options->progress = text == NULL ? PROGRESS_TEXT : PROGRESS_JSON;
    return text == NULL || strcmp(text, "json") == 0 ||
           problem_set(problem, EXIT_USAGE,
                       "--progress: '%s'; --progress or --progress=json is right", text);
}

static bool add_source(struct source *sources, size_t *count, enum source_kind kind,
                       const char *argument, struct problem *problem)
{
    if (*count == SECRETS_MOST)
        return problem_set(problem, EXIT_USAGE, "more than %d keys and passphrases", SECRETS_MOST);
    sources[(*count)++] = (struct source){kind, argument};
    return true;
}

/* The options that name a secret; *is_one says whether it was. */
static bool parse_source(struct options *o, int option, const char *argument, bool *is_one,
                         struct problem *problem)
{
    static const struct {
        int option, new_option;
        enum source_kind kind;
    } kinds[] = {
        {'k', OPT_NEW_KEY_FILE, SOURCE_KEY_FILE},
        {'p', OPT_NEW_PASSPHRASE, SOURCE_TERMINAL},
        {OPT_PASSPHRASE_FILE, OPT_NEW_PASSPHRASE_FILE, SOURCE_FILE},
        {OPT_PASSPHRASE_FD, OPT_NEW_PASSPHRASE_FD, SOURCE_FD},
        {OPT_PASSPHRASE_ENV, OPT_NEW_PASSPHRASE_ENV, SOURCE_ENVIRONMENT},
        {OPT_PASSPHRASE_COMMAND, OPT_NEW_PASSPHRASE_COMMAND, SOURCE_COMMAND},
        {OPT_KEY_TEXT_FILE, 0, SOURCE_KEY_TEXT_FILE},
    };
    *is_one = true;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (option == kinds[i].option)
            return add_source(o->sources, &o->source_count, kinds[i].kind, argument, problem);
        if (option == kinds[i].new_option)
            return add_source(o->new_sources, &o->new_source_count, kinds[i].kind, argument,
                              problem);
    }
    *is_one = false;
    return true;
}

/* The options that only set a bool, and those that only keep their argument. */
static bool parse_simple(struct options *o, int option, const char *argument)
{
    const struct {
        int option;
        bool *flag;
    } flags[] = {
        {'d', &o->decrypt},         {'c', &o->to_stdout},
        {'f', &o->force},           {'q', &o->quiet},
        {'v', &o->verbose},         {OPT_BARE, &o->message.bare},
        {OPT_HEX, &o->hex},         {OPT_JSON, &o->json},
        {OPT_RM, &o->remove_input}, {OPT_SALVAGE, &o->message.salvage},
    };
    const struct {
        int option;
        const char **text;
    } texts[] = {
        {'o', &o->output},        {OPT_CIPHER, &o->cipher}, {OPT_IV, &o->iv},
        {OPT_KERNEL, &o->kernel}, {OPT_MODE, &o->mode},     {OPT_PAD, &o->pad},
    };
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        if (flags[i].option == option)
            return *flags[i].flag = true;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (texts[i].option == option) {
            *texts[i].text = argument;
            return true;
        }
    return false;
}

static bool parse_threads(struct options *o, const char *argument, struct problem *problem)
{
    uint64_t number;
    if (!parse_number("-T", argument, 0, UINT64_MAX, &number, problem))
        return false;
    o->threads = number > THREADS_MOST ? THREADS_MOST : (size_t)number;
    if (number > THREADS_MOST && !o->quiet)
        say("-T %s: more than %d threads; %d are used", argument, THREADS_MOST, THREADS_MOST);
    return true;
}

static bool parse_slot(struct options *o, const char *argument, struct problem *problem)
{
    uint64_t number;
    if (!parse_number("--slot", argument, 0, SLOTS - 1, &number, problem))
        return false;
    o->slot = (int)number;
    return true;
}

static bool parse_option(struct options *o, int option, const char *argument,
                         struct problem *problem)
{
    bool is_source;
    if (!parse_source(o, option, argument, &is_source, problem))
        return false;
    if (is_source || parse_simple(o, option, argument))
        return true;
    switch (option) {
    case OPT_ARGON2:
        return parse_argon2(o, argument, problem);
    case OPT_BITS:
        return parse_bits("--bits", argument, &o->bits, problem);
    case OPT_CONTEXT_HEX:
        return parse_context(o, argument, problem);
    case OPT_PROGRESS:
        return parse_progress(o, argument, problem);
    case OPT_RANGE:
        return parse_range(o, argument, problem);
    case OPT_SLOT:
        return parse_slot(o, argument, problem);
    case OPT_SUITE:
        return parse_bits("--suite", argument, &o->message.suite, problem);
    case OPT_UNIT:
        return parse_number("--unit", argument, 16, 1 << 24, &o->unit_bytes, problem);
    case 'T':
        return parse_threads(o, argument, problem);
    default:
        return problem_set(problem, EXIT_USAGE, "no such option: %d", option);
    }
}

static unsigned verb_bit(const struct options *o)
{
    const unsigned on = verbs[o->verb].on;
    return on == ON_ENCRYPT && o->verb == VERB_NONE && o->decrypt ? (unsigned)ON_DECRYPT : on;
}

/* How the user wrote an option: "--range", "-k". */
static const char *option_text(int option, char letter_text[3])
{
    for (size_t i = 0; long_options[i].name != NULL && option >= 256; i++)
        if (long_options[i].val == option)
            return long_options[i].name;
    letter_text[0] = (char)option;
    letter_text[1] = 0;
    return letter_text;
}

static bool check_option(const struct options *o, int option, struct problem *problem)
{
    char letter[3];
    /* tar has one command for both ways, and appends -d to it */
    const unsigned on = o->verb == VERB_NONE ? verb_bit(o) | ON_ENCRYPT : verb_bit(o);
    for (size_t i = 0; i < sizeof allowed / sizeof allowed[0]; i++)
        if (allowed[i].option == option && !(allowed[i].on & on))
            return problem_set(problem, EXIT_USAGE, "%s%s does not go with %s",
                               option < 256 ? "-" : "--", option_text(option, letter),
                               o->verb != VERB_NONE ? verbs[o->verb].name
                               : o->decrypt         ? "decrypt"
                                                    : "encrypt");
    return true;
}

static const char *find_verb(struct options *o, int argc, char **argv)
{
    for (size_t i = 1; argc > 1 && i < sizeof verbs / sizeof verbs[0]; i++)
        if (strcmp(argv[1], verbs[i].name) == 0) {
            o->verb = (enum verb)i;
            return verbs[i].name;
        }
    return NULL;
}

/* Which inputs may stand together: an encrypted stream ends its output, and so does a file. */
static bool check_inputs(const struct options *o, struct problem *problem)
{
    size_t streams = 0;
    for (size_t i = 0; i < o->file_count; i++)
        streams += o->to_stdout || strcmp(o->files[i], "-") == 0;
    if (o->output != NULL && o->file_count > 1)
        return problem_set(problem, EXIT_USAGE, "-o %s takes one input, not %zu", o->output,
                           o->file_count);
    if (o->verb == VERB_RAW && o->file_count > 1)
        return problem_set(problem, EXIT_USAGE,
                           "raw takes one input, not %zu: two under one key and IV give secrets "
                           "away",
                           o->file_count);
    return verb_bit(o) != ON_ENCRYPT || streams < 2 ||
           problem_set(problem, EXIT_USAGE,
                       "%zu files encrypted to standard output: nothing could decrypt them one "
                       "behind the other; one is right",
                       streams);
}

/* What single options cannot tell. */
static bool check_together(struct options *o, struct problem *problem)
{
    const bool message = (verb_bit(o) & (ON_MESSAGE | ON_INFO)) != 0;
    if (o->verb == VERB_ENCRYPT && o->decrypt)
        return problem_set(problem, EXIT_USAGE, "-d does not go with encrypt");
    if (o->to_stdout && o->output != NULL)
        return problem_set(problem, EXIT_USAGE, "-c and -o %s: one of them is right", o->output);
    if (message && o->message.context != NULL && !o->message.bare)
        return problem_set(problem, EXIT_USAGE, "--context-hex goes with --bare only");
    if (o->verb != VERB_NONE && (verb_bit(o) & ON_READ) && o->message.suite != 0 &&
        !o->message.bare)
        return problem_set(problem, EXIT_USAGE,
                           "--suite: for reading it goes with --bare only; the header names it");
    if (o->remove_input &&
        (o->to_stdout || o->file_count == 0 || (o->output != NULL && strcmp(o->output, "-") == 0)))
        return problem_set(problem, EXIT_USAGE, "--rm needs a FILE and an output file");
    return check_inputs(o, problem);
}

static bool take_options(struct options *o, int argc, char **argv, bool *stop,
                         struct problem *problem)
{
    int option, seen[256];
    size_t count = 0;
    while ((option = getopt_long(argc, argv, ":dco:k:pT:fqvhV", long_options, NULL)) != -1) {
        if (option == 'h' || option == 'V') {
            if (option == 'h')
                fputs(help, stdout);
            else
                printf("mtaes %s\n", mtaes_version());
            *stop = true;
            return true;
        }
        const char *const word = argv[optind - 1];
        if (option == ':')
            return problem_set(problem, EXIT_USAGE, "%s needs a value", word);
        if (option == '?')
            return problem_set(problem, EXIT_USAGE, "no such option, or a wrong value: %s", word);
        if (count < sizeof seen / sizeof seen[0])
            seen[count++] = option;
        if (!parse_option(o, option, optarg, problem))
            return false;
    }
    /* only now is it known whether -d stands somewhere */
    for (size_t i = 0; i < count; i++)
        if (!check_option(o, seen[i], problem))
            return false;
    return true;
}

bool options_parse(struct options *options, int argc, char **argv, bool *stop,
                   struct problem *problem)
{
    *options = (struct options){.slot = -1, .message.cost = argon2_default_cost()};
    *stop = false;
    opterr = 0;
    if (find_verb(options, argc, argv) != NULL) {
        argv[1] = argv[0];
        argc--;
        argv++;
    }
    if (!take_options(options, argc, argv, stop, problem) || *stop)
        return problem->code == EXIT_DONE;
    options->files = argv + optind;
    options->file_count = (size_t)(argc - optind);
    if (options->threads == 0)
        options->threads = mtaes_threads_available().chosen;
    if (options->threads > THREADS_MOST)
        options->threads = THREADS_MOST;
    return check_together(options, problem);
}

void options_free(struct options *options)
{
    secrets_free(options->secrets);
    secrets_free(options->new_secrets);
}
