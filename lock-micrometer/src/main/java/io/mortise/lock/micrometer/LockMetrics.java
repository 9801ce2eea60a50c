// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.mortise.lock.LockEvent;
import io.mortise.lock.LockException;
import io.mortise.lock.LockListener;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.Loss;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * Counts and times the events of a client's locks: give it to the client with {@code LockClientBuilder.listener}. One object can
 * serve several clients. Thread-safe.
 *
 * <p>Each meter has the tags {@code store}, as the client names it, and {@code lock}: not the name of the lock, of which there may
 * be millions, but the group that it belongs to. Unless another function is given, a group is the name with each number and UUID in
 * it replaced by an asterisk: {@code orders/42} belongs to {@code orders/*}. After {@value #MOST_GROUPS} groups, all others count
 * as {@value #OTHERS}.
 *
 * <ul>
 *   <li>{@code mortise.lock.wait}: a timer of calls, from the call to its end. {@code outcome} says how it ended: {@code granted},
 *       {@code handed-over} by another caller of the same client, {@code busy}, {@code unanswered}, {@code refused}, {@code closed},
 *       {@code failed}, or {@code without-lock}
 *   <li>{@code mortise.lock.hold}: a timer of leases, from the grant to the end; {@code end} is {@code released} or {@code lost}
 *   <li>{@code mortise.lock.lost}: counts leases that were lost, with the {@code cause}, such as {@code expired}
 *   <li>{@code mortise.lock.at.risk}: counts how often a lease came to be at risk
 *   <li>{@code mortise.lock.renewal}: a timer of renewals, from the moment when one was due to its confirmation
 *   <li>{@code mortise.lock.renewal.unanswered}: counts renewals without an answer
 * </ul>
 */
public final class LockMetrics implements LockListener {
    /** How many groups of locks are told apart. */
    public static final int MOST_GROUPS = 100;

    /** The group of all locks beyond that. */
    public static final String OTHERS = "others";

    private final MeterRegistry registry;
    private final LockGroups groups;

    private LockMetrics(MeterRegistry registry, UnaryOperator<String> grouping) {
        this.registry = Objects.requireNonNull(registry, "registry");
        this.groups = new LockGroups(grouping);
    }

    /**
     * {@return a listener that groups locks by their names without numbers}
     *
     * @param registry where the meters are
     */
    public static LockMetrics of(MeterRegistry registry) {
        return of(registry, LockGroups::withoutNumbers);
    }

    /**
     * {@return a listener that groups locks as the application says}
     *
     * @param registry where the meters are
     * @param grouping the group of a name, such as what stands before the first slash; must not answer null, throw or block. Its
     *     answers become values of tags: few are best
     */
    public static LockMetrics of(MeterRegistry registry, UnaryOperator<String> grouping) {
        return new LockMetrics(registry, grouping);
    }

    @Override
    public void acquired(LockEvent event) {
        waited(event, event.handedOver() ? "handed-over" : "granted");
    }

    @Override
    public void timedOut(LockEvent event) {
        waited(event, "busy");
    }

    @Override
    public void failed(LockEvent event, LockException failure) {
        waited(event, Outcome.of(failure));
    }

    @Override
    public void wentOnWithoutLock(LockEvent event, LockStoreException failure) {
        waited(event, "without-lock");
    }

    @Override
    public void renewed(LockEvent event, Duration late) {
        time("mortise.lock.renewal", "From the moment when a renewal was due to its confirmation", tags(event), late);
    }

    @Override
    public void renewalUnanswered(LockEvent event, Duration remaining) {
        count("mortise.lock.renewal.unanswered", "Renewals without an answer", tags(event));
    }

    @Override
    public void atRisk(LockEvent event, Duration remaining) {
        count("mortise.lock.at.risk", "How often a lease came to be at risk", tags(event));
    }

    @Override
    public void lost(LockEvent event, Loss loss) {
        String cause = loss.cause().name().toLowerCase(Locale.ROOT).replace('_', '-');
        count("mortise.lock.lost", "Leases that were lost", tags(event).and("cause", cause));
        held(event, "lost");
    }

    @Override
    public void released(LockEvent event) {
        held(event, "released");
    }

    private void waited(LockEvent event, String outcome) {
        time("mortise.lock.wait", "From a call to its end", tags(event).and("outcome", outcome), event.waited());
    }

    private void held(LockEvent event, String end) {
        time(
                "mortise.lock.hold",
                "From a grant to the end of the lease",
                tags(event).and("end", end),
                event.held());
    }

    private void time(String name, String description, Tags tags, Duration length) {
        Timer.builder(name)
                .description(description)
                .tags(tags)
                .register(registry)
                .record(length);
    }

    private void count(String name, String description, Tags tags) {
        Counter.builder(name)
                .description(description)
                .tags(tags)
                .register(registry)
                .increment();
    }

    private Tags tags(LockEvent event) {
        return Tags.of("store", event.store(), "lock", groups.of(event.lockName()));
    }
}
