// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The options of a lock, such as the length of its lease, how long a caller waits for it, and whether the lease is
 * renewed. Immutable; each method that takes a value returns a changed copy. Thread-safe.
 *
 * <p>{@code LockOptions.defaults().lease(Duration.ofSeconds(10)).label("nightly report")}
 */
public final class LockOptions {
    private static final LockOptions DEFAULTS = new LockOptions(
            Duration.ofSeconds(30), true, Optional.empty(), Optional.empty(), defaultLabel(), OptionalInt.empty());

    private final Duration lease;
    private final boolean renewal;
    private final Optional<Duration> maxHold;
    private final Optional<Duration> maxWait;
    private final String label;
    private final OptionalInt localHandOvers;

    private LockOptions(
            Duration lease,
            boolean renewal,
            Optional<Duration> maxHold,
            Optional<Duration> maxWait,
            String label,
            OptionalInt localHandOvers) {
        this.lease = lease;
        this.renewal = renewal;
        this.maxHold = maxHold;
        this.maxWait = maxWait;
        this.label = label;
        this.localHandOvers = localHandOvers;
    }

    /**
     * {@return the defaults: a lease of 30 seconds, renewed for as long as it is held; waiting without limit; a label
     * of user, host and process}
     */
    public static LockOptions defaults() {
        return DEFAULTS;
    }

    /**
     * {@return how long a grant lasts without renewal, by default 30 seconds} After a crash of the holder the lock is
     * free when this has passed.
     */
    public Duration lease() {
        return lease;
    }

    /**
     * {@return a copy with this {@link #lease()}} Short leases free a crashed holder's lock sooner; long ones survive
     * longer outages of the store.
     *
     * @param value the lease, within the {@linkplain io.mortise.lock.spi.LockBackend#leaseBounds() bounds} of the store
     * @throws IllegalArgumentException if {@code value} is not positive
     */
    public LockOptions lease(Duration value) {
        return new LockOptions(positive("lease", value), renewal, maxHold, maxWait, label, localHandOvers);
    }

    /** {@return whether leases are renewed in the background, by default true} */
    public boolean renewal() {
        return renewal;
    }

    /**
     * {@return a copy with this {@link #renewal()}} Without renewal a lease always ends after {@link #lease()}.
     *
     * @param value true to renew
     */
    public LockOptions renewal(boolean value) {
        return new LockOptions(lease, value, maxHold, maxWait, label, localHandOvers);
    }

    /**
     * {@return how long a lease may be held at most, renewals included; by default without limit} When a third of
     * {@link #lease()} is left of that time, the lease is at risk; at its end the lease is lost with
     * {@link LossCause#MAX_HOLD_REACHED}.
     */
    public Optional<Duration> maxHold() {
        return maxHold;
    }

    /**
     * {@return a copy with this {@link #maxHold()}}
     *
     * @param value the limit
     * @throws IllegalArgumentException if {@code value} is not positive
     */
    public LockOptions maxHold(Duration value) {
        return new LockOptions(lease, renewal, Optional.of(positive("maxHold", value)), maxWait, label, localHandOvers);
    }

    /**
     * {@return how long {@link DistributedLock#acquire()}, {@link DistributedLock#run} and
     * {@link DistributedLock#call} wait; by default without limit}
     */
    public Optional<Duration> maxWait() {
        return maxWait;
    }

    /**
     * {@return a copy with this {@link #maxWait()}}
     *
     * @param value the limit; zero means one try
     * @throws IllegalArgumentException if {@code value} is negative
     */
    public LockOptions maxWait(Duration value) {
        if (value.isNegative()) {
            throw new IllegalArgumentException("maxWait must not be negative: " + value);
        }
        return new LockOptions(lease, renewal, maxHold, Optional.of(value), label, localHandOvers);
    }

    /**
     * {@return the text that tells people who look at the store who holds the lock, by default user, host and process
     * id} Neither a secret nor an identity.
     */
    public String label() {
        return label;
    }

    /**
     * {@return a copy with this {@link #label()}}
     *
     * @param value any string
     */
    public LockOptions label(String value) {
        return new LockOptions(
                lease, renewal, maxHold, maxWait, Objects.requireNonNull(value, "label"), localHandOvers);
    }

    /**
     * How often in a row a released lock goes to the next waiter of the same client without asking the store. Each
     * hand-over has a token of its own, but the store still shows the first holder: set 0 where a guard compares the
     * store's record of the holder.
     *
     * @return the limit; empty, the default, means 16, or 4 where the store is
     *     {@link io.mortise.lock.spi.Feature#FAIR}, so as to pass over few earlier waiters of other clients; set 0
     *     for strict order
     */
    public OptionalInt localHandOvers() {
        return localHandOvers;
    }

    /**
     * {@return a copy with this {@link #localHandOvers()}}
     *
     * @param value the limit, 0 to 1000
     * @throws IllegalArgumentException if {@code value} is outside 0 to 1000
     */
    public LockOptions localHandOvers(int value) {
        if (value < 0 || value > 1000) {
            throw new IllegalArgumentException("localHandOvers must be between 0 and 1000: " + value);
        }
        return new LockOptions(lease, renewal, maxHold, maxWait, label, OptionalInt.of(value));
    }

    /** Names this process without asking the network. */
    private static String defaultLabel() {
        return System.getProperty("user.name", "?") + "@" + host() + "/"
                + ProcessHandle.current().pid();
    }

    private static String host() {
        String fromShell = System.getenv("HOSTNAME");
        if (fromShell != null && !fromShell.isBlank()) {
            return fromShell;
        }
        try {
            return Files.readString(Path.of("/proc/sys/kernel/hostname")).trim();
        } catch (IOException noSuchFile) {
            String fromWindows = System.getenv("COMPUTERNAME");
            return fromWindows == null ? "localhost" : fromWindows;
        }
    }

    private static Duration positive(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(name + " must be positive: " + value);
        }
        return value;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LockOptions that
                && lease.equals(that.lease)
                && renewal == that.renewal
                && maxHold.equals(that.maxHold)
                && maxWait.equals(that.maxWait)
                && label.equals(that.label)
                && localHandOvers.equals(that.localHandOvers);
    }

    @Override
    public int hashCode() {
        return Objects.hash(lease, renewal, maxHold, maxWait, label, localHandOvers);
    }

    @Override
    public String toString() {
        return "LockOptions[lease=" + lease + ", renewal=" + renewal + ", maxHold=" + maxHold + ", maxWait=" + maxWait
                + ", label=" + label + ", localHandOvers=" + localHandOvers + "]";
    }
}
