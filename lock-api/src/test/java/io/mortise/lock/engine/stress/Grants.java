// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.stress;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/** All that the store has granted in one round, by name and token. Thread-safe. */
final class Grants {
    private final List<ConcurrentSkipListMap<Long, Grant>> byName = new ArrayList<>();

    Grants(int names) {
        for (int i = 0; i < names; i++) {
            byName.add(new ConcurrentSkipListMap<>());
        }
    }

    void add(int name, Grant grant) {
        byName.get(name).put(grant.token, grant);
    }

    /** The grant that a token belongs to; null if there is none. */
    Grant of(int name, long token) {
        Map.Entry<Long, Grant> entry = byName.get(name).floorEntry(token);
        return entry != null && token < entry.getKey() + entry.getValue().tokens ? entry.getValue() : null;
    }
}
