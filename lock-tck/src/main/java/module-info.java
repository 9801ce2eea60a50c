// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** The conformance suite that every backend runs. Tests only. */
module io.mortise.lock.tck {
    requires transitive io.mortise.lock;
    requires io.mortise.lock.testing;
    requires transitive org.junit.jupiter.api;
    requires transitive org.opentest4j;
    requires static org.jspecify;

    exports io.mortise.lock.tck;
    exports io.mortise.lock.tck.rules;

    opens io.mortise.lock.tck;
    opens io.mortise.lock.tck.rules;
}
