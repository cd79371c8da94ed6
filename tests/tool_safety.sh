#!/usr/bin/env bash
# tool_safety.sh: what would lose data is refused, or told: outputs, --rm, keys, closed streams, devices.
# SPDX-License-Identifier: BSD-2-Clause
. "$(dirname "$0")/tool_lib.sh"
"$MTAES" keygen -o key || exit 1
bytes 300000 >a
bytes 200000 7 >b
cp a a.before
"$MTAES" -k key -o a.mta a && "$MTAES" -k key -o b.mta b || exit 1

# several messages in one stream: nothing could decrypt it
code 2 "two files with -c" "$MTAES" -k key -c a b
[ ! -s out.txt ] && pass || fail "two files with -c: wrote $(stat -c %s out.txt) bytes"
code 2 "two standard inputs" sh -c "'$MTAES' -k key - - <a"
code 2 "encrypt -c" "$MTAES" encrypt -k key -c a b
code 2 "two files of raw" "$MTAES" raw -q --mode=ctr --iv "$(printf %032d 0)" -k key a b
ok "one standard input and a file" sh -c "'$MTAES' -f -k key - b <a >c.mta"
"$MTAES" -d -k key -c c.mta b.mta | cmp -s - <(cat a b) && pass || fail "decryption of two files with -c"
"$MTAES" cat -k key a.mta b.mta | cmp -s - <(cat a b) && pass || fail "cat of two files"

# several texts in one file: only the last would be there
printf old >out
code 2 "cat -o of two files" "$MTAES" cat -f -k key -o out a.mta b.mta
[ "$(cat out)" = old ] && pass || fail "cat -o of two files: changed"
rm out

# the output is the input, where neither is a regular file
mkfifo fifo
ln -s fifo fifo.link
for out in fifo fifo.link; do
    code 2 "FIFO as both ends" timeout 10 "$MTAES" -k key -o $out fifo
    code 2 "FIFO as both ends of raw" timeout 10 "$MTAES" raw -q --mode=ecb -k key -o $out fifo
done
code 2 "pipe as both ends" timeout 10 sh -c "exec 3<>fifo; '$MTAES' -k key <&3 >&3 3<&-"
says "pipe as both ends" "must be another file"
rm fifo fifo.link

# a key or passphrase file of the command itself: not removed, not written over
cp key key.before
ln key key.hard
for k in key key.hard; do
    code 2 "--rm of the key: $k" "$MTAES" --rm -k key -o out $k
    code 2 "the key as output: $k" "$MTAES" -f -k key -o $k a
    code 2 "the key as output of raw: $k" "$MTAES" raw -q --mode=ecb -f -k key -o $k a
    code 2 "the key as output of -d: $k" "$MTAES" -f -d -k key -o $k a.mta
done
code 2 "appended to the key" sh -c "'$MTAES' -k key <a >>key"
code 2 "the second key as output" "$MTAES" -f -k key.before -k key -o key a
same "the key" key key.before
absent "--rm of the key" out
code 2 "--rm -k key *" "$MTAES" -f --rm -k key a key
[ -e a ] && fail "--rm -k key *: the other file stayed" || pass
same "--rm -k key *" key key.before
absent "--rm -k key *" key.mta
cp a.before a
cp key.before key
rm key.hard
if argon2; then
    printf 'correct horse\n' >phrase
    code 2 "--rm of the passphrase" "$MTAES" --argon2=19M:2:1 --rm --passphrase-file phrase -o out phrase
    code 2 "the passphrase as output" "$MTAES" -f --argon2=19M:2:1 --passphrase-file phrase -o phrase a
    [ "$(cat phrase)" = 'correct horse' ] && pass || fail "the passphrase: changed"
fi

# --rm where the input is no file, or the output none: refused before anything is written
mkfifo fifo
(head -c 100000 a >fifo) &
code 2 "--rm with a FIFO as input" "$MTAES" --rm -k key -o out fifo
wait
absent "--rm with a FIFO as input" out
rm fifo
code 2 "--rm with a device as output" "$MTAES" --rm -k key -o /dev/null a
same "--rm with a device as output" a a.before

# an output that is a pipe under the name of a descriptor
for out in /dev/stdout /dev/fd/1 /proc/self/fd/1; do
    "$MTAES" -k key -o $out a 2>err.txt | "$MTAES" -d -k key | cmp -s - a && pass || fail "-o $out: $(cat err.txt)"
done
"$MTAES" -k key -o >("$MTAES" -d -k key >back; echo >ended) a 2>err.txt
for _ in $(seq 100); do [ -e ended ] && break; sleep 0.05; done
same "-o >(command)" back a
rm -f back ended

# a terminal under another name
"$PYTHON" - "$MTAES" <<'END' && pass || fail "ciphertext to a terminal by its path"
import os, pty, subprocess, sys
master, slave = pty.openpty()
def run(*options):
    return subprocess.run([sys.argv[1], *options, "-k", "key", "-o", os.ttyname(slave), "key"],
                          stderr=subprocess.DEVNULL, timeout=60).returncode
raw = ("raw", "-q", "--mode=ecb")
sys.exit([run(), run(*raw), run("-f"), run(*raw, "--hex")] != [2, 2, 0, 0])
END

# a standard stream that is closed: an error, as for any other that cannot be used
code 7 "closed output" sh -c "'$MTAES' -k key <b >&-"
says "closed output" "Bad file descriptor"
code 7 "closed input" sh -c "'$MTAES' -k key -o out <&-"
code 7 "closed output of --version" sh -c "'$MTAES' --version >&-"
code 7 "closed output of raw" sh -c "'$MTAES' raw -q --mode=ecb -k key <b >&-"
absent "closed input" out
code 0 "closed, not used" sh -c "'$MTAES' -k key -o out b <&- >&- 2>&-"
"$MTAES" -d -k key -c out | cmp -s - b && pass || fail "closed, not used"
rm -f out

# halted COMMAND...: start it and wait until it stands still before its first fsync; its number is $tool
halted() {
    # a background job of a shell without job control ignores SIGINT from the start
    FAULT=fsync:1:stop LD_PRELOAD=$tmp/fault.so env --default-signal=INT "$@" 2>err.txt &
    tool=$!
    for _ in $(seq 200); do
        [ "$(sed 's/.*) \(.\).*/\1/' /proc/$tool/stat 2>/dev/null)" = T ] && return
        sleep 0.05
    done
    fail "does not stand still: $*"
}
# go_on WANTED NAME: let it go on; its exit code
go_on() {
    kill -CONT $tool 2>/dev/null
    wait $tool
    got=$?
    [ $got = "$1" ] && pass || fail "$2: exit code $got, not $1: $(cat err.txt)"
}
if fault_library; then
    # --rm: the input stays when something was added to it, or changed in it, after it was read
    for change in "echo more >>log" "printf x | dd of=log conv=notrunc status=none" "mv b.copy log"; do
        cp b log
        cp b b.copy
        halted "$MTAES" --rm -k key log
        eval "$change"
        go_on 1 "--rm, $change"
        says "--rm, $change" "not removed"
        [ -e log ] && pass || fail "--rm, $change: removed"
        "$MTAES" -d -k key -c log.mta | cmp -s - b && pass || fail "--rm, $change: its output"
        rm -f log log.mta b.copy
    done
    cp b log
    halted "$MTAES" --rm -k key log
    go_on 0 "--rm"
    absent "--rm" log

    # SIGINT while an existing output is replaced (D4); an output that comes to be meanwhile
    for signal in INT TERM; do
        printf old >out
        halted "$MTAES" -f -d -k key -o out a.mta
        kill -s $signal $tool
        go_on $((128 + $(kill -l $signal))) "SIG$signal, existing output"
        [ "$(cat out)" = old ] && pass || fail "SIG$signal, existing output: changed"
        nothing_left "SIG$signal, existing output"
    done
    rm out
    halted "$MTAES" -d -k key -o out a.mta
    printf new >out
    go_on 1 "output that comes to be"
    says "output that comes to be" "exists; -f replaces it"
    [ "$(cat out)" = new ] && pass || fail "output that comes to be: changed"
    rm out

    # no thread, or not all of them, can be started
    for n in 0 1 2 3; do
        fault "thread:$n:11" "$MTAES" -k key -c a | "$MTAES" -d -k key | cmp -s - a && pass || fail "thread $n"
        argon2 || continue
        fault "thread:$n:11" "$MTAES" --passphrase-file phrase -c a 2>err.txt >p.mta
        "$MTAES" -d --passphrase-file phrase -c p.mta | cmp -s - a && pass || fail "thread $n, Argon2id: $(cat err.txt)"
    done
else
    skip "inputs and outputs that change meanwhile, threads: no compiler, or a tool with sanitizers"
fi
rm -f log log.mta

# a block device as input and as output
bytes 4194304 9 >image
cp image image.before
if [ "$(id -u)" = 0 ] && device=$(losetup -f --show image 2>/dev/null) && [ -n "$device" ]; then
    trap 'losetup -d "$device"; rm -rf "$tmp"' EXIT
    ok "device as input" "$MTAES" -k key -o device.mta "$device"
    "$MTAES" -d -k key -c device.mta | cmp -s - image.before && pass || fail "device as input"
    names=$device
    mknod node b $((0x$(stat -c %t "$device"))) $((0x$(stat -c %T "$device"))) 2>/dev/null && names="$device node"
    for out in $names; do
        code 2 "device as both ends: $out" "$MTAES" -f -k key -o "$out" "$device"
        code 2 "device as both ends: $out, input" sh -c "'$MTAES' -f -k key -o $device <$out"
        code 2 "device as both ends: $out, output" sh -c "'$MTAES' -f -k key $device -c 1<>$out"
        code 2 "device as both ends: $out, raw" "$MTAES" raw -q --mode=ecb -f -k key -o "$out" "$device"
    done
    code 1 "device as output without -f" "$MTAES" -k key -o "$device" a
    says "device as output without -f" "-f"
    code 2 "--rm with a device as input" "$MTAES" --rm -k key -o new "$device"
    absent "--rm with a device as input" new
    code 2 "--rm with a device as output" "$MTAES" -f --rm -k key -o "$device" a
    cmp -s "$device" image.before && same "device" a a.before || fail "device: written to"
    ok "device as output" "$MTAES" -f -k key -o "$device" a
    head -c "$(stat -c %s a.mta)" "$device" | "$MTAES" -d -k key | cmp -s - a && pass || fail "device as output"
    code 7 "device that is too small" "$MTAES" -f -k key -o "$device" device.mta
    says "device that is too small" "No space left"
    if fault_library; then
        code 7 "device that cannot be synced" fault fsync:1:5 "$MTAES" -f -k key -o "$device" a
        code 7 "device as standard output" sh -c "LD_PRELOAD=$tmp/fault.so FAULT=fsync:1:5 '$MTAES' -k key a -c >$device"
    fi
    rm -f node
else
    skip "block devices: needs root, and losetup"
fi
nothing_left "safety"
finish
