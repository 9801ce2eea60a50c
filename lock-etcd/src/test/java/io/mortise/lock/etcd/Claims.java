// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.LockBackend;
import java.time.Duration;

/** Claims of tests, which wait for their locks. */
final class Claims {
    static final Duration LEASE = Duration.ofSeconds(25);
    static final Duration AMPLE = Duration.ofSeconds(20);

    private Claims() {}

    static Claim claim(LockBackend backend, String lock, char owner) {
        return backend.claim(
                new ClaimRequest(lock, String.valueOf(owner).repeat(32), "test", LEASE, true, 0, 1), () -> {});
    }

    static Claim holding(LockBackend backend, String lock, char owner) throws InterruptedException {
        Claim claim = claim(backend, lock, owner);
        assertThat(claim.tryAcquire(AMPLE)).isTrue();
        return claim;
    }

    static Claim waiting(LockBackend backend, String lock, char owner) throws InterruptedException {
        Claim claim = claim(backend, lock, owner);
        assertThat(claim.tryAcquire(AMPLE)).isFalse();
        return claim;
    }
}
