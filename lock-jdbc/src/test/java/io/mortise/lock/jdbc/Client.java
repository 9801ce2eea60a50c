// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.spi.StoreUrl;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** A client of a store with short ways to claim. */
final class Client implements AutoCloseable {
    static final Duration ENOUGH = Duration.ofSeconds(10);
    static final Duration LEASE = Duration.ofSeconds(30);

    final LockBackend backend;

    Client(LockBackend backend) {
        this.backend = backend;
    }

    static Client open(String url) {
        return new Client(new JdbcBackendProvider().open(StoreUrl.parse(url)));
    }

    Claim claim(String name) {
        return claim(name, LEASE, 0, 1);
    }

    Claim claim(String name, Duration lease, long floor, int tokens) {
        return backend.claim(new ClaimRequest(name, owner(), "a test", lease, false, floor, tokens), () -> {});
    }

    /** A claim that has been granted. */
    Claim held(String name) {
        Claim claim = claim(name);
        if (!tryAcquire(claim)) {
            throw new AssertionError("refused: " + name);
        }
        return claim;
    }

    static boolean tryAcquire(Claim claim) {
        try {
            return claim.tryAcquire(ENOUGH);
        } catch (InterruptedException unexpected) {
            throw new BackendException("interrupted", unexpected);
        }
    }

    static List<Renewal> renewals(List<Claim> claims, Duration lease) {
        return claims.stream().map(claim -> new Renewal(claim, lease)).toList();
    }

    static String owner() {
        return UUID.randomUUID().toString().replace("-", "");
    }

    @Override
    public void close() {
        backend.close();
    }
}
