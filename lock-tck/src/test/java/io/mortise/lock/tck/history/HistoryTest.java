// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.tck.history.Operation.Kind;
import io.mortise.lock.tck.time.Pause;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A slow answer excuses a case, unless the suite itself has kept the store from answering. */
class HistoryTest {
    private static final Duration SLOW = Duration.ofMillis(20);

    private final History history = new History();

    @Test
    void anAnswerThatTheSuiteHeldBackIsNotSlow() throws InterruptedException {
        history.silenced("the store");
        history.silenced("a route");
        history.answersAgain("a route");
        answeredSlowly();
        history.answersAgain("the store");

        assertThat(history.slowest()).isZero();
    }

    @Test
    void anAnswerAfterwardsIs() throws InterruptedException {
        history.silenced("the store");
        history.answersAgain("the store");
        answeredSlowly();

        assertThat(history.slowest()).isGreaterThanOrEqualTo(SLOW.toNanos());
    }

    private void answeredSlowly() throws InterruptedException {
        long begin = history.asked("A", 1, "lock", Kind.TRY, "");
        Pause.of(SLOW);
        history.add(new Operation("A", 1, "lock", Kind.TRY, begin, history.now(), 0, "", Operation.NO, 0, 0, 1));
    }
}
