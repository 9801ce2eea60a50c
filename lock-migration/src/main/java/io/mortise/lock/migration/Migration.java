// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.migration;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.LockHolder;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.Ticker;
import io.mortise.lock.migration.dual.DualBackend;
import io.mortise.lock.migration.register.HolderList;
import io.mortise.lock.migration.register.MigrationRecord;
import io.mortise.lock.migration.register.MigrationRegister;
import io.mortise.lock.migration.register.MigrationRegister.Versioned;
import io.mortise.lock.migration.register.OwnLock;
import io.mortise.lock.migration.register.Presence;
import io.mortise.lock.migration.window.LeaseMode;
import io.mortise.lock.migration.window.MigrationWindow;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.RegisterEntry;
import io.mortise.lock.spi.StoreUrl;
import io.mortise.lock.spi.support.Moment;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

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

    /** For questions that look at all locks of a store. */
    private static final Duration LOOKING = Duration.ofMinutes(2);

    private static final int SHOWN = 5;
    private static final Duration PROBE_LEASE = Duration.ofSeconds(10);
    private static final String INTERRUPTED = "the wait was interrupted; nothing was changed";

    /** How much faster the clock of a process may go than this one's, and its own allowance for that. */
    private static final double DRIFT = 0.01;

    private static final Duration CONSTANT_DRIFT = Duration.ofMillis(50);

    private final MigrationStores stores;
    private final MigrationRegister register;
    private final Ticker ticker;
    private final boolean fenced;
    private boolean tokensMayFall;

    /** Closes the stores. */
    Migration(MigrationStores stores, Ticker ticker) {
        this.stores = stores;
        this.register = stores.register();
        this.ticker = ticker;
        fenced = stores.old().features().contains(Feature.FENCED)
                && stores.young().features().contains(Feature.FENCED);
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

    /** {@return the name of the migration, as its URL has it} */
    public String name() {
        return register.migration();
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
     * Asks both stores what the migration could promise. Changes nothing, but that a store may make its tables.
     *
     * @return what they say now
     * @throws LockStoreException if a store did not answer
     * @throws LockConfigurationException if a store refuses for good
     */
    public MigrationPlan plan() {
        DualBackend both = new DualBackend(stores.old(), stores.young());
        return asked(() -> new MigrationPlan(
                register.oldStore(),
                register.newStore(),
                register.store() == stores.young(),
                stores.old().safetyLevel(),
                stores.young().safetyLevel(),
                both.safetyLevel(),
                both.fencingStrength(),
                fenced && !tellsHighestToken(stores.old()),
                fenced && !tellsHighestToken(stores.young()),
                both.leaseBounds().longest()));
    }

    private static boolean tellsHighestToken(LockBackend store) {
        try {
            return store.highestToken(LOOKING) >= 0;
        } catch (UnsupportedOperationException cannot) {
            return false;
        }
    }

    /**
     * {@return how far the migration is; empty if it was not started}
     *
     * @throws LockStoreException if the register did not answer
     * @throws LockConfigurationException if the register has something else than this migration between these stores
     */
    public Optional<MigrationStatus> status() {
        return read().map(read -> MigrationStatus.of(read.record()));
    }

    /**
     * Which processes have told, lately, that they follow the migration. A help for people: who is missing may be frozen, cut off, just beginning, or know
     * nothing of the migration, so that it shows nothing of what is <em>not</em> there.
     *
     * @return in no order
     * @throws LockStoreException if the register's store did not answer
     */
    public List<MigrationProcess> processes() {
        return asked(() -> Presence.of(register, LOOKING).stream()
                .map(told -> new MigrationProcess(told.label(), told.window()))
                .toList());
    }

    /**
     * Makes the record, if there is none, and opens the first window in which processes lock in both stores. The record is made with the window
     * DUAL, whatever is known: one that lets in more could arrive late, beside clients that lock in the new store alone. So it waits once, too. A
     * migration that was given up is begun again, with the bound that it had.
     *
     * @param bound how long processes go by what they have read: longer than an outage of the register that they are to survive
     * @param progress is told of the wait
     * @throws IllegalArgumentException if the bound is shorter than 200 ms or longer than an hour
     * @throws MigrationException if another operator was faster, if the migration is under way already, or if it was started with the register in
     *     the other store
     * @throws LockStoreException if a store did not answer; to be called again
     */
    public void start(Duration bound, Progress progress) {
        if (bound.compareTo(SHORTEST_BOUND) < 0 || bound.compareTo(LONGEST_BOUND) > 0) {
            throw new IllegalArgumentException(
                    "the bound lies between " + SHORTEST_BOUND + " and " + LONGEST_BOUND + ", and is not " + bound);
        }
        MigrationRecord first = new MigrationRecord(
                MigrationWindow.DUAL, LeaseMode.OLD, false, bound, register.oldStore(), register.newStore(), 0, 0);
        if (read().isEmpty()) {
            ensureNoOtherRegister();
            // Whether it was this call's record or another one's that is there then, the step below goes on from it.
            boolean unused = asked(() -> register.write(Optional.empty(), RegisterEntry.of(first.text()), CALL));
        }
        Versioned read = existing();
        MigrationRecord record = read.record();
        boolean wasGivenUp = record.isFinished() && record.window() == MigrationWindow.OLD;
        if (!wasGivenUp) {
            expect(read, MigrationWindow.DUAL);
            if (record.direction() == LeaseMode.NEW) {
                throw new MigrationException("the migration is under way, in the window " + MigrationWindow.DUAL);
            }
        }
        step(read, MigrationWindow.OLD_AND_DUAL, progress);
    }

    /** Two records of one migration would be moved apart. */
    private void ensureNoOtherRegister() {
        LockBackend other = register.store() == stores.old() ? stores.young() : stores.old();
        if (other.features().contains(Feature.REGISTER)
                && asked(() -> other.readRegister(register.migration(), CALL)).isPresent()) {
            throw new MigrationException("there is a record of the migration '" + register.migration()
                    + "' in the other store: use the URL with which it was started, with or without register=from");
        }
    }

    /**
     * Goes on to the next window. Before the step out of DUAL, no client that knows nothing of the migration may lock in the old store any
     * more: whoever calls this has made sure of it, in DUAL.
     *
     * @param from the window in which the migration is
     * @param progress is told of a wait
     * @return the window in which it is then
     * @throws MigrationException if it is in another window, if this is the last one, if it has come to its end, if another operator was faster,
     *     if a lock was held in the old store alone before and after the wait, or if tokens might fall ({@link #tokensMayFall})
     * @throws LockStoreException if a store did not answer; to be called again, with what {@link #status()} tells
     */
    public MigrationWindow advance(MigrationWindow from, Progress progress) {
        MigrationWindow next =
                from.next().orElseThrow(() -> new MigrationException("after " + from + " comes no window"));
        step(expect(existing(), from), next, progress);
        return next;
    }

    /**
     * Goes back to the window before. Before the step out of DUAL, no client that knows nothing of the migration may lock in the new store:
     * whoever calls this has made sure of it, in DUAL.
     *
     * @param from the window in which the migration is
     * @param progress is told of a wait
     * @return the window in which it is then
     * @throws MigrationException as {@link #advance}, but for locks that are held in the new store alone
     * @throws LockStoreException as {@link #advance}
     */
    public MigrationWindow back(MigrationWindow from, Progress progress) {
        MigrationWindow next =
                from.previous().orElseThrow(() -> new MigrationException("before " + from + " comes no window"));
        step(expect(existing(), from), next, progress);
        return next;
    }

    /**
     * Finishes the migration, in the window NEW, for good: from then on, clients that know nothing of it may lock in the new store, and there is no
     * way back. The record stays, for processes that still go by it. To be repeated without harm.
     *
     * @throws MigrationException if it is in another window, if another operator was faster, or if the next token that the new store would give to
     *     such a client may be lower than one that was given before ({@link #tokensMayFall})
     * @throws LockStoreException if a store did not answer; to be called again
     */
    public void finish() {
        end(MigrationWindow.NEW, stores.young(), MigrationRecord::newFloor);
    }

    /**
     * Gives the migration up, in the window OLD: from then on, clients that know nothing of it may lock in the old store, as before it was started.
     * The record stays; {@link #start} begins again. To be repeated without harm.
     *
     * @throws MigrationException as {@link #finish}, for the old store
     * @throws LockStoreException if a store did not answer; to be called again
     */
    public void abort() {
        end(MigrationWindow.OLD, stores.old(), MigrationRecord::oldFloor);
    }

    private void end(MigrationWindow in, LockBackend store, ToLongFunction<MigrationRecord> floor) {
        Versioned read = existing();
        if (read.record().isFinished() && read.record().window() == in) {
            return;
        }
        long least = floor.applyAsLong(expect(read, in).record());
        if (fenced && !tokensMayFall && least > 0) {
            long fresh = asked(() -> freshToken(store));
            if (fresh <= least) {
                throw new MigrationException("a client that knows nothing of the migration would get the token " + fresh
                        + " for a lock that it never had, and " + least
                        + " may have been given for it before; wait until the store's tokens have passed that, or go on"
                        + " with that only where nothing checks tokens");
            }
        }
        write(read, read.record().finished());
    }

    /** Of a lock that nobody ever had, without a floor. */
    private static long freshToken(LockBackend store) {
        Claim claim = OwnLock.claim(store, "mortise-migration-" + OwnLock.random(), "mortise migrate", PROBE_LEASE);
        try {
            if (!claim.tryAcquire(CALL)) {
                throw new BackendException("a lock that nobody ever had is held", null);
            }
            return claim.fencingToken();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new MigrationException(INTERRUPTED);
        } finally {
            OwnLock.giveBack(claim, CALL);
        }
    }

    private void step(Versioned read, MigrationWindow to, Progress progress) {
        Moment since = Moment.now(ticker);
        MigrationRecord record = read.record();
        LeaseMode direction = to.compareTo(record.window()) > 0 ? LeaseMode.NEW : LeaseMode.OLD;
        long oldFloor = record.oldFloor();
        long newFloor = record.newFloor();
        if (record.window() == MigrationWindow.DUAL) {
            LockBackend left = direction == LeaseMode.NEW ? stores.old() : stores.young();
            Map<String, LockHolder> before = asked(() -> heldAlone(left));
            long listed = ticker.nanos();
            await(record.bound(), since, progress);
            Map<String, LockHolder> after = asked(() -> heldAlone(left));
            Duration meanwhile = Duration.ofNanos((ticker.nanos() - listed) / 10 * 9);
            List<LockHolder> alone = after.values().stream()
                    .filter(holder -> isSameHold(before.get(holder.lock()), holder, meanwhile))
                    .toList();
            refuseToLeave(alone, direction);
            // After the wait: until then, somebody may have acquired a lock above it in the store that is closed.
            oldFloor = direction == LeaseMode.OLD ? Math.max(oldFloor, floorAbove(stores.young())) : oldFloor;
            newFloor = direction == LeaseMode.NEW ? Math.max(newFloor, floorAbove(stores.old())) : newFloor;
        }
        write(
                read,
                new MigrationRecord(
                        to,
                        direction,
                        false,
                        record.bound(),
                        record.oldStore(),
                        record.newStore(),
                        oldFloor,
                        newFloor));
    }

    private void write(Versioned read, MigrationRecord next) {
        if (!asked(() -> register.write(Optional.of(read.version()), RegisterEntry.of(next.text()), CALL))) {
            throw new MigrationException("another operator was faster: look how far the migration is");
        }
    }

    /**
     * The locks that are held in one store and not in the other, as far as both can list: by clients that know nothing of the migration, by halves
     * that a dead process has left, or by somebody between two halves.
     */
    private Map<String, LockHolder> heldAlone(LockBackend here) {
        LockBackend there = here == stores.old() ? stores.young() : stores.old();
        Map<String, LockHolder> alone = new LinkedHashMap<>();
        if (here.features().contains(Feature.LISTABLE) && there.features().contains(Feature.LISTABLE)) {
            eachHeld(here, holder -> alone.put(holder.lock(), holder));
            eachHeld(there, holder -> alone.remove(holder.lock()));
        }
        return alone;
    }

    /** Not one of two of the same process, which may have no tokens. */
    private static boolean isSameHold(@Nullable LockHolder before, LockHolder after, Duration meanwhile) {
        return before != null
                && before.fencingToken() == after.fencingToken()
                && before.label().equals(after.label())
                && after.heldFor().compareTo(meanwhile) >= 0;
    }

    private static void eachHeld(LockBackend store, Consumer<LockHolder> action) {
        HolderList.forEach(store, "", LOOKING, holder -> {
            if (!Presence.isName(holder.lock())) {
                action.accept(holder);
            }
        });
    }

    /** An empty list shows nothing; one that is not would end somebody's work. */
    private static void refuseToLeave(List<LockHolder> alone, LeaseMode direction) {
        if (!alone.isEmpty()) {
            String store = direction == LeaseMode.NEW ? "old" : "new";
            throw new MigrationException("locks are held in the " + store
                    + " store alone, by clients that do not know of the migration or by what a dead one has left: "
                    + alone.stream()
                            .limit(SHOWN)
                            .map(holder -> "'" + holder.lock() + "' by " + holder.label())
                            .collect(Collectors.joining(", "))
                    + (alone.size() > SHOWN ? " and " + (alone.size() - SHOWN) + " more" : "")
                    + "; end these clients, or wait until the leases have ended, and do it again");
        }
    }

    /** The greatest token of the store that is left, for locks that nobody has acquired in both. */
    private long floorAbove(LockBackend other) {
        if (!fenced) {
            return 0;
        }
        long floor;
        try {
            floor = asked(() -> other.highestToken(LOOKING));
        } catch (UnsupportedOperationException untold) {
            if (tokensMayFall) {
                return 0;
            }
            throw new MigrationException(
                    "a store of the migration cannot tell the greatest token that it has given, so the tokens of locks that"
                            + " nobody acquires in both stores could fall; go on with that only where nothing checks tokens",
                    untold);
        }
        if (floor > ClaimRequest.HIGHEST_TOKEN_FLOOR) {
            throw new MigrationException(
                    "the tokens of a store of the migration are too great for the other one: " + floor);
        }
        return floor;
    }

    private Optional<Versioned> read() {
        return asked(() -> register.read(CALL));
    }

    private Versioned existing() {
        return read().orElseThrow(() -> new MigrationException(
                "there is no migration '" + register.migration() + "' in the register; start it"));
    }

    private static Versioned expect(Versioned read, MigrationWindow from) {
        MigrationRecord record = read.record();
        if (record.isFinished()) {
            throw new MigrationException(
                    record.window() == MigrationWindow.NEW
                            ? "the migration is finished: there is no way back"
                            : "the migration was given up; start it again");
        }
        if (record.window() != from) {
            throw new MigrationException("the migration is in the window " + record.window() + ", not in " + from);
        }
        return read;
    }

    private static <T> T asked(Supplier<T> question) {
        try {
            return question.get();
        } catch (BackendException failure) {
            String said = String.valueOf(failure.getMessage());
            throw failure.kind() == BackendException.Kind.REFUSED
                    ? new LockConfigurationException(said, failure)
                    : new LockStoreException("", "a store of the migration did not answer: " + said, failure);
        }
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
                throw new MigrationException(INTERRUPTED);
            }
        }
    }
}
