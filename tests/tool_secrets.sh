#!/usr/bin/env bash
# tool_secrets.sh: key files in each form, passphrases from each source, usage errors, traces of secrets.
# SPDX-License-Identifier: BSD-2-Clause
. "$(dirname "$0")/tool_lib.sh"
printf 'some text\n' >t

# keygen: hexadecimal digits, mode 0600, never over an existing key
ok "keygen" "$MTAES" keygen -o key
[ "$(stat -c %a key)" = 600 ] && grep -qxE '[0-9a-f]{64}' key && pass || fail "keygen: $(stat -c %a key), $(cat key)"
ok "keygen 128" "$MTAES" keygen --bits=128 key128
grep -qxE '[0-9a-f]{32}' key128 && pass || fail "keygen --bits=128"
"$MTAES" keygen >key2 && ! cmp -s key key2 && pass || fail "keygen to standard output, or two equal keys"
cp key key.before
code 1 "keygen over a key" "$MTAES" keygen -o key
same "keygen over a key" key key.before

# one key in all its forms opens the same file
"$MTAES" -k key -o c.mta t
tr a-f A-F <key >upper
tr -d '\n' <key >bare
"$PYTHON" -c "import sys; sys.stdout.buffer.write(bytes.fromhex(open('key').read()))" >binary
for form in upper bare binary; do
    "$MTAES" -d -k $form -c c.mta | cmp -s - t && pass || fail "key form: $form"
done
"$MTAES" -k key128 -o c128.mta t
tr -d '\n' <key128 >bare128
"$PYTHON" -c "import sys; sys.stdout.buffer.write(bytes.fromhex(open('key128').read()))" >binary128
for form in bare128 binary128; do
    "$MTAES" -d -k $form -c c128.mta | cmp -s - t && pass || fail "key form: $form"
done

# what is no key is refused by its length, with exit code 2
for bytes in 0 1 15 17 31 34 48 63 66 128 5000; do
    head -c $bytes /dev/zero >odd
    code 2 "key of $bytes bytes" "$MTAES" -k odd -o out t
    says "key of $bytes bytes" "16 or 32"
done
{ cat bare; printf '\n\n'; } >odd; code 2 "two newlines" "$MTAES" -k odd -o out t
{ head -c 63 bare; printf 'g\n'; } >odd; code 2 "a letter g" "$MTAES" -k odd -o out t

if ! argon2; then # the rest is about passphrases: they are refused with the reason
    code 1 "no Argon2id" "$MTAES" --passphrase-file key -o out t
    says "no Argon2id" "libargon2 or with OpenSSL 3.2"
    skip "passphrases: this build has no Argon2id"
    finish
fi

# passphrases: each source, each end of line
printf 'correct horse' >p1
printf 'correct horse\n' >p2
printf 'correct horse\r\nsecond line\n' >p3
ok "passphrase file" "$MTAES" --passphrase-file p1 -o p.mta t
for file in p2 p3; do
    "$MTAES" -d --passphrase-file $file -c p.mta | cmp -s - t && pass || fail "passphrase file $file"
done
"$MTAES" -d --passphrase-fd 3 -c p.mta 3<p2 | cmp -s - t && pass || fail "--passphrase-fd"
SECRET='correct horse' "$MTAES" -d --passphrase-env SECRET -c p.mta | cmp -s - t && pass || fail "--passphrase-env"
"$MTAES" -d --passphrase-command 'cat p2' -c p.mta | cmp -s - t && pass || fail "--passphrase-command"
printf 'wrong' >pw
code 5 "wrong passphrase" "$MTAES" -d --passphrase-file pw -o out p.mta
code 5 "key file for a passphrase" "$MTAES" -d -k key -o out p.mta
says "what the file has" passphrase
absent "wrong" out
code 1 "command fails" "$MTAES" -d --passphrase-command 'cat p2; exit 9' -o out p.mta
says "command fails" "code 9"
"$MTAES" -d --passphrase-command 'cat p2; seq 200000' -c p.mta | cmp -s - t && pass || fail "command that prints much"
code 2 "command with a long line" "$MTAES" -d --passphrase-command 'head -c 5000 /dev/zero | tr "\\0" x' -c p.mta
code 2 "no variable" "$MTAES" -d --passphrase-env NO_SUCH_VARIABLE -o out p.mta
code 7 "no descriptor" "$MTAES" -d --passphrase-fd 77 -o out p.mta
: >empty
code 2 "empty passphrase" "$MTAES" --passphrase-file empty -o out t
head -c 1024 /dev/zero | tr '\0' x >long
code 2 "long passphrase" "$MTAES" --passphrase-file long -o out t
head -c 1023 long >long2
ok "longest passphrase" "$MTAES" --passphrase-file long2 -o l.mta t

# standard input is data, never a passphrase
code 2 "--passphrase-fd 0 with data" sh -c "'$MTAES' --passphrase-fd 0 <p2"
says "--passphrase-fd 0" "is the data"
ok "--passphrase-fd 0 with a file" sh -c "'$MTAES' -d --passphrase-fd 0 -o fd0 p.mta <p2"
same "--passphrase-fd 0" fd0 t
for name in /dev/stdin /dev/fd/0 /proc/self/fd/0; do
    for option in --passphrase-file -k; do
        code 2 "$option $name with data" sh -c "cat p2 t | '$MTAES' $option $name -c"
        says "$option $name with data" "is the data"
    done
done
code 2 "raw: key text from standard input" sh -c "cat p2 t | '$MTAES' raw -q --mode=ecb --key-text-file /dev/stdin"
code 2 "--passphrase-fd, standard input again" sh -c "cat p2 t | '$MTAES' --passphrase-fd 3 3<&0"
code 2 "--passphrase-fd, standard input again, file" sh -c "'$MTAES' --passphrase-fd 3 <p2 3<&0"
ok "key from standard input, data from a file" sh -c "cat key | '$MTAES' -d -k /dev/stdin -o in1 c.mta"
same "key from standard input, data from a file" in1 t
ok "passphrase from standard input, data from a file" sh -c "cat p2 | '$MTAES' -d --passphrase-file /dev/stdin -o in2 p.mta"
same "passphrase from standard input, data from a file" in2 t
"$MTAES" -k key <key | "$MTAES" -d -k key | cmp -s - key && pass || fail "the key file as data"
"$MTAES" -d --passphrase-command 'cat; cat p2' <p.mta | cmp -s - t && pass || fail "a command ate the data"

# two files under one passphrase differ in id, salts and text
ok "again" "$MTAES" --passphrase-file p1 -o q.mta t
for place in "16 40" "208 32" "8192 24" "8248 10"; do
    cmp -s -i "${place% *}" -n "${place#* }" p.mta q.mta && fail "the same at $place" || pass
done

# cost
ok "--argon2" "$MTAES" --argon2=19M:2:1 --passphrase-file p1 -o a.mta t
"$MTAES" info a.mta | grep -q 'Argon2id 19456 KiB, 2 passes, 1 lanes' && pass || fail "info of --argon2"
ok "it opens" "$MTAES" verify --passphrase-file p1 a.mta
# a slot that there is no memory for does not hide the others
if ! sanitized; then
    "$MTAES" --argon2=512M:1:1 --passphrase-file p1 -o big.mta t
    ok "second slot" "$MTAES" slot-add --passphrase-file p1 --new-passphrase-file pw --argon2=19M:2:1 big.mta
    ok "behind a slot without memory" bash -c "ulimit -v 450000; '$MTAES' verify -T 1 --passphrase-file pw big.mta"
    code 1 "slot without memory" bash -c "ulimit -v 450000; '$MTAES' verify -T 1 --passphrase-file p1 big.mta"
    says "slot without memory" "Argon2id over 524288 KiB"
fi
for cost in 0:3:4 1M:3:4 64M:0:4 64M:99:4 64M:3:0 64M:3:99 2G:1:1 1G:16:1 64M:3 x; do
    code 2 "--argon2=$cost" "$MTAES" --argon2=$cost --passphrase-file p1 -o out t
done

# the command for encryption, with -d behind it, decrypts: so tar does
for options in --suite=128 --argon2=19M:2:1 "--suite=256 --argon2=19M:2:1"; do
    # shellcheck disable=SC2086
    { "$MTAES" --passphrase-file p1 $options <t | "$MTAES" --passphrase-file p1 $options -d | cmp -s - t; } && pass ||
        fail "$options -d"
done

# usage: exit code 2, and the offending word
usage() { # WORD ARGUMENTS...
    local word=$1
    shift
    code 2 "usage: $*" "$MTAES" "$@"
    says "usage: $*" "$word"
}
usage "no key" -o out t
usage "--nonsense" --nonsense
usage "-k needs a value" -k
usage "'3x'" -T 3x -k key -o out t
usage "'-1'" -T -1 -k key -o out t
usage "'512'" --suite=512 -k key -o out t
usage "range" --range=0:1 -k key -o out t
usage "json" --json -k key -o out t
usage "argon2" decrypt --argon2=19M:2:1 -k key -o out c.mta
usage "suite" decrypt --suite=256 -k key -o out c.mta
usage "range" -d --range=0:1 -k key -o out c.mta
usage "context" --context-hex=00 -k key -o out t
usage "'0'" --bare --context-hex=0 -k key -o out t
usage "no passphrase" --bare --passphrase-file p1 -o out t
usage "suite 256 takes 32" --bare --suite=256 -k key128 -o out t
usage "one of them" -c -o out -k key t
usage "takes one input" -o out -k key t t
usage "encrypt" encrypt -d -k key t
usage "'yaml'" --progress=yaml -k key -o out t
absent "usage" out
code 0 "--help" "$MTAES" --help
code 0 "--version" "$MTAES" --version
ok "many threads" "$MTAES" -T 100000 -f -k key -o c.mta t
says "many threads" "64 are used"
ok "many threads, quiet" "$MTAES" -q -T 100000 -f -k key -o c.mta t
[ ! -s err.txt ] && pass || fail "-q: $(cat err.txt)"

# reports
"$MTAES" info --json c.mta | "$PYTHON" -c '
import json, sys
d = json.load(sys.stdin)
assert d["format"] == "mtaes" and d["version"] == 1 and d["suite"] == "Cobblestone-256"
assert d["text_bytes"] == 10 and d["slots"] == [{"slot": 0, "type": "key file"}] and d["state"] == "at rest"
' && pass || fail "info --json"
"$MTAES" -f -k key --progress=json -o c.mta t 2>lines
"$PYTHON" -c '
import json
lines = [json.loads(l) for l in open("lines")]
assert lines and lines[-1]["bytes"] == 10 and lines[-1]["total"] == 10
' && pass || fail "--progress=json: $(cat lines)"
"$MTAES" -f -v -k key -o c.mta t 2>err.txt
says "-v" "peak memory"

# every option is in the manual and in the completion, which know no others; the completion completes
tools=$srcdir/../tools
if [ -f "$tools/mtaes.1" ]; then
    sed -n 's/^    {"\([a-z0-9-]*\)", [a-z_]*, NULL.*/--\1/p' "$tools/options.c" | sort -u >known
    [ "$(wc -l <known)" -gt 30 ] && pass || fail "options not found in options.c"
    while read -r option; do
        case $option in --new-passphrase-fd | --new-passphrase-env | --new-passphrase-command) option=${option#--new-passphrase} ;; esac
        sed 's/\\-/-/g' "$tools/mtaes.1" | grep -q -e "$option" && pass || fail "$option is not in mtaes.1"
    done <known
    grep -o -e '--[a-z0-9-]*[a-z0-9]' "$tools/mtaes.bash" | grep -vx -e '--option' | sort -u >completed
    strange=$(comm -13 known completed)
    [ -z "$strange" ] && pass || fail "the completion has $strange"
    missing=$(comm -23 known completed)
    [ -z "$missing" ] && pass || fail "the completion lacks $missing"
    complete() { bash -c '. "$0"; COMP_WORDS=(mtaes "$@"); COMP_CWORD=$#; _mtaes; echo "${COMPREPLY[*]}"' "$tools/mtaes.bash" "$@" 2>/dev/null; }
    [ "$(complete cat --ra)" = --range= ] && pass || fail "completion of cat --ra: $(complete cat --ra)"
    [ "$(complete sl)" = "slot-add slot-rm" ] && pass || fail "completion of sl: $(complete sl)"
    [ "$(complete raw --mode = p)" = pcbc ] && pass || fail "completion of raw --mode=p: $(complete raw --mode = p)"
    if command -v mandoc >/dev/null; then
        for page in mtaes.1 mtaes.5; do ok "$page" mandoc -Tlint -W warning "$tools/$page"; done
    fi
fi

# D6: the prompt; D8: secrets that could not be locked, and what the process leaves in its memory
"$PYTHON" "$srcdir/tool_prompt.py" "$MTAES" && pass || fail "tool_prompt.py"
if ! sanitized && [ "$(id -u)" = 0 ] && setpriv --reuid=65534 --regid=65534 --clear-groups true 2>/dev/null; then
    chmod 755 .
    cp key nobody.key && chmod 644 nobody.key && cp "$MTAES" ./tool 2>/dev/null
    tool=$MTAES
    setpriv --reuid=65534 --regid=65534 --clear-groups "$MTAES" --version >/dev/null 2>&1 || tool=./tool
    setpriv --reuid=65534 --regid=65534 --clear-groups bash -c "ulimit -l 0; '$tool' -k nobody.key" <t >unlocked.mta 2>err.txt
    "$MTAES" -d -k key <unlocked.mta | cmp -s - t && pass || fail "no locked memory: $(cat err.txt)"
    [ "$(grep -c 'could not be locked' err.txt)" = 1 ] && pass || fail "no locked memory: one warning, not: $(cat err.txt)"
else
    skip "no locked memory: needs root, setpriv, and a tool without sanitizers"
fi
# D7: what is secret is compared in constant time, in one way: no memcmp but for the magic
if [ -d "$srcdir/../tools/file" ]; then
    found=$(cd "$srcdir/../tools" && grep -n 'memcmp\|strncmp' file/*.c verb_slots.c raw.c |
        grep -v 'CRYPTO_memcmp\|memcmp(bytes, magic, compared)\|strncmp(cipher, ')
    [ -z "$found" ] && pass || fail "compared in variable time: $found"
fi
nothing_left "secrets"
finish
