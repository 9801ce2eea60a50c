// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import io.mortise.lock.LockClosedException;
import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.LockException;
import io.mortise.lock.LockHolder;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.engine.lease.HeldLease;
import io.mortise.lock.engine.local.Environment;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LockBackend;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Inspects, lists and revokes locks of the store, for {@link io.mortise.lock.LockClient}. Thread-safe. */
public final class Admin {
    private static final int PAGE = 500;

    /** In place of a token. */
    private static final long NOBODY = -1;

    private final LockBackend backend;
    private final Settings settings;
    private final BooleanSupplier closed;
    private final SecureRandom random = new SecureRandom();

    /** Calls end with {@link LockClosedException} as soon as {@code closed} answers true. */
    Admin(LockBackend backend, Settings settings, BooleanSupplier closed) {
        this.backend = backend;
        this.settings = settings;
        this.closed = closed;
    }

    /** The locks that are held now, page by page. Asks nothing before the stream is read. */
    public Stream<LockHolder> holders(String prefix) {
        ensureOpen("");
        if (!backend.features().contains(Feature.LISTABLE)) {
            throw new UnsupportedOperationException("this store cannot list its locks");
        }
        HolderPages pages = new HolderPages(after -> page(prefix, after), PAGE);
        return StreamSupport.stream(
                Spliterators.spliteratorUnknownSize(pages, Spliterator.ORDERED | Spliterator.NONNULL), false);
    }

    private List<LockHolder> page(String prefix, String after) {
        return answered("", () -> backend.list(prefix, after, PAGE, settings.callTimeout()));
    }

    Optional<LockHolder> holder(String lock) {
        return answered(lock, () -> backend.inspect(lock, settings.callTimeout()));
    }

    /**
     * Frees a lock at once; that is, when its holder's client hands it over no more. A client does that only soon after the store
     * has confirmed the lease, and the first revocation keeps the store from it. Whoever gets the lock meanwhile keeps it.
     */
    boolean revokeNow(String lock, String reason) {
        long token = holdersToken(lock);
        if (token == NOBODY || !revoke(lock, reason, false)) {
            return false;
        }
        awaitLastHandOver();
        if (holdersToken(lock) == token) {
            boolean unused = revoke(lock, reason, true);
        }
        return true;
    }

    /** At once only where the holder's client is known not to hand the lock over. */
    boolean revoke(String lock, String reason, boolean now) {
        return answered(lock, () -> backend.revoke(lock, reason, now, settings.callTimeout()));
    }

    /** The same as long as the same claim holds the lock; also if the store cannot tell. */
    private long holdersToken(String lock) {
        try {
            return holder(lock).map(LockHolder::fencingToken).orElse(NOBODY);
        } catch (UnsupportedOperationException cannotTell) {
            return 0;
        }
    }

    /** In real time, also where a test drives time by hand: whoever revokes does not drive it meanwhile. */
    private void awaitLastHandOver() {
        Environment environment = settings.environment();
        long end = environment.realNanos() + HeldLease.LAST_HAND_OVER.toNanos();
        boolean interrupted = false;
        for (long left = end - environment.realNanos(); left > 0; left = end - environment.realNanos()) {
            environment.pause(this, left);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** How long the store took to answer a question about a name that nobody uses. */
    public Duration ping() {
        long start = settings.ticker().nanos();
        boolean unused = answered("", this::askAboutNothing);
        return Duration.ofNanos(settings.ticker().nanos() - start);
    }

    private boolean askAboutNothing() {
        String name = "ping " + randomHex();
        try {
            return backend.inspect(name, settings.callTimeout()).isPresent();
        } catch (UnsupportedOperationException cannotTell) {
            return acquireAndRelease(name);
        }
    }

    /** Ignores interrupts as far as the backend lets it; the flag is kept. */
    private boolean acquireAndRelease(String name) {
        long end = settings.ticker().nanos() + settings.callTimeout().toNanos();
        Duration lease = settings.options().lease();
        Claim claim = backend.claim(
                new ClaimRequest(name, randomHex(), settings.options().label(), lease, false, 0, 1), () -> {});
        boolean interrupted = Thread.interrupted();
        boolean granted = false;
        boolean answered = false;
        try {
            granted = claim.tryAcquire(settings.callTimeout());
            answered = true;
        } catch (InterruptedException unanswered) {
            interrupted = true;
            throw new BackendException("interrupted before the store answered", unanswered);
        } finally {
            try {
                release(
                        claim,
                        Duration.ofNanos(
                                Math.max(1_000_000, end - settings.ticker().nanos())),
                        answered);
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }
        return granted;
    }

    /** Without an answer to the try, the store may keep something of it all the same. */
    private static void release(Claim claim, Duration atMost, boolean answered) {
        try {
            boolean unused = claim.release(atMost);
        } catch (RuntimeException unanswered) {
            if (answered) {
                throw unanswered;
            }
        }
    }

    private String randomHex() {
        byte[] bytes = new byte[16];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** The one place where the end of a question is judged. */
    private <T> T answered(String lock, Supplier<T> question) {
        ensureOpen(lock);
        try {
            return question.get();
        } catch (UnsupportedOperationException | LockException clear) {
            throw clear;
        } catch (RuntimeException unanswered) {
            throw judged(lock, unanswered);
        }
    }

    private LockException judged(String lock, RuntimeException unanswered) {
        BackendException.Kind kind =
                unanswered instanceof BackendException failure ? failure.kind() : BackendException.Kind.NO_ANSWER;
        if (kind == BackendException.Kind.CLOSED || closed.getAsBoolean()) {
            LockClosedException closedMeanwhile = new LockClosedException(lock);
            closedMeanwhile.addSuppressed(unanswered);
            return closedMeanwhile;
        }
        String said = String.valueOf(unanswered.getMessage());
        return kind == BackendException.Kind.REFUSED
                ? new LockConfigurationException(said, unanswered)
                : new LockStoreException(
                        lock, "the store did not answer; check it, then try again: " + said, unanswered);
    }

    private void ensureOpen(String lock) {
        if (closed.getAsBoolean()) {
            throw new LockClosedException(lock);
        }
    }
}
