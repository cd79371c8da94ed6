# tool_lib.sh: what the tests of the file tool share: where it is, a scratch folder, checks, a count.
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2034
set -u
srcdir=$(dirname "$0")
for candidate in "${MTAES:-}" ./mtaes ./tools/mtaes "$srcdir/../mtaes"; do
    [ -n "$candidate" ] && [ -x "$candidate" ] && { MTAES=$(realpath "$candidate"); break; }
done
srcdir=$(realpath "$srcdir")
# a build with libtool leaves a script there, and the program itself beside it
built=$(dirname "${MTAES:-.}")/.libs
if [ -x "$built/mtaes" ]; then
    MTAES=$built/mtaes
    export LD_LIBRARY_PATH="$built${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
fi
[ -x "${MTAES:-}" ] || { echo "no mtaes: build it first, or set MTAES"; exit 1; }
PYTHON=${PYTHON:-/usr/bin/python3}
tmp=$(mktemp -d "${TMPDIR:-/tmp}/mtaes-test.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
passed=0 failed=0 skipped=0

pass() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); echo "FAIL: $*"; }
skip() { skipped=$((skipped + 1)); echo "SKIP: $*"; }

# ok NAME COMMAND...: it succeeds
ok() {
    local name=$1
    shift
    if "$@" 2>err.txt; then pass; else fail "$name: exit code $? of: $*; $(tail -n 2 err.txt)"; fi
}

# code N NAME COMMAND...: it ends with exit code N, and, if N is not 0, says why in one line that
# begins with "mtaes: "
code() {
    local wanted=$1 name=$2 got
    shift 2
    "$@" >out.txt 2>err.txt
    got=$?
    if [ "$got" != "$wanted" ]; then
        fail "$name: exit code $got, not $wanted, of: $*; $(tail -n 2 err.txt)"
    elif [ "$wanted" != 0 ] && ! grep -q '^mtaes: ' err.txt; then
        fail "$name: no message"
    else pass; fi
}

same() { # NAME FILE FILE
    if cmp -s "$2" "$3"; then pass; else fail "$1: $2 and $3 differ"; fi
}

absent() { # NAME FILE...: they do not exist
    local name=$1
    shift
    for file; do [ ! -e "$file" ] || { fail "$name: $file exists"; return; }; done
    pass
}

nothing_left() { # NAME [FOLDER]: no temporary file of ours
    local left
    left=$(find "${2:-.}" -name '.*mtaes-*' 2>/dev/null)
    if [ -z "$left" ]; then pass; else fail "$1: left behind: $left"; fi
}

says() { # NAME WORD: the last message has the word
    if grep -q -e "$2" err.txt; then pass; else fail "$1: no '$2' in: $(cat err.txt)"; fi
}

# bytes N [SEED]: N bytes that look random, always the same
bytes() {
    head -c "$1" /dev/zero |
        openssl enc -aes-128-ctr -K "$(printf '%032x' "${2:-1}")" -iv "$(printf '%032x' 0)"
}

flip() { # FILE OFFSET [MASK]: change one byte
    local byte
    byte=$(od -An -tu1 -j"$2" -N1 "$1")
    # shellcheck disable=SC2059
    printf "\\x$(printf %02x $((byte ^ ${3:-255})))" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

# Whether this build of the tool can derive keys from passphrases.
argon2() {
    [ -n "${argon2_known:-}" ] || {
        printf x >argon2.phrase
        "$MTAES" --passphrase-file argon2.phrase -c argon2.phrase >/dev/null 2>argon2.err
        argon2_known=$?
    }
    [ "$argon2_known" = 0 ]
}

# Whether the tool was built with a sanitizer, which changes what the system sees of it.
sanitized() { grep -q '__[atm]san_init' "$MTAES"; }

finish() {
    echo "$(basename "$0"): $passed passed, $failed failed, $skipped skipped"
    [ "$failed" = 0 ] && [ "$passed" != 0 ]
    exit
}

# Build the library that makes system calls fail; needs a compiler, and a tool without sanitizers.
fault_library() {
    local compiler=${CC:-cc}
    # shellcheck disable=SC2086
    $compiler -shared -fPIC -o "$tmp/fault.so" "$srcdir/tool_fault.c" -ldl 2>/dev/null || return 1
    FAULT='' LD_PRELOAD="$tmp/fault.so" "$MTAES" --version >/dev/null 2>&1
}

# fault WHAT COMMAND...: run it with FAULT=WHAT
fault() {
    local what=$1
    shift
    FAULT=$what LD_PRELOAD="$tmp/fault.so" "$@"
}
