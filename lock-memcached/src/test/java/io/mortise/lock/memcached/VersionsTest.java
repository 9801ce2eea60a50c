// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.tck.servers.MemcachedServer;
import io.mortise.lock.tck.servers.process.ClientJvm;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * Does all that clients do, with other versions of spymemcached than the one that the suite runs with. Maven copies these jars to
 * {@code target/versions}: pom.xml lists them.
 */
class VersionsTest {
    @Test
    void spymemcached() {
        try (MemcachedServer server = MemcachedServer.start()) {
            for (String version : new String[] {"2.12.0", "2.12.1", "2.12.2"}) {
                Path jar = Path.of("target", "versions", "spymemcached-" + version + ".jar");
                assertThat(ClientJvm.create().replacing(jar.toAbsolutePath()).run(server.url()))
                        .extracting(ClientJvm.Result::outcome)
                        .as(version)
                        .containsExactly("works");
            }
        }
    }
}
