#!/bin/sh
# check_fences.sh: in the library's machine code, each function that stores around the caches has a fence as well.
# SPDX-License-Identifier: BSD-2-Clause
# What a missing fence does is seen by no test on most runs (test_engine, written_is_there, tries): so look at the code.
set -eu
command -v objdump >/dev/null || { echo "skipped: there is no objdump"; exit 77; }
library=$(ls .libs/libmtaes.a libmtaes.a 2>/dev/null | head -n 1)
[ -n "$library" ] || { echo "skipped: there is no static library"; exit 77; }

unfenced() { # functions in the archive $1 with streaming stores and no fence; the last line: how many have both
    objdump -d --no-show-raw-insn "$1" | awk '
        function end() { if (stores && !fences) print name; if (stores && fences) good++; stores = fences = 0 }
        /^[0-9a-f]+ <.*>:$/ { end(); name = $2 }
        /\t(v?movnt|movnt)/ { stores++ }
        /\tsfence/ { fences++ }
        END { end(); print good + 0 }'
}

found=$(unfenced "$library")
good=$(echo "$found" | tail -n 1)
bad=$(echo "$found" | sed '$d')
case $(uname -m) in
x86_64) [ "$good" -gt 0 ] || { echo "no function stores around the caches: this test looks for the wrong thing"; exit 1; } ;;
esac
[ -z "$bad" ] || { echo "streaming stores without a fence in:"; echo "$bad"; exit 1; }
echo "$good functions with streaming stores, each with a fence"
