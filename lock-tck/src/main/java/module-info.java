// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** The conformance suite that every backend runs. */
module io.mortise.lock.tck {
    requires transitive io.mortise.lock;
    requires transitive org.junit.jupiter.api;
    requires static org.jspecify;
}
