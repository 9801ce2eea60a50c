// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck;

import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.spi.support.ForwardingBackend;
import io.mortise.lock.spi.support.ForwardingClaim;
import io.mortise.lock.tck.fault.Route;
import io.mortise.lock.tck.time.Pause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A client of a store in this JVM behind a route that can be cut and slowed down, as a proxy does it to a server: a request
 * that is sent while it is cut arrives when it heals, whether or not anybody waits for the answer.
 */
public final class CuttableBackend extends ForwardingBackend {
    /** The state of one route. Its monitor guards it. */
    private static final class Way {
        private final List<Runnable> underWay = new ArrayList<>();
        private boolean cut;
        private long delayNanos;

        synchronized void cut() {
            cut = true;
        }

        void heal() {
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

        synchronized void delay(Duration by) {
            delayNanos = by.toNanos();
        }

        synchronized boolean isCut() {
            return cut;
        }

        private interface Question {
            boolean ask() throws InterruptedException;
        }

        boolean pass(Question question, Duration atMost) throws InterruptedException {
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

        private static void late(Question question) {
            try {
                question.ask();
            } catch (InterruptedException | BackendException nobodyWaits) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static final Map<String, Way> WAYS = new ConcurrentHashMap<>();

    private final Way way;

    private CuttableBackend(LockBackend inner, Way way) {
        super(inner);
        this.way = way;
    }

    /**
     * A new route.
     *
     * @return its store is to be given to {@link #behind}
     */
    public static Route route() {
        Way way = new Way();
        String name = "way " + System.identityHashCode(way);
        WAYS.put(name, way);
        return new Route(name, way::cut, way::heal, way::delay, () -> WAYS.remove(name));
    }

    /**
     * A backend by the route that a name says.
     *
     * @param store the empty string, for none, or the store of a route
     * @param backend a client of the store
     * @return the same, or a client behind the route
     */
    public static LockBackend behind(String store, LockBackend backend) {
        Way way = WAYS.get(store);
        return way == null ? backend : new CuttableBackend(backend, way);
    }

    @Override
    public Claim claim(ClaimRequest request, Runnable nudge) {
        Runnable heard = () -> {
            if (!way.isCut()) {
                nudge.run();
            }
        };
        return new ForwardingClaim(super.claim(request, heard)) {
            @Override
            public boolean tryAcquire(Duration atMost) throws InterruptedException {
                return way.pass(() -> super.tryAcquire(atMost), atMost);
            }

            @Override
            public boolean renew(Duration lease, Duration atMost) {
                return uninterrupted(() -> super.renew(lease, atMost), atMost);
            }

            @Override
            public boolean release(Duration atMost) {
                return uninterrupted(() -> super.release(atMost), atMost);
            }
        };
    }

    @Override
    public List<Answer> renewAll(List<Renewal> renewals, Duration atMost) {
        return renewOneByOne(renewals, atMost);
    }

    private boolean uninterrupted(Way.Question question, Duration atMost) {
        try {
            return way.pass(question, atMost);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new BackendException("interrupted", interrupted);
        }
    }
}
