#!/usr/bin/env bash
# tool_recipes.sh: the backup recipes of README.md, each where its programs are installed.
# SPDX-License-Identifier: BSD-2-Clause
. "$(dirname "$0")/tool_lib.sh"
set -o pipefail
PATH=$(dirname "$MTAES"):$PATH
# under whatever name it was built, the recipes call it mtaes
[ "$(basename "$MTAES")" = mtaes ] || { mkdir bin && ln -s "$MTAES" bin/mtaes && PATH=$PWD/bin:$PATH; }
mtaes keygen -o key.txt || exit 1
mkdir -p dir/sub
bytes 3000000 >dir/sub/a
printf 'text\n' >dir/b

have() {
    command -v "$1" >/dev/null && return
    skip "$1 is not installed"
    return 1
}

# tar and zstd
if have zstd; then
    tar -c dir | zstd -q | mtaes -k key.txt >backup.tar.zst.mta && pass || fail "tar | zstd | mtaes"
    mkdir out1 && mtaes -d -k key.txt <backup.tar.zst.mta | zstd -dq | tar -x -C out1 && diff -r dir out1/dir && pass ||
        fail "mtaes -d | zstd -d | tar -x"
fi
tar -I 'mtaes -k key.txt' -cf backup.tar.mta dir && pass || fail "tar -I -c"
mkdir out2 && tar -I 'mtaes -k key.txt' -xf backup.tar.mta -C out2 && diff -r dir out2/dir && pass || fail "tar -I -x"

tar -I 'mtaes --suite=128 --argon2=19M:2:1 -k key.txt' -cf backup128.tar.mta dir && pass || fail "tar -I -c with --suite"
mkdir out128 && tar -I 'mtaes --suite=128 --argon2=19M:2:1 -k key.txt' -xf backup128.tar.mta -C out128 &&
    diff -r dir out128/dir && pass || fail "tar -I -x with --suite"

# pg_dump, with a server of our own on a socket in the scratch folder
if have pg_dump && have pg_restore; then
    bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -n 1)
    as=''
    [ "$(id -u)" = 0 ] && as="setpriv --reuid=postgres --regid=postgres --clear-groups env HOME=/tmp"
    if [ -x "$bin/initdb" ] && { [ -z "$as" ] || id postgres >/dev/null 2>&1; }; then
        mkdir pg && chmod 755 . && { [ -z "$as" ] || chown postgres pg; }
        # shellcheck disable=SC2086
        $as "$bin/initdb" -D pg/data -A trust -N >/dev/null 2>&1 &&
            $as "$bin/pg_ctl" -s -w -D pg/data -l pg/log -o "-k $PWD/pg -c listen_addresses='' -F" start
        # shellcheck disable=SC2086
        sql() { $as psql -h "$PWD/pg" -qAt "$@"; }
        sql -d postgres -c 'create database one' -c 'create database two'
        sql -d one -c 'create table t as select i, md5(i::text) from generate_series(1, 20000) i'
        # shellcheck disable=SC2086
        $as pg_dump -h "$PWD/pg" -Fc one | mtaes -k key.txt -o one.dump.mta && pass || fail "pg_dump | mtaes"
        # shellcheck disable=SC2086
        mtaes cat -k key.txt one.dump.mta | $as pg_restore -h "$PWD/pg" -d two && pass || fail "mtaes | pg_restore"
        question='select count(*), md5(string_agg(md5, $$ $$ order by i)) from t'
        [ -n "$(sql -d one -c "$question")" ] && [ "$(sql -d one -c "$question")" = "$(sql -d two -c "$question")" ] && pass ||
            fail "pg_restore: another table"
        # shellcheck disable=SC2086
        $as "$bin/pg_ctl" -s -D pg/data -m immediate stop
    else
        skip "no PostgreSQL server"
    fi
fi

# rclone, to a remote that is a folder
if have rclone; then
    export RCLONE_CONFIG=$PWD/rclone.conf
    printf '[remote]\ntype = alias\nremote = %s/store\n' "$PWD" >rclone.conf
    mkdir store
    tar -c dir | mtaes -k key.txt | rclone rcat remote:backup.tar.mta 2>/dev/null && pass || fail "mtaes | rclone rcat"
    mkdir out3 && rclone cat remote:backup.tar.mta | mtaes -d -k key.txt | tar -x -C out3 && diff -r dir out3/dir && pass ||
        fail "rclone cat | mtaes -d"
fi

# restic
if have restic; then
    export RESTIC_REPOSITORY=$PWD/repository RESTIC_PASSWORD=unimportant RESTIC_CACHE_DIR=$PWD/cache
    restic -q init
    tar -c dir | mtaes -k key.txt | restic -q backup --stdin --stdin-filename dir.tar.mta && pass || fail "mtaes | restic"
    mkdir out4 && restic -q dump latest dir.tar.mta | mtaes -d -k key.txt | tar -x -C out4 && diff -r dir out4/dir && pass ||
        fail "restic dump | mtaes -d"
fi
nothing_left "recipes"
finish
