// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.spi.Claim;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class H2MemoryContractTest extends JdbcContract {
    private final String name = UUID.randomUUID().toString();

    @Override
    String url() {
        return "jdbc:h2:mem:" + name;
    }

    @Test
    void sessionsInAnyTimeZoneAgreeAboutTheEndOfALease() {
        try (Client east = Client.open(url() + ";TIME ZONE=Pacific/Chatham");
                Client west = Client.open(url() + ";TIME ZONE=Pacific/Marquesas")) {
            east.held("a");
            Claim refused = west.claim("a");
            assertThat(Client.tryAcquire(refused)).isFalse();
            assertThat(refused.retryAfter().orElseThrow())
                    .isBetween(Client.LEASE.minusSeconds(20), Client.LEASE.plusMillis(1));
        }
    }
}
