#!/usr/bin/env bash
# tool_speed.sh: rates of the file tool beside openssl enc, age and cat; not part of make check.
# SPDX-License-Identifier: BSD-2-Clause
# Usage: tool_speed.sh [RUNS [MIB [THREADS]]]: interleaved runs over one file in the page cache, medians.
. "$(dirname "$0")/tool_lib.sh"
runs=${1:-5} mib=${2:-2048} threads=${3:-2}
K=00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff
IV=00112233445566778899aabbccddeeff
"$MTAES" keygen -o key || exit 1
bytes $((mib * 1048576)) >text
"$MTAES" -k key -o text.mta text || exit 1
recipient=''
if command -v age-keygen >/dev/null; then
    age-keygen -o age.key 2>/dev/null
    recipient=$(grep -o 'age1.*' age.key)
fi
cat text text.mta >/dev/null

declare -A commands
order=()
row() { order+=("$1"); commands[$1]=$2; }
row 'mtaes, file' "'$MTAES' -k key -T $threads -c text >/dev/null"
row 'openssl enc -aes-256-ctr' "openssl enc -aes-256-ctr -K $K -iv $IV -in text >/dev/null"
[ -n "$recipient" ] && row 'age' "age -r $recipient text >/dev/null"
row 'mtaes -d, file' "'$MTAES' -d -k key -T $threads -c text.mta >/dev/null"
row 'mtaes verify' "'$MTAES' verify -k key -T $threads text.mta"
row 'mtaes, file, 1 thread' "'$MTAES' -k key -T 1 -c text >/dev/null"
row 'cat | cat' "cat text | cat >/dev/null"
row 'cat | mtaes | cat' "cat text | '$MTAES' -k key -T $threads | cat >/dev/null"

TIMEFORMAT='%R %U %S'
for _ in $(seq "$runs"); do
    for name in "${order[@]}"; do
        { time bash -c "${commands[$name]}"; } 2>time.txt || { echo "$name failed"; exit 1; }
        awk '{ print $1, $2 + $3 }' time.txt >>"$name.times"
    done
done
# the CPU time says more than the clock where others use the machine too
declare -A median
middle() { cut -d' ' -f"$2" "$1.times" | sort -n | sed -n "$(((runs + 1) / 2))p"; }
for name in "${order[@]}"; do
    median[$name]=$(middle "$name" 1)
    awk -v name="$name" -v s="${median[$name]}" -v cpu="$(middle "$name" 2)" -v mib="$mib" \
        'BEGIN { printf "%-28s %8.3f s  %7.2f GB/s  %7.3f s of CPU\n", name, s, mib * 1048576 / s / 1e9, cpu }'
done
ratio() { awk -v a="${median[$1]}" -v b="${median[$2]}" -v what="$3" 'BEGIN { printf "%s: %.2f\n", what, b / a }'; }
ratio 'mtaes, file' 'openssl enc -aes-256-ctr' 'file, against openssl enc (wanted: 2)'
[ -n "$recipient" ] && ratio 'mtaes, file' 'age' 'file, against age (wanted: 3)'
ratio 'cat | mtaes | cat' 'cat | cat' 'pipes, of cat | cat (wanted: 0.8)'
"$MTAES" -v -k key -T "$threads" -c text 2>&1 >/dev/null | grep -o 'buffers.*'
