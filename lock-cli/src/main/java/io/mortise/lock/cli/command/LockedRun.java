// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.command;

import io.mortise.lock.Lease;
import io.mortise.lock.LockHolder;
import io.mortise.lock.LockOptions;
import io.mortise.lock.LockReleaseException;
import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.cli.console.CommandArguments;
import io.mortise.lock.cli.console.Console;
import io.mortise.lock.cli.console.ExitCode;
import io.mortise.lock.cli.console.Printable;
import io.mortise.lock.cli.guard.CommandOutcome;
import io.mortise.lock.cli.guard.Guard;
import io.mortise.lock.cli.guard.GuardTimes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Runs a command under an acquired lock, and releases the lock when the command has ended. */
final class LockedRun {
    private static final int ENOENT = 2;

    private final Guard guard;
    private final Lease lease;
    private final LockOptions options;
    private final GuardTimes times;
    private final Optional<LastSuccess> lastSuccess;
    private final Verbosity verbosity;
    private final SignalRelay signals;
    private final long acquired = System.nanoTime();
    private final AtomicReference<@Nullable Loss> loss = new AtomicReference<>();

    LockedRun(
            Guard guard,
            Lease lease,
            LockOptions options,
            GuardTimes times,
            Optional<LastSuccess> lastSuccess,
            Verbosity verbosity,
            SignalRelay signals) {
        this.guard = guard;
        this.lease = lease;
        this.options = options;
        this.times = times;
        this.lastSuccess = lastSuccess;
        this.verbosity = verbosity;
        this.signals = signals;
    }

    /** Runs the command, unless it need not run again, and returns the exit code of mortise. */
    int run(List<String> command) {
        Optional<LockHolder> success = lastSuccess.flatMap(LastSuccess::find);
        if (success.isPresent()) {
            release();
            verbosity.inform("skipped: " + quoted() + " was run with success "
                    + HolderText.duration(success.get().heldFor()) + " ago by "
                    + Printable.of(success.get().label()));
            return ExitCode.OK;
        }
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
        CommandOutcome outcome = guard.run(words, environment(), times, lease::remaining);
        Duration ran = Duration.ofNanos(System.nanoTime() - acquired);
        if (outcome.succeeded() && lease.isHeld()) {
            lastSuccess.ifPresent(LastSuccess::record);
        }
        boolean held = release();
        if (outcome.leftBehind() > 0) {
            verbosity.inform("ended " + outcome.leftBehind() + " process(es) that the command had left running");
        }
        if (outcome.forced() || !held) {
            Console.say(
                    outcome.forced() && isMaxHoldOver(ran)
                            ? maxHoldOver(outcome, ran)
                            : quoted() + " was lost: " + whyLost(outcome));
            return ExitCode.LOST;
        }
        verbosity.detail("released " + quoted() + "; the command ran for " + HolderText.duration(ran));
        return exitCode(outcome, command.get(0));
    }

    /** Whether the lock may be held no longer, whatever else happened. */
    private boolean isMaxHoldOver(Duration held) {
        Loss cause = loss.get();
        // The guard counts from before it asks, and takes an answer that was under way for a sixth of a lease.
        Duration early = times.warning().plus(times.lease().dividedBy(6));
        return (cause == null || cause.cause() == LossCause.MAX_HOLD_REACHED)
                && options.maxHold()
                        .filter(longest -> held.compareTo(longest.minus(early)) >= 0)
                        .isPresent();
    }

    private String maxHoldOver(CommandOutcome outcome, Duration held) {
        String end = outcome.why() == CommandOutcome.Why.RISK ? "was asked to end" : "was killed";
        return "max-hold reached: " + quoted() + " may be held for "
                + options.maxHold().map(HolderText::duration).orElse("ever") + ", so the command " + end
                + ", and ended after "
                + HolderText.duration(held);
    }

    private Map<String, String> environment() {
        return Map.of(
                "MORTISE_LOCK", lease.lockName(),
                "MORTISE_FENCING_TOKEN", token(lease),
                "MORTISE_HOLDER", options.label());
    }

    /** The fencing token; empty if the store has none. */
    static String token(Lease lease) {
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
            Console.say("the store did not confirm the release of " + quoted() + "; it is free when the lease ends");
            return held;
        }
    }

    private String quoted() {
        return "lock '" + Printable.of(lease.lockName()) + "'";
    }

    private String whyLost(CommandOutcome outcome) {
        Loss cause = loss.get();
        String known = cause == null ? "" : " (" + Printable.of(cause.toString()) + ")";
        return switch (outcome.why()) {
            case DONE, TIMEOUT, UNGUARDED -> "the command had just ended, but may have run too long" + known;
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

    private int exitCode(CommandOutcome outcome, String program) {
        if (outcome.why() == CommandOutcome.Why.TIMEOUT) {
            Console.say("the command was ended: it ran longer than its time-out of "
                    + times.timeout().map(HolderText::duration).orElse("?"));
            return ExitCode.TIMED_OUT;
        }
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
