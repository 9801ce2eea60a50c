// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** Real servers, proxies and processes for the tests of backends. */
module io.mortise.lock.tck.servers {
    requires static org.jspecify;

    // Only for servers in Docker; neither is a module that says so. On the module path: --add-modules testcontainers
    requires static testcontainers;
    requires static com.github.dockerjava.api;

    exports io.mortise.lock.tck.servers;
}
