#!/usr/bin/env bash
# tool_damage.sh: flipped, cut, extended, reordered and spliced files are refused and leave nothing.
# SPDX-License-Identifier: BSD-2-Clause
. "$(dirname "$0")/tool_lib.sh"
"$MTAES" keygen -o key || exit 1
H=8192 P=56 C=16400
first=$((H + P))
bytes $((2 * 16384 + 100)) >text
"$MTAES" -k key -o good.mta text || exit 1
size=$(stat -c %s good.mta)

refused() { # NAME CODE FILE
    code "$2" "$1" "$MTAES" -d -k key -o out "$3"
    [ ! -e out ] || { fail "$1: an output file was left"; rm -f out; }
}

# every 97th byte, and the edges, flipped
edges="0 7 8 9 10 11 12 13 14 15 16 55 56 63 64 65 127 128 135 136 191 192 $((128 + 1088)) $((128 + 1151))
       $((128 + 1152)) 4095 4096 $((4096 + 1151)) $((4096 + 1152)) 8191 $H $((H + 23)) $((H + 24))
       $((first - 1)) $first $((first + 16383)) $((first + 16384)) $((first + C - 1)) $((first + C))
       $((first + 2 * C)) $((size - 17)) $((size - 16)) $((size - 1))"
for at in $edges $(seq 0 97 $((size - 1))); do
    cp good.mta bad.mta
    flip bad.mta "$at"
    wanted=3
    [ "$at" -lt 14 ] && wanted=6
    refused "byte $at flipped" $wanted bad.mta
done
cp good.mta bad.mta
flip bad.mta $((first + C + 5))
refused "second chunk" 3 bad.mta
says "the chunk's offset" "byte $((first + C))"
cp good.mta bad.mta
flip bad.mta 200
refused "slot" 3 bad.mta
says "the slot's offset" "byte 200"

# every 97th cut, and the edges
for at in 0 1 7 8 9 63 64 65 8191 $H $((H + 1)) $((first - 1)) $first $((first + 1)) $((first + 15)) \
    $((first + 16)) $((first + C - 1)) $((first + C)) $((first + C + 1)) $((first + C + 15)) \
    $((first + C + 16)) $((first + 2 * C - 1)) $((first + 2 * C)) $((first + 2 * C + 15)) \
    $((first + 2 * C + 16)) $((size - 1)) $(seq 0 97 $((size - 1))); do
    head -c "$at" good.mta >bad.mta
    wanted=3
    rest=$(((at - first) % C))
    { [ "$at" -lt $first ] || [ "$rest" -lt 16 ]; } && wanted=4
    refused "cut at $at" $wanted bad.mta
done
head -c $((first + C)) good.mta | "$MTAES" -d -k key >out.part 2>err.txt
[ $? = 4 ] && pass || fail "cut at a chunk's end, by pipe"
head -c 16384 text | cmp -s - out.part && pass || fail "cut by pipe: the text before is not what was released"

# D2: extended by a byte, by zeros, by a whole file; chunks swapped, repeated, dropped
part() { tail -c +$(($1 + 1)) good.mta | head -c "$2"; }
{ cat good.mta; printf x; } >bad.mta; refused "one byte more" 3 bad.mta
{ cat good.mta; head -c $C /dev/zero; } >bad.mta; refused "zeros more" 3 bad.mta
cat good.mta good.mta >bad.mta; refused "the file twice" 3 bad.mta
{ part 0 $first; part $((first + C)) $C; part $first $C; part $((first + 2 * C)) 116; } >bad.mta
refused "chunks swapped" 3 bad.mta
{ part 0 $((first + C)); part $first $C; part $((first + 2 * C)) 116; } >bad.mta
refused "chunk repeated in place of the second" 3 bad.mta
{ part 0 $((first + C)); part $first $((size - first)); } >bad.mta; refused "chunk repeated" 3 bad.mta
{ part 0 $first; part $((first + C)) $((size - first - C)); } >bad.mta; refused "chunk dropped" 3 bad.mta

# two files under one key: salt, id and first bytes differ, and no part fits into the other
"$MTAES" -k key -o other.mta text || exit 1
for place in "16 40" "$H 24" "$first 16"; do
    cmp -s -i "${place% *}" -n "${place#* }" good.mta other.mta && fail "the same at $place" || pass
done
splice() { { head -c "$1" good.mta; tail -c +$(($1 + 1)) other.mta | head -c "$2"; tail -c +$(($1 + $2 + 1)) good.mta; } >bad.mta; }
splice $first $C; refused "chunk of another file" 3 bad.mta
splice $H $((P + C)); refused "message begin of another file" 3 bad.mta
splice 0 $H; refused "header of another file" 3 bad.mta
splice 64 $((H - 64)); refused "slots of another file" 5 bad.mta
splice 0 64; refused "immutable part of another file" 5 bad.mta

# a suite or flag that a later version may know; the check sum is right, so it is no damage
forge() { # OFFSET HEX: change the immutable part and make its check sum fit
    "$PYTHON" - "$1" "$2" <<'EOF'
import hashlib, sys
d = bytearray(open("good.mta", "rb").read()); new = bytes.fromhex(sys.argv[2]); at = int(sys.argv[1])
d[at:at + len(new)] = new; d[56:64] = hashlib.sha512(d[:56]).digest()[:8]
open("bad.mta", "wb").write(d)
EOF
}
forge 8 0002; refused "version 2" 6 bad.mta; says "version 2" "version 2"
forge 10 0200; refused "suite 512" 6 bad.mta; says "suite 512" "suite 512"
forge 12 80000000; refused "critical flag" 6 bad.mta; says "critical flag" 8000
forge 14 0001; refused "forged flag" 5 bad.mta
forge 16 00; refused "forged file id" 5 bad.mta

# neither a file of ours
refused "text" 6 text
: >empty; refused "empty" 4 empty
printf '\x89MTA' >bad.mta; refused "begin of the magic" 4 bad.mta
code 6 "info of text" "$MTAES" info text

# a wrong key; with --bare it is the commitment that tells
"$MTAES" keygen -o wrong
code 5 "wrong key" "$MTAES" -d -k wrong -o out good.mta
"$MTAES" --bare -k key -o b.cob text
code 5 "bare, wrong key" "$MTAES" -d --bare -k wrong -o out b.cob
code 5 "bare, wrong context" "$MTAES" -d --bare -k key --context-hex=01 -o out b.cob
cp b.cob bad; flip bad 60; code 3 "bare, damage" "$MTAES" -d --bare -k key -o out bad
head -c $((56 + 16400)) b.cob >bad; code 4 "bare, truncated" "$MTAES" -d --bare -k key -o out bad
absent "wrong keys" out
nothing_left "damage"
finish
