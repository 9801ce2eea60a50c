// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.migration;

import io.mortise.lock.Ticker;
import io.mortise.lock.migration.register.MigrationRecord;
import io.mortise.lock.migration.register.MigrationRegister;
import io.mortise.lock.migration.register.MigrationRegister.Versioned;
import io.mortise.lock.migration.window.LeaseMode;
import io.mortise.lock.migration.window.MigrationWindow;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.RegisterEntry;
import io.mortise.lock.spi.StoreUrl;
import io.mortise.lock.spi.support.Moment;
import java.time.Duration;
import java.util.Optional;

/**
 * Moves the window of a migration, one step at a time, in either direction: the operator's side. Safe to be killed at any moment and begun
 * again, and to be done by two at once: whoever is slower is told so and has changed nothing.
 *
 * <p>Out of the window DUAL it waits, in both directions, until every process has read DUAL or believes nothing any more. That takes the bound of
 * the migration and an allowance for clocks, counted from its own reading of the very record that it then replaces. Not thread-safe.
 */
public final class Migration implements AutoCloseable {
    /** How long processes go by what they have read, unless told otherwise: 15 seconds. */
    public static final Duration DEFAULT_BOUND = Duration.ofSeconds(15);

    private static final Duration SHORTEST_BOUND = Duration.ofMillis(200);
    private static final Duration LONGEST_BOUND = Duration.ofHours(1);
    private static final Duration CALL = Duration.ofSeconds(5);

    /** It may look at all locks of a store. */
    private static final Duration HIGHEST_TOKEN = Duration.ofMinutes(2);

    /** How much faster the clock of a process may go than this one's, and its own allowance for that. */
    private static final double DRIFT = 0.01;

    private static final Duration CONSTANT_DRIFT = Duration.ofMillis(50);

    private final MigrationStores stores;
    private final MigrationRegister register;
    private final Ticker ticker;
    private boolean tokensMayFall;

    /** Closes the stores. */
    Migration(MigrationStores stores, Ticker ticker) {
        this.stores = stores;
        this.register = stores.register();
        this.ticker = ticker;
    }

    /**
     * Opens both stores.
     *
     * @param url as the processes of the fleet have it: {@code migrate:NAME from URL to URL}
     * @return to be closed
     * @throws io.mortise.lock.LockConfigurationException if the URL cannot be understood, or a store or its register cannot be used
     * @throws io.mortise.lock.LockStoreException if a store did not answer
     */
    public static Migration open(String url) {
        return new Migration(MigrationStores.open(StoreUrl.parse(url)), Ticker.system());
    }

    /**
     * Whether to go on where it cannot be shown that tokens rise: if both stores have tokens, and one of them cannot tell the greatest that it has
     * given. Then the tokens of locks that nobody acquires in DUAL may fall. A step that would need this is refused otherwise.
     *
     * @param may unless set, false
     */
    public void tokensMayFall(boolean may) {
        tokensMayFall = may;
    }

    /** Closes both stores. Changes nothing. */
    @Override
    public void close() {
        stores.close();
    }

    /** Tells what is being waited for. */
    @FunctionalInterface
    public interface Progress {
        /**
         * Called before each part of a wait.
         *
         * @param left how long it still lasts
         */
        void waiting(Duration left);
    }

    /**
     * {@return how far the migration is; empty if it was not started}
     *
     * @throws BackendException if the register did not answer, or has something else
     */
    public Optional<MigrationWindow> window() {
        return register.read(CALL).map(read -> read.record().window());
    }

    /**
     * {@return whether the migration is finished}
     *
     * @throws BackendException as {@link #window()}
     */
    public boolean isFinished() {
        return register.read(CALL).map(read -> read.record().isFinished()).orElse(false);
    }

    /**
     * Makes the record, if there is none, and opens the first window in which processes lock in both stores. The record is made with the window
     * DUAL, whatever is known: one that lets in more could arrive late, beside clients that lock in the new store alone. So it waits once, too.
     *
     * @param bound how long processes go by what they have read: longer than an outage of the register that they are to survive
     * @param progress is told of the wait
     * @throws IllegalArgumentException if the bound is shorter than 200 ms or longer than an hour
     * @throws IllegalStateException if another operator was faster, or the migration is under way already
     * @throws BackendException if the register did not answer
     */
    public void start(Duration bound, Progress progress) {
        if (bound.compareTo(SHORTEST_BOUND) < 0 || bound.compareTo(LONGEST_BOUND) > 0) {
            throw new IllegalArgumentException(
                    "the bound lies between " + SHORTEST_BOUND + " and " + LONGEST_BOUND + ", and is not " + bound);
        }
        MigrationRecord first = new MigrationRecord(
                MigrationWindow.DUAL, LeaseMode.OLD, false, bound, register.oldStore(), register.newStore(), 0, 0);
        if (register.read(CALL).isEmpty()) {
            // Whether it was this call's record or another one's that is there then, the step below goes on from it.
            boolean unused = register.write(Optional.empty(), RegisterEntry.of(first.text()), CALL);
        }
        if (expect(MigrationWindow.DUAL).record().direction() == LeaseMode.NEW) {
            throw new IllegalStateException("the migration is under way, in the window " + MigrationWindow.DUAL);
        }
        step(MigrationWindow.DUAL, MigrationWindow.OLD_AND_DUAL, progress);
    }

    /**
     * Goes on to the next window. Before the step out of DUAL, no client that knows nothing of the migration may lock in the old store any
     * more: whoever calls this has made sure of it, in DUAL.
     *
     * @param from the window in which the migration is
     * @param progress is told of a wait
     * @return the window in which it is then
     * @throws IllegalStateException if it is in another window, if this is the last one, if it is finished, or if another operator was faster
     * @throws BackendException if the register did not answer; to be called again, with what {@link #window()} tells
     */
    public MigrationWindow advance(MigrationWindow from, Progress progress) {
        MigrationWindow next =
                from.next().orElseThrow(() -> new IllegalStateException("after " + from + " comes no window"));
        step(from, next, progress);
        return next;
    }

    /**
     * Goes back to the window before. Before the step out of DUAL, no client that knows nothing of the migration may lock in the new store:
     * whoever calls this has made sure of it, in DUAL.
     *
     * @param from the window in which the migration is
     * @param progress is told of a wait
     * @return the window in which it is then
     * @throws IllegalStateException as {@link #advance}
     * @throws BackendException as {@link #advance}
     */
    public MigrationWindow back(MigrationWindow from, Progress progress) {
        MigrationWindow next =
                from.previous().orElseThrow(() -> new IllegalStateException("before " + from + " comes no window"));
        step(from, next, progress);
        return next;
    }

    /**
     * Finishes the migration, in the window NEW, for good: from then on, clients that know nothing of it may lock in the new store, and there is no
     * way back. The record stays, for processes that still go by it. To be repeated without harm.
     *
     * @throws IllegalStateException if it is in another window, or if another operator was faster
     * @throws BackendException if the register did not answer
     */
    public void finish() {
        if (isFinished()) {
            return;
        }
        Versioned read = expect(MigrationWindow.NEW);
        RegisterEntry last = RegisterEntry.of(read.record().finished().text());
        if (!register.write(Optional.of(read.version()), last, CALL)) {
            throw new IllegalStateException("another operator was faster: look how far the migration is");
        }
    }

    private void step(MigrationWindow from, MigrationWindow to, Progress progress) {
        Versioned read = expect(from);
        Moment since = Moment.now(ticker);
        MigrationRecord record = read.record();
        LeaseMode direction = to.compareTo(from) > 0 ? LeaseMode.NEW : LeaseMode.OLD;
        long oldFloor = record.oldFloor();
        long newFloor = record.newFloor();
        if (from == MigrationWindow.DUAL) {
            await(record.bound(), since, progress);
            // After the wait: until then, somebody may have acquired a lock above it in the store that is closed.
            oldFloor = direction == LeaseMode.OLD ? Math.max(oldFloor, floorAbove(stores.young())) : oldFloor;
            newFloor = direction == LeaseMode.NEW ? Math.max(newFloor, floorAbove(stores.old())) : newFloor;
        }
        RegisterEntry next = RegisterEntry.of(new MigrationRecord(
                        to, direction, false, record.bound(), record.oldStore(), record.newStore(), oldFloor, newFloor)
                .text());
        if (!register.write(Optional.of(read.version()), next, CALL)) {
            throw new IllegalStateException("another operator was faster: look how far the migration is");
        }
    }

    /** The greatest token of the store that is left, for locks that nobody has acquired in both. */
    private long floorAbove(LockBackend other) {
        boolean bothHaveTokens = stores.old().features().contains(Feature.FENCED)
                && stores.young().features().contains(Feature.FENCED);
        if (!bothHaveTokens) {
            return 0;
        }
        long floor;
        try {
            floor = other.highestToken(HIGHEST_TOKEN);
        } catch (UnsupportedOperationException untold) {
            if (tokensMayFall) {
                return 0;
            }
            throw new IllegalStateException(
                    "a store of the migration cannot tell the greatest token that it has given, so the tokens of locks that"
                            + " nobody acquires in both stores could fall; go on with that only where nothing checks tokens",
                    untold);
        }
        if (floor > ClaimRequest.HIGHEST_TOKEN_FLOOR) {
            throw new IllegalStateException(
                    "the tokens of a store of the migration are too great for the other one: " + floor);
        }
        return floor;
    }

    private Versioned expect(MigrationWindow from) {
        Versioned read = register.read(CALL)
                .orElseThrow(() -> new IllegalStateException(
                        "there is no migration '" + register.migration() + "' in the register; start it"));
        if (read.record().isFinished()) {
            throw new IllegalStateException("the migration is finished: there is no way back");
        }
        if (read.record().window() != from) {
            throw new IllegalStateException(
                    "the migration is in the window " + read.record().window() + ", not in " + from);
        }
        return read;
    }

    /** Wall time is of no use to end it: a clock that is set would end it early. */
    private void await(Duration bound, Moment since, Progress progress) {
        long nanos = (long) (bound.toNanos() * (1 + 2 * DRIFT)) + CONSTANT_DRIFT.toNanos();
        long end = since.nanos() + nanos;
        for (long left = nanos; left > 0; left = end - ticker.nanos()) {
            progress.waiting(Duration.ofNanos(left));
            ticker.parkUntil(
                    this, Math.min(end, ticker.nanos() + Duration.ofSeconds(1).toNanos()));
            if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("the wait was interrupted; nothing was changed");
            }
        }
    }
}
