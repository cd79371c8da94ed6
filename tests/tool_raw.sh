#!/usr/bin/env bash
# tool_raw.sh: raw: byte for byte as openssl enc, published vectors, another tool's check values, refusals.
# SPDX-License-Identifier: BSD-2-Clause
. "$(dirname "$0")/tool_lib.sh"
IV=000102030405060708090a0b0c0d0e0f
raw() { "$MTAES" raw -q "$@"; }

# openssl enc -K -iv has the mode: the same bytes, both ways, all key lengths, sizes around a piece
for bits in 128 192 256; do
    head -c $((bits / 4)) /dev/zero | tr '\0' 5 >key
    hex=$(cat key)
    for mode in ecb cbc cfb ofb ctr; do
        iv="--iv $IV"
        oiv="-iv $IV"
        [ $mode = ecb ] && iv='' oiv=''
        for size in 0 1 15 16 17 31 32 33 1000 65536 4194303 4194304 4194305 8388624; do
            [ $size -gt 1000 ] && [ $bits = 192 ] && continue
            bytes $size >text
            # shellcheck disable=SC2086
            openssl enc -aes-$bits-$mode -K "$hex" $oiv -in text -out wanted
            # shellcheck disable=SC2086
            raw --mode=$mode -k key $iv <text >got
            same "$bits $mode $size" got wanted
            # shellcheck disable=SC2086
            raw -d --mode=$mode -k key $iv <wanted | cmp -s - text && pass || fail "$bits $mode $size back"
        done
        # no padding
        bytes 4800 >text
        # shellcheck disable=SC2086
        openssl enc -nopad -aes-$bits-$mode -K "$hex" $oiv -in text -out wanted
        # shellcheck disable=SC2086
        raw --mode=$mode -k key --pad=none $iv <text | cmp -s - wanted && pass || fail "$bits $mode unpadded"
        # shellcheck disable=SC2086
        raw -d --mode=$mode -k key --pad=none $iv <wanted | cmp -s - text && pass || fail "$bits $mode unpadded back"
    done
done
bytes 3000000 >text
printf '%064d' 7 >key
dd if=text bs=7777 status=none | raw --mode=cbc -k key --iv $IV -T 2 >got
openssl enc -aes-256-cbc -K "$(cat key)" -iv $IV -in text | cmp -s - got && pass || fail "pieces from a pipe"

# SIMD-MT-AES: key text filled with blanks or cut at 16, NUL padding, hexadecimal; files: PKCS #7
simd() { # KEY TEXT HEX
    printf '%s' "$1" >key.text
    [ "$(printf '%s' "$2" | raw --mode=ecb --key-text-file key.text --pad=nul --hex)" = "$3" ] && pass || fail "SIMD-MT-AES $1"
    [ "$(printf '%s' "$3" | raw -d --mode=ecb --key-text-file key.text --pad=nul --hex)" = "$2" ] && pass || fail "SIMD-MT-AES $1 back"
    # as that tool prints it: all bytes, NUL included
    printf '%s' "$3" | raw -d --mode=ecb --key-text-file key.text --pad=none --hex >all
    [ "$(stat -c %s all)" = $((${#3} / 2)) ] && [ "$(tr -d '\0' <all)" = "$2" ] && pass || fail "SIMD-MT-AES $1: all bytes"
}
simd mysecretkey123456 'Hello, World!' c080664469a3770e8424cdd0e6bb9e21
simd k hi 37f3524e7c6be0cb37531cd75e6fdb62
simd 0123456789abcdef 0123456789abcdef 72727e881edcfd0100a718687909b5650b9b15da4b44a0f5151dcfc4c01f35d5
printf '%s' 'mysecretkey12345' >raw16
bytes 1000 >text
raw --mode=ecb --key-text-file key.text -o f.enc text
openssl enc -aes-128-ecb -K "$(printf '%s' 0123456789abcdef | od -An -tx1 | tr -d ' \n')" -in text | cmp -s - f.enc && pass ||
    fail "SIMD-MT-AES: files"
[ "$(printf 'Hello, World!' | raw --mode=ecb -k raw16 --pad=nul --hex)" = c080664469a3770e8424cdd0e6bb9e21 ] && pass || fail "16 raw bytes"

# XTS in units, whatever the piece: unit by unit as openssl's library does, by way of python
"$PYTHON" "$srcdir/tool_raw_vectors.py" "$MTAES" "$srcdir" && pass || fail "tool_raw_vectors.py"

# Gecko's own counter, whose key stream comes round after 64 KiB: up to there, and no further
bytes 65536 >text
ok "gecko-ctr-compat" raw --mode=gecko-ctr-compat --cipher=gecko -k key --iv $IV -f -o got text
ok "gecko-ctr-compat back" raw -d --mode=gecko-ctr-compat --cipher=gecko -k key --iv $IV -o back got
same "gecko-ctr-compat" back text
cmp -s got text && fail "gecko-ctr-compat: it is the text" || pass
bytes 65537 >text
code 1 "gecko-ctr-compat past 64 KiB" "$MTAES" raw -q --mode=gecko-ctr-compat --cipher=gecko -k key --iv $IV -o far text
absent "gecko-ctr-compat past 64 KiB" far
code 1 "gecko-ctr-compat with AES" "$MTAES" raw -q --mode=gecko-ctr-compat -k key --iv $IV -o far text
absent "gecko-ctr-compat with AES" far
bytes 1000 >text

# it says what it lacks, and -q keeps it quiet
printf x | "$MTAES" raw --mode=ecb -k key 2>err.txt >/dev/null
says "raw ecb" "no authentication"
says "raw ecb" "equal blocks"
printf x | "$MTAES" raw --mode=cbc --cipher=gecko -k key --iv $IV 2>err.txt >/dev/null
says "raw gecko" "Gecko has no published analysis"
printf x | raw --mode=ctr -k key --iv $IV 2>err.txt >/dev/null
[ ! -s err.txt ] && pass || fail "-q: $(cat err.txt)"

# refusals
bad() { # CODE WORD ARGUMENTS...
    local wanted=$1 word=$2
    shift 2
    code "$wanted" "raw $*" "$MTAES" raw -q "$@" text
    says "raw $*" "$word"
}
printf '%032d' 7 >k128
printf '%064d' 0 >kequal
head -c 64 /dev/zero >k64
bad 2 "--mode" -k key
bad 2 "'gcm'" --mode=gcm -k key --iv $IV
bad 2 "'cfb8'" --mode=cfb8 -k key --iv $IV
bad 2 "32 hexadecimal" --mode=cbc -k key
bad 2 "32 hexadecimal" --mode=cbc -k key --iv 00
bad 2 "32 hexadecimal" --mode=cbc -k key --iv 0g0102030405060708090a0b0c0d0e0f
bad 2 "takes none" --mode=ecb -k key --iv $IV
bad 2 "needs no padding" --mode=ctr -k key --iv $IV --pad=pkcs7
bad 2 "'zero'" --mode=cbc -k key --iv $IV --pad=zero
bad 2 "'des'" --mode=cbc --cipher=des -k key --iv $IV
bad 2 "takes\|is right" --mode=cbc --cipher=aes-256 -k k128 --iv $IV
bad 2 "32 or 64" --mode=xts -k k128 --iv $IV
bad 2 "." --mode=xts -k kequal --iv $IV
bad 2 "." --mode=xts -k k64 --iv $IV
bad 2 "'8'" --mode=xts --unit=8 -k key --iv $IV
bad 2 "xts only" --mode=cbc --unit=512 -k key --iv $IV
bad 1 "multiple of 16" --mode=cbc --pad=none -k key --iv $IV
bad 3 "multiple of 16" -d --mode=cbc -k key --iv $IV
bytes 1008 >text
bad 3 "PKCS #7" -d --mode=cbc -k key --iv $IV
bad 3 "hexadecimal digit" -d --mode=cbc --hex -k key --iv $IV
printf 'abc' >text
bad 3 "odd number" -d --mode=ctr --hex -k key --iv $IV
: >text
bad 3 "PKCS #7" -d --mode=cbc -k key --iv $IV
bytes 520 >text
bad 1 "the last unit" --mode=xts -k key --iv $IV
absent "raw" text.mta
nothing_left "raw"
finish
