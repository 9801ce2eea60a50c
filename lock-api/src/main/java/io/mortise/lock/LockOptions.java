// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * The options of a lock, such as the length of its lease, how long a caller waits for it, and whether the lease is
 * renewed. Immutable; each {@code with} method returns a changed copy. Thread-safe.
 *
 * <p>{@code LockOptions.defaults().withLease(Duration.ofSeconds(10)).withLabel("nightly report")}
 */
public final class LockOptions {
    private static final LockOptions DEFAULTS = new LockOptions(new Draft());

    private final Duration lease;
    private final boolean renewal;
    private final Optional<Duration> minHold;
    private final Optional<Duration> maxHold;
    private final Optional<Duration> maxWait;
    private final Duration lockDelay;
    private final boolean goOnWithoutAnswer;
    private final String label;
    private final OptionalInt localHandOvers;

    private LockOptions(Draft draft) {
        lease = draft.lease;
        renewal = draft.renewal;
        minHold = draft.minHold;
        maxHold = draft.maxHold;
        maxWait = draft.maxWait;
        lockDelay = draft.lockDelay;
        goOnWithoutAnswer = draft.goOnWithoutAnswer;
        label = draft.label;
        localHandOvers = draft.localHandOvers;
    }

    /** The values of a copy before it is made. Begins with the defaults, or with those of other options. */
    private static final class Draft {
        private Duration lease = Duration.ofSeconds(30);
        private boolean renewal = true;
        private Optional<Duration> minHold = Optional.empty();
        private Optional<Duration> maxHold = Optional.empty();
        private Optional<Duration> maxWait = Optional.empty();
        private Duration lockDelay = Duration.ZERO;
        private boolean goOnWithoutAnswer;
        private String label = defaultLabel();
        private OptionalInt localHandOvers = OptionalInt.empty();

        private Draft() {}

        private Draft(LockOptions from) {
            lease = from.lease;
            renewal = from.renewal;
            minHold = from.minHold;
            maxHold = from.maxHold;
            maxWait = from.maxWait;
            lockDelay = from.lockDelay;
            goOnWithoutAnswer = from.goOnWithoutAnswer;
            label = from.label;
            localHandOvers = from.localHandOvers;
        }
    }

    private LockOptions with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return new LockOptions(draft);
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
     * free when this and {@link #lockDelay()} have passed, or the rest of {@link #minHold()} if that is longer; on ZooKeeper, when
     * the session ends.
     */
    public Duration lease() {
        return lease;
    }

    /**
     * {@return a copy with this {@link #lease()}} Short leases free a crashed holder's lock sooner; long ones survive
     * longer outages of the store.
     *
     * @param value the lease, within the {@linkplain io.mortise.lock.spi.LockBackend#leaseBounds() bounds} of the store, and longer
     *     than the allowance for clock drift, which is 2 ms and the {@linkplain LockClientBuilder#clockDrift drift} of the lease:
     *     longer than 2.02 ms unless the drift is set
     * @throws IllegalArgumentException if {@code value} is not positive
     */
    public LockOptions withLease(Duration value) {
        return with(draft -> draft.lease = positive("lease", value));
    }

    /** {@return whether leases are renewed in the background, by default true} */
    public boolean renewal() {
        return renewal;
    }

    /**
     * {@return a copy with this {@link #renewal()}} Without renewal a lease always ends after {@link #lease()}, unless
     * {@link Lease#extend} makes it longer.
     *
     * @param value true to renew
     */
    public LockOptions withRenewal(boolean value) {
        return with(draft -> draft.renewal = value);
    }

    /**
     * {@return how long the lock is kept from others at least, counted from the grant; by default not at all} A lease that is
     * released earlier stays in the store for the rest of that time: through the end of the client and of the process, too. If the
     * client is closed meanwhile, it stays for the shortest lease of the store if that is longer.
     * Nothing is handed over within the client: each grant has its least time in the store from the grant on. For jobs that several
     * hosts start at about the same moment and that must run once.
     */
    public Optional<Duration> minHold() {
        return minHold;
    }

    /**
     * {@return a copy with this {@link #minHold()}}
     *
     * @param value the least time; {@link LockClient#lock(String, LockOptions)} refuses it for a store that keeps nothing of a
     *     holder that has gone, such as ZooKeeper
     * @throws IllegalArgumentException if {@code value} is not positive
     */
    public LockOptions withMinHold(Duration value) {
        return with(draft -> draft.minHold = Optional.of(positive("minHold", value)));
    }

    /**
     * {@return how long a lease may be held at most, renewals included; by default without limit} When a third of
     * {@link #lease()} is left of that time, or an eighth of that time if it is shorter, the lease is at risk; at its end the
     * lease is lost with {@link LossCause#MAX_HOLD_REACHED}.
     */
    public Optional<Duration> maxHold() {
        return maxHold;
    }

    /**
     * {@return a copy with this {@link #maxHold()}}
     *
     * @param value the limit; {@link LockClient#lock(String, LockOptions)} refuses one of less than a millisecond
     * @throws IllegalArgumentException if {@code value} is not positive
     */
    public LockOptions withMaxHold(Duration value) {
        return with(draft -> draft.maxHold = Optional.of(positive("maxHold", value)));
    }

    /**
     * {@return how long {@link DistributedLock#acquire()}, {@link DistributedLock#acquireAsync()}, {@link DistributedLock#run} and
     * {@link DistributedLock#call} wait; by default without limit} They may end as late as
     * {@link DistributedLock#tryAcquire(Duration)} does. {@link DistributedLock#asLock()} ignores it.
     */
    public Optional<Duration> maxWait() {
        return maxWait;
    }

    /**
     * {@return a copy with this {@link #maxWait()}}
     *
     * @param value the limit; zero: others are not waited for
     * @throws IllegalArgumentException if {@code value} is negative
     */
    public LockOptions withMaxWait(Duration value) {
        return with(draft -> draft.maxWait = Optional.of(notNegative("maxWait", value)));
    }

    /**
     * {@return for how long after an unclean end nobody gets the lock; by default zero} A lease that was lost, or whose holder
     * died, is kept in the store for so much longer, so that what its holder has sent before can arrive before the next
     * holder begins. After a confirmed release, and after {@link #minHold()}, the lock is free at once, and so it is after
     * {@link DistributedLock#revokeNow}. Chubby and Consul have the same delay. Use it for resources that cannot check fencing
     * tokens.
     */
    public Duration lockDelay() {
        return lockDelay;
    }

    /**
     * {@return a copy with this {@link #lockDelay()}} {@link DistributedLock#revokeNow} frees the lock at once all the same.
     *
     * @param value the delay; {@link LockClient#lock(String, LockOptions)} refuses one for a store that keeps nothing of a
     *     holder that has gone, such as ZooKeeper
     * @throws IllegalArgumentException if {@code value} is negative
     */
    public LockOptions withLockDelay(Duration value) {
        return with(draft -> draft.lockDelay = notNegative("lockDelay", value));
    }

    /**
     * {@return whether callers go on without the lock when the store does not answer; by default false} Only for locks that
     * save work, never for those that protect data.
     */
    public boolean goOnWithoutAnswer() {
        return goOnWithoutAnswer;
    }

    /**
     * {@return a copy with this {@link #goOnWithoutAnswer()}} Where a call of {@link DistributedLock} would end with
     * {@link LockStoreException} it answers with a {@link Lease} instead that is none: {@link Lease#isHeld()} is false and
     * {@link Lease#isWithoutLock()} is true. It is logged, and told to {@link LockListener#wentOnWithoutLock}.
     * {@link DistributedLock#asLock()} throws all the same.
     *
     * @param value true to go on
     */
    public LockOptions withGoOnWithoutAnswer(boolean value) {
        return with(draft -> draft.goOnWithoutAnswer = value);
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
    public LockOptions withLabel(String value) {
        Objects.requireNonNull(value, "label");
        return with(draft -> draft.label = value);
    }

    /**
     * How often in a row a released lock goes to the next waiter of the same client without asking the store, which happens
     * within 200 ms after the store was asked about the lease. Each hand-over has a token of its own, but the store still shows the
     * first holder: set 0 where a guard compares the store's record of the holder. Never with a {@link #minHold()}.
     *
     * @return the limit; empty, the default, means 16, or where the store is {@link io.mortise.lock.spi.Feature#FAIR} 31 within 5 ms
     *     after the store granted the lock, so as to pass over earlier waiters of other clients for no longer; set 0 for strict order
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
    public LockOptions withLocalHandOvers(int value) {
        if (value < 0 || value > 1000) {
            throw new IllegalArgumentException("localHandOvers must be between 0 and 1000: " + value);
        }
        return with(draft -> draft.localHandOvers = OptionalInt.of(value));
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

    private static Duration notNegative(String name, Duration value) {
        if (Objects.requireNonNull(value, name).isNegative()) {
            throw new IllegalArgumentException(name + " must not be negative: " + value);
        }
        return value;
    }

    private static Duration positive(String name, Duration value) {
        if (Objects.requireNonNull(value, name).isNegative() || value.isZero()) {
            throw new IllegalArgumentException(name + " must be positive: " + value);
        }
        return value;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LockOptions that && values().equals(that.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "LockOptions[lease=" + lease + ", renewal=" + renewal + ", minHold=" + minHold + ", maxHold=" + maxHold
                + ", maxWait=" + maxWait + ", lockDelay=" + lockDelay + ", goOnWithoutAnswer=" + goOnWithoutAnswer
                + ", label=" + label + ", localHandOvers=" + localHandOvers + "]";
    }

    private List<Object> values() {
        return List.of(lease, renewal, minHold, maxHold, maxWait, lockDelay, goOnWithoutAnswer, label, localHandOvers);
    }
}
