// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.run;

import io.mortise.lock.tck.time.StallMeter;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Performs one run of a case on a daemon thread of its own: a call that never returns, and ignores interrupts, must not hold up the
 * suite.
 */
final class CaseThread {
    private static final int MOST_THREADS = 50;
    private static final int MOST_FRAMES = 40;

    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread thread;
    private volatile @Nullable Throwable failure;

    private CaseThread(String name, Body body) {
        thread = new Thread(() -> perform(body), name);
        thread.setDaemon(true);
    }

    interface Body {
        void perform() throws Throwable;
    }

    /** A case that did not end, with the stacks of all threads. */
    static final class NeverEnded extends AssertionError {
        private static final long serialVersionUID = 1;

        private NeverEnded(String message) {
            super(message);
        }

        @Override
        public String toString() {
            return String.valueOf(getMessage());
        }
    }

    /**
     * Performs a case and throws what it throws.
     *
     * @param limit for how long it may run; time in which the machine stood still does not count
     * @throws NeverEnded if it has not ended then; its thread is interrupted and left
     * @throws InterruptedException if the calling thread is interrupted; so is the case's, which gets a tenth of the limit to end
     */
    static void perform(String name, Duration limit, Body body) throws Throwable {
        CaseThread run = new CaseThread(name, body);
        run.thread.start();
        boolean hasEnded;
        try {
            hasEnded = run.awaitEnd(limit);
        } catch (InterruptedException interrupt) {
            run.thread.interrupt();
            run.awaitEnd(limit.dividedBy(10));
            throw interrupt;
        }
        if (!hasEnded) {
            String stacks = run.stacks();
            run.thread.interrupt();
            throw new NeverEnded("the case did not end within " + limit.toMillis()
                    + " ms. This is what all threads did then, its own first:\n" + stacks);
        }
        Throwable thrown = run.failure;
        if (thrown != null) {
            throw thrown;
        }
    }

    private void perform(Body body) {
        try {
            body.perform();
        } catch (Throwable thrown) {
            failure = thrown;
        } finally {
            ended.countDown();
        }
    }

    private boolean awaitEnd(Duration limit) throws InterruptedException {
        long begin = System.nanoTime();
        long stoodBefore = StallMeter.nanos();
        while (true) {
            long ran = System.nanoTime() - begin - (StallMeter.nanos() - stoodBefore);
            if (ended.await(Math.max(1, limit.toNanos() - ran), TimeUnit.NANOSECONDS)) {
                return true;
            }
            if (ran >= limit.toNanos()) {
                return false;
            }
        }
    }

    private String stacks() {
        Comparator<Map.Entry<Thread, StackTraceElement[]>> ownFirst =
                Comparator.comparing(entry -> entry.getKey() != thread);
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(entry -> entry.getValue().length > 0)
                .sorted(ownFirst.thenComparing(entry -> entry.getKey().getName()))
                .limit(MOST_THREADS)
                .map(entry -> stack(entry.getKey(), entry.getValue()))
                .collect(Collectors.joining());
    }

    private static String stack(Thread thread, StackTraceElement[] frames) {
        return "    \"" + thread.getName() + "\" " + thread.getState() + "\n"
                + Stream.of(frames)
                        .limit(MOST_FRAMES)
                        .map(frame -> "        at " + frame + "\n")
                        .collect(Collectors.joining());
    }
}
