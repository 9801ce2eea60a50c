// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.example;

import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.LockBackendTck;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

public class MapBackendTest extends LockBackendTck {
    private static final ConcurrentMap<String, MapBackend.Entry> STORE = new ConcurrentHashMap<>();

    /** Other processes cannot reach the map, so it has no name. */
    @Override
    public String store() {
        return "";
    }

    @Override
    public LockBackend open(String store) {
        return new MapBackend(STORE);
    }

    /** A fast store needs no longer one. */
    @Override
    public Duration lease() {
        return Duration.ofMillis(600);
    }
}
