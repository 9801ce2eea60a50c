// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** The conformance suite that every backend runs. Tests only. */
module io.mortise.lock.tck {
    requires transitive io.mortise.lock;
    requires io.mortise.lock.testing;
    requires transitive org.junit.jupiter.api;
    requires transitive org.opentest4j;
    requires static org.jspecify;
    requires static org.junit.platform.launcher;

    exports io.mortise.lock.tck;
    exports io.mortise.lock.tck.fault;
    exports io.mortise.lock.tck.gallery;
    exports io.mortise.lock.tck.history;
    exports io.mortise.lock.tck.rules.core;
    exports io.mortise.lock.tck.rules.feature;
    exports io.mortise.lock.tck.rules.lease;
    exports io.mortise.lock.tck.rules.network;
    exports io.mortise.lock.tck.rules.process;
    exports io.mortise.lock.tck.scene;
    exports io.mortise.lock.tck.time;

    opens io.mortise.lock.tck;
    opens io.mortise.lock.tck.rules.core;
    opens io.mortise.lock.tck.rules.feature;
    opens io.mortise.lock.tck.rules.lease;
    opens io.mortise.lock.tck.rules.network;
    opens io.mortise.lock.tck.rules.process;
    opens io.mortise.lock.tck.run;
}
