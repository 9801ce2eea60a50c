#!/bin/sh
# SPDX-FileCopyrightText: The Mortise authors
# SPDX-License-Identifier: Apache-2.0
#
# Makes packages of the mortise command that need no Java, for machines like this one:
#
#   packages.sh JAR VERSION DIRECTORY
#
#   mortise-VERSION-linux-MACHINE.tar.gz   to unpack anywhere; bin/mortise is the command
#   mortise_VERSION_MACHINE.deb            for Debian and Ubuntu
#   mortise-VERSION-MACHINE.oci.tar        the layout of an OCI image, for podman, skopeo and registries
#
# JAR is the jar with everything. With a Java runtime from jlink it becomes one image, beside which lie the classes that
# the command loads, in the form that a JVM maps into memory. Unlike such an archive for a jar, this one may be moved.
#
# Needs Linux, a JDK with jlink (that of JAVA_HOME, else of the PATH), and for the last two Debian's dpkg-deb and apt-get:
# where these are missing, one line says what is not made. SOURCE_DATE_EPOCH is the time of all files; it is that of JAR by
# default.

set -eu
export LC_ALL=C
umask 022

fail() {
    printf 'packages: %s\n' "$*" >&2
    exit 1
}

[ $# -eq 3 ] || fail "usage: packages.sh JAR VERSION DIRECTORY"
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
jar=$(readlink -f "$1")
version=$2
mkdir -p "$3"
output=$(CDPATH='' cd -- "$3" && pwd -P)
work=$output/work
jdk=${JAVA_HOME:-$(readlink -f "$(command -v javac)" | sed 's#/bin/javac$##')}
[ -f "$jar" ] || fail "no $1: build it first"
[ -x "$jdk/bin/jlink" ] || fail "the JDK in $jdk has no jlink: use one that has (Debian: openjdk-17-jdk-headless)"
[ "$(uname -s)" = Linux ] || fail "packages are made on Linux only, where 'mortise run' works"
feature=$("$jdk/bin/java" -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java\.specification\.version = //p')
epoch=${SOURCE_DATE_EPOCH:-$(stat -c %Y "$jar")}

machine=$(uname -m)
case $machine in
    x86_64) architecture=amd64 ;;
    aarch64) architecture=arm64 ;;
    *) fail "no package is made for a $machine" ;;
esac

# What the command and the drivers use of the JDK. Without jdk.jfr no library can start the flight recorder.
modules='java.base java.logging java.management java.naming java.net.http java.security.jgss java.security.sasl java.sql
    jdk.crypto.ec jdk.httpserver jdk.naming.dns jdk.security.jgss jdk.unsupported'

# What JUnit looks for in the module although nobody here serves it.
uses='org.junit.platform.commons.support.scanning.ClasspathScanner org.junit.platform.launcher.LauncherDiscoveryListener
    org.junit.platform.launcher.LauncherInterceptor org.junit.platform.launcher.LauncherSessionListener
    org.junit.platform.launcher.PostDiscoveryFilter org.junit.jupiter.api.extension.Extension'

# pack DIRECTORY CHILD: the files get one time and one owner, so that a package is the same whenever it is made.
pack() {
    tar --create --sort=name --mtime="@$epoch" --owner=0 --group=0 --numeric-owner --directory "$1" "$2"
}

# All of the jar as one module: packages that several libraries share do no harm there, and it is open to reflection.
make_module() {
    mkdir -p "$work/module" "$work/descriptor"
    (
        cd "$work/module"
        "$jdk/bin/jar" --extract --file "$jar"
        # Of classes in several versions, those for this JDK.
        for known in $(ls META-INF/versions | sort -n); do
            [ "$known" -gt "$feature" ] || cp -R "META-INF/versions/$known/." .
        done
        rm -rf META-INF/versions
        find org/sqlite/native -mindepth 2 -maxdepth 2 ! -path "org/sqlite/native/Linux/$machine" -exec rm -r {} +
        {
            echo "open module mortise {"
            for module in $modules; do
                [ "$module" = java.base ] || echo "    requires $module;"
            done
            for service in $uses; do
                echo "    uses $service;"
            done
            for file in META-INF/services/*; do
                service=${file##*/}
                # Some libraries serve others that are not here.
                case $service in
                    java.*) ;;
                    *) [ -f "$(echo "$service" | tr . /).class" ] || continue ;;
                esac
                providers=$(sed -e 's/#.*//' -e 's/[[:space:]]//g' -e '/^$/d' -e 's/[$]/./g' "$file" | sort -u |
                    paste -s -d ,)
                echo "    uses $service;"
                [ -z "$providers" ] || echo "    provides $service with $providers;"
            done
            echo "}"
        } >"$work/module-info.java"
    )
    "$jdk/bin/javac" -Xlint:none -nowarn -d "$work/descriptor" --patch-module "mortise=$work/module" "$work/module-info.java" \
        >"$work/javac" 2>&1 || fail "the jar does not become a module: $(cat "$work/javac")"
    mv "$work/descriptor/module-info.class" "$work/module"
    "$jdk/bin/jar" --create --file "$work/mortise.jar" --main-class io.mortise.lock.cli.Main \
        --module-version "$version" -C "$work/module" .
}

# Runs the command of the package, whatever becomes of it, with one more option of the JVM.
trained() {
    option=$1
    shift
    XDG_STATE_HOME=$work/state HOME=$work "$home/runtime/bin/java" "$option" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC \
        "-Dorg.sqlite.lib.path=$home/runtime/lib" -m mortise/io.mortise.lock.cli.Main "$@" </dev/null >/dev/null 2>&1 || true
}

make_runtime() {
    # SQLite's library is native; newer Javas warn of that unless they are told.
    options=
    [ "$feature" -lt 22 ] || options=--add-options=--enable-native-access=mortise
    # shellcheck disable=SC2046,SC2086 # lists of words, or none
    "$jdk/bin/jlink" --module-path "$work/mortise.jar" --add-modules "mortise,$(echo $modules | tr ' ' ',')" \
        $options --strip-java-debug-attributes --no-header-files --no-man-pages --output "$home/runtime" ||
        fail "jlink could not make a runtime"
    cp "$work/module/org/sqlite/native/Linux/$machine/libsqlitejdbc.so" "$home/runtime/lib"
    # Servers that are not there are enough to load the classes of their drivers.
    trained "-XX:DumpLoadedClassList=$work/classes.1" run --at-least 1ms archive -- true
    trained "-XX:DumpLoadedClassList=$work/classes.2" ls
    trained "-XX:DumpLoadedClassList=$work/classes.3" ls --store redis://127.0.0.1:1
    trained "-XX:DumpLoadedClassList=$work/classes.4" ls --store jdbc:postgresql://127.0.0.1:1/none
    trained "-XX:DumpLoadedClassList=$work/classes.5" ls --store jdbc:mariadb://127.0.0.1:1/none
    # Numbers of classes are those of one list.
    awk '/^#/ || / source: / { next } { sub(/ id: [0-9]+$/, "") } !known[$0]++' "$work"/classes.? >"$work/classes"
    [ "$(wc -l <"$work/classes")" -gt 2000 ] || fail "the command of the package does not start"
    "$home/runtime/bin/java" -Xshare:dump -XX:TieredStopAtLevel=1 -Xlog:disable "-XX:SharedClassListFile=$work/classes" \
        "-XX:SharedArchiveFile=$home/runtime/lib/server/classes.jsa" -m mortise/io.mortise.lock.cli.Main >"$work/dump" 2>&1 ||
        fail "the classes could not be archived; $work/dump says why"
}

make_home() {
    name=mortise-$version-linux-$machine
    home=$work/$name
    mkdir -p "$home/bin" "$home/lib" "$home/share/man/man1" "$home/share/bash-completion/completions"
    make_module
    make_runtime
    cp "$here/../dist/bin/mortise" "$home/bin/mortise"
    chmod 755 "$home/bin/mortise"
    cp "$here/../dist/lib/line.pl" "$home/lib"
    cp "$here/README" "$here/../../../../LICENSE" "$home"
    # What the libraries in the module say of their licences.
    mkdir "$home/legal"
    find "$work/module/META-INF" -maxdepth 1 \( -name 'LICENSE*' -o -name 'NOTICE*' -o -name licenses \) \
        -exec cp -R {} "$home/legal" \;
    "$home/bin/mortise" manual >"$home/share/man/man1/mortise.1"
    "$home/bin/mortise" completion >"$home/share/bash-completion/completions/mortise"
}

make_archive() {
    pack "$work" "$name" | gzip -n >"$output/$name.tar.gz"
    echo "$output/$name.tar.gz"
}

# The Debian packages of the libraries that the runtime takes from the system. A package may know a library by its place
# before /lib became a link to /usr/lib.
libraries() {
    find "$home/runtime" -name '*.so' -exec ldd {} + 2>/dev/null | sed -n 's/.* => \(\/[^ ]*\) .*/\1/p' | sort -u |
        grep -v "^$home" | while read -r library; do
        real=$(readlink -f "$library")
        dpkg-query --search "$real" 2>/dev/null || dpkg-query --search "${real#/usr}" 2>/dev/null ||
            fail "no package has $library, which the runtime needs"
    done | sed 's/[:,].*//' | sort -u
}

make_tree() {
    tree=$work/tree
    mkdir -p "$tree/usr/lib/mortise" "$tree/usr/bin" "$tree/usr/share/doc/mortise"
    cp -a "$home/bin" "$home/legal" "$home/lib" "$home/runtime" "$tree/usr/lib/mortise"
    cp -a "$home/share/man" "$home/share/bash-completion" "$tree/usr/share"
    gzip -9n "$tree/usr/share/man/man1/mortise.1"
    ln -s ../lib/mortise/bin/mortise "$tree/usr/bin/mortise"
    cp "$here/copyright" "$tree/usr/share/doc/mortise/copyright"
}

make_deb() {
    root=$work/deb
    cp -a "$tree" "$root"
    mkdir "$root/DEBIAN"
    # Before the release, in Debian's order.
    debian=$(echo "$version" | sed 's/-SNAPSHOT/~snapshot/')
    c_library=$(dpkg-query --show --showformat '${Version}' libc6 | sed 's/-.*//')
    cat >"$root/DEBIAN/control" <<END
Package: mortise
Version: $debian
Architecture: $architecture
Maintainer: The Mortise authors <mortise@mortise.invalid>
Installed-Size: $(du -k -s "$tree" | cut -f 1)
Depends: libc6 (>= $c_library), perl-base$(echo "$libraries" | sed -e '/^libc6$/d' -e 's/^/, /' | tr -d '\n')
Section: admin
Priority: optional
Description: run a command under a distributed lock
 mortise runs a job on one host at a time: it holds a lock in Redis, in a
 database, in ZooKeeper or in memcached while the job runs, and ends the job
 before the lock ends. It also shows who holds what.
END
    find "$root" -exec touch --no-dereference --date="@$epoch" {} +
    file=$output/mortise_${debian}_$architecture.deb
    dpkg-deb --root-owner-group -Zxz -z3 --build "$root" "$file" >"$work/dpkg-deb" 2>&1 ||
        fail "dpkg-deb failed: $(cat "$work/dpkg-deb")"
    echo "$file"
}

# apt_get COMMAND...: with lists of its own, and as if nothing were installed.
apt_get() {
    mkdir -p "$work/apt/lists/partial" "$work/apt/archives/partial"
    : >"$work/apt/status"
    apt-get -o "Dir::State=$work/apt" -o "Dir::State::status=$work/apt/status" -o "Dir::Cache=$work/apt" \
        -o Debug::NoLocking=true -o APT::Sandbox::User=root -o APT::Install-Recommends=false -o Acquire::Languages=none \
        --yes --quiet=2 "$@" </dev/null >>"$work/apt/log" 2>&1
}

# The root of a small Debian: a shell, the usual small commands, perl, and the libraries of the runtime.
make_base() {
    base=$work/base
    mkdir -p "$base/usr/bin" "$base/usr/sbin" "$base/usr/lib" "$base/usr/lib64" "$base/etc" "$base/dev" "$base/proc" "$base/sys" "$base/tmp" "$base/var/lib/mortise"
    for link in bin sbin lib lib64; do ln -s "usr/$link" "$base/$link"; done
    # shellcheck disable=SC2086 # a list of packages
    apt_get update && apt_get --download-only install base-files coreutils dash perl-base $libraries || return 1
    for package in "$work"/apt/archives/*.deb; do
        dpkg-deb --fsys-tarfile "$package" | tar --extract --keep-directory-symlink --directory "$base" || return 1
    done
    rm -rf "$base/usr/share/doc" "$base/usr/share/man" "$base/usr/share/locale" "$base/var/cache" "$base/var/log"
    [ -e "$base/usr/bin/sh" ] || ln -s dash "$base/usr/bin/sh"
    printf 'root:x:0:0:root:/root:/bin/sh\nmortise:x:10001:10001:mortise:/var/lib/mortise:/bin/sh\n' >"$base/etc/passwd"
    printf 'root:x:0:\nmortise:x:10001:\n' >"$base/etc/group"
    chmod 1777 "$base/tmp"
    # Whatever user a container runs as keeps its locks here unless it is given a store.
    chmod 1777 "$base/var/lib/mortise"
}

# blob FILE: puts it where its digest says, and tells digest and size.
blob() {
    digest=$(sha256sum "$1" | cut -d ' ' -f 1)
    size=$(stat -c %s "$1")
    mv "$1" "$layout/blobs/sha256/$digest"
}

# layer TREE: adds it to the image.
layer() {
    pack "$1" . >"$work/layer.tar"
    diffs=$diffs${diffs:+,}\"sha256:$(sha256sum "$work/layer.tar" | cut -d ' ' -f 1)\"
    gzip -n "$work/layer.tar"
    blob "$work/layer.tar.gz"
    layers=$layers${layers:+,}{\"mediaType\":\"application/vnd.oci.image.layer.v1.tar+gzip\",\"digest\":\"sha256:$digest\",\"size\":$size}
}

make_image() {
    layout=$work/image
    mkdir -p "$layout/blobs/sha256"
    layers= diffs=
    layer "$base"
    layer "$tree"
    created=$(date --utc --date="@$epoch" +%Y-%m-%dT%H:%M:%SZ)
    cat >"$work/config" <<END
{"created":"$created","architecture":"$architecture","os":"linux",
"config":{"User":"10001:10001","Env":["PATH=/usr/local/bin:/usr/bin:/bin","STATE_DIRECTORY=/var/lib/mortise"],
"Entrypoint":["/usr/bin/mortise"],"Cmd":["--help"],
"Labels":{"org.opencontainers.image.title":"mortise","org.opencontainers.image.version":"$version",
"org.opencontainers.image.licenses":"Apache-2.0"}},
"rootfs":{"type":"layers","diff_ids":[$diffs]}}
END
    blob "$work/config"
    cat >"$work/manifest" <<END
{"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json",
"config":{"mediaType":"application/vnd.oci.image.config.v1+json","digest":"sha256:$digest","size":$size},
"layers":[$layers]}
END
    blob "$work/manifest"
    cat >"$layout/index.json" <<END
{"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","manifests":[
{"mediaType":"application/vnd.oci.image.manifest.v1+json","digest":"sha256:$digest","size":$size,
"platform":{"architecture":"$architecture","os":"linux"},"annotations":{"org.opencontainers.image.ref.name":"$version"}}]}
END
    echo '{"imageLayoutVersion":"1.0.0"}' >"$layout/oci-layout"
    file=$output/mortise-$version-$machine.oci.tar
    pack "$layout" . >"$file"
    echo "$file"
}

rm -rf "$work"
mkdir -p "$work"
make_home
make_archive
if ! command -v dpkg-deb >/dev/null 2>&1; then
    echo "packages: no dpkg-deb here: no Debian package and no image are made" >&2
else
    libraries=$(libraries)
    [ -n "$libraries" ] || fail "it cannot be told what the runtime needs"
    make_tree
    make_deb
    if ! command -v apt-get >/dev/null 2>&1; then
        echo "packages: no apt-get here: no image is made" >&2
    elif make_base; then
        make_image
    else
        fail "the base of the image could not be fetched: $(tail -n 1 "$work/apt/log")"
    fi
fi
rm -rf "$work"
