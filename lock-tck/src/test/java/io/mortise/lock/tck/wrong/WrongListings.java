// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.wrong;

import io.mortise.lock.LockHolder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Wrong ways to tell of locks, one by one and in lists. */
final class WrongListings {
    private WrongListings() {}

    /** What is told, but for this. */
    static LockHolder with(LockHolder told, Duration heldFor, Optional<Duration> remaining, OptionalInt waiters) {
        return new LockHolder(
                told.lock(), told.label(), told.fencingToken(), heldFor, remaining, waiters, told.revocationReason());
    }

    /** The row of a lock is never deleted, and keeps the time of its first grant. */
    static final class HeldSinceTheFirstHolder extends TinyStore {
        private final Map<String, Long> first = new HashMap<>();

        @Override
        void grant(TinyClaim claim) {
            super.grant(claim);
            Entry entry = live(claim);
            if (entry != null) {
                entry.since = first.computeIfAbsent(key(claim), unused -> entry.since);
            }
        }
    }

    /** A repeated try counts as a new grant. */
    static final class HeldSinceTheRepeatedTry extends TinyStore {
        @Override
        void repeated(Entry entry) {
            super.repeated(entry);
            entry.since = now();
        }
    }

    /** Tells another rest of the lease. */
    static class TellsAnotherRest extends TinyStore {
        @Override
        LockHolder holder(Entry entry) {
            LockHolder told = super.holder(entry);
            return with(
                    told,
                    told.heldFor(),
                    Optional.of(rest(entry, told.remaining().orElseThrow())),
                    told.waiters());
        }

        /** Milliseconds are taken for microseconds. */
        Duration rest(Entry entry, Duration right) {
            return right.dividedBy(1000);
        }
    }

    /** Tells how long the lease was, and not what is left of it. */
    static final class TheRestNeverSinks extends TellsAnotherRest {
        @Override
        Duration rest(Entry entry, Duration right) {
            return entry.claim.lease;
        }
    }

    /** Tells what would be left if the lease had never been renewed to a longer one. */
    static final class TheRestOfTheFirstLease extends TellsAnotherRest {
        @Override
        Duration rest(Entry entry, Duration right) {
            Duration rest = entry.claim.request.lease().minusNanos(now() - entry.since);
            return rest.compareTo(right) < 0 ? (rest.isNegative() ? Duration.ZERO : rest) : right;
        }
    }

    /** The rest of the lock that was asked about last. */
    static final class TheRestOfAnotherLock extends TellsAnotherRest {
        private Duration last = Duration.ZERO;

        @Override
        void grant(TinyClaim claim) {
            super.grant(claim);
            last = claim.lease;
        }

        @Override
        Duration rest(Entry entry, Duration right) {
            return last.compareTo(right) < 0 ? last : right;
        }
    }

    /** Counts waiters. */
    static class CountsWaiters extends TinyStore {
        @Override
        LockHolder holder(Entry entry) {
            LockHolder told = super.holder(entry);
            return with(told, told.heldFor(), told.remaining(), OptionalInt.of(count(entry)));
        }

        int count(Entry entry) {
            return waiting.getOrDefault(key(entry.claim), List.of()).size();
        }
    }

    /** Counts the holder as one that waits. */
    static final class CountsTheHolder extends CountsWaiters {
        @Override
        int count(Entry entry) {
            return super.count(entry) + 1;
        }
    }

    /** Counts those that wait for any lock. */
    static final class CountsTheWaitersOfAllLocks extends CountsWaiters {
        @Override
        int count(Entry entry) {
            return waiting.values().stream().mapToInt(List::size).sum();
        }
    }

    /** Tells that nobody waits, instead of nothing. */
    static final class TellsThatNobodyWaits extends CountsWaiters {
        @Override
        int count(Entry entry) {
            return 0;
        }
    }

    /** Counts refused tries. */
    static final class CountsTries extends CountsWaiters {
        private final Map<String, Integer> tries = new TreeMap<>();

        @Override
        synchronized boolean tryAcquire(TinyClaim claim) {
            boolean granted = super.tryAcquire(claim);
            tries.merge(key(claim), claim.request.waits() && !granted ? 1 : 0, Integer::sum);
            return granted;
        }

        @Override
        int count(Entry entry) {
            return tries.getOrDefault(key(entry.claim), 0);
        }
    }

    /** The page behind a lock that nobody holds any more is the first one. */
    static final class LooksForTheLastName extends TinyStore {
        @Override
        synchronized List<LockHolder> list(String prefix, String after, int limit) {
            return super.list(prefix, entries.containsKey(key(after)) ? after : "", limit);
        }
    }

    /** The page behind a lock that nobody holds any more is empty. */
    static final class EndsWhereTheLastNameIsGone extends TinyStore {
        @Override
        synchronized List<LockHolder> list(String prefix, String after, int limit) {
            return after.isEmpty() || entries.containsKey(key(after)) ? super.list(prefix, after, limit) : List.of();
        }
    }

    /** A page begins at the place where the one before ended, whatever has come or gone since. */
    static final class CountsPlaces extends TinyStore {
        private int place;

        @Override
        synchronized List<LockHolder> list(String prefix, String after, int limit) {
            place = after.isEmpty() ? 0 : place;
            List<LockHolder> all = super.list(prefix, "", Integer.MAX_VALUE);
            List<LockHolder> page = all.stream().skip(place).limit(limit).toList();
            place += page.size();
            return page;
        }
    }

    /** Takes as many rows as fit into a page, and then leaves out those whose leases have ended. */
    static final class LeavesOutAfterwards extends TinyStore {
        @Override
        synchronized List<LockHolder> list(String prefix, String after, int limit) {
            return rows(this, prefix, after)
                    .limit(limit)
                    .filter(entry -> entry.until - now() > 0)
                    .map(this::holder)
                    .toList();
        }
    }

    /** Shows leases that have ended. */
    static final class ShowsTheEnded extends TinyStore {
        @Override
        synchronized List<LockHolder> list(String prefix, String after, int limit) {
            return rows(this, prefix, after).limit(limit).map(this::holder).toList();
        }
    }

    /** Each page has the order of a hash table, and the last name of it is not the last of all. */
    static final class HashesEachPage extends TinyStore {
        @Override
        synchronized List<LockHolder> list(String prefix, String after, int limit) {
            return super.list(prefix, after, limit).stream()
                    .sorted(Comparator.comparing(told -> told.lock().hashCode()))
                    .toList();
        }
    }

    /** A page begins with the last name of the one before. */
    static final class BeginsWithTheLastName extends TinyStore {
        @Override
        synchronized List<LockHolder> list(String prefix, String after, int limit) {
            List<LockHolder> page = new ArrayList<>(super.list(prefix, after, limit));
            if (!after.isEmpty() && limit > 2 && page.size() == limit) {
                inspect(after).ifPresent(last -> page.set(0, last));
            }
            return page;
        }
    }

    /** Never gives more than ten, whatever was asked for. */
    static final class TenAreEnough extends TinyStore {
        @Override
        List<LockHolder> list(String prefix, String after, int limit) {
            return super.list(prefix, after, Math.min(limit, 10));
        }
    }

    /** The lock whose name is the prefix itself is left out. */
    static final class LeavesOutThePrefixItself extends TinyStore {
        @Override
        boolean matches(String lock, String prefix) {
            return super.matches(lock, prefix) && lock.length() > prefix.length();
        }
    }

    /** Without a prefix there is nothing to list. */
    static final class NoPrefixNoList extends TinyStore {
        @Override
        boolean matches(String lock, String prefix) {
            return !prefix.isEmpty() && super.matches(lock, prefix);
        }
    }

    /** Reads the names of a page, and then the holders, and gives up the page at one that is gone. */
    static final class StopsAtWhatIsGone extends TinyStore {
        @Override
        List<LockHolder> list(String prefix, String after, int limit) {
            List<String> names = super.list(prefix, after, limit).stream()
                    .map(LockHolder::lock)
                    .toList();
            TinyBackend.pause(2);
            List<LockHolder> page = new ArrayList<>();
            for (String name : names) {
                Optional<LockHolder> holder = inspect(name);
                if (holder.isEmpty()) {
                    return page;
                }
                page.add(holder.get());
            }
            return page;
        }
    }

    /** The labels of a page belong to the names before them. */
    static final class MixesUpTheHolders extends TinyStore {
        @Override
        List<LockHolder> list(String prefix, String after, int limit) {
            List<LockHolder> right = super.list(prefix, after, limit);
            List<LockHolder> page = new ArrayList<>();
            for (int i = 0; i < right.size(); i++) {
                LockHolder told = right.get(i);
                page.add(new LockHolder(
                        told.lock(),
                        right.get((i + 1) % right.size()).label(),
                        told.fencingToken(),
                        told.heldFor(),
                        told.remaining(),
                        told.waiters(),
                        told.revocationReason()));
            }
            return page;
        }
    }

    private static Stream<TinyStore.Entry> rows(TinyStore store, String prefix, String after) {
        return store.entries.values().stream()
                .filter(entry -> entry.claim.request.lock().startsWith(prefix))
                .filter(entry -> after.isEmpty() || entry.claim.request.lock().compareTo(after) > 0);
    }

    /** The prefix of a listing is the pattern of a shell. */
    static final class PrefixIsAShellPattern extends TinyStore {
        @Override
        boolean matches(String lock, String prefix) {
            String pattern = Pattern.quote(prefix).replace("*", "\\E.*\\Q").replace("?", "\\E.\\Q");
            return Pattern.compile(pattern + ".*", Pattern.DOTALL).matcher(lock).matches();
        }
    }

    /** A listing finds the prefix anywhere in a name. */
    static final class PrefixIsAnywhere extends TinyStore {
        @Override
        boolean matches(String lock, String prefix) {
            return lock.contains(prefix);
        }
    }

    /** A page is sorted without regard to case, and begins behind the last name with regard to it. */
    static final class HasTwoOrders extends TinyStore {
        @Override
        List<LockHolder> list(String prefix, String after, int limit) {
            return super.list(prefix, "", Integer.MAX_VALUE).stream()
                    .sorted(Comparator.comparing(LockHolder::lock, String.CASE_INSENSITIVE_ORDER))
                    .filter(holder -> holder.lock().compareTo(after) > 0)
                    .limit(limit)
                    .toList();
        }
    }

    /** Lists are made from an index, in which there is no more than who holds. */
    static final class ListsFromAnIndex extends TinyStore {
        @Override
        List<LockHolder> list(String prefix, String after, int limit) {
            return super.list(prefix, after, limit).stream()
                    .map(holder -> new LockHolder(
                            holder.lock(),
                            holder.label(),
                            holder.fencingToken(),
                            holder.heldFor(),
                            holder.remaining(),
                            holder.waiters(),
                            Optional.empty()))
                    .toList();
        }
    }

    /** The token of a holder is the last that was counted, also if the holder has raised it. */
    static final class TellsTheCounter extends TinyStore {
        @Override
        long token(Entry entry) {
            return counters.getOrDefault(key(entry.claim), 0L);
        }
    }
}
