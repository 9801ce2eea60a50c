// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench;

import io.mortise.lock.bench.contestant.Contestant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Somebody who takes part in a measurement.
 *
 * @param name as the tables have it
 * @param waits whether a thread can wait for a lock that somebody holds
 * @param isStricter whether only the order of those who wait tells it from another entrant: where nobody waits, both are the same
 * @param opener for the address of a store
 */
record Entrant(String name, boolean waits, boolean isStricter, Contestant.Opener opener) {
    Entrant(String name, boolean waits, Contestant.Opener opener) {
        this(name, waits, false, opener);
    }

    /** What serves those who wait in the order in which they came. */
    static Entrant inOrder(String name, Contestant.Opener opener) {
        return new Entrant(name, true, true, opener);
    }

    /** Entrants by their names, in their order. */
    static Map<String, Entrant> byName(List<Entrant> entrants) {
        Map<String, Entrant> byName = new LinkedHashMap<>();
        entrants.forEach(each -> byName.put(each.name(), each));
        return byName;
    }
}
