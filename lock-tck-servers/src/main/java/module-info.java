// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Real servers and a TCP proxy for the tests of backends. Servers in Docker need Testcontainers, which is no module:
 * on the module path {@code --add-reads io.mortise.lock.tck.servers=ALL-UNNAMED}, and its jars on the class path.
 */
module io.mortise.lock.tck.servers {
    requires io.mortise.lock;
    requires io.mortise.lock.testing;
    requires static transitive org.jspecify;

    exports io.mortise.lock.tck.servers;
    exports io.mortise.lock.tck.servers.certificate;
    exports io.mortise.lock.tck.servers.process;
    exports io.mortise.lock.tck.servers.proxy;
}
