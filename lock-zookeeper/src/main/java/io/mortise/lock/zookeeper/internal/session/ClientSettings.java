// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.session;

import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ZKConfig;

/** What ZooKeeper's client is told by system properties of the JVM. */
public final class ClientSettings {
    private ClientSettings() {}

    /** Whether it is to use TLS. ZooKeeper's client does not mind spaces around the word. */
    static boolean isTlsWanted() {
        return Boolean.parseBoolean(
                System.getProperty(ZKClientConfig.SECURE_CLIENT, "").trim());
    }

    /** All of them, as ZooKeeper's client would read them itself. */
    public static ZKClientConfig fromSystemProperties() {
        return isTlsWanted() ? new ZKClientConfig() : new WithoutTls();
    }

    /** ZooKeeper's own asks the JVM which protocols of TLS it knows, which takes a quarter of the time until the first lock. */
    private static final class WithoutTls extends ZKClientConfig {
        @Override
        protected void handleBackwardCompatibility() {
            for (String name : System.getProperties().stringPropertyNames()) {
                if (name.startsWith("zookeeper.")
                        || name.equals(ZKConfig.JUTE_MAXBUFFER)
                        || name.equals(ZKConfig.JGSS_NATIVE)) {
                    setProperty(name, System.getProperty(name));
                }
            }
        }
    }
}
