// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.command;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.Lease;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.LockTimeoutException;
import io.mortise.lock.cli.console.ExitCode;
import io.mortise.lock.cli.store.StoreOptions;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of {@code run} about waiting for the lock. */
final class WaitOptions {
    @Option(
            names = "--wait",
            paramLabel = "TIME",
            description = "Wait at most this long for the lock; forever by default.")
    private @Nullable Duration wait;

    @Option(names = "--no-wait", description = "Give up at once if others hold the lock.")
    private boolean noWait;

    @Option(
            names = "--conflict-exit-code",
            paramLabel = "N",
            description = "The exit status instead of 75 if others hold the lock.")
    private int conflictExitCode = ExitCode.BUSY;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    void check() {
        if (noWait && wait != null) {
            throw new ParameterException(spec.commandLine(), "--wait and --no-wait exclude each other; drop one");
        }
        if (conflictExitCode < 0 || conflictExitCode > 255) {
            throw new ParameterException(spec.commandLine(), "--conflict-exit-code must be between 0 and 255");
        }
    }

    /** The lease, or empty if others still hold the lock when the wait is over. */
    Optional<Lease> acquire(DistributedLock lock) throws InterruptedException {
        if (noWait) {
            return tryAcquire(lock);
        }
        if (wait != null) {
            return lock.tryAcquire(wait);
        }
        try {
            return Optional.of(lock.acquire());
        } catch (LockTimeoutException maxWaitOfTheStore) {
            return Optional.empty();
        }
    }

    /** Asks again where there was no answer in time: the processor may not have come to it, among hundreds of starting jobs. */
    private static Optional<Lease> tryAcquire(DistributedLock lock) throws InterruptedException {
        long start = System.nanoTime();
        while (true) {
            try {
                return lock.tryAcquire();
            } catch (LockStoreException unanswered) {
                if (System.nanoTime() - start >= StoreOptions.PATIENCE.toNanos()) {
                    throw unanswered;
                }
            }
        }
    }

    boolean waits() {
        return !noWait;
    }

    int conflictExitCode() {
        return conflictExitCode;
    }
}
