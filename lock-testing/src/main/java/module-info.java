// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** For tests of code that locks: time driven by hand, a network that loses messages, and signals to processes. */
module io.mortise.lock.testing {
    requires transitive io.mortise.lock;
    requires static org.jspecify;

    exports io.mortise.lock.testing;
}
