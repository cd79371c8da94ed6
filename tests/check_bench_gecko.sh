#!/bin/sh
# check_bench_gecko.sh: mtaes-bench gecko: exact counts at reduced passes, formats, wrong usage.
# SPDX-License-Identifier: BSD-2-Clause
# The counts are those of the original programs for the same text and seed, for each key size.
set -eu
bench=${MTAES_BENCH:-./mtaes-bench}
[ -x "$bench" ] || { echo "no $bench in this build"; exit 77; }
failures=0

fail() {
    echo "FAIL: $*"
    failures=$((failures + 1))
}

# expect CSV TEST KIND MODE KEY_BITS PASSES GECKO AES
expect() {
    found=$(printf '%s\n' "$1" | awk -F, -v test="$2" -v kind="$3" -v mode="$4" -v bits="$5" '
        $1 == test && $2 == kind && $4 == mode && $6 == bits { print $8, $11, $12 }')
    [ "$found" = "$6 $7 $8" ] || fail "$2 $3 $4 $5: passes and counts '$found', expected '$6 $7 $8'"
}

csv=$("$bench" gecko --test=diffusion --passes=256 --format=csv)
expect "$csv" diffusion '' cbc 128 256 3728798 3727852
expect "$csv" diffusion '' ecb 128 25600 1640316 1638095
expect "$csv" diffusion '' cbc 192 256 3727581 3728953
expect "$csv" diffusion '' ecb 192 25600 1639435 1638884
expect "$csv" diffusion '' cbc 256 256 3728490 3729179
expect "$csv" diffusion '' ecb 256 25600 1637097 1636629

csv=$("$bench" gecko --test=confusion --passes=256 --format=csv)
expect "$csv" confusion '' cbc 128 256 3736690 3733947
expect "$csv" confusion '' ecb 128 25600 1638140 1638622
expect "$csv" confusion '' cbc 192 256 3736570 3736368
expect "$csv" confusion '' ecb 192 25600 1638898 1637990
expect "$csv" confusion '' cbc 256 256 3734873 3734665
expect "$csv" confusion '' ecb 256 25600 1636704 1639351

csv=$("$bench" gecko --test=duplicates --passes=4096 --format=csv)
expect "$csv" duplicates expanded-key '' 128 4096 246058 247121
expect "$csv" duplicates round-key '' 128 64 1024512 982272
expect "$csv" duplicates expanded-key '' 192 4096 344447 346122
expect "$csv" duplicates round-key '' 192 64 1393664 1388288
expect "$csv" duplicates expanded-key '' 256 4096 459641 457258
expect "$csv" duplicates round-key '' 256 64 1836032 1836032

# Another seed and a random bit give other counts, and the same ones each time.
other=$("$bench" gecko --test=diffusion --passes=4 --key-bits=128 --seed=1 --format=csv)
plain=$("$bench" gecko --test=diffusion --passes=4 --key-bits=128 --format=csv)
random=$("$bench" gecko --test=diffusion --passes=4 --key-bits=128 --random-bit --format=csv)
again=$("$bench" gecko --test=diffusion --passes=4 --key-bits=128 --random-bit --format=csv)
[ "$other" != "$plain" ] || fail "--seed changes nothing"
[ "$random" != "$plain" ] || fail "--random-bit changes nothing"
[ "$random" = "$again" ] || fail "--random-bit is not the same each time"

# All tests, all formats: the pairs are there, and every number is one.
for format in text markdown csv json; do
    all=$("$bench" gecko --passes=1 --key-bits=192 --format=$format) || fail "all, $format: exit $?"
    for word in speed size key-setup diffusion confusion duplicates bytewise portable; do
        case $all in *$word*) ;; *) fail "all, $format: no '$word'" ;; esac
    done
    case $all in *nan*) fail "all, $format: nan" ;; esac
    printf '%s\n' "$all" | grep -qiE '(^|[ ,:-])inf([ ,]|$)' && fail "all, $format: inf"
done
case $all in *'"verified": true'*) ;; *) fail "json: not verified" ;; esac

# wrong_usage WORD OPTION...: exit 2, and the word is named.
wrong_usage() {
    word=$1
    shift
    code=0
    message=$("$bench" gecko "$@" 2>&1 >/dev/null) || code=$?
    [ "$code" = 2 ] || fail "gecko $*: exit $code, expected 2"
    case $message in *"$word"*) ;; *) fail "gecko $*: '$word' is not named: $message" ;; esac
}
wrong_usage "'spead'" --test=spead
wrong_usage "'129'" --key-bits=129
wrong_usage "'192x'" --key-bits=128,192x
wrong_usage "'0'" --passes=0
wrong_usage "'x'" --passes=x
wrong_usage "'4294967296'" --seed=4294967296
wrong_usage "'xml'" --format=xml
wrong_usage "'extra'" extra

echo "check_bench_gecko: $failures failures"
[ "$failures" = 0 ]
