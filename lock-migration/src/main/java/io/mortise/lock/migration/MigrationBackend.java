// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.migration;

import io.mortise.lock.LockHolder;
import io.mortise.lock.Ticker;
import io.mortise.lock.migration.dual.DualBackend;
import io.mortise.lock.migration.dual.DualClaim;
import io.mortise.lock.migration.register.MigrationRecord;
import io.mortise.lock.migration.register.MigrationRegister;
import io.mortise.lock.migration.register.Presence;
import io.mortise.lock.migration.register.WindowWatch;
import io.mortise.lock.migration.window.LeaseMode;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.FencingStrength;
import io.mortise.lock.spi.LeaseBounds;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.spi.SafetyLevel;
import io.mortise.lock.spi.support.CallDeadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * A client of a fleet that moves from one store to another while it runs. Each lease is held in the old store, in both, or in the new one, as the
 * window of the migration asks for, which this client reads in the register; a lease that is held when the window moves goes along with it. Where
 * the register cannot be read, or has no record of the migration, nobody is let in. Thread-safe.
 *
 * <p>Its features are those that both stores have. It does not revoke.
 */
public final class MigrationBackend implements LockBackend {
    private static final String NAME = "the stores of the migration";

    private final MigratingClaim.Stores stores;

    /** Of the last claim, which is that of the whole process as a rule. */
    private volatile String label = "";

    /**
     * Made of two clients, which this one closes.
     *
     * @param register tells the window, kept in one of the two
     */
    MigrationBackend(LockBackend old, LockBackend young, MigrationRegister register, Ticker ticker) {
        Presence presence = new Presence(register, () -> label);
        stores = new MigratingClaim.Stores(
                old, young, new DualBackend(old, young), new WindowWatch(register, presence, ticker));
    }

    /** Begins to ask for the window in the background; without it, only those ask who have nothing to go by. */
    MigrationBackend watching() {
        stores.window().start();
        return this;
    }

    @Override
    public Claim claim(ClaimRequest request, Runnable nudge) {
        label = request.label();
        return new MigratingClaim(stores, request, nudge);
    }

    @Override
    public Set<Feature> features() {
        Set<Feature> features = EnumSet.noneOf(Feature.class);
        features.addAll(stores.both().features());
        features.retainAll(stores.young().features());
        return Set.copyOf(features);
    }

    /** The weaker of both. */
    @Override
    public SafetyLevel safetyLevel() {
        return stores.both().safetyLevel();
    }

    @Override
    public FencingStrength fencingStrength() {
        return stores.both().fencingStrength();
    }

    @Override
    public LeaseBounds leaseBounds() {
        return stores.both().leaseBounds();
    }

    /** Those that stay in their mode, in a batch for each mode; the others one by one. */
    @Override
    public List<Answer> renewAll(List<Renewal> renewals, Duration atMost) {
        if (renewals.isEmpty()) {
            return List.of();
        }
        return CallDeadline.uninterruptibly(NAME, atMost, deadline -> {
            Map<LeaseMode, List<Integer>> batches = new EnumMap<>(LeaseMode.class);
            List<Integer> going = new ArrayList<>();
            for (int i = 0; i < renewals.size(); i++) {
                MigratingClaim claim = claim(renewals.get(i));
                List<Integer> its = claim.staysAsItIs()
                        ? batches.computeIfAbsent(claim.mode(), unused -> new ArrayList<>())
                        : going;
                its.add(i);
            }
            Answers answers = new Answers(renewals.size());
            int left = batches.size() + (going.isEmpty() ? 0 : 1);
            for (Map.Entry<LeaseMode, List<Integer>> batch : batches.entrySet()) {
                Duration part = Duration.ofNanos(Math.max(1, deadline.remainingNanos() / left--));
                answers.put(batch.getValue(), () -> stores.of(batch.getKey())
                        .renewAll(
                                batch.getValue().stream()
                                        .map(renewals::get)
                                        .map(each -> new Renewal(claim(each).current(), each.lease()))
                                        .toList(),
                                part));
            }
            if (!going.isEmpty()) {
                Duration part = Duration.ofNanos(Math.max(1, deadline.remainingNanos()));
                answers.put(
                        going,
                        () -> LockBackend.super.renewAll(
                                going.stream().map(renewals::get).toList(), part));
            }
            return answers.all();
        });
    }

    private static MigratingClaim claim(Renewal renewal) {
        return (MigratingClaim) renewal.claim();
    }

    /** The answers of several batches. */
    private static final class Answers {
        private final List<Answer> all;
        private BackendException failure = new BackendException("nobody was asked", null);
        private boolean isAnswered;

        Answers(int size) {
            all = new ArrayList<>(Collections.nCopies(size, Answer.UNKNOWN));
        }

        void put(List<Integer> places, Supplier<List<Answer>> batch) {
            try {
                List<Answer> told = batch.get();
                IntStream.range(0, places.size()).forEach(i -> all.set(places.get(i), told.get(i)));
                isAnswered = true;
            } catch (BackendException unanswered) {
                failure = unanswered;
            }
        }

        /** What one batch was answered is not hidden by the silence that another one met. */
        List<Answer> all() {
            if (!isAnswered) {
                throw failure;
            }
            return all;
        }
    }

    /** In the one store in which every holder is. */
    @Override
    public Optional<LockHolder> inspect(String lock, Duration atMost) {
        return CallDeadline.uninterruptibly(
                NAME, atMost, deadline -> everybodys(deadline).inspect(lock, DualClaim.rest(deadline)));
    }

    /** Without the locks by which processes tell that they are there. */
    @Override
    public List<LockHolder> list(String prefix, String after, int limit, Duration atMost) {
        return CallDeadline.uninterruptibly(NAME, atMost, deadline -> {
            LockBackend store = everybodys(deadline);
            List<LockHolder> shown = new ArrayList<>();
            List<LockHolder> page = List.of();
            do {
                String last = page.isEmpty() ? after : page.get(page.size() - 1).lock();
                page = store.list(prefix, last, limit, DualClaim.rest(deadline));
                page.stream()
                        .filter(holder -> !Presence.isName(holder.lock()))
                        .limit(limit - shown.size())
                        .forEach(shown::add);
            } while (shown.size() < limit && page.size() == limit);
            return shown;
        });
    }

    private LockBackend everybodys(CallDeadline deadline) {
        MigrationRecord record = stores.window().current(deadline);
        return switch (record.window()) {
            case OLD -> stores.old();
            case OLD_AND_DUAL, DUAL -> stores.both();
            case DUAL_AND_NEW, NEW -> stores.young();
        };
    }

    /** What this client knows of the window. */
    WindowWatch window() {
        return stores.window();
    }

    @Override
    public void close() {
        stores.window().close();
        stores.both().close();
    }
}
