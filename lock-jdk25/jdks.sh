# SPDX-FileCopyrightText: The Mortise authors
# SPDX-License-Identifier: Apache-2.0
#
# Finds JDKs, for ./verify and ./bench, which read this file in.

# The feature number (17, 25, …) of the JDK whose home is given; nothing if there is no complete JDK.
feature() {
    [ -x "$1/bin/java" ] && [ -x "$1/bin/javac" ] || return 1
    "$1/bin/javac" -version 2>&1 </dev/null | sed -n 's/^javac \([0-9][0-9]*\).*/\1/p'
}

# The JDK home behind the java on the PATH.
home_on_path() {
    java=$(command -v java) || return 1
    "$java" -XshowSettings:properties -version 2>&1 </dev/null | sed -n 's/^ *java\.home = //p'
}

# The home of a JDK 25 or newer, the first of the usual places.
newer_jdk() {
    for home in "${JAVA25_HOME:-}" "${JAVA_HOME_25_X64:-}" "${JAVA_HOME_25_ARM64:-}" \
        /usr/lib/jvm/* "$HOME"/.sdkman/candidates/java/* "$HOME"/.jdks/*; do
        if [ -n "$home" ] && version=$(feature "$home") && [ "${version:-0}" -ge 25 ]; then
            printf '%s\n' "$home"
            return 0
        fi
    done
    return 1
}
