// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.redis.scripts.LockKeys;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.spi.StoreUrl;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.Assertions;

/** What tests at the SPI do again and again. */
final class Claims {
    static final Duration AMPLE = Duration.ofSeconds(10);
    static final Duration LEASE = Duration.ofSeconds(20);
    private static final SecureRandom RANDOM = new SecureRandom();

    private Claims() {}

    static RedisBackend open(String url) {
        return (RedisBackend) new RedisBackendProvider().open(StoreUrl.parse(url));
    }

    /** A client whose calls share a connection, however few there are at once. */
    static RedisBackend openSharing(String url) {
        return new RedisUrl(StoreUrl.parse(url)).builder().sharing(1).build();
    }

    static Claim plain(RedisBackend backend, String lock) {
        return backend.claim(request(lock, LEASE, false), () -> {});
    }

    static Claim waiting(RedisBackend backend, String lock, Runnable nudge) {
        return backend.claim(request(lock, LEASE, true), nudge);
    }

    static ClaimRequest request(String lock, Duration lease, boolean waits) {
        byte[] owner = new byte[16];
        RANDOM.nextBytes(owner);
        return new ClaimRequest(lock, HexFormat.of().formatHex(owner), "test", lease, waits, 0, 1);
    }

    static Claim granted(Claim claim) throws InterruptedException {
        assertThat(claim.tryAcquire(AMPLE)).as("a free lock is granted").isTrue();
        return claim;
    }

    static void refused(Claim claim) throws InterruptedException {
        assertThat(claim.tryAcquire(AMPLE)).as("a held lock is refused").isFalse();
    }

    /** Nobody holds the lock, waits for it, or is waited for. */
    static void free(RedisBackend backend, String lock) throws InterruptedException {
        granted(plain(backend, lock)).release(AMPLE);
    }

    /** Renews each of the claims for {@link #LEASE}. */
    static List<Renewal> renewals(Claim... claims) {
        return Stream.of(claims).map(claim -> new Renewal(claim, LEASE)).toList();
    }

    interface Call {
        void run() throws InterruptedException;
    }

    /** The outcome of a call is not known, and the failure says why. */
    static AbstractThrowableAssert<?, ? extends Throwable> assertUnknown(Call call) {
        return assertFails(call, BackendException.Kind.NO_ANSWER);
    }

    /** The store will not, and has changed nothing; the failure says what to do. */
    static AbstractThrowableAssert<?, ? extends Throwable> assertRefused(Call call) {
        return assertFails(call, BackendException.Kind.REFUSED);
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> assertFails(Call call, BackendException.Kind kind) {
        return Assertions.assertThatThrownBy(call::run)
                .isInstanceOf(BackendException.class)
                .satisfies(failure -> assertThat(((BackendException) failure).kind())
                        .as(failure.getMessage())
                        .isEqualTo(kind));
    }

    static LockKeys keys(String lock) {
        return LockKeys.of(RedisBackendBuilder.DEFAULT_PREFIX, lock);
    }
}
