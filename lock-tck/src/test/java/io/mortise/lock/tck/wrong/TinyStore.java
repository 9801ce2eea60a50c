// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.wrong;

import io.mortise.lock.LockHolder;
import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.RegisterEntry;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.tck.CuttableWay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The smallest right lock that has all features but fairness. The wrong locks are this one with one step replaced, so that
 * each has exactly one mistake. Guarded by its own monitor.
 */
class TinyStore {
    static final long ENDLESS = Long.MAX_VALUE / 2;

    /** What is kept about a held lock. */
    static final class Entry {
        final TinyClaim claim;
        String owner;
        long since;
        long until;
        long token;

        @Nullable
        String revoked;

        Entry(TinyClaim claim, String owner, long now) {
            this.claim = claim;
            this.owner = owner;
            this.since = now;
        }
    }

    final Map<String, Entry> entries = new TreeMap<>();
    final Map<String, Long> counters = new TreeMap<>();
    final Map<String, RegisterEntry> register = new TreeMap<>();
    final Map<String, List<TinyClaim>> waiting = new TreeMap<>();
    final AtomicLong operations = new AtomicLong();
    private boolean paused;
    private boolean refusing;

    Set<Feature> features() {
        return EnumSet.complementOf(EnumSet.of(Feature.FAIR));
    }

    long highestToken() {
        synchronized (this) {
            return counters.values().stream().mapToLong(Long::longValue).max().orElse(0);
        }
    }

    Optional<RegisterEntry> readRegister(TinyBackend client, String name) {
        synchronized (this) {
            return Optional.ofNullable(register.get(name));
        }
    }

    boolean writeRegister(TinyBackend client, String name, Optional<String> expected, RegisterEntry entry) {
        synchronized (this) {
            boolean isExpected = Optional.ofNullable(register.get(name))
                    .map(RegisterEntry::version)
                    .equals(expected);
            if (isExpected) {
                register.put(name, entry);
            }
            return isExpected;
        }
    }

    /** A write is about to come that may get no answer. */
    void missedWrite(String name, RegisterEntry entry) {}

    /** A client is about to be opened. */
    void beforeOpening() {}

    boolean tryAcquire(TinyClaim claim) {
        synchronized (this) {
            if (claim.released && refusesLateTries()) {
                return false;
            }
            Entry entry = live(claim);
            if (entry == null) {
                grant(claim);
                return true;
            }
            if (entry.owner.equals(owner(claim)) && entry.revoked == null) {
                repeated(entry);
                return true;
            }
            if (claim.request.waits()) {
                List<TinyClaim> line = waiting.computeIfAbsent(key(claim), unused -> new ArrayList<>());
                if (!line.contains(claim)) {
                    line.add(claim);
                }
            }
            return false;
        }
    }

    boolean renew(TinyClaim claim) {
        synchronized (this) {
            Entry entry = live(claim);
            if (entry != null && entry.owner.equals(owner(claim)) && entry.revoked == null) {
                extend(entry, claim);
                return true;
            }
            claim.loss = loss(entry, claim);
            claim.heldAtRefusal = entry != null && entry.owner.equals(owner(claim));
            return false;
        }
    }

    boolean release(TinyClaim claim) {
        List<TinyClaim> told;
        boolean held;
        synchronized (this) {
            claim.released = true;
            Entry entry = live(claim);
            held = entry != null && entry.owner.equals(owner(claim));
            told = List.copyOf(waiting.getOrDefault(key(claim), List.of()));
            if (held) {
                remove(claim);
            } else {
                claim.loss = loss(entry, claim);
            }
            leave(claim);
        }
        if (held) {
            told(told).forEach(waiter -> waiter.nudge.run());
        }
        return held;
    }

    /** Who of those that wait is told that the lock is free: a dead first must not cost everything. */
    List<TinyClaim> told(List<TinyClaim> waiters) {
        return waiters.subList(0, Math.min(2, waiters.size()));
    }

    boolean raise(TinyClaim claim, long token) {
        synchronized (this) {
            Entry entry = live(claim);
            if (entry == null || !entry.owner.equals(owner(claim))) {
                return false;
            }
            counters.merge(key(claim), token, Math::max);
            return true;
        }
    }

    Optional<LockHolder> inspect(String lock) {
        synchronized (this) {
            Entry entry = entries.get(key(lock));
            return entry == null || entry.until - now() <= 0 ? Optional.empty() : Optional.of(holder(entry));
        }
    }

    List<LockHolder> list(String prefix, String after, int limit) {
        synchronized (this) {
            return entries.values().stream()
                    .filter(entry -> entry.until - now() > 0)
                    .filter(entry -> matches(entry.claim.request.lock(), prefix))
                    .filter(entry ->
                            after.isEmpty() || entry.claim.request.lock().compareTo(after) > 0)
                    .sorted(Comparator.comparing(entry -> entry.claim.request.lock()))
                    .limit(limit)
                    .map(this::holder)
                    .toList();
        }
    }

    boolean revoke(String lock, String reason, boolean atOnce) {
        synchronized (this) {
            Entry entry = entries.get(key(lock));
            if (entry == null || entry.until - now() <= 0) {
                return false;
            }
            mark(entry, reason);
            if (atOnce) {
                entry.claim.loss = new Loss(LossCause.REVOKED, reason);
                entries.remove(key(lock));
            }
            return true;
        }
    }

    // The steps, each of which some wrong lock gets wrong.

    boolean refusesLateTries() {
        return true;
    }

    String key(String lock) {
        return lock;
    }

    String owner(TinyClaim claim) {
        return claim.request.owner();
    }

    long leaseNanos(TinyClaim claim) {
        Duration lease = claim.lease;
        return lease.compareTo(Duration.ofDays(10_000)) > 0 ? Long.MAX_VALUE / 4 : lease.toNanos();
    }

    Duration spent(TinyClaim claim) {
        return Duration.ZERO;
    }

    long now() {
        return System.nanoTime();
    }

    boolean matches(String lock, String prefix) {
        return lock.startsWith(prefix);
    }

    void grant(TinyClaim claim) {
        Entry entry = new Entry(claim, owner(claim), now());
        entry.token = nextToken(claim);
        claim.fence = entry.token;
        extend(entry, claim);
        entries.put(key(claim), entry);
        leave(claim);
    }

    void repeated(Entry entry) {
        extend(entry, entry.claim);
    }

    void extend(Entry entry, TinyClaim claim) {
        entry.until = now() + leaseNanos(claim);
    }

    void mark(Entry entry, String reason) {
        entry.revoked = reason;
    }

    String label(Entry entry) {
        return entry.claim.request.label();
    }

    long token(Entry entry) {
        return entry.token;
    }

    /** What is asked for when claims are renewed together. */
    List<Renewal> batch(List<Renewal> renewals) {
        return renewals;
    }

    /** What is answered when claims are renewed together; {@code right} renews one after the other. */
    List<Answer> renewAll(List<Renewal> renewals, Function<List<Renewal>, List<Answer>> right) {
        return right.apply(batch(renewals));
    }

    boolean holdsUntilLeaseEnds(TinyClaim claim) {
        return claim.heldAtRefusal;
    }

    void remove(TinyClaim claim) {
        entries.remove(key(claim));
    }

    void leave(TinyClaim claim) {
        waiting.getOrDefault(key(claim), new ArrayList<>()).remove(claim);
    }

    long nextToken(TinyClaim claim) {
        long last = Math.max(counters.getOrDefault(key(claim), 0L), claim.request.tokenFloor());
        long token = Math.max(last + 1, TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis()));
        counters.put(key(claim), token + claim.request.tokenCount() - 1);
        return token;
    }

    Loss loss(@Nullable Entry entry, TinyClaim claim) {
        if (entry != null && entry.owner.equals(owner(claim)) && entry.revoked != null) {
            return new Loss(LossCause.REVOKED, entry.revoked);
        }
        return claim.loss.cause() == LossCause.REVOKED || claim.loss.cause() == LossCause.SESSION_LOST
                ? claim.loss
                : new Loss(entry == null ? LossCause.EVICTED_OR_DELETED : LossCause.TAKEN_OVER, "it is not yours");
    }

    /** How long the holder's lease still lasts, for whoever was refused. */
    Optional<Duration> retryAfter(TinyClaim claim) {
        return Optional.empty();
    }

    /** What a client makes of a claim; only wrong ones make something of it. */
    Claim driver(TinyClaim claim) {
        return claim;
    }

    /** One question on its way to the store and back. */
    boolean call(TinyClaim claim, Duration atMost, BooleanSupplier question) {
        CuttableWay way = claim.backend.way;
        CuttableWay.Question asked = () -> answer(atMost, question);
        return way == null ? answer(atMost, question) : way.passUninterrupted(asked, atMost);
    }

    private boolean answer(Duration atMost, BooleanSupplier question) {
        if (!isResumed(atMost)) {
            return unanswered(atMost);
        }
        operations.incrementAndGet();
        return isRefusing() ? refused() : question.getAsBoolean();
    }

    /** What an operator is told; {@code nothing} is what there is to tell of nothing. */
    <T> T told(Duration atMost, Supplier<T> question, T nothing) {
        if (!isResumed(atMost)) {
            throw new BackendException("no answer within " + atMost, null);
        }
        return question.get();
    }

    final boolean isResumed(Duration atMost) {
        long end = System.nanoTime() + atMost.toNanos();
        while (isPaused()) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            TinyBackend.pause(1);
        }
        return true;
    }

    /** What an unanswered question becomes. */
    boolean unanswered(Duration atMost) {
        throw new BackendException("no answer within " + atMost, null);
    }

    /** What a question without permission becomes. */
    boolean refused() {
        throw BackendException.refused("permission denied", null);
    }

    boolean heedsClosing() {
        return true;
    }

    /** A client has been closed. */
    void closed(TinyBackend client) {}

    // Faults.

    synchronized boolean isPaused() {
        return paused;
    }

    synchronized void pause(boolean value) {
        paused = value;
        notifyAll();
    }

    synchronized boolean isRefusing() {
        return refusing;
    }

    synchronized void refuse(boolean value) {
        refusing = value;
    }

    synchronized void delete(String lock) {
        entries.remove(key(lock));
        counters.remove(key(lock));
    }

    synchronized void expire(String lock) {
        entries.remove(key(lock));
    }

    void restart() {
        pause(true);
        pause(false);
    }

    synchronized void restartEmpty() {
        entries.clear();
        counters.clear();
        register.clear();
    }

    synchronized void writeWithoutEnd(String lock) {
        TinyClaim nobody = new TinyClaim(
                new TinyBackend(this, null),
                new ClaimRequest(lock, "nobody", "", Duration.ofDays(1), false, 0, 1),
                () -> {});
        Entry entry = new Entry(nobody, "nobody", now());
        entry.until = ENDLESS;
        entries.put(key(lock), entry);
    }

    synchronized void endSession(LockBackend client) {
        entries.values().removeIf(entry -> {
            boolean its = entry.claim.backend == client;
            if (its) {
                entry.claim.loss = new Loss(LossCause.SESSION_LOST, "the session was ended");
            }
            return its;
        });
    }

    /** Whoever waits notices that it is not connected any more, and looks again. */
    void killConnections() {
        List<TinyClaim> cut = new ArrayList<>();
        synchronized (this) {
            waiting.values().forEach(cut::addAll);
            waiting.clear();
        }
        cut.forEach(claim -> claim.nudge.run());
    }

    final long operations() {
        return operations.get();
    }

    final String key(TinyClaim claim) {
        return key(claim.request.lock());
    }

    final @Nullable Entry live(TinyClaim claim) {
        Entry entry = entries.get(key(claim));
        return entry == null || entry.until - now() <= 0 ? null : entry;
    }

    LockHolder holder(Entry entry) {
        return new LockHolder(
                entry.claim.request.lock(),
                label(entry),
                token(entry),
                Duration.ofNanos(now() - entry.since),
                Optional.of(Duration.ofNanos(Math.max(0, entry.until - now()))),
                OptionalInt.empty(),
                Optional.ofNullable(entry.revoked));
    }
}
