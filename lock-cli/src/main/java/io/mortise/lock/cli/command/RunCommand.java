// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.command;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.LockException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.LockTimeoutException;
import io.mortise.lock.cli.console.Console;
import io.mortise.lock.cli.console.ExitCode;
import io.mortise.lock.cli.console.Printable;
import io.mortise.lock.cli.guard.Guard;
import io.mortise.lock.cli.guard.GuardException;
import io.mortise.lock.cli.store.StoreOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mortise run}: acquires the lock, then lets a {@link LockedRun} run the command. */
@Command(
        name = "run",
        customSynopsis = "mortise run [OPTIONS] NAME -- CMD [ARG...]%n",
        description = "Runs a command while holding a lock.",
        footer = {
            "",
            "The command gets MORTISE_FENCING_TOKEN and MORTISE_LOCK, the terminal and standard input; signals sent to"
                    + " mortise reach its process group. If the lock is in danger the command gets TERM, and KILL before"
                    + " the lease ends, even if mortise itself is stopped or killed.",
            "",
            "Exit status: the command's; else 75 busy or timed out, 69 the store did not answer, 76 lock lost,"
                    + " 64 usage, 78 this machine cannot do it, 126 or 127 the command cannot be run or found,"
                    + " 128 + n killed by signal n."
        })
public final class RunCommand implements Callable<Integer> {
    @Mixin
    private StoreOptions store = new StoreOptions();

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            description = "Wait at most this long for the lock; forever by default.")
    private @Nullable Duration wait;

    @Option(names = "--no-wait", description = "Give up at once if others hold the lock.")
    private boolean noWait;

    @Option(
            names = "--lease",
            paramLabel = "TIME",
            description = "How long the lock lasts without renewal: 30s by default. If this host dies, the lock is free"
                    + " after this time.")
    private @Nullable Duration lease;

    @Option(names = "--max-hold", paramLabel = "TIME", description = "End the command after this time at the latest.")
    private @Nullable Duration maxHold;

    @Option(
            names = "--conflict-exit-code",
            paramLabel = "N",
            description = "The exit status instead of 75 if others hold the lock.")
    private int conflictExitCode = ExitCode.BUSY;

    @Parameters(index = "0", paramLabel = "NAME", description = "The name of the lock: any text.")
    private String name = "";

    @Parameters(index = "1..*", arity = "1..*", paramLabel = "CMD", description = "The command and its arguments.")
    private List<String> command = List.of();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws GuardException, InterruptedException {
        checkUsage();
        SignalRelay signals = SignalRelay.start();
        // Closed in the reverse order: even after an error of ours the command is ended before its lock is freed.
        try (LockClient client = store.connect()) {
            LockOptions options = options(client.options());
            DistributedLock lock = client.lock(name, options);
            // Of hundreds that start at once and do not wait, only one needs a guard.
            Optional<Lease> atOnce = noWait ? tryAcquire(lock) : Optional.empty();
            if (noWait && atOnce.isEmpty()) {
                return busy();
            }
            try (Guard guard = Guard.start()) {
                Optional<Lease> lease = noWait ? atOnce : acquire(lock);
                return lease.isEmpty()
                        ? busy()
                        : new LockedRun(guard, name, lease.get(), signals).run(command, options.lease());
            }
        } catch (InterruptedException | GuardException | LockException failure) {
            if (signals.exitCode() != 0) {
                return signals.exitCode();
            }
            throw failure;
        }
    }

    private void checkUsage() {
        if (noWait && wait != null) {
            throw new ParameterException(spec.commandLine(), "--wait and --no-wait exclude each other; drop one");
        }
        if (conflictExitCode < 0 || conflictExitCode > 255) {
            throw new ParameterException(spec.commandLine(), "--conflict-exit-code must be between 0 and 255");
        }
    }

    private LockOptions options(LockOptions ofTheStore) {
        try {
            LockOptions options = lease == null ? ofTheStore : ofTheStore.withLease(lease);
            return maxHold == null ? options : options.withMaxHold(maxHold);
        } catch (IllegalArgumentException notPositive) {
            throw new LockConfigurationException(String.valueOf(notPositive.getMessage()), notPositive);
        }
    }

    private int busy() {
        Console.say("lock '" + Printable.of(name) + "' is held by others" + (noWait ? "" : "; gave up waiting"));
        return conflictExitCode;
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

    private Optional<Lease> acquire(DistributedLock lock) throws InterruptedException {
        if (wait != null) {
            return lock.tryAcquire(wait);
        }
        try {
            return Optional.of(lock.acquire());
        } catch (LockTimeoutException maxWaitOfTheStore) {
            return Optional.empty();
        }
    }
}
