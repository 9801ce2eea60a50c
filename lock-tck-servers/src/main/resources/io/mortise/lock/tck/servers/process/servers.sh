#!/bin/sh
# SPDX-FileCopyrightText: The Mortise authors
# SPDX-License-Identifier: Apache-2.0
#
# The servers that tests need, and a clock that they can set: where the programs are, and how they get here where they are missing.
#
#   servers.sh find redis-server    tells where a program is; fetches it if need be
#   servers.sh fetch                fetches every server that is missing, one line for each; silent if none is
#
# A program is taken from the PATH and the usual places beside it, else from a private cache of unpacked Debian packages.
# Where there are apt-get and dpkg, the cache is filled with them: nothing is installed, no daemon starts, no root is
# needed. What `find` prints are three lines: the program, the root of its package (empty if the machine has it), and the
# directories of the libraries it needs besides the machine's own (LD_LIBRARY_PATH).
# If it cannot be had, one line on standard error says why and what to install, and the status is 69.
#
# MORTISE_SERVERS_CACHE is the cache; it is ${XDG_CACHE_HOME:-~/.cache}/mortise/servers by default.

set -u
export LC_ALL=C

# Which of the known servers a program belongs to.
server_of() {
    case $1 in
        redis-server | redis-cli) echo redis ;;
        memcached) echo memcached ;;
        etcd) echo etcd ;;
        mariadbd | mariadb-install-db | mariadb) echo mariadb ;;
        postgres | initdb | psql) echo postgresql ;;
        pgbouncer) echo pgbouncer ;;
        faketime) echo faketime ;;
        *) return 1 ;;
    esac
}

# The program without which there is no server.
program_of() {
    case $1 in
        redis) echo redis-server ;;
        mariadb) echo mariadbd ;;
        postgresql) echo postgres ;;
        *) echo "$1" ;;
    esac
}

packages_of() {
    case $1 in
        redis) echo redis-server redis-tools ;;
        memcached) echo libsasl2-modules memcached ;;
        etcd) echo etcd-server ;;
        mariadb) echo mariadb-server-core mariadb-client-core ;;
        *) echo "$1" ;;
    esac
}

# What a person installs.
package_of() {
    case $1 in
        redis) echo redis-server ;;
        etcd) echo etcd-server ;;
        mariadb) echo mariadb-server ;;
        *) echo "$1" ;;
    esac
}

# The places of a program below a root, the newest version last.
places() {
    for directory in "$1"/usr/local/bin "$1"/usr/local/sbin "$1"/usr/bin "$1"/usr/sbin "$1"/bin "$1"/sbin \
        "$1"/usr/libexec "$1"/usr/lib/postgresql/*/bin; do
        [ -x "$directory/$2" ] && [ ! -d "$directory/$2" ] && echo "$directory/$2"
    done | sort -V
}

# On the PATH, or in the usual places that are not on everybody's.
on_this_machine() {
    command -v "$1" 2>/dev/null || places "${MORTISE_SERVERS_ROOT:-}" "$1" | tail -n 1 | grep .
}

in_cache() {
    places "$cache/$release/$(server_of "$1")" "$1" | tail -n 1 | grep .
}

libraries() {
    found=
    for directory in "$1"/usr/lib/*-linux-gnu* "$1"/lib/*-linux-gnu* "$1"/usr/lib "$1"/lib; do
        [ -d "$directory" ] && found=$found${found:+:}$directory
    done
    echo "$found"
}

# Whether the main program below a root starts: all its libraries are there.
starts() {
    main=$(places "$1" "$2" | tail -n 1 | grep .) &&
        LD_LIBRARY_PATH=$(libraries "$1") "$main" --version </dev/null >/dev/null 2>&1
}

is_cached() {
    starts "$cache/$release/$1" "$(program_of "$1")"
}

# apt-get LOG ARGUMENT...
apt() {
    log=$work/$1
    shift
    timeout 600 apt-get -c "$work/apt.conf" "$@" </dev/null >"$log" 2>&1
}

# Private lists of packages: the machine's own may be missing, old, or not for us to change.
prepare_apt() {
    [ -e "$work/apt.conf" ] && return
    mkdir -p "$work/state/lists/partial"
    cat >"$work/apt.conf" <<END
Dir::State "$work/state";
Dir::State::status "${MORTISE_SERVERS_STATUS:-/var/lib/dpkg/status}";
Dir::Cache "$work/cache";
Debug::NoLocking "true";
APT::Sandbox::User "root";
APT::Install-Recommends "false";
Acquire::Languages "none";
Acquire::Retries "1";
Acquire::http::Timeout "20";
Acquire::https::Timeout "20";
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
END
    apt update.log --quiet=2 update
}

# Why a download failed, in the words of the program that failed.
reason() {
    if grep -q -e 'Unable to locate' -e 'no installation candidate' "$work/download.log"; then
        first_line 'Failed to fetch' "$work/update.log" && return
    fi
    first_line 'Failed to fetch' "$work/download.log" || first_line '^E:' "$work/download.log" ||
        tail -n 1 "$work/download.log" | grep . || echo "apt-get did not say why"
}

first_line() {
    grep -m 1 -e "$1" "$2" | sed -e 's/^[EW]: //' | grep .
}

# Downloads what the machine lacks of a server's packages, and unpacks it beside its place: a cache is whole or absent.
download() {
    rm -rf "$work/cache" "$work/root"
    mkdir -p "$work/cache/archives/partial" "$work/root" || return 1
    chmod 755 "$work/root"
    # shellcheck disable=SC2046 # a list of packages
    apt download.log --quiet=2 --yes --download-only install $(packages_of "$1") || return 1
    for archive in "$work"/cache/archives/*.deb; do
        case ${archive##*/} in
            libc6_* | libc-bin_*) ;; # only ever the machine's own: its loader goes with its library
            *) dpkg -x "$archive" "$work/root" </dev/null >>"$work/download.log" 2>&1 || return 1 ;;
        esac
    done
    rm -rf "$work/cache"
}

# Fills the cache with a server; sets `why` if it cannot.
fetch() {
    if ! command -v apt-get >/dev/null 2>&1 || ! command -v dpkg >/dev/null 2>&1; then
        why="there is no apt-get to fetch it with"
        return 1
    fi
    if ! { mkdir -p "$cache/$release" && : >>"$cache/lock"; } 2>/dev/null; then
        why="it cannot be fetched into $cache, which is not writable"
        return 1
    fi
    exec 9>>"$cache/lock"
    flock 9
    work=$cache/work
    is_cached "$1" && return
    # What an interrupted run left; lists that this run has got stay for its next server.
    [ -n "${fetched:-}" ] || rm -rf "$work"
    fetched=yes
    mkdir -p "$work"
    prepare_apt
    if ! download "$1"; then
        why="it cannot be fetched: $(reason)"
        return 1
    fi
    if ! starts "$work/root" "$(program_of "$1")"; then
        why="it cannot be fetched: the $(program_of "$1") of Debian's packages does not start here"
        return 1
    fi
    rm -rf "$cache/${release:?}/$1"
    mv "$work/root" "$cache/$release/$1"
}

done_fetching() {
    [ -z "${fetched:-}" ] || rm -rf "$work"
    exec 9>&-
}

find_program() {
    if path=$(on_this_machine "$1"); then
        printf '%s\n\n\n' "$path"
        return
    fi
    server=$(server_of "$1") || fail "no $1 on the PATH, and it is not known what package has it; install it"
    if ! is_cached "$server"; then
        fetch "$server"
        status=$?
        done_fetching
        [ "$status" -eq 0 ] || fail "no $1 on the PATH, and $why; install the package $(package_of "$server")"
    fi
    path=$(in_cache "$1") || fail "no $1 on the PATH, nor in Debian's packages; install the package $(package_of "$server")"
    printf '%s\n%s\n%s\n' "$path" "$cache/$release/$server" "$(libraries "$cache/$release/$server")"
}

fetch_all() {
    for server in redis memcached etcd mariadb postgresql pgbouncer faketime; do
        program=$(program_of "$server")
        on_this_machine "$program" >/dev/null && continue
        is_cached "$server" && continue
        if fetch "$server"; then
            echo "fetched $program into $cache/$release"
        else
            echo "no $program on the PATH, and $why; the tests that need it will ask for Docker or fail"
        fi
    done
    done_fetching
}

fail() {
    printf '%s\n' "$*" >&2
    exit 69
}

cache=${MORTISE_SERVERS_CACHE:-${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/mortise/servers}
# A home may be shared by machines: programs of one release do not run on another.
release=$({ . /etc/os-release && echo "$ID-${VERSION_ID:-}"; } 2>/dev/null || uname -s)-$(uname -m)

case ${1:-} in
    find) find_program "$2" ;;
    fetch) fetch_all ;;
    *) sed -n '2,/^$/s/^# \{0,1\}//p' "$0" >&2 && exit 64 ;;
esac
