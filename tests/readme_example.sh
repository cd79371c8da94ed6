#!/bin/sh
# readme_example.sh: the README's example compiles without a warning, and runs.
# SPDX-License-Identifier: BSD-2-Clause
set -eu
srcdir=${srcdir:-.}
[ -e .libs/libmtaes.so ] || { echo "no shared library in this build: skipped"; exit 77; }
sed -n '/^```c$/,/^```$/p' "$srcdir/README.md" | sed '/^```/d' >readme_example.c
[ -s readme_example.c ] || { echo "README.md holds no C example"; exit 1; }
${CC:-cc} -std=c11 -Wall -Wextra -Werror -I"$srcdir/include" readme_example.c -L.libs -lmtaes -o readme_example
LD_LIBRARY_PATH=.libs ./readme_example
