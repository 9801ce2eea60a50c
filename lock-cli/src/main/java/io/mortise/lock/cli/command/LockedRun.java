// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.command;

import io.mortise.lock.Lease;
import io.mortise.lock.LockReleaseException;
import io.mortise.lock.Loss;
import io.mortise.lock.cli.console.CommandArguments;
import io.mortise.lock.cli.console.Console;
import io.mortise.lock.cli.console.ExitCode;
import io.mortise.lock.cli.console.Printable;
import io.mortise.lock.cli.guard.CommandOutcome;
import io.mortise.lock.cli.guard.Guard;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Runs a command under an acquired lock, and releases the lock when the command has ended. */
final class LockedRun {
    private static final int ENOENT = 2;

    private final Guard guard;
    private final String name;
    private final Lease lease;
    private final SignalRelay signals;
    private final AtomicReference<@Nullable Loss> loss = new AtomicReference<>();

    LockedRun(Guard guard, String name, Lease lease, SignalRelay signals) {
        this.guard = guard;
        this.name = name;
        this.lease = lease;
        this.signals = signals;
    }

    /** Runs the command and returns the exit code of mortise. */
    int run(List<String> command, Duration length) {
        if (!signals.passTo(guard::signal)) {
            release();
            return signals.exitCode();
        }
        lease.onLost(cause -> {
            // First: the command can end, and its end be told, as soon as the guard knows.
            loss.set(cause);
            guard.lost();
        });
        List<byte[]> words = command.stream().map(CommandArguments::encode).toList();
        CommandOutcome outcome = guard.run(words, environment(), length, lease::remaining);
        boolean held = release();
        if (outcome.leftBehind() > 0) {
            Console.say("ended " + outcome.leftBehind() + " process(es) that the command had left running");
        }
        if (outcome.forced() || !held) {
            Console.say("lock '" + Printable.of(name) + "' was lost: " + whyLost(outcome));
            return ExitCode.LOST;
        }
        return exitCode(outcome, command.get(0));
    }

    private Map<String, String> environment() {
        return Map.of("MORTISE_LOCK", name, "MORTISE_FENCING_TOKEN", token());
    }

    private String token() {
        try {
            return Long.toString(lease.fencingToken());
        } catch (UnsupportedOperationException notFenced) {
            return "";
        }
    }

    /** Whether the lock was held until the command had ended. */
    private boolean release() {
        boolean held = lease.isHeld();
        try {
            return lease.release();
        } catch (LockReleaseException noAnswer) {
            Console.say("the store did not confirm the release of lock '" + Printable.of(name)
                    + "'; it is free when the lease ends");
            return held;
        }
    }

    private String whyLost(CommandOutcome outcome) {
        Loss cause = loss.get();
        String known = cause == null ? "" : " (" + Printable.of(cause.toString()) + ")";
        return switch (outcome.why()) {
            case DONE, UNGUARDED -> "the command had just ended, but may have run too long" + known;
            case RISK -> "the lease was running out, so the command was asked to end" + known;
            case DEADLINE -> "the lease was about to end, so the command was killed" + known;
            case LOST -> "the command was killed" + known;
        };
    }

    private static String reason(int errno) {
        return switch (errno) {
            case 7 -> "its arguments are too long";
            case 8 -> "it is not a program of this machine";
            case 13 -> "permission denied";
            default -> "errno " + errno;
        };
    }

    private static int exitCode(CommandOutcome outcome, String program) {
        if (outcome.why() == CommandOutcome.Why.UNGUARDED) {
            Console.say("the guard of the command was killed, and the command with it");
        }
        return switch (outcome.kind()) {
            case EXIT -> outcome.code();
            case SIGNAL -> ExitCode.SIGNAL + outcome.code();
            case NONE -> ExitCode.SOFTWARE;
            case EXEC -> {
                boolean missing = outcome.code() == ENOENT;
                Console.say(Printable.of(program)
                        + (missing ? ": command not found" : ": cannot be executed, " + reason(outcome.code())));
                yield missing ? ExitCode.NOT_FOUND : ExitCode.NOT_EXECUTABLE;
            }
        };
    }
}
