#!/usr/bin/env bash
# tool_slots.sh: rewrap, slot-add, slot-rm; a crash at any point of a change loses nothing.
# SPDX-License-Identifier: BSD-2-Clause
. "$(dirname "$0")/tool_lib.sh"
argon2 || { echo "SKIP: this build has no Argon2id"; exit 77; }
for k in 1 2 3 4 wrong; do "$MTAES" keygen -o k$k; done
printf 'correct horse\n' >phrase
bytes 50000 >text
"$MTAES" -k k1 -o f.mta text || exit 1

opens() { "$MTAES" -d "$@" | cmp -s - text; }
yes() { local name=$1; shift; opens "$@" && pass || fail "$name: does not open with $1 $2"; }
no() { # NAME FILE KEY
    code 5 "$1" "$MTAES" verify -k "$3" "$2"
}
slots() { "$MTAES" info --json "$1" | "$PYTHON" -c 'import json, sys; print(*(s["slot"] for s in json.load(sys.stdin)["slots"]))'; }

# adding, replacing, removing; the data stay the same bytes
tail -c +8193 f.mta >data.before
ok "slot-add" "$MTAES" slot-add -k k1 --new-key-file k2 f.mta
yes "slot-add" -k k1 -c f.mta
yes "slot-add" -k k2 -c f.mta
ok "slot-add passphrase" "$MTAES" slot-add -k k2 --new-passphrase-file phrase --argon2=19M:2:1 f.mta
yes "slot-add passphrase" --passphrase-file phrase -c f.mta
[ "$(slots f.mta)" = "0 1 2" ] && pass || fail "slots: $(slots f.mta)"
cp f.mta old.mta
ok "rewrap" "$MTAES" rewrap -k k1 --new-key-file k3 f.mta
yes "rewrap" -k k3 -c f.mta
no "rewrap: the old key" f.mta k1
ok "rewrap another slot" "$MTAES" rewrap -k k3 --slot=1 --new-key-file k4 f.mta
yes "rewrap another slot" -k k4 -c f.mta
no "rewrap another slot: the old key" f.mta k2
cp f.mta before.mta
code 2 "rewrap another slot, no new secret" "$MTAES" rewrap -k k3 --slot=1 f.mta
says "rewrap another slot, no new secret" "slot 0"
same "rewrap another slot, no new secret" f.mta before.mta
ok "rewrap its own slot by number" "$MTAES" rewrap -k k3 --slot=0 f.mta
ok "rewrap with the same key" "$MTAES" rewrap -k k3 f.mta
yes "rewrap with the same key" -k k3 -c f.mta
ok "slot-rm" "$MTAES" slot-rm -k k3 --slot=2 f.mta
code 5 "slot-rm: the passphrase" "$MTAES" verify --passphrase-file phrase f.mta
[ "$(slots f.mta)" = "0 1" ] && pass || fail "slots: $(slots f.mta)"
"$MTAES" info f.mta | grep -q 'at rest, generation 8$' && pass || fail "generation: $("$MTAES" info f.mta)"
tail -c +8193 f.mta | cmp -s - data.before && pass || fail "the data changed"
"$PYTHON" "$srcdir/mtaes_decode.py" -k k4 <f.mta | cmp -s - text && pass || fail "second decoder"

# what is refused changes nothing
cp f.mta same.mta
code 5 "wrong key" "$MTAES" slot-add -k kwrong --new-key-file k1 f.mta
code 2 "empty slot" "$MTAES" slot-rm -k k3 --slot=7 f.mta
code 2 "no --slot" "$MTAES" slot-rm -k k3 f.mta
code 2 "slot 8" "$MTAES" slot-rm -k k3 --slot=8 f.mta
code 2 "no new secret" "$MTAES" slot-add -k k3 f.mta
code 2 "no file" "$MTAES" slot-add -k k3 --new-key-file k1
code 7 "no such file" "$MTAES" slot-add -k k3 --new-key-file k1 nothing
same "refused" f.mta same.mta
for _ in 3 4 5 6 7 8; do ok "fill" "$MTAES" slot-add -k k3 --new-key-file k1 f.mta; done
code 1 "a ninth slot" "$MTAES" slot-add -k k3 --new-key-file k1 f.mta
says "a ninth slot" "all 8"
"$MTAES" -k k1 -o only.mta text
code 1 "the only slot" "$MTAES" slot-rm -k k1 --slot=0 only.mta
yes "the only slot" -k k1 -c only.mta

# documented: an old header revives what was removed
head -c 8192 old.mta >revived.mta
tail -c +8193 f.mta >>revived.mta
yes "old header" -k k1 -c revived.mta

# damage in one copy: refused, read with --salvage, mended by any change
for at in 64 150 200 1200 3000 4100 4200 5240 8000; do
    cp only.mta d.mta
    flip d.mta $at
    code 3 "damage at $at" "$MTAES" verify -k k1 d.mta
    ok "--salvage, damage at $at" "$MTAES" verify --salvage -k k1 d.mta
    code 3 "rewrap, damage at $at" "$MTAES" rewrap -k k1 d.mta
    case $at in 3000 | 8000) continue ;; esac # between the copies: rewrap does not write there
    ok "rewrap --salvage, damage at $at" "$MTAES" rewrap --salvage -k k1 d.mta
    ok "mended, damage at $at" "$MTAES" verify -k k1 d.mta
done
cp only.mta d.mta
flip d.mta 200
flip d.mta 4200
code 3 "both copies" "$MTAES" verify -k k1 d.mta
code 5 "both copies, --salvage" "$MTAES" verify --salvage -k k1 d.mta

# a crash before, between and in the middle of the writes and syncs: it opens with the old key or the
# new one, and the change can be made again
if fault_library; then
    for point in fsync:{1,2,3,4}:kill pwrite:{1,2,3,4}:kill pwrite:{2,3}:half pwrite:{2,3}:5 fsync:{1,2,3,4}:5; do
        cp only.mta crash.mta
        fault "$point" "$MTAES" rewrap -k k1 --new-key-file k2 crash.mta 2>/dev/null && fail "$point: no crash"
        if opens -k k1 -c crash.mta 2>/dev/null || opens -k k2 -c crash.mta 2>/dev/null; then pass; else fail "$point: lost"; fi
        "$PYTHON" "$srcdir/mtaes_decode.py" -k k1 <crash.mta 2>/dev/null | cmp -s - text ||
            "$PYTHON" "$srcdir/mtaes_decode.py" -k k2 <crash.mta 2>/dev/null | cmp -s - text && pass ||
            fail "$point: second decoder"
        # again, with both keys, whichever opens it
        ok "$point: again" "$MTAES" rewrap -k k1 -k k2 --new-key-file k3 crash.mta
        yes "$point: again" -k k3 -c crash.mta
        no "$point: first key" crash.mta k1
        no "$point: second key" crash.mta k2
        "$MTAES" info crash.mta | grep -q 'at rest' && pass || fail "$point: not at rest"
    done
else
    skip "crashes: no compiler, or a tool with sanitizers"
fi

# two changes at a time: the second is refused, not lost
exec 5<only.mta
flock 5
code 7 "two at a time" "$MTAES" rewrap -k k1 only.mta
exec 5<&-
finish
