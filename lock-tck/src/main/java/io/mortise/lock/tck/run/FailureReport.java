// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.run;

import io.mortise.lock.tck.history.History;
import io.mortise.lock.tck.scene.Rule;
import java.lang.reflect.Method;

/** Builds the message of a failed case: the rule, why it matters, what happened, and the time line. */
final class FailureReport {
    private FailureReport() {}

    static AssertionError of(Method method, Rule rule, Throwable failure, History history) {
        return new AssertionError(
                RuleNames.numberOf(method) + " is broken. " + rule.says() + "\n  Why it matters: " + rule.because()
                        + "\n  What happened: " + failure + "\n  Time line:\n" + history.timeline(),
                failure);
    }
}
