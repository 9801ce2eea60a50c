// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** The conformance suite that every backend runs. Tests only. */
module io.mortise.lock.tck {
    requires transitive io.mortise.lock;
    requires io.mortise.lock.testing;
    requires java.management;
    requires transitive org.junit.jupiter.api;
    requires transitive org.opentest4j;
    requires static org.jspecify;
    requires static org.junit.platform.launcher;

    exports io.mortise.lock.tck;
    exports io.mortise.lock.tck.fault;
    exports io.mortise.lock.tck.foreign;
    // For mortise check.
    exports io.mortise.lock.tck.history to
            io.mortise.lock.cli;

    opens io.mortise.lock.tck;
    opens io.mortise.lock.tck.cases.core;
    opens io.mortise.lock.tck.cases.feature;
    opens io.mortise.lock.tck.cases.lease;
    opens io.mortise.lock.tck.cases.network;
    opens io.mortise.lock.tck.cases.process;
    opens io.mortise.lock.tck.run;
}
