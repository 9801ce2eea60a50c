// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.stress;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.Ticker;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** One round: clients of one store, callers of all of them, and what goes wrong; then calm, in which everything must be well again. */
final class Round {
    /** How long a queue may give the lock to somebody who has gone. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    /** A closed client tells no more of the calls that have ended with it. */
    private static final String EVENTS = "OrderedListener.backlog";

    private static final int LINES = 80;

    private final Weather weather;
    private final MemoryStore store = new MemoryStore(Ticker.system());
    private final Grants grants;
    private final AtomicReferenceArray<Member> members;
    private final List<Member> all = new CopyOnWriteArrayList<>();
    private final AtomicInteger numbers = new AtomicInteger();
    private final List<Caller> callers = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final List<Revocation> revocations = new CopyOnWriteArrayList<>();
    private final List<String> faults = new CopyOnWriteArrayList<>();
    private final LockOptions[] options;
    private Crowd crowd;
    private final long excusedBefore = Time.excused();

    Round(Weather weather) {
        this.weather = weather;
        grants = new Grants(weather.allNames);
        members = new AtomicReferenceArray<>(weather.clients);
        options = weather.options();
        for (int i = 0; i < weather.clients; i++) {
            members.set(i, newMember());
        }
    }

    static String nameOf(int name) {
        return String.valueOf(name);
    }

    Grants grants() {
        return grants;
    }

    /** The options of all of one crowd. */
    LockOptions plainOptions() {
        return options[0];
    }

    LockOptions anyOptions() {
        return options[weather.dice.below(options.length)];
    }

    /** One of the clients that are open, or being closed. */
    Member member() {
        return members.get(weather.dice.below(weather.clients));
    }

    /** How much of the time of this round does not count. */
    long excused() {
        return Time.excused() - excusedBefore;
    }

    void revoked(Revocation revocation) {
        revocations.add(revocation);
    }

    void interruptOne() {
        threads.get(weather.dice.below(threads.size())).interrupt();
    }

    void fault(String text) {
        faults.add(text);
    }

    private Member newMember() {
        Member member = new Member(numbers.incrementAndGet(), weather, grants, store);
        all.add(member);
        return member;
    }

    /** Closes a client, and opens another in its place. */
    void replaceOne(int grace) {
        int index = weather.dice.below(weather.clients);
        Member old = members.get(index);
        members.set(index, newMember());
        close(old, grace);
    }

    private void close(Member member, int grace) {
        Time.Limit limit = new Time.Limit(
                weather.callTimeout.multipliedBy(3).plusNanos(2 * Time.SLACK).plusMillis(Math.max(0, grace)));
        try {
            member.close(grace);
        } catch (Throwable thrown) {
            if (!Injected.isExpected(thrown, weather)) {
                fault("close() failed: " + thrown);
            }
        }
        if (limit.isOver()) {
            fault("close() of client " + member.number + " took more than "
                    + Time.millis(member.closed() - member.closing()) + " ms");
        }
    }

    void calmDown() {
        for (int i = 0; i < weather.clients; i++) {
            members.get(i).backend.calmDown();
        }
    }

    /** Runs the round; answers what was wrong, the first thing first. */
    List<String> run() {
        for (int i = 0; i < weather.callers * weather.clients; i++) {
            callers.add(new Caller("caller " + i, this, weather));
        }
        callers.forEach(caller -> threads.add(Callers.start(weather.virtual, "stress caller", caller)));
        if (weather.evils.contains(Weather.Evil.CROWDS)) {
            crowd = new Crowd(this, weather, weather.names);
            threads.add(Time.start("stress crowd", crowd));
        }
        Chaos chaos = new Chaos(this, weather, store);
        if (weather.evils.contains(Weather.Evil.REVOCATIONS)) {
            threads.add(Time.start("stress revoker", chaos::revokeAtOnce));
            threads.add(Time.start("stress revoker", chaos::revokeAtOnce));
        }
        chaos.rage();
        Duration limit =
                weather.longestLease().plus(weather.callTimeout).plus(GRACE).plusSeconds(3);
        if (await(limit.plusSeconds(5), () -> threads.stream().noneMatch(Thread::isAlive))) {
            everyNameIsFree(limit);
            nothingIsLeft(limit, "calls that have ended");
        } else {
            unfinished();
        }
        for (int i = 0; i < weather.clients; i++) {
            close(members.get(i), weather.dice.chance(0.5) ? -1 : 2000);
        }
        if (!await(Duration.ofSeconds(2), () -> Leftovers.threads().isEmpty())) {
            fault("threads are left of clients that are closed: " + Leftovers.threads());
        }
        nothingIsLeft(Duration.ofSeconds(1), "clients that are closed");
        aFreshClientGetsEveryName(limit);
        return verdict();
    }

    private boolean await(Duration atMost, BooleanSupplier condition) {
        Time.Limit limit = new Time.Limit(atMost);
        int looks = 0;
        while (!condition.getAsBoolean()) {
            if (limit.isOver()) {
                return false;
            }
            if (++looks % 20 == 0) {
                System.gc();
            }
            LockSupport.parkNanos(5_000_000);
        }
        return true;
    }

    private void nothingIsLeft(Duration limit, String ofWhat) {
        await(limit, () -> leftovers().isEmpty());
        leftovers().forEach(left -> fault("something is left of " + ofWhat + ": " + left + Leftovers.stacks()));
    }

    private List<String> leftovers() {
        return all.stream()
                .flatMap(member -> Leftovers.in(member.client).stream()
                        .filter(left -> member.closed() == Long.MAX_VALUE || !left.contains(EVENTS))
                        .map(left -> "client " + member.number + ", " + left))
                .toList();
    }

    private void unfinished() {
        for (int i = 0; i < threads.size(); i++) {
            if (threads.get(i).isAlive()) {
                StringBuilder stack = new StringBuilder();
                for (StackTraceElement element : threads.get(i).getStackTrace()) {
                    stack.append("\n        at ").append(element);
                }
                Stream.of(i < callers.size() ? callers.get(i).attempts : crowd.attempts)
                        .filter(attempt ->
                                attempt.phase != Attempt.Phase.UNUSED && attempt.phase != Attempt.Phase.ENDED)
                        .forEach(attempt -> attempt.fault(
                                "a call does not return; left is " + Leftovers.in(attempt.member.client) + stack));
            }
        }
    }

    private void everyNameIsFree(Duration limit) {
        for (int i = 0; i < weather.clients; i++) {
            Member member = members.get(i);
            for (int name = 0; name < weather.names; name++) {
                take(member.client, "client " + member.number, name, limit);
            }
        }
    }

    private void aFreshClientGetsEveryName(Duration limit) {
        try (LockClient fresh = LockClient.builder(new MemoryBackend(store)).build()) {
            for (int name = 0; name < weather.allNames; name++) {
                take(fresh, "a fresh client", name, limit);
            }
        }
    }

    private void take(LockClient client, String who, int name, Duration limit) {
        String[] last = {"it is held"};
        boolean got = await(limit, () -> {
            try {
                Lease lease = client.lock(nameOf(name), options[0]).tryAcquire().orElse(null);
                if (lease != null) {
                    lease.close();
                }
                return lease != null;
            } catch (LockException failure) {
                // A message may still be late.
                last[0] = failure.toString();
                return false;
            }
        });
        if (!got) {
            fault("when all calls had ended, " + who + " did not get lock " + name + ": " + last[0]);
        }
    }

    private List<String> verdict() {
        Stream<Attempt> ofCrowd = crowd == null ? Stream.of() : Stream.of(crowd.attempts);
        List<Attempt> attempts = Stream.concat(callers.stream().flatMap(caller -> Stream.of(caller.attempts)), ofCrowd)
                .filter(attempt -> attempt.phase != Attempt.Phase.UNUSED)
                .sorted(Comparator.comparingLong(attempt -> attempt.begin))
                .toList();
        for (int i = 0; i < weather.names; i++) {
            int name = i;
            new Judge(revocations)
                    .judge(attempts.stream()
                            .filter(attempt -> attempt.name == name)
                            .toList());
        }
        List<String> texts = new ArrayList<>();
        attempts.stream()
                .filter(attempt -> attempt.fault != null)
                .sorted(Comparator.comparingLong(attempt -> attempt.end))
                .forEach(attempt -> texts.add(attempt.fault + "\n" + history(attempts, attempt)));
        faults.forEach(fault -> texts.add(fault + "\n" + history(attempts, null)));
        return texts;
    }

    /** The last calls for the same lock that had begun before a fault ended; all of the last calls, if there is no one call. */
    private String history(List<Attempt> attempts, Attempt faulty) {
        List<Attempt> lines = attempts.stream()
                .filter(attempt -> faulty == null
                        || (attempt.name == faulty.name
                                && (faulty.end == 0 || attempt.begin <= faulty.end + 20_000_000)))
                .toList();
        StringBuilder text = new StringBuilder("    at ms  took ms  lock ")
                .append(faulty == null ? "any" : nameOf(faulty.name))
                .append('\n');
        if (faulty != null) {
            text.append(faulty).append('\n');
        }
        lines.subList(Math.max(0, lines.size() - LINES), lines.size())
                .forEach(attempt -> text.append(attempt).append('\n'));
        revocations.stream()
                .filter(revocation -> faulty == null || revocation.name() == faulty.name)
                .forEach(revocation -> text.append(String.format(
                        "%9.1f revoked at once by client %d, answered %s%n",
                        revocation.begin() / 1e6,
                        revocation.client(),
                        revocation.end() == Long.MAX_VALUE ? "never" : String.format("%.1f", revocation.end() / 1e6))));
        return text.toString();
    }
}
