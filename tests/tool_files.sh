#!/usr/bin/env bash
# tool_files.sh: outputs appear whole or not at all: same file, full disk, broken pipe, signals, faults.
# SPDX-License-Identifier: BSD-2-Clause
. "$(dirname "$0")/tool_lib.sh"
"$MTAES" keygen -o key || exit 1
"$MTAES" keygen -o wrong || exit 1
bytes 3000000 >text
cp text text.before
"$MTAES" -k key -o good.mta text || exit 1

# D3: the output is the input, by whatever name
ln text hard
ln -s text soft
mkdir folder
for out in text ./text folder/../text hard soft "$PWD/text"; do
    code 2 "output is input: $out" "$MTAES" -f -k key -o "$out" text
    says "output is input: $out" "must be another file"
    same "output is input: $out" text text.before
done
code 2 "output is input: hard link as input" "$MTAES" -f -k key -o text hard
code 2 "output is standard input" sh -c "'$MTAES' -f -k key -o text <text"
same "output is standard input" text text.before
code 2 "standard output is standard input" sh -c "'$MTAES' -k key <text >>text"
same "standard output is standard input" text text.before
rm -f hard soft

# existing outputs: kept without -f, replaced with it, kept by every failure
printf old >out
code 1 "exists" "$MTAES" -d -k key -o out good.mta
says "exists" "-f"
[ "$(cat out)" = old ] && pass || fail "exists: changed"
code 5 "wrong key" "$MTAES" -f -d -k wrong -o out good.mta
[ "$(cat out)" = old ] && pass || fail "wrong key: changed"
cp good.mta bad.mta
flip bad.mta $(($(stat -c %s bad.mta) - 1)) # D4: the last tag byte
code 3 "last tag byte" "$MTAES" -f -d -k key -o out bad.mta
[ "$(cat out)" = old ] && pass || fail "last tag byte: changed"
code 3 "last tag byte, new file" "$MTAES" -d -k key -o new bad.mta
absent "last tag byte" new
ok "replaced" "$MTAES" -f -d -k key -o out good.mta
same "replaced" out text
[ "$(stat -c %a out)" = 600 ] && pass || fail "mode $(stat -c %a out)"
ln -s out link
ok "through a link" "$MTAES" -f -k key -o link text
[ -L link ] && [ "$(head -c 6 out | tail -c 5)" = MTAES ] && pass || fail "a link was replaced, not its target"
ln -s nowhere dangling
code 7 "dangling link" "$MTAES" -f -k key -o dangling text
rm -f link dangling out

# what the system refuses: exit code 7 and its words
code 7 "no such input" "$MTAES" -k key -o out nothing
says "no such input" "No such file or directory"
code 7 "no such folder" "$MTAES" -k key -o nowhere/out text
code 7 "input is a folder" "$MTAES" -k key -o out folder
says "input is a folder" "Is a directory"
code 7 "output is a folder" "$MTAES" -f -k key -o folder text
code 7 "no such key" "$MTAES" -k nothing -o out text
absent "refused" out

# D5: full devices and broken pipes
code 7 "/dev/full" "$MTAES" -k key -o /dev/full text
says "/dev/full" "No space left on device"
code 7 "/dev/full as standard output" sh -c "'$MTAES' -k key text -c >/dev/full"
code 7 "decryption to /dev/full" sh -c "'$MTAES' -d -k key good.mta -c >/dev/full"
(
    trap '' PIPE
    "$MTAES" -k key -c text 2>err.txt
    echo $? >rc
) | head -c 1 >/dev/null
[ "$(cat rc)" = 7 ] && grep -q 'Broken pipe' err.txt && pass || fail "broken pipe: $(cat rc err.txt)"
# the writer of the input is still there: the tool must not wait for it
mkfifo slow
(exec 3>slow; head -c 20000000 /dev/zero >&3; exec sleep 20) &
sleeper=$!
timeout 10 sh -c "'$MTAES' -k key slow -c | head -c 1 >/dev/null; true"
[ $? != 124 ] && pass || fail "a broken pipe is noticed only with the next input"
kill $sleeper 2>/dev/null
wait $sleeper 2>/dev/null
if mkdir small && mount -t tmpfs -o size=1m none small 2>/dev/null; then
    code 7 "full file system" "$MTAES" -k key -o small/out text
    says "full file system" "No space left on device"
    [ -z "$(ls -A small)" ] && pass || fail "full file system: left $(ls -A small)"
    printf old >small/out
    code 7 "full, existing" "$MTAES" -f -k key -o small/out text
    [ "$(cat small/out)" = old ] && [ "$(ls -A small)" = out ] && pass || fail "full, existing: changed"
    umount small
else
    skip "a full file system: cannot mount"
fi
code 7 "file size limit" bash -c "ulimit -f 1000; '$MTAES' -k key -o limited text"
absent "file size limit" limited

# signals: nothing is left, the process dies of them
for signal in INT TERM HUP; do
    mkfifo p
    (exec 3>p; head -c 100000 text >&3; exec sleep 30) &
    feeder=$!
    # a background job of a shell without job control ignores SIGINT from the start, and one under nohup SIGHUP
    env --default-signal=INT,TERM,HUP setsid "$MTAES" -k key -o sig.mta p 2>err.txt &
    tool=$!
    for _ in $(seq 50); do ls .sig.mta.mtaes-* >/dev/null 2>&1 && break; sleep 0.1; done
    ls .sig.mta.mtaes-* >/dev/null 2>&1 && pass || fail "$signal: no temporary file to begin with"
    "$PYTHON" -c "import os, signal, sys; os.kill(int(sys.argv[1]), getattr(signal, 'SIG$signal'))" $tool
    wait $tool
    got=$?
    [ $got -gt 128 ] && pass || fail "$signal: exit code $got"
    kill $feeder 2>/dev/null
    wait $feeder 2>/dev/null
    rm -f p
    absent "$signal" sig.mta
    nothing_left "$signal"
done

# the input changes its size under the tool: an error, no signal, no output
bytes 40000000 >moving
for change in "truncate -s 100" "truncate -s 0" "truncate -s +1"; do
    bytes 40000000 >moving
    mkfifo q
    # the output is a FIFO that nobody reads at first, so that the tool stands still half-way
    "$MTAES" -k key -T 1 -o q moving 2>err.txt &
    tool=$!
    exec 4<q
    head -c 100000 <&4 >/dev/null
    $change moving
    cat <&4 >/dev/null
    exec 4<&-
    wait $tool
    got=$?
    [ $got = 7 ] && grep -q 'while it was read' err.txt && pass || fail "$change: exit code $got: $(cat err.txt)"
    rm -f q
done

# terminals: ciphertext is not written to one
"$PYTHON" - "$MTAES" <<'EOF' && pass || fail "ciphertext to a terminal"
import os, pty, subprocess, sys
master, slave = pty.openpty()
def run(*options):
    return subprocess.run([sys.argv[1], "-k", "key", *options], stdin=open("key"), stdout=slave,
                          stderr=subprocess.DEVNULL).returncode
refused, forced = run(), run("-f")
sys.exit(not (refused == 2 and forced == 0 and os.read(master, 4096).startswith(b"\x89MTAES")))
EOF

# faults in system calls: every write in turn fails with each error; fsync, rename; short and interrupted
if fault_library; then
    head -c 2000000 text >t2
    for error in 28:"No space" 122:"quota" 5:"Input/output error"; do
        for n in 1 2 3 4 5; do
            code 7 "write $n fails with ${error%%:*}" fault "write:$n:${error%%:*}" "$MTAES" -k key -o f.mta t2
            says "write $n" "${error#*:}"
            absent "write $n" f.mta
        done
    done
    code 7 "read fails" fault read:2:5 "$MTAES" -k key -o f.mta t2
    code 7 "fsync fails" fault fsync:1:5 "$MTAES" -k key -o f.mta t2
    absent "fsync" f.mta
    code 7 "rename fails" fault rename:1:30 "$MTAES" -k key -o f.mta t2
    says "rename" "Read-only file system"
    absent "rename" f.mta
    ok "rename without RENAME_NOREPLACE" fault rename:1:22 "$MTAES" -k key -o f.mta t2
    ok "its result" "$MTAES" verify -k key f.mta
    nothing_left "faults"
    head -c 40000 text >t3
    for call in write read; do
        ok "short $call" fault "$call:0:short" "$MTAES" -f -k key -o f.mta t3
        "$MTAES" -d -k key -c f.mta | cmp -s - t3 && pass || fail "short $call"
        fault "$call:0:short" "$MTAES" -d -k key <f.mta | cmp -s - t3 && pass || fail "short $call, decryption"
        ok "interrupted $call" fault "$call:0:again" "$MTAES" -f -k key -o f.mta t2
        "$MTAES" -d -k key -c f.mta | cmp -s - t2 && pass || fail "interrupted $call"
        cat f.mta | fault "$call:0:again" "$MTAES" -d -k key | cat | cmp -s - t2 && pass ||
            fail "interrupted $call, pipes"
    done
else
    skip "faults: no compiler, or a tool with sanitizers"
fi

# more than a message can hold is refused before anything is written
huge=$(mktemp -u /dev/shm/mtaes-test.XXXXXX 2>/dev/null)
if truncate -s 4P "$huge" 2>/dev/null; then
    code 1 "4 PiB" "$MTAES" -k key -o out "$huge"
    says "4 PiB" "4 PiB - 1"
    absent "4 PiB" out
else
    skip "4 PiB: no file system that holds such a sparse file"
fi
rm -f "$huge"

# --range reads little
if ! sanitized && command -v strace >/dev/null && strace -o /dev/null true 2>/dev/null; then
    truncate -s 2G sparse
    "$MTAES" -k key -o sparse.mta sparse || fail "2 GiB"
    strace -f -e trace=read,readv,pread64,preadv,preadv2 -o trace "$MTAES" cat -k key --range=1500000000:1M sparse.mta >part ||
        fail "range of 2 GiB"
    head -c 1048576 /dev/zero | cmp -s - part && pass || fail "range of 2 GiB: text"
    read_bytes=$(sed -n 's/.*) = \([0-9]*\)$/\1/p' trace | awk '{ sum += $1 } END { print sum }')
    echo "a range of 1 MiB of 2 GiB: $read_bytes bytes read, libraries included"
    [ "$read_bytes" -lt 2097152 ] && pass || fail "range of 2 GiB: $read_bytes bytes read"
    rm -f sparse sparse.mta
else
    skip "what --range reads: no strace, or a tool with sanitizers"
fi
nothing_left "files"
finish
