#!/usr/bin/env bash
# tool_lto.sh: traces of keys once more, where the optimiser sees the whole file tool: -O3 -flto.
# SPDX-License-Identifier: BSD-2-Clause
. "$(dirname "$0")/tool_lib.sh"
compiler=${CC:-cc}
library=$(dirname "$MTAES")/libmtaes.so
no() { echo "SKIP: $*"; exit 77; }
sanitized && no "a tool with sanitizers"
[ -e "$library" ] || no "no shared library beside the tool"
[ -d "$srcdir/../tools/file" ] || no "no sources"
printf 'int main(void) { return 0; }\n' >try.c
# shellcheck disable=SC2086
$compiler -O3 -flto -o try try.c 2>/dev/null && ./try || no "no compiler that optimises at linking"
flags=$(pkg-config --cflags --libs check libcrypto jansson 2>/dev/null) || no "no pkg-config, check, libcrypto or jansson"
pkg-config --exists libargon2 && flags="$flags -DHAVE_LIBARGON2=1 $(pkg-config --cflags --libs libargon2)"
# shellcheck disable=SC2086
ok "building" $compiler -std=gnu11 -D_GNU_SOURCE -O3 -flto -I"$srcdir/../include" -I"$srcdir/../tools" \
    -o traces "$srcdir"/test_tool_file.c "$srcdir"/../tools/file/*.c "$library" $flags -lpthread -lm
ok "no trace of keys" sh -c 'CK_RUN_CASE=traces ./traces >out.txt'
grep -q '100%: Checks: 1,' out.txt && pass || fail "not one test: $(cat out.txt)"
finish
