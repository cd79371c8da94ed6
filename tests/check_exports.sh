#!/bin/sh
# check_exports.sh: what the shared library exports, needs, and where wide instructions stand.
# SPDX-License-Identifier: BSD-2-Clause
# Run in the build folder, as `make check` does; srcdir is the source's.
set -u
srcdir=${srcdir:-.}
library=.libs/libmtaes.so
[ -e "$library" ] || { echo "no shared library in this build: skipped"; exit 77; }
bad=0

# Exactly the functions that mtaes.h marks MTAES_API.
sed -e 's/^MTAES_API.*[ *]\(mtaes_[a-z_0-9]*\)(.*/\1/p' -n "$srcdir/include/mtaes.h" | sort >exports.wanted
nm -D --defined-only "$library" | awk '$2 != "A" {sub(/@.*/, "", $3); print $3}' | sort >exports.found
[ -s exports.wanted ] || { echo "no MTAES_API line was found in mtaes.h"; bad=1; }
if ! diff exports.wanted exports.found; then
    echo "mtaes.h declares (<) other functions than $library exports (>)"
    bad=1
fi

# libc, and libgomp where OpenMP is on.
needed=$(readelf -d "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\].*/\1/p')
for name in $needed; do
    case $name in
    libc.so.* | libgomp.so.* | libomp.so.*) ;;
    *) echo "$library needs $name: only libc, and libgomp for OpenMP, may be"; bad=1 ;;
    esac
done
readelf -d "$library" | grep -q 'SONAME.*libmtaes.so.0' || { echo "$library has no soname libmtaes.so.0"; bad=1; }

# VEX and EVEX instructions only in the kernels that are entered when the CPU has them. (xgetbv is no such instruction.)
objects=0
for object in $(find engine -name '*libmtaes_la-*.o' ! -path '*/.libs/*'); do
    objects=$((objects + 1))
    case $object in
    *vaes* | *vpclmul* | *avx*) continue ;;
    esac
    if objdump -d --no-show-raw-insn "$object" | awk -F'\t' '$2 ~ /^v[a-z]/ && $2 !~ /^ver[rw]/ {print; found = 1} END {exit !found}' | head -n 3 |
        grep .; then
        echo "$object holds AVX instructions, but may run on a CPU without"
        bad=1
    fi
done
[ "$objects" -gt 10 ] || { echo "only $objects objects were found: is this the build folder?"; bad=1; }
[ "$bad" -eq 0 ] && echo "$(wc -l <exports.found) exports, needs $needed, $objects objects looked at"
exit "$bad"
