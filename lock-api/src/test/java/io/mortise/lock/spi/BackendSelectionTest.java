// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mortise.lock.LockClient;
import io.mortise.lock.LockConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A URL without its module: the message names the artifact to add. */
class BackendSelectionTest {
    @ParameterizedTest
    @CsvSource({
        "jdbc:sqlite:/no/such/folder/locks.db, io.mortise:lock-jdbc and the JDBC driver of the database",
        "redis://localhost, io.mortise:lock-redis",
        "rediss://localhost, io.mortise:lock-redis",
        "redis+sentinel://localhost/main, io.mortise:lock-redis",
        "rediss+cluster://localhost, io.mortise:lock-redis",
        "migrate:a from b:c to d:e, io.mortise:lock-migration",
        "redlock://a;b;c, io.mortise:lock-redlock",
        "redlocks://a;b;c, io.mortise:lock-redlock",
        "zookeeper://localhost, io.mortise:lock-zookeeper",
        "memcached://localhost, io.mortise:lock-memcached",
        "etcd://localhost, io.mortise:lock-etcd",
        "etcds://localhost, io.mortise:lock-etcd",
    })
    void theArtifactOfTheSchemeIsNamed(String url, String artifact) {
        String scheme = url.substring(0, url.indexOf(':'));

        assertThatThrownBy(() -> LockClient.connect(url.replace(';', ',')))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageStartingWith("no lock store for the scheme '" + scheme + ":'")
                .hasMessageContaining("memory")
                .hasMessageEndingWith("; add " + artifact + " to the class path or module path");
    }

    @Test
    void noArtifactIsInventedForAnUnknownScheme() {
        assertThatThrownBy(() -> LockClient.connect("consul://localhost"))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageStartingWith("no lock store for the scheme 'consul:'")
                .hasMessageContaining(
                        "; Mortise has stores for memory, etcd, jdbc, memcached, migrate, redis, redlock, zookeeper")
                .message()
                .doesNotContain("lock-consul");
    }
}
