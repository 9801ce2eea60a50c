// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** For tests of code that locks: time driven by hand, and a network that loses messages. */
module io.mortise.lock.testing {
    requires transitive io.mortise.lock;
    requires static org.jspecify;

    exports io.mortise.lock.testing;
}
