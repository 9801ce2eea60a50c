// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.command;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.cli.console.Printable;
import io.mortise.lock.cli.guard.Guard;
import io.mortise.lock.cli.guard.GuardException;
import io.mortise.lock.cli.store.StoreOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code mortise run}: acquires the lock, then lets a {@link LockedRun} run the command. */
@Command(
        name = "run",
        customSynopsis = "mortise run [OPTIONS] NAME -- CMD [ARG...]%n",
        description = "Runs a command while holding a lock.",
        footer = {
            "",
            "The command gets MORTISE_LOCK, MORTISE_FENCING_TOKEN and MORTISE_HOLDER, the terminal and standard input;"
                    + " signals sent to mortise reach its process group. If the lock is in danger the command gets TERM,"
                    + " and KILL before the lease ends, even if mortise itself is stopped or killed."
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:done, or the command was skipped; else the status of the command if it ended by itself",
            "64:the command line, the store's URL or its file is wrong, or the store refuses for good",
            "69:the store did not answer",
            "70:an error in mortise itself",
            "75:others hold the lock; --conflict-exit-code changes it",
            "76:the lock was lost or about to be, or --max-hold was over",
            "78:this machine cannot guard commands",
            "124:--timeout was over",
            "126:the command cannot be executed",
            "127:the command does not exist",
            "128 + n:signal n killed the command, or ended mortise while it waited"
        })
public final class RunCommand implements Callable<Integer> {
    @Mixin
    private StoreOptions store = new StoreOptions();

    @Mixin
    private WaitOptions waiting = new WaitOptions();

    @Mixin
    private LeaseOptions leasing = new LeaseOptions();

    @Mixin
    private EndOptions ending = new EndOptions();

    @Mixin
    private SkipOptions skipping = new SkipOptions();

    @Mixin
    private Verbosity verbosity = new Verbosity();

    @Parameters(index = "0", paramLabel = "NAME", description = "The name of the lock: any text.")
    private String name = "";

    @Parameters(index = "1..*", arity = "1..*", paramLabel = "CMD", description = "The command and its arguments.")
    private List<String> command = List.of();

    @Override
    public Integer call() throws GuardException, InterruptedException {
        waiting.check();
        verbosity.check();
        SignalRelay signals = SignalRelay.start();
        // Closed in the reverse order: even after an error of ours the command is ended before its lock is freed.
        try (LockClient client = store.connect()) {
            LockOptions options = ending.over(leasing.over(client.options()));
            DistributedLock lock = client.lock(name, options);
            Optional<LastSuccess> lastSuccess = skipping.of(client, name);
            long asked = System.nanoTime()
                    - Duration.ofMillis(Long.getLong("mortise.waited", 0)).toNanos();
            // Of hundreds that start at once and do not wait, only one needs a guard.
            Optional<Lease> atOnce = waiting.waits() ? Optional.empty() : waiting.acquire(lock);
            if (!waiting.waits() && atOnce.isEmpty()) {
                return heldByOthers(lock);
            }
            try (Guard guard = Guard.start()) {
                Optional<Lease> lease = waiting.waits() ? waiting.acquire(lock) : atOnce;
                if (lease.isEmpty()) {
                    return heldByOthers(lock);
                }
                verbosity.detail("acquired " + quoted() + " after " + HolderText.since(asked) + token(lease.get()));
                return new LockedRun(
                                guard,
                                lease.get(),
                                options,
                                ending.times(options, lease.get().remaining()),
                                lastSuccess,
                                verbosity,
                                signals)
                        .run(command);
            }
        } catch (InterruptedException | GuardException | LockException failure) {
            if (signals.exitCode() != 0) {
                return signals.exitCode();
            }
            throw failure;
        }
    }

    private int heldByOthers(DistributedLock lock) {
        if (!verbosity.isQuiet()) {
            String holder = HolderQuestion.ask(lock)
                    .map(told -> ": " + HolderText.who(told))
                    .orElse("");
            verbosity.inform(quoted() + " is held by others" + holder + (waiting.waits() ? "; gave up waiting" : ""));
        }
        return waiting.conflictExitCode();
    }

    private String quoted() {
        return "lock '" + Printable.of(name) + "'";
    }

    private static String token(Lease lease) {
        String token = LockedRun.token(lease);
        return token.isEmpty() ? "" : ", token " + token;
    }
}
