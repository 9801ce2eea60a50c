// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** Locks of Spring Integration, in any store of Mortise. */
module io.mortise.lock.spring.integration {
    requires transitive io.mortise.lock;
    requires transitive spring.integration.core;
    requires static transitive org.jspecify;

    exports io.mortise.lock.spring.integration;
}
