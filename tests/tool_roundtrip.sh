#!/usr/bin/env bash
# tool_roundtrip.sh: sizes around chunk edges by file, pipe, FIFO, dd and tar; threads; the second decoder.
# SPDX-License-Identifier: BSD-2-Clause
. "$(dirname "$0")/tool_lib.sh"
C=16384
"$MTAES" keygen -o key || exit 1
printf 'correct horse\n' >phrase

# D1: an empty file, and sizes that are a multiple of a chunk, come back whole
for size in 0 1 $((C - 1)) $C $((C + 1)) $((2 * C - 1)) $((2 * C)) $((2 * C + 1)) $((100 * 1048576 + 3)); do
    bytes "$size" >text
    ok "$size: file" "$MTAES" -k key -o c.mta text
    wanted=$((8192 + 56 + size + 16 * (size / C + 1)))
    [ "$(stat -c %s c.mta)" = "$wanted" ] && pass || fail "$size: $(stat -c %s c.mta) bytes, not $wanted"
    ok "$size: file back" "$MTAES" -d -k key -o back c.mta
    same "$size: file" text back
    ok "$size: verify" "$MTAES" verify -k key c.mta
    cat text | "$MTAES" -k key | cat | "$MTAES" -d -k key | cmp -s - text && pass || fail "$size: pipe"
    "$MTAES" -k key <text >c2.mta && "$MTAES" -d -k key <c2.mta | cmp -s - text && pass || fail "$size: redirection"
    mkfifo in.fifo out.fifo
    cat text >in.fifo &
    "$MTAES" -k key in.fifo -o out.fifo &
    "$MTAES" decrypt -k key -o back2 out.fifo && cmp -s text back2 && pass || fail "$size: FIFO"
    wait
    rm -f in.fifo out.fifo
    for threads in 1 3; do
        "$MTAES" -k key -T $threads -c text | "$MTAES" -d -k key -T $threads | cmp -s - text && pass ||
            fail "$size: $threads threads"
    done
    if [ "$size" -lt 100000 ]; then
        dd if=text bs=1 status=none | "$MTAES" -k key | dd bs=1 status=none |
            "$MTAES" -d -k key | dd bs=1 status=none | cmp -s - text && pass || fail "$size: dd bs=1"
        "$PYTHON" "$srcdir/mtaes_decode.py" -k key <c.mta | cmp -s - text && pass || fail "$size: second decoder"
        for suite in 128 256; do
            "$MTAES" keygen --bits=$suite -f -o bare.key
            "$MTAES" --bare --suite=$suite --context-hex=00ff -k bare.key -c text >b.cob &&
                "$MTAES" -d --bare --suite=$suite --context-hex=00ff -k bare.key <b.cob |
                cmp -s - text && pass || fail "$size: bare $suite"
            ok "$size: suite $suite" "$MTAES" --suite=$suite -k key -f -o s.mta text
            "$MTAES" -d -k key -c s.mta | cmp -s - text && pass || fail "$size: suite $suite"
            "$PYTHON" "$srcdir/mtaes_decode.py" -k key <s.mta | cmp -s - text && pass ||
                fail "$size: second decoder, suite $suite"
        done
    fi
    rm -f c.mta c2.mta back back2 s.mta b.cob
done

# memory is bounded, whatever the size and the threads
bytes $((100 * 1048576)) >text
peak() { sed -n 's/.*peak memory \([0-9]*\)\..*/\1/p' err.txt; }
for how in "-T 1" "-T 2" "-T 16"; do
    # shellcheck disable=SC2086
    "$MTAES" -v $how -k key <text 2>err.txt | cat >c.mta
    sanitized || { [ "$(peak)" -lt 64 ] && pass || fail "memory with $how: $(cat err.txt)"; }
    # shellcheck disable=SC2086
    cat c.mta | "$MTAES" -v -d $how -k key 2>err.txt | cmp -s - text && pass || fail "$how by pipe"
    sanitized || { [ "$(peak)" -lt 64 ] && pass || fail "memory with -d $how: $(cat err.txt)"; }
done
rm -f c.mta text

# names: FILE to FILE.mta and back; --rm; several files; '-'
bytes 100000 5 >one
bytes 50 6 >two
ok "names" "$MTAES" --rm -k key one two
absent "--rm" one two
[ -e one.mta ] && [ -e two.mta ] && pass || fail "names: FILE.mta"
[ "$(stat -c %a one.mta)" = 600 ] && pass || fail "names: mode $(stat -c %a one.mta)"
ok "names back" "$MTAES" -d -k key one.mta two.mta
bytes 100000 5 | cmp -s - one && pass || fail "names: text"
[ "$(stat -c %a one)" = 600 ] && pass || fail "names: mode $(stat -c %a one)"
"$MTAES" cat -k key one.mta two.mta >both && cat one two | cmp -s - both && pass || fail "cat of two files"
"$MTAES" -k key - <one | "$MTAES" -d -k key -o - - | cmp -s - one && pass || fail "'-'"
code 2 "no suffix" "$MTAES" -d -k key one
code 2 "--rm without output file" "$MTAES" --rm -c -k key one

# standard input that does not begin at its beginning, and is left at its end
(printf 'skip me\n'; cat one) >prefixed
{ read -r _; "$MTAES" -k key >p.mta; wc -c >rest; } <prefixed
"$MTAES" -d -k key <p.mta | cmp -s - one && pass || fail "input from its middle"
[ "$(tr -d ' ' <rest)" = 0 ] && pass || fail "input not left at its end"

# a file of /proc, which claims to be empty
"$MTAES" -k key -o proc.mta /proc/cpuinfo && [ "$("$MTAES" -d -k key -c proc.mta | wc -c)" -gt 0 ] && pass ||
    fail "a file of /proc"

# passphrase and key in one file, either opens it, in both decoders
printf 'text' >t
if argon2; then
ok "two secrets" "$MTAES" -k key --passphrase-file phrase -o two.secrets t
for how in "-k key" "--passphrase-file phrase"; do
    # shellcheck disable=SC2086
    [ "$("$MTAES" -d $how -c two.secrets)" = text ] && pass || fail "two secrets: $how"
done
[ "$("$PYTHON" "$srcdir/mtaes_decode.py" -p phrase <two.secrets)" = text ] && pass ||
    fail "second decoder: passphrase"
else
    skip "passphrases: this build has no Argon2id"
fi

# random access agrees with the whole
bytes 300000 9 >r
"$MTAES" -k key -o r.mta r
for range in 0:0 0:1 16383:2 16384:16384 100:200000 299999:1 300000:0 0:300000 65536:1K; do
    off=${range%:*} len=${range#*:}
    [ "$len" = 1K ] && len=1024
    "$MTAES" cat -k key --range=$range r.mta >got && tail -c +$((off + 1)) r | head -c $len | cmp -s - got && pass ||
        fail "range $range"
done
"$MTAES" cat -k key --range=299990: r.mta | cmp -s - <(tail -c 10 r) && pass || fail "range to the end"
code 2 "range past the end" "$MTAES" cat -k key --range=299999:2 r.mta
code 2 "range of a pipe" sh -c "cat r.mta | '$MTAES' cat -k key --range=0:1"
code 2 "bad range" "$MTAES" cat -k key --range=5 r.mta
says "bad range" OFF:LEN

# GNU tar, which appends -d itself
mkdir -p dir/sub && cp r dir/sub/ && cp one dir/
ok "tar -c" tar -I "$MTAES -k key" -cf dir.tar.mta dir
tar -I "$MTAES -k key" -tf dir.tar.mta | grep -qx dir/sub/r && pass || fail "tar -t"
mkdir x && ok "tar -x" tar -I "$MTAES -k key" -xf dir.tar.mta -C x
diff -r dir x/dir >/dev/null && pass || fail "tar: contents"
flip dir.tar.mta 20000
tar -I "$MTAES -k key" -tf dir.tar.mta >/dev/null 2>&1 && fail "tar: damage accepted" || pass
nothing_left "round trips"
finish
