// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.run;

import io.mortise.lock.tck.history.SafetyViolation;
import io.mortise.lock.tck.scene.Rule;
import io.mortise.lock.tck.scene.Scene;
import io.mortise.lock.tck.time.StallMeter;
import java.lang.reflect.Method;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.opentest4j.TestAbortedException;

/**
 * Runs a case from its first step to the check of its history. A case that fails while the machine or the store stood still is
 * run once more, with three times the leases and limits, and then counts: leases that ended in a stall prove
 * nothing. Two holders at once, or tokens that fall, are never excused.
 *
 * @param method the case, or a test of the author's own
 * @param rule what it proves; null for a test of the author's own
 * @param scene in which it runs first
 * @param stoodBefore what {@link StallMeter#nanos} said before
 */
record CaseRun(Method method, @Nullable Rule rule, Scene scene, long stoodBefore) {
    private static final System.Logger LOG = System.getLogger("io.mortise.lock.tck");
    private static final int PATIENCE = 3;

    CaseRun(Method method, Scene scene) {
        this(method, method.getAnnotation(Rule.class), scene, StallMeter.nanos());
    }

    interface Case {
        void perform(Scene scene) throws Throwable;
    }

    /** Once as JUnit would, and if need be once more in another scene. */
    void of(Case first, Case more) throws Throwable {
        try {
            perform(first, scene);
        } catch (Throwable failure) {
            if (!isExcused(failure)) {
                throw explained(failure, scene);
            }
            Scene again = scene.again(PATIENCE);
            String why = "run once more, because the machine or the store stood still for "
                    + stoodStill().toMillis() + " ms when this came: " + failure;
            LOG.log(System.Logger.Level.INFO, () -> RuleNames.numberOf(method) + " is " + why);
            again.history().note("suite", why);
            try {
                perform(more, again);
            } catch (Throwable second) {
                throw explained(second, again);
            }
        }
    }

    private static void perform(Case body, Scene scene) throws Throwable {
        try {
            body.perform(scene);
            scene.resources().close();
            scene.resources().check();
        } finally {
            scene.resources().close();
            scene.resources().disconnect();
        }
    }

    /** For how long this JVM, and the slowest answer of the store beyond what is usual, kept the case waiting. */
    private Duration stoodStill() {
        long usual = scene.timing().roundTrip().multipliedBy(10).plusMillis(20).toNanos();
        return Duration.ofNanos(
                StallMeter.nanos() - stoodBefore + Math.max(0, scene.history().slowest() - usual));
    }

    private boolean isExcused(Throwable failure) {
        return rule != null
                && !(failure instanceof TestAbortedException)
                && !(failure instanceof SafetyViolation)
                && stoodStill().compareTo(scene.lease().dividedBy(10)) >= 0
                && scene.history().firstFault().isEmpty();
    }

    /** The failure of a case, with its rule, why it matters, what happened, and the time line. */
    private Throwable explained(Throwable failure, Scene where) {
        if (rule == null || failure instanceof TestAbortedException) {
            return failure;
        }
        return new AssertionError(
                RuleNames.numberOf(method) + " is broken. " + rule.says() + "\n  Why it matters: " + rule.because()
                        + "\n  What happened: " + failure + "\n  Time line:\n"
                        + where.history().timeline(),
                failure);
    }
}
