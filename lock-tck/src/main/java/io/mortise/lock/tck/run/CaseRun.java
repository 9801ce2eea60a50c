// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.run;

import io.mortise.lock.tck.history.LockNames;
import io.mortise.lock.tck.history.SafetyViolation;
import io.mortise.lock.tck.scene.Rule;
import io.mortise.lock.tck.scene.Scene;
import io.mortise.lock.tck.scene.SetUpFailure;
import io.mortise.lock.tck.time.StallMeter;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.opentest4j.TestAbortedException;

/**
 * Runs a case from its first step to the check of its history. A case during which the machine or the store stood still is run
 * again, with three times the leases and limits, and if they stand still then, too, with nine times, which counts: leases that
 * ended in a stall prove nothing, and a lock that is free too early looks right to those who slept until it was late. Where the
 * processors are crowded, any failure may come of a stall: a single thread can stand still unseen. Two holders at once, or tokens
 * that fall, are never excused.
 *
 * @param method the case, or a test of the author's own
 * @param rule what it proves; null for a test of the author's own
 * @param scene in which it runs first
 * @param store which may have gone when the case fails
 */
record CaseRun(Method method, @Nullable Rule rule, Scene scene, StoreLook store) {
    private static final System.Logger LOG = System.getLogger("io.mortise.lock.tck");
    /** How long the leases and limits are in each run, as against those that were asked for. */
    private static final List<Integer> PATIENCE = List.of(1, 3, 9);

    private static final String BROKEN = " is broken. ";
    private static final String AT_END = "V5" + BROKEN
            + "After every case, no lock has had two holders, every lock is free, and no thread of a closed client is left.";
    private static final String WHY_AT_END =
            "What a case leaves behind breaks the next one, or shows that another rule is broken.";

    CaseRun(Method method, Scene scene, StoreLook store) {
        this(method, method.getAnnotation(Rule.class), scene, store);
    }

    interface Case {
        void perform(Scene scene) throws Throwable;
    }

    /** Once as JUnit would, and if need be again in other scenes; {@code atEnd} gets the last one. */
    void of(Case first, Case more, Consumer<Scene> atEnd) throws Throwable {
        Scene current = scene;
        for (int run = 0; ; run++) {
            boolean last = run == PATIENCE.size() - 1;
            long begin = System.nanoTime();
            long stoodBefore = StallMeter.nanos();
            Duration stall;
            String when;
            try {
                perform(run == 0 ? first : more, current);
                stall = Duration.ofNanos(StallMeter.longestSince(begin));
                if (last || !isVague(current, stall)) {
                    atEnd.accept(current);
                    return;
                }
                when = "while it passed";
            } catch (Throwable failure) {
                if (tellsOfStore(failure)) {
                    Optional<SetUpFailure> gone = store.gone(current);
                    if (gone.isPresent()) {
                        atEnd.accept(current);
                        gone.get().addSuppressed(failure);
                        throw explained(gone.get(), current);
                    }
                }
                stall = stoodStill(current, stoodBefore);
                boolean excused = isExcused(failure, current, stall);
                if (last || !excused) {
                    atEnd.accept(current);
                    throw explained(excused && StallMeter.isCrowded() ? tooBusy(failure) : failure, current);
                }
                when = "when this came: " + failure;
            }
            String why = "run again, because the machine or the store stood still for " + stall.toMillis() + " ms"
                    + (StallMeter.isCrowded() ? " or longer, as many threads want its processors, " : " ") + when;
            LOG.log(System.Logger.Level.INFO, () -> RuleNames.numberOf(method) + " is " + why);
            current = scene.again(PATIENCE.get(run + 1));
            current.history().note("suite", why);
        }
    }

    /** A test of the author's own may take as long as it wants. */
    private void perform(Case body, Scene where) throws Throwable {
        CaseThread.Body steps = () -> {
            body.perform(where);
            where.resources().close();
            checkAtEnd(where);
        };
        CaseThread.Body end = () -> {
            where.resources().close();
            where.resources().disconnect();
        };
        if (rule == null) {
            performInTurn(steps, end);
        } else {
            Duration most = where.limit().multipliedBy(6).plusSeconds(30);
            String name = "tck case " + method.getName();
            performInTurn(
                    () -> CaseThread.perform(name, most, steps), () -> CaseThread.perform(name + ", end", most, end));
        }
    }

    private static void performInTurn(CaseThread.Body steps, CaseThread.Body end) throws Throwable {
        Throwable failure = null;
        try {
            steps.perform();
        } catch (Throwable thrown) {
            failure = thrown;
        }
        try {
            end.perform();
        } catch (Throwable thrown) {
            if (failure == null) {
                failure = thrown;
            } else if (failure != thrown) {
                failure.addSuppressed(thrown);
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private static void checkAtEnd(Scene scene) throws InterruptedException {
        try {
            scene.resources().check();
        } catch (RuntimeException | AssertionError broken) {
            throw new BrokenAtTheEnd(broken);
        }
    }

    /** What is wrong after a case is no fault of what the case itself checks. */
    private static final class BrokenAtTheEnd extends AssertionError {
        private static final long serialVersionUID = 1;

        BrokenAtTheEnd(Throwable broken) {
            super(broken.toString(), broken);
        }
    }

    /**
     * For how long this JVM, and the slowest answer of the store beyond what is usual, kept the case waiting. Answers that were
     * slow when the round trip was measured make no stall usual.
     */
    private Duration stoodStill(Scene where, long stoodBefore) {
        long tenRoundTrips =
                where.timing().roundTrip().multipliedBy(10).plusMillis(20).toNanos();
        long usual = Math.min(tenRoundTrips, shortestStall(scene));
        return Duration.ofNanos(
                StallMeter.nanos() - stoodBefore + Math.max(0, where.history().slowest() - usual));
    }

    /** Whether a failure may come of a store that is slow or gone. Two holders at once never do. */
    private boolean tellsOfStore(Throwable failure) {
        return rule != null && !(failure instanceof TestAbortedException) && !(failure instanceof SafetyViolation);
    }

    /** A stall is as long in every run, however long the leases are: a wait for a tenth of them may be all stall. */
    private boolean isExcused(Throwable failure, Scene where, Duration stall) {
        return tellsOfStore(failure)
                && !(failure instanceof CaseThread.NeverEnded)
                && (stall.toNanos() >= shortestStall(where) || StallMeter.isCrowded())
                && where.history().firstFault().isEmpty();
    }

    /** However much patience there is, a failure tells nothing of a lock where a thread of the case may have got no time. */
    private static SetUpFailure tooBusy(Throwable failure) {
        return new SetUpFailure(
                "the machine was too busy in each of " + PATIENCE.size()
                        + " runs, each with more time than the one before, so let it have less to do, and run the case again; "
                        + "the last run ended with this: " + failure,
                failure);
    }

    /** A lock that ends a quarter of a lease too early may have looked right. Small stalls hide nothing, however many they are. */
    private boolean isVague(Scene where, Duration stall) {
        return rule != null
                && stall.compareTo(where.lease().dividedBy(4)) >= 0
                && where.history().firstFault().isEmpty();
    }

    private static long shortestStall(Scene where) {
        return where.lease().dividedBy(10).toNanos();
    }

    /** The failure of a case, with its rule, why it matters, what happened, and the time line. */
    private Throwable explained(Throwable failure, Scene where) {
        if (rule == null || failure instanceof TestAbortedException) {
            return failure;
        }
        String number = RuleNames.numberOf(method);
        if (failure instanceof SetUpFailure) {
            return new SetUpFailure(
                    "set-up trouble, so " + number + " was not tested: " + failure.getMessage() + "\n  Time line:\n"
                            + where.history().timeline(),
                    failure);
        }
        boolean atEnd = failure instanceof BrokenAtTheEnd;
        String broken = atEnd
                ? AT_END + "\n  Found at the end of " + number + ": " + rule.says()
                : number + BROKEN + rule.says();
        String because = atEnd ? WHY_AT_END : rule.because();
        String happened = (atEnd ? String.valueOf(failure.getMessage()) : failure.toString())
                .lines()
                .map(LockNames::printable)
                .collect(Collectors.joining("\n"));
        return new AssertionError(
                broken + "\n  Why it matters: " + because + "\n  What happened: " + happened + "\n  Time line:\n"
                        + where.history().timeline(),
                atEnd ? failure.getCause() : failure);
    }
}
