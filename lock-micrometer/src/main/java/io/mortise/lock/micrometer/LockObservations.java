// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.micrometer;

import io.micrometer.observation.ObservationRegistry;
import io.mortise.lock.DistributedLock;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * Lets calls of locks be observed, so that a tracing system such as OpenTelemetry shows them as spans, below the span of their caller. One
 * object serves all locks of an application. Thread-safe.
 *
 * <ul>
 *   <li>{@code mortise.lock.acquire}: from a call to its end, with the {@code outcome}: {@code granted}, {@code busy},
 *       {@code unanswered}, {@code refused}, {@code interrupted}, {@code closed}, {@code failed} or {@code without-lock}
 *   <li>{@code mortise.lock.hold}: a task of {@code run}, {@code call}, {@code tryRun} and {@code tryCall}, under the lock; the spans of the
 *       task are below it. {@code end} is {@code held}, or {@code lost} if the lease was lost meanwhile
 * </ul>
 *
 * <p>Both have {@code lock}, the group of the name as in {@link LockMetrics}, and {@code lock.name}, the name itself, which is for spans
 * alone.
 */
public final class LockObservations {
    private final ObservationRegistry registry;
    private final LockGroups groups;

    private LockObservations(ObservationRegistry registry, LockGroups groups) {
        this.registry = Objects.requireNonNull(registry, "registry");
        this.groups = groups;
    }

    /**
     * {@return observations that group locks by their names without numbers}
     *
     * @param registry takes the observations
     */
    public static LockObservations of(ObservationRegistry registry) {
        return of(registry, LockGroups::withoutNumbers);
    }

    /**
     * {@return observations that group locks as the application says}
     *
     * @param registry takes the observations
     * @param grouping the group of a name; as with {@link LockMetrics#of(io.micrometer.core.instrument.MeterRegistry, UnaryOperator)}
     */
    public static LockObservations of(ObservationRegistry registry, UnaryOperator<String> grouping) {
        return new LockObservations(registry, new LockGroups(grouping));
    }

    /**
     * {@return a lock whose calls are observed, and that does all else as the given one does} Its view {@link DistributedLock#asLock()} is
     * not observed.
     *
     * @param lock the lock
     */
    public DistributedLock observed(DistributedLock lock) {
        return new ObservedLock(lock, registry, groups.of(lock.name()));
    }
}
