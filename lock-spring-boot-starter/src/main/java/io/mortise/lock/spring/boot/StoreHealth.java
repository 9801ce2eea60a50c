// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spring.boot;

import io.mortise.lock.LockClient;
import io.mortise.lock.LockException;
import java.time.Duration;
import java.util.Map;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;

/** Whether the store answers. Takes no lock. Thread-safe. */
final class StoreHealth {
    private static final String ROUND_TRIP = "roundTrip";

    private final LockClient client;

    StoreHealth(LockClient client) {
        this.client = client;
    }

    private Map<String, Object> details(Duration roundTrip) {
        return Map.of("store", client.toString(), ROUND_TRIP, roundTrip.toString());
    }

    /** As Spring Boot 3 asks. */
    HealthIndicator forSpringBoot3() {
        return () -> {
            try {
                return Health.up().withDetails(details(client.ping())).build();
            } catch (LockException silent) {
                return Health.down(silent)
                        .withDetail("store", client.toString())
                        .build();
            }
        };
    }

    /** As Spring Boot 4 asks. */
    org.springframework.boot.health.contributor.HealthIndicator forSpringBoot4() {
        return () -> {
            try {
                return org.springframework.boot.health.contributor.Health.up()
                        .withDetails(details(client.ping()))
                        .build();
            } catch (LockException silent) {
                return org.springframework.boot.health.contributor.Health.down(silent)
                        .withDetail("store", client.toString())
                        .build();
            }
        };
    }
}
