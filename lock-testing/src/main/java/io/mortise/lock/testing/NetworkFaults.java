// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.testing;

import io.mortise.lock.Ticker;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.testing.LossyBackend.Operation;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Decides which request or reply a {@link LossyBackend} loses or delays: first the planned faults, then random ones.
 * Thread-safe.
 */
final class NetworkFaults {
    enum Fault {
        NONE,
        LOSE_REQUEST,
        LOSE_REPLY,
        DELAY_REPLY,
        HOLD_UP_REQUEST
    }

    record Plan(Fault fault, Duration delay) {
        static final Plan NONE = new Plan(Fault.NONE, Duration.ZERO);
    }

    /** A call to the store behind. */
    interface Call {
        boolean make() throws InterruptedException;
    }

    private final Ticker ticker;
    private final Map<Operation, Deque<Plan>> planned = new EnumMap<>(Operation.class);
    private final Map<Operation, Long> begun = new EnumMap<>(Operation.class);
    private final Map<Operation, Long> ended = new EnumMap<>(Operation.class);
    private final List<Call> heldUp = new ArrayList<>();
    private double share;
    private @Nullable Random random;

    NetworkFaults(Ticker ticker) {
        this.ticker = ticker;
    }

    synchronized void plan(Operation operation, Fault fault, Duration delay) {
        planned.computeIfAbsent(operation, unused -> new ArrayDeque<>()).add(new Plan(fault, delay));
    }

    synchronized void randomly(double newShare, long seed) {
        share = newShare;
        random = new Random(seed);
    }

    synchronized long calls(Operation operation) {
        return begun.getOrDefault(operation, 0L);
    }

    synchronized long ended(Operation operation) {
        return ended.getOrDefault(operation, 0L);
    }

    boolean apply(Operation operation, Call call) throws InterruptedException {
        try {
            return withFault(next(operation), call);
        } finally {
            end(operation);
        }
    }

    private boolean withFault(Plan plan, Call call) throws InterruptedException {
        if (plan.fault() == Fault.LOSE_REQUEST) {
            throw new BackendException("the request was lost on its way to the store", null);
        }
        if (plan.fault() == Fault.HOLD_UP_REQUEST) {
            synchronized (this) {
                heldUp.add(call);
            }
            throw new BackendException("the request is held up on its way to the store", null);
        }
        boolean answer = call.make();
        if (plan.fault() == Fault.LOSE_REPLY) {
            throw new BackendException("the store's reply was lost", null);
        }
        long end = ticker.nanos() + plan.delay().toNanos();
        while (end - ticker.nanos() > 0) {
            ticker.parkUntil(this, end);
            if (Thread.interrupted()) {
                throw new InterruptedException("interrupted while the reply was under way");
            }
        }
        return answer;
    }

    int deliverHeldUp() {
        List<Call> calls;
        synchronized (this) {
            calls = List.copyOf(heldUp);
            heldUp.clear();
        }
        for (Call call : calls) {
            try {
                call.make();
            } catch (InterruptedException nobodyWaits) {
                Thread.currentThread().interrupt();
            }
        }
        return calls.size();
    }

    private synchronized void end(Operation operation) {
        ended.merge(operation, 1L, Long::sum);
    }

    private synchronized Plan next(Operation operation) {
        begun.merge(operation, 1L, Long::sum);
        Deque<Plan> plans = planned.get(operation);
        if (plans != null && !plans.isEmpty()) {
            return plans.remove();
        }
        if (random == null || random.nextDouble() >= share) {
            return Plan.NONE;
        }
        return new Plan(random.nextBoolean() ? Fault.LOSE_REQUEST : Fault.LOSE_REPLY, Duration.ZERO);
    }
}
