# mtaes.bash: completion of mtaes for bash.
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash

_mtaes()
{
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local verbs='encrypt decrypt cat verify info keygen rewrap slot-add slot-rm raw'
    local secrets='--key-file= --passphrase --passphrase-file= --passphrase-fd= --passphrase-env=
        --passphrase-command='
    local news='--new-key-file= --new-passphrase --new-passphrase-file= --new-passphrase-fd=
        --new-passphrase-env= --new-passphrase-command= --argon2='
    local common='--quiet --verbose --help --version' words
    # bash splits --option=value into three words
    [ "$current" = = ] && current=''
    [ "$previous" = = ] && previous=${COMP_WORDS[COMP_CWORD - 2]}
    COMPREPLY=()
    case $previous in
    -k | -o | --key-file | --output | --passphrase-file | --new-key-file | --new-passphrase-file | --key-text-file)
        compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
        return ;;
    --suite | --bits) words='128 256' ;;
    --mode) words='ecb cbc pcbc cfb ofb ctr xts gecko-ctr-compat' ;;
    --cipher) words='aes aes-128 aes-192 aes-256 gecko gecko-128 gecko-192 gecko-256' ;;
    --pad) words='pkcs7 nul none' ;;
    --progress) words=json ;;
    --slot) words='0 1 2 3 4 5 6 7' ;;
    --passphrase-env | --new-passphrase-env) mapfile -t COMPREPLY < <(compgen -e -- "$current"); return ;;
    -T | --threads | --range | --iv | --unit | --kernel | --argon2 | --context-hex | *-fd | *-command) return ;;
    esac
    if [ -z "${words:-}" ] && [[ $current == -* ]]; then
        case ${COMP_WORDS[1]} in
        cat) words="$secrets --range= --output= --force --threads= --progress --bare --suite= --context-hex= --salvage" ;;
        verify) words="$secrets --threads= --progress --bare --suite= --context-hex= --salvage" ;;
        info) words='--json --bare' ;;
        keygen) words='--output= --bits= --force' ;;
        rewrap) words="$secrets $news --slot= --salvage" ;;
        slot-add) words="$secrets $news --salvage" ;;
        slot-rm) words="$secrets --slot= --salvage" ;;
        raw) words='--mode= --cipher= --key-file= --key-text-file= --iv= --pad= --hex --unit= --kernel= --decrypt
            --output= --force --threads=' ;;
        *) words="$secrets --decrypt --output= --stdout --force --threads= --progress --rm --suite= --bare
            --context-hex= --salvage --argon2=" ;;
        esac
        words+=" $common"
    fi
    if [ -n "${words:-}" ]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
        [[ ${#COMPREPLY[@]} = 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
        return
    fi
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
    [ "$COMP_CWORD" = 1 ] && mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -W "$verbs" -- "$current")
}

complete -F _mtaes mtaes
