// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.process;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import io.mortise.lock.spi.Feature;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * What {@link ClientJvm} runs. Opens each URL that it is given by two clients, which do everything that clients do: acquire, wait, hand
 * over, renew, release, list, revoke. Prints a line for each.
 */
public final class ClientProgram {
    static final String WORKS = "works";

    private static final Duration LEASE = Duration.ofSeconds(6);
    private static final Duration WAIT = Duration.ofSeconds(30);

    private ClientProgram() {}

    /**
     * Prints a line for each URL: how many milliseconds it took, and how it ended.
     *
     * @param urls the arguments
     */
    public static void main(String[] urls) {
        Arrays.stream(urls).forEach(url -> {
            long start = System.nanoTime();
            String end = tryAll(url);
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
            say(millis + " " + end.replace('\n', ' '));
        });
        Runtime.getRuntime().halt(0); // whatever threads a driver has left
    }

    @SuppressWarnings("SystemOut") // the parent reads it
    private static void say(String line) {
        System.out.println(ClientJvm.MARK + line);
    }

    private static String tryAll(String url) {
        try (LockClient one = LockClient.builder(url)
                        .options(LockOptions.defaults().withLease(LEASE))
                        .build();
                LockClient other = LockClient.builder(url)
                        .options(LockOptions.defaults().withLease(LEASE))
                        .build()) {
            tryAll(one, other, "client-" + ProcessHandle.current().pid());
            return WORKS;
        } catch (Exception | LinkageError failure) {
            return failure.getClass().getSimpleName() + ": " + failure.getMessage();
        }
    }

    private static void tryAll(LockClient one, LockClient other, String name)
            throws InterruptedException, ExecutionException, TimeoutException {
        DistributedLock lock = one.lock(name);
        Lease first = lock.acquire();
        expect(other.lock(name).tryAcquire().isEmpty(), "a lock that is held is free to another client");
        expect(!first.extend(LEASE).isNegative() && first.isHeld(), "a renewed lease is not held");

        CompletableFuture<Optional<Lease>> waiting = other.lock(name).tryAcquireAsync(WAIT);
        expect(!waiting.isDone(), "a waiter does not wait");
        expect(one.lock(name).holder().isPresent(), "nobody seems to hold the lock");
        if (one.features().contains(Feature.LISTABLE)) {
            expect(one.holders(name).anyMatch(holder -> holder.lock().equals(name)), "the lock is not listed");
        }
        expect(first.release(), "a release finds nothing");
        Lease second = waiting.get(WAIT.toSeconds(), TimeUnit.SECONDS).orElseThrow();
        expect(second.isHeld(), "what is handed over is not held");
        if (one.features().contains(Feature.FENCED)) {
            expect(second.fencingToken() > first.fencingToken(), "tokens do not rise");
        }

        expect(lock.revokeNow("a test"), "nobody is revoked");
        Lease third = lock.tryAcquire(WAIT).orElseThrow();
        expect(third.release(), "the last release finds nothing");
    }

    private static void expect(boolean condition, String otherwise) {
        if (!condition) {
            throw new IllegalStateException(otherwise);
        }
    }
}
