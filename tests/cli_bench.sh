#!/bin/sh
# cli_bench.sh: mtaes-bench on the command line: wrong words, reports, exit codes.
# SPDX-License-Identifier: BSD-2-Clause
# Run in the build folder, as `make check` does; MTAES_BENCH names another program.
set -u
bench=${MTAES_BENCH:-./mtaes-bench}
[ -x "$bench" ] || { echo "no mtaes-bench in this build: skipped"; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/mtaes-cli-XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
passed=0 failed=0
python=$(command -v python3 || true)

pass() {
    passed=$((passed + 1))
}

fail() {
    failed=$((failed + 1))
    echo "FAILED: $*"
    sed 's/^/    /' "$work/err" | head -n 5
}

# verdict CODE TEXT: pass when the code is 0, else fail with the text
verdict() {
    if [ "$1" -eq 0 ]; then
        pass
    else
        shift
        fail "$@"
    fi
}

# run ARGUMENT...: into out, err, code
run() {
    "$bench" "$@" >"$work/out" 2>"$work/err"
    code=$?
}

# wrong WORD ARGUMENT...: exit 2, nothing on standard output, and a message that names the word
wrong() {
    word=$1
    shift
    run "$@"
    if [ "$code" -ne 2 ]; then
        fail "exit $code, not 2: $*"
    elif [ -s "$work/out" ]; then
        fail "wrong usage, and something on standard output: $*"
    elif ! grep -qF -- "$word" "$work/err"; then
        fail "the message does not name $word: $*"
    else
        pass
    fi
}

# good CODE ARGUMENT...: that exit code
good() {
    wanted=$1
    shift
    run "$@"
    if [ "$code" -eq "$wanted" ]; then
        pass
    else
        fail "exit $code, not $wanted: $*"
    fi
}

# has TEXT: in what the last command printed
has() {
    if grep -qF -- "$1" "$work/out"; then
        pass
    else
        fail "'$1' is not in the output of the last command"
    fi
}

# check_json RUNS: rows, summary, and that each figure follows from the others
check_json() {
    if [ -z "$python" ]; then
        echo "the figures of the report are not checked: there is no python3"
        return
    fi
    if "$python" - "$work/out" "$1" 2>"$work/err" <<'PYTHON'
import json, math, statistics, sys

report = json.load(open(sys.argv[1]), parse_constant=lambda c: sys.exit("not a number: " + c))
runs = int(sys.argv[2])
assert report["schema"] == "mtaes-bench/1" and report["command"] == "tables"
assert report["verified"] is True, "not verified"
assert isinstance(report["host"], dict) and isinstance(report["unsupported"], list)
names = ("engine", "cipher", "mode", "kernel", "threads", "bytes", "operation")
groups = {}
for row in report["rows"]:
    assert row["operation"] in ("encrypt", "decrypt")
    assert row["nanoseconds"] > 0
    rate = row["bytes"] * 1e9 / row["nanoseconds"]
    assert math.isclose(row["bytes_per_second"], rate, rel_tol=1e-6), row
    groups.setdefault(tuple(row[n] for n in names), []).append(row)
assert groups, "no rows"
for key, rows in groups.items():
    assert sorted(r["run"] for r in rows) == list(range(1, runs + 1)), (key, len(rows))
    # the other direction is there as well, or it is said why not
    other = key[:-1] + ("decrypt" if key[-1] == "encrypt" else "encrypt",)
    assert other in groups or [u for u in report["unsupported"] if u["engine"] == key[0]], key
assert len(report["summary"]) == len(groups)
for line in report["summary"]:
    times = [r["nanoseconds"] for r in groups[tuple(line[n] for n in names)]]
    near = lambda name, value: math.isclose(line[name], value, rel_tol=1e-6, abs_tol=1) or \
        sys.exit("%s is %r, not %r in %r" % (name, line[name], value, line))
    near("runs", runs)
    near("mean_ns", statistics.mean(times))
    near("median_ns", statistics.median(times))
    near("min_ns", min(times))
    near("max_ns", max(times))
    near("stddev_ns", statistics.stdev(times) if runs > 1 else 0)
    near("mean_bytes_per_second", line["bytes"] * 1e9 / statistics.mean(times))
    near("median_bytes_per_second", line["bytes"] * 1e9 / statistics.median(times))
PYTHON
    then
        pass
    else
        fail "the report's figures: $(tail -n 1 "$work/err")"
    fi
}

# ------------------------------------------------------------------------ wrong words
wrong nosuch nosuch
wrong nosuch tables nosuch
wrong extra info extra
wrong --nosuch --nosuch
wrong --nosuch info --nosuch
wrong -x -x
wrong sizes --sizes
wrong in-place --in-place=yes
for size in 0 -5 1X 4.5M 1e6 512MM K x ' 1M' 99999999999999999999 17179869184G '1M,,2M' ',' ',1M' '1M,' ''; do
    wrong "--sizes='$size'" "--sizes=$size"
done
wrong 1X --sizes=1M,1X,2M
wrong 17 --sizes=17
wrong 17 --mode=cbc --sizes=1M,17
wrong 15 --mode=xts --sizes=15
for mode in ECB ecb2 cfb8 ccm '' 'ecb,ctr'; do wrong "--mode='$mode'" "--mode=$mode"; done
for cipher in aes aes-512 AES-128 aes-0 rot13 ''; do
    wrong "--cipher='$cipher'" "--cipher=$cipher"
done
for kernel in aes aes-nosuch AES-PORTABLE ''; do wrong "--kernel='$kernel'" "--kernel=$kernel"; done
for threads in 0 -1 x 1.5 100000 18446744073709551616 '' '1,'; do
    wrong "--threads='$threads'" "--threads=$threads"
done
wrong "'x'" --threads=1,x
for engines in nosuch MTAES '' 'mtaes,'; do wrong "--engines='$engines'" "--engines=$engines"; done
wrong "'nosuch'" --engines=mtaes,nosuch
for count in 0 -1 x 2.5 1e3 99999999999 ''; do
    wrong "--runs='$count'" "--runs=$count"
    wrong "--calls='$count'" "--calls=$count"
done
for unit in 0 15 17M x -16 ''; do
    wrong "--unit='$unit'" --mode=xts --sizes=64M "--unit=$unit"
done
wrong 512 --mode=ecb --unit=512
for format in xml TEXT '' js; do wrong "--format='$format'" "--format=$format"; done
wrong xml info --format=xml
wrong --output --output=
wrong x --seed=x
wrong -1 --seed=-1
for plot in plot plot.jpg ''; do wrong "--plot='$plot'" "--plot=$plot"; done

# ---------------------------------------------------------------------------- reports
good 0 --help
has tables
good 0 tables --help
has --sizes
good 0 info --help
good 0 --version
has mtaes-bench
good 0 info
has aes-portable
good 0 info --format=json
modes=$(sed -n 's/^ *"name": "\([a-z]*\)",*$/\1/p' "$work/out" | sort -u)
for mode in ecb ctr cbc pcbc cfb ofb xts gcm; do
    echo "$modes" | grep -qx "$mode" && good 0 --runs=10 --sizes=64K,1M --mode=$mode \
        --engines=mtaes,openssl,openssl-mt,memcpy --format=json && check_json 10
done
good 0 --runs=10 --sizes=64K,1M --engines=mtaes,openssl,openssl-mt,memcpy --format=json
check_json 10
for engine in mtaes openssl openssl-mt memcpy; do has "\"engine\": \"$engine\""; done
good 0 --runs=10 --sizes=64K,1M --cipher=aes-256 --mode=ctr --in-place --threads=1,2 --calls=3 --format=json
check_json 10
good 0 --runs=1 --sizes=64K --format=json
check_json 1
# a cipher that the other engines do not have: n/a with the reason, and the rest is measured
for bits in 128 192 256; do
    for mode in ecb ctr cbc pcbc cfb ofb gcm gecko-ctr-compat; do
        good 0 --runs=2 --sizes=64K --cipher=gecko-$bits --mode=$mode --engines=mtaes,openssl,memcpy --format=json
        check_json 2
        has "has no GECKO-$bits"
    done
done
good 0 --runs=2 --sizes=64K --cipher=gecko-256 --mode=xts --format=json
check_json 2
good 0 --runs=2 --sizes=1M --mode=xts --unit=512 --format=json
check_json 2
good 0 --runs=2 --sizes=64K --kernel=aes-portable --format=json
has aes-portable
check_json 2
for format in text markdown csv; do
    good 0 --runs=2 --sizes=64K --format=$format
    [ -s "$work/out" ] && ! grep -qiwE 'nan|inf|-nan' "$work/out"
    verdict $? "$format report"
done
good 0 --runs=2 --sizes=64K --reference
good 0 tables --run=2 --size=64K # words may be cut short

# ------------------------------------------------------------- what cannot be measured
good 1 --runs=2 --sizes=64K --mode=pcbc --engines=openssl --format=json
has openssl
good 0 --runs=2 --sizes=64K --mode=cbc --engines=mtaes,openssl-mt --format=json
has unsupported
check_json 2
good 1 --runs=1 --sizes=4096G --engines=mtaes # more than there is memory

# ---------------------------------------------------------------------------- --output
echo old >"$work/report"
good 2 --sizes=0 --output="$work/report"
good 1 --runs=1 --sizes=64K --mode=pcbc --engines=openssl --output="$work/report"
[ "$(cat "$work/report")" = old ]
verdict $? "a failed run has changed the old report"
run --runs=1 --sizes=64K --output="$work/nosuch/report"
if [ "$code" -ne 0 ] && grep -qF nosuch "$work/err"; then
    pass
else
    fail "exit $code for a report in a folder that is not there"
fi
good 0 --runs=2 --sizes=64K --format=json --output="$work/report"
[ ! -s "$work/out" ]
verdict $? "a report in a file, and on standard output too"
cp "$work/report" "$work/out"
check_json 2
[ "$(find "$work" -type f | wc -l)" -eq 3 ]
verdict $? "something is left beside the report: $(ls "$work")"
if [ -w /dev/full ]; then
    "$bench" --runs=1 --sizes=64K >/dev/full 2>"$work/err"
    code=$?
    [ "$code" -eq 1 ]
    verdict $? "exit $code when standard output is full"
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
