// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi;

import java.util.Map;
import java.util.TreeMap;

/** Which artifact to add for a scheme whose module is missing. Only for messages: what opens a store says so itself. */
final class StoreModules {
    private static final Map<String, String> ARTIFACTS = new TreeMap<>(Map.of(
            "etcd", "io.mortise:lock-etcd",
            "jdbc", "io.mortise:lock-jdbc and the JDBC driver of the database",
            "memcached", "io.mortise:lock-memcached",
            "migrate", "io.mortise:lock-migration",
            "redis", "io.mortise:lock-redis",
            "redlock", "io.mortise:lock-redlock",
            "zookeeper", "io.mortise:lock-zookeeper"));

    private StoreModules() {}

    /** What to do about a scheme that no module on this path knows. */
    static String advice(String scheme) {
        String artifact = ARTIFACTS.get(withoutVariant(scheme));
        return artifact == null
                ? "Mortise has stores for memory, " + String.join(", ", ARTIFACTS.keySet())
                : "add " + artifact + " to the class path or module path";
    }

    /** {@code rediss+cluster}, with TLS and a topology, is {@code redis} too. */
    private static String withoutVariant(String scheme) {
        String store = scheme.replaceFirst("\\+.*", "");
        boolean tls = store.endsWith("s") && ARTIFACTS.containsKey(store.substring(0, store.length() - 1));
        return tls ? store.substring(0, store.length() - 1) : store;
    }
}
