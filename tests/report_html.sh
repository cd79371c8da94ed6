#!/bin/bash
# report_html.sh: opens a report's page in headless Chromium: all there, and nothing fetched.
# SPDX-License-Identifier: BSD-2-Clause
# Usage: report_html.sh [REPORT.html]; without it a small report is made by $MTAES_BENCH (./mtaes-bench). Needs the
# Debian packages chromium and gnuplot-nox; without them it is skipped (exit code 77).
set -u
bench=${MTAES_BENCH:-./mtaes-bench}
export LC_ALL=C

for program in chromium gnuplot; do
    command -v "$program" >/dev/null || { echo "skipped: no $program here"; exit 77; }
done
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

checks=0 failed=0
# check TEXT COMMAND...: one check, which holds if the command succeeds.
check() {
    local text=$1
    shift
    checks=$((checks + 1))
    "$@" && return
    failed=$((failed + 1))
    echo "failed: $text"
}

at_least() { [ "$1" -ge "$2" ]; }
nothing() { [ -z "$1" ] || { echo "$1" | head -n 5; false; }; }

# browse PAGE DOM NETLOG: the page's elements as the browser has them, and what it asked the network for. No name
# resolves, so that not even the browser itself reaches anything.
browse() {
    timeout 120 chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
        --disable-background-networking --disable-component-update --disable-sync \
        --host-resolver-rules='MAP * ~NOTFOUND' --user-data-dir="$(mktemp -d -p "$folder")" \
        --log-net-log="$3" --dump-dom "file://$1" >"$2" 2>"$folder/chromium.log"
}

# What in a page could be fetched: any source, link, import or URL that is not a place in the page itself.
references() {
    grep -noE "(src|srcset|data|action|poster|formaction)=[\"'][^\"']*|href=[\"'][^#\"'][^\"']*|url\([\"']?[^#)\"'][^)]*|@import[^;]*|[a-z]+://[^ <]*" "$1"
}

# URLs that the browser's network asked for, its maker's own services left out.
requests() {
    grep -oE '"url":"[^"]*"' "$1" | grep -vE '"(https?|wss?)://[a-z0-9.-]*(google|googleapis|gvt1|gstatic)\.com[/:]' | sort -u
}

count() { grep -oE "$2" "$1" | wc -l; }

# ------------------------------------------------------------------------------------------------------- the report
page=${1:-}
if [ -z "$page" ]; then
    "$bench" report --quick --largest=1M --suites=tables,beecrypt --output-dir="$folder/report" >"$folder/log" 2>&1 ||
        { cat "$folder/log"; echo "failed: mtaes-bench report"; exit 1; }
    page=$folder/report/report.html
    check "the three files are there" test -s "$folder/report/report.md" -a -s "$folder/report/report.json" -a -s "$page"
    check "a folder with something in it is refused" bash -c "! '$bench' report --quick --output-dir='$folder/report' 2>/dev/null"
    check "nothing else is left beside" test "$(find "$folder" -maxdepth 1 -name 'report*' | wc -l)" -eq 1
fi
page=$(realpath "$page") || exit 1

browse "$page" "$folder/dom" "$folder/net" || { cat "$folder/chromium.log"; echo "failed: chromium"; exit 1; }
for section in machine how tables curves gecko beecrypt kernels scaling caveats; do
    check "section $section" grep -q "<section id=\"$section\">" "$folder/dom"
done
check "ten tables or more" at_least "$(count "$folder/dom" '<table>')" 10
check "fifty rows or more" at_least "$(count "$folder/dom" '<tr( |>)')" 50
check "three plots" at_least "$(count "$folder/dom" '<svg ')" 3
check "curves in the plots" at_least "$(count "$folder/dom" '<path ')" 30
check "memcpy is drawn" grep -qE '<text>.*memcpy' "$folder/dom"
check "published rows" at_least "$(count "$folder/dom" '<tr class="published">')" 8
check "no script" nothing "$(grep -n '<script' "$folder/dom")"
check "no inf or nan" nothing "$(grep -nE '>-?(inf|nan)<' "$folder/dom")"
check "every id is there once" nothing "$(grep -oE " id=[\"'][^\"']*" "$folder/dom" | sort | uniq -d)"
check "every link has its place" nothing "$(comm -13 <(grep -oE " id=\"[^\"]*" "$folder/dom" | sed 's/.*"//' | sort -u) \
    <(grep -oE "href=\"#[^\"]*" "$folder/dom" | sed 's/.*#//' | sort -u))"
check "nothing in it refers to another place" nothing "$(references "$folder/dom")"
check "nothing was fetched" nothing "$(requests "$folder/net")"

# The same page with an image from elsewhere, and without its policy: the checks above must see it.
sed -e '/Content-Security-Policy/d' -e 's|</body>|<img src="http://elsewhere.test/dot.png"></body>|' "$page" >"$folder/bad.html"
browse "$folder/bad.html" "$folder/bad-dom" "$folder/bad-net" || { cat "$folder/chromium.log"; exit 1; }
check "a reference would be seen" grep -q elsewhere.test <<<"$(references "$folder/bad-dom")"
check "a fetch would be seen" grep -q elsewhere.test <<<"$(requests "$folder/bad-net")"

echo "report_html: $checks checks, $failed failed"
[ "$failed" -eq 0 ]
