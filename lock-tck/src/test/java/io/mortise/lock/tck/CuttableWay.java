// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.tck.fault.Route;
import io.mortise.lock.tck.time.Pause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The way of one client to a store in this JVM, as a proxy is one to a server. It can be cut and slowed down: what is sent while it is
 * cut arrives when it heals, whether or not anybody waits for the answer. Its monitor guards it.
 */
public final class CuttableWay {
    private static final Map<String, CuttableWay> WAYS = new ConcurrentHashMap<>();

    private final List<Runnable> underWay = new ArrayList<>();
    private boolean cut;
    private long delayNanos;

    /** What a client asks the store. */
    public interface Question {
        boolean ask() throws InterruptedException;
    }

    private CuttableWay() {}

    /**
     * A new route.
     *
     * @return its store is to be given to {@link #of}
     */
    public static Route route() {
        CuttableWay way = new CuttableWay();
        String name = "way " + System.identityHashCode(way);
        WAYS.put(name, way);
        return new Route(name, way::cut, way::heal, way::delay, () -> WAYS.remove(name));
    }

    /** The way of a route; null if a store is none, which needs no way. */
    public static @Nullable CuttableWay of(String store) {
        return WAYS.get(store);
    }

    private synchronized void cut() {
        cut = true;
    }

    private void heal() {
        List<Runnable> late;
        synchronized (this) {
            cut = false;
            delayNanos = 0;
            late = List.copyOf(underWay);
            underWay.clear();
            notifyAll();
        }
        late.forEach(Runnable::run);
    }

    private synchronized void delay(Duration by) {
        delayNanos = by.toNanos();
    }

    public synchronized boolean isCut() {
        return cut;
    }

    /** Asks, and brings the answer back; an interrupt ends that. */
    public boolean pass(Question question, Duration atMost) throws InterruptedException {
        long end = System.nanoTime() + atMost.toNanos();
        synchronized (this) {
            while (cut) {
                long left = end - System.nanoTime();
                if (left <= 0) {
                    underWay.add(() -> late(question));
                    throw new BackendException("no answer within " + atMost, null);
                }
                wait(left / 1_000_000 + 1);
            }
        }
        boolean answer = question.ask();
        long arrives;
        synchronized (this) {
            arrives = System.nanoTime() + delayNanos;
        }
        Pause.of(Duration.ofNanos(Math.max(0, Math.min(arrives, end) - System.nanoTime())));
        if (arrives - end > 0) {
            throw new BackendException("no answer within " + atMost, null);
        }
        return answer;
    }

    /** As {@link #pass}; an interrupt makes the outcome unknown. */
    public boolean passUninterrupted(Question question, Duration atMost) {
        try {
            return pass(question, atMost);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new BackendException("interrupted", interrupted);
        }
    }

    private static void late(Question question) {
        try {
            question.ask();
        } catch (InterruptedException | BackendException nobodyWaits) {
            Thread.currentThread().interrupt();
        }
    }
}
