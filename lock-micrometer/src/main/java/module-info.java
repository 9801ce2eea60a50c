// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** Meters of locks. */
module io.mortise.lock.micrometer {
    requires transitive io.mortise.lock;
    requires transitive micrometer.core;
    requires transitive micrometer.observation;
    requires static transitive org.jspecify;

    exports io.mortise.lock.micrometer;
}
