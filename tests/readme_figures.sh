#!/bin/sh
# readme_figures.sh: README.md's measured tables are what the recorded report gives.
# SPDX-License-Identifier: BSD-2-Clause
srcdir=${srcdir:-.}
command -v python3 >/dev/null || { echo "skipped: there is no python3"; exit 77; }
python3 "$srcdir/tools/readme-figures" --check || exit 1
# and the check sees a changed figure
report=$(ls "$srcdir"/bench/results/*/report.json | tail -n 1)
sed '/figures: begin/,/figures: end/s/| ECB | [0-9]/| ECB | 99/' "$srcdir/README.md" >readme_figures.md
if python3 "$srcdir/tools/readme-figures" --check "$report" readme_figures.md 2>/dev/null; then
    echo "a changed figure is not seen"
    exit 1
fi
rm -f readme_figures.md
