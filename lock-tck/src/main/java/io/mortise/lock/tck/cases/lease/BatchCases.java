// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.cases.lease;

import static io.mortise.lock.tck.scene.Expect.between;
import static io.mortise.lock.tck.scene.Expect.free;
import static io.mortise.lock.tck.scene.Expect.granted;
import static io.mortise.lock.tck.scene.Expect.grantedAfterLease;
import static io.mortise.lock.tck.scene.Expect.present;
import static io.mortise.lock.tck.scene.Expect.safe;
import static io.mortise.lock.tck.scene.Expect.taken;
import static io.mortise.lock.tck.scene.Expect.that;
import static io.mortise.lock.tck.scene.Expect.time;

import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.tck.cases.lease.Batch.Member;
import io.mortise.lock.tck.history.RecordingClaim;
import io.mortise.lock.tck.scene.LossWatch;
import io.mortise.lock.tck.scene.Rule;
import io.mortise.lock.tck.scene.Scene;
import io.mortise.lock.tck.time.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Function;

/** Cases about claims that are renewed together: each has an answer and a lease of its own, whatever the others have. */
public interface BatchCases {
    /** A claim that was revoked and holds until its lease ends. */
    String REVOKED = "was revoked";

    @Rule(
            says =
                    "Of claims that are renewed together each gets the answer that it would get alone, in whatever order they"
                            + " come and whatever the others get; and the store does what the answers say.",
            because = "An answer in the wrong place lets one holder go on without its lock, and stops another one.")
    default void g15_eachOfABatchGetsItsOwnAnswer(Scene scene) throws InterruptedException {
        List<Member> members = inEveryState(scene);
        List<List<Member>> orders = orders(members);
        for (List<Member> order : orders.subList(0, scene.times(orders.size(), 4))) {
            new Batch(order).renew(scene);
        }
        Batch batch = new Batch(members);
        long measured = System.nanoTime();
        batch.renew(scene);
        members.stream()
                .filter(Member::holds)
                .forEach(member -> that(member.claim().renew(), "it must hold alone, too"));
        Duration brief = scene.honoured(briefLease(scene, measured));
        long asked = System.nanoTime();
        members.stream()
                .filter(Member::holds)
                .forEach(member -> that(member.claim().renew(brief), "it must hold alone, too"));
        batch.renew(scene);
        scene.pass(brief.minusNanos(System.nanoTime() - asked).plus(scene.leases(0.1)));
        for (Member member : members) {
            String lock = member.claim().request().lock();
            if (member.holds()) {
                RecordingClaim other = scene.claim("B", lock);
                safe(!other.tryAcquire(), "a lock that was renewed in a batch was granted to another");
                other.release();
            } else if (member.is("was released") || member.is("never asked") || member.is("has ended")) {
                free(scene, lock);
            }
        }
        batch.renew(scene);
    }

    @Rule(
            says =
                    "The same is so for batches of any size, also of none, and each claim gets the lease that was asked for it.",
            because =
                    "Stores take so many statements, keys or parameters at once, and what is beyond is cut or mixed up.")
    default void g15_batchesOfAnySizeAreAnsweredOneByOne(Scene scene) throws InterruptedException {
        List<Member> members = hundreds(scene);
        Duration lasting = members.get(0).claim().request().lease();
        for (int size : new int[] {0, 1, 2, 100, 101, 128, 257, 300, 513, 1001}) {
            new Batch(members.subList(0, size)).renew(scene);
        }
        Batch all = new Batch(members);
        long measured = System.nanoTime();
        all.renew(scene);
        Duration brief = Timing.shorter(briefLease(scene, measured), lasting.dividedBy(3));
        // Every other of the holders, as they are not at every other place.
        TreeSet<String> ending = new TreeSet<>();
        for (Member member : members) {
            if (member.holds() && member.claim().request().lock().hashCode() % 2 == 0) {
                ending.add(member.claim().request().lock());
            }
        }
        long asked = System.nanoTime();
        all.renew(
                scene,
                member -> ending.contains(member.claim().request().lock())
                        ? brief
                        : member.claim().request().lease());
        eachHasItsLease(scene, members, ending, brief, asked, System.nanoTime());
    }

    /** So many whole leases that the same can be done again before they end. */
    private static Duration briefLease(Scene scene, long since) {
        long more = 10 * (System.nanoTime() - since) / scene.lease().toNanos();
        return scene.lease().multipliedBy(1 + (more == 0 ? 0 : 1 + more));
    }

    private static void eachHasItsLease(
            Scene scene, List<Member> members, TreeSet<String> ending, Duration brief, long asked, long answered)
            throws InterruptedException {
        boolean exact = scene.backend("A").leaseBounds().outlivesHolder();
        Duration most = scene.latestEnd(brief);
        List<Member> sample = NEAR_BORDERS.stream()
                .map(members::get)
                .filter(Member::holds)
                .sorted(Comparator.comparing(
                        member -> !ending.contains(member.claim().request().lock())))
                .toList();
        for (Member member : sample) {
            String lock = member.claim().request().lock();
            RecordingClaim next = scene.claim("B", lock);
            if (exact && ending.contains(lock)) {
                Duration before = Duration.ofNanos(System.nanoTime() - answered);
                // The first one waits for all of them.
                Duration left = before.compareTo(most) < 0 ? most.minus(before) : Duration.ofMillis(1);
                scene.await("a lock of a batch is free after its lease of " + brief, left, next::tryAcquire);
                Duration took = Duration.ofNanos(System.nanoTime() - asked);
                Duration least = brief.minus(member.claim().leaseSpent());
                safe(took.compareTo(least) >= 0, "a lease of " + least + " in a batch has ended after " + took);
            } else {
                safe(
                        !next.tryAcquire(),
                        "number " + (members.indexOf(member) + 1)
                                + " of a batch, whose lease lasts on, has lost its lock");
            }
            next.release();
        }
    }

    @Rule(
            says =
                    "While the store does not answer, no claim of a batch is told yes or no; afterwards each is told what is so.",
            because =
                    "A silence that passes for an answer stops all holders of a client, or lets them go on without locks.")
    default void g15_aBatchWithoutAnAnswerSaysSo(Scene scene) throws Exception {
        List<Member> members = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            RecordingClaim claim = granted(scene.lasting("A", scene.lock("lock-" + i % 5)));
            if (i == 0) {
                claim.release();
            }
            members.add(i == 0 ? Member.without(claim, "was released") : Member.held(claim));
        }
        Batch batch = new Batch(members);
        batch.renew(scene);
        scene.faults().pauseStore();
        for (int i = 0; i < 2; i++) {
            List<Answer> answers = new ArrayList<>();
            Duration took = time(() -> answers.addAll(unanswered(scene, batch)));
            between(
                    "a batch without an answer",
                    took,
                    Duration.ZERO,
                    scene.brief().plus(scene.tolerance()));
            for (int j = 0; j < answers.size(); j++) {
                Answer answer = answers.get(j);
                // A client may know by itself what it has released.
                boolean isKnown = !members.get(j).holds() && answer == Answer.NO;
                safe(answer != Answer.YES, "a store that does not answer has not said yes");
                that(answer == Answer.UNKNOWN || isKnown, "a store that does not answer has not said " + answer);
            }
        }
        scene.faults().resumeStore();
        scene.await("the store answers again", () -> {
            List<Answer> answers = unanswered(scene, batch);
            if (answers.isEmpty() || answers.contains(Answer.UNKNOWN)) {
                return false;
            }
            batch.check(answers);
            return true;
        });
        members.stream()
                .filter(Member::holds)
                .forEach(member -> taken(scene, member.claim().request().lock()));
    }

    /** The answers, or none if the store gave none. */
    private static List<Answer> unanswered(Scene scene, Batch batch) {
        try {
            return batch.ask(scene, member -> member.claim().request().lease(), scene.brief());
        } catch (BackendException unanswered) {
            return List.of();
        }
    }

    @Rule(
            says = "A lock in which something strange is found hides no answer of the others in its batch.",
            because = "One half-written lock would end all holders of a client.")
    default void g15_oneBrokenLockHidesNoAnswers(Scene scene) {
        List<Member> members = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            members.add(Member.held(granted(scene.lasting("A", scene.lock("lock-" + i)))));
        }
        RecordingClaim broken = granted(scene.lasting("A"));
        scene.faults().deleteBehindBack(scene.lock());
        scene.faults().writeWithoutEnd(scene.lock());
        for (int place : new int[] {0, 3, 5}) {
            List<Member> all = new ArrayList<>(members);
            all.add(place, Member.without(broken, "has lost its lock to what has no end"));
            List<Answer> answers = new ArrayList<>(
                    new Batch(all).ask(scene, member -> member.claim().request().lease(), scene.limit()));
            that(answers.size() == all.size(), "a batch of " + all.size() + " must get as many answers: " + answers);
            safe(answers.remove(place) != Answer.YES, "a lock without an end is not this claim's");
            new Batch(members).check(answers);
        }
        scene.faults().deleteBehindBack(scene.lock());
    }

    @Rule(
            says =
                    "Of many leases of one client those whose locks were taken away are lost, each for its own reason, and no others.",
            because = "The engine renews them in batches, and stops the work under whichever lock it is told.")
    default void g15_holdersLearnTheirOwnFates(Scene scene) throws InterruptedException {
        LockClient client = scene.client("A");
        LockOptions twice = scene.options("A").withLease(scene.honoured(scene.leases(2)));
        boolean revocable = scene.backend("C").features().contains(Feature.REVOCABLE);
        List<LossWatch> watches = new ArrayList<>();
        List<String> locks = names(scene, "fate", scene.times(40, 12));
        locks.forEach(lock ->
                watches.add(new LossWatch(present(client.lock(lock, twice).tryAcquire()))));
        List<Integer> lost = List.of(1, 2, 5, 9, locks.size() - 2);
        for (int i : lost) {
            if (revocable) {
                that(
                        scene.backend("C").revoke(locks.get(i), "reason <" + i + ">", true, scene.callLimit()),
                        "somebody held the lock");
            } else {
                scene.faults().deleteBehindBack(locks.get(i));
            }
        }
        for (int i : lost) {
            scene.await("the loss is told", watches.get(i)::isLost);
            String detail = watches.get(i).detail();
            that(!revocable || detail.contains("<" + i + ">"), "the reason must be that of lock " + i + ": " + detail);
        }
        scene.pass(scene.leases(2.2));
        for (int i = 0; i < locks.size(); i++) {
            if (!lost.contains(i)) {
                that(
                        !watches.get(i).isLost(),
                        "lease " + i + " was lost: " + watches.get(i).detail());
                taken(scene, locks.get(i));
            }
        }
    }

    /** The places before and after which stores and drivers begin a new request, counted from 0. */
    List<Integer> NEAR_BORDERS = List.of(
            0, 1, 2, 9, 10, 63, 64, 98, 99, 100, 101, 127, 128, 199, 200, 254, 255, 256, 257, 298, 299, 300, 499, 500,
            511, 512, 513, 998, 999, 1000, 1001, 1023, 1024, 1098, 1099);

    /** More than a thousand claims, of which all but a few hold if the store is fast, and those near borders otherwise. */
    private static List<Member> hundreds(Scene scene) {
        boolean fast = scene.times(1100, 50) == 1100;
        List<Member> members = new ArrayList<>();
        List<String> names = names(scene, "many", 1100);
        for (int i = 0; i < names.size(); i++) {
            RecordingClaim claim = scene.lasting("A", names.get(i));
            boolean holds = fast ? i % 7 != 3 : NEAR_BORDERS.contains(i) && i % 7 != 3;
            members.add(holds ? Member.held(granted(claim)) : Member.without(claim, "never asked"));
        }
        return members;
    }

    /** In an order that is not that of the names. */
    private static List<String> names(Scene scene, String what, int count) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            names.add(scene.lock(what + "-" + Integer.toHexString(i * 0x9E3779B9) + "-" + i));
        }
        return names;
    }

    /** Three claims each that hold, have let go, never asked, were too late, were overtaken, and were revoked. */
    private static List<Member> inEveryState(Scene scene) throws InterruptedException {
        boolean revocable = scene.backend("C").features().contains(Feature.REVOCABLE);
        List<String> names = names(scene, "state", 24);
        List<RecordingClaim> late = new ArrayList<>();
        for (String name : names.subList(0, 7)) {
            late.add(granted(scene.claim("A", name)));
        }
        List<Member> members = new ArrayList<>();
        for (int i = 7; i < 24; i++) {
            String name = names.get(i);
            RecordingClaim claim = scene.lasting("A", name);
            switch (i % 5) {
                case 0 -> members.add(Member.without(claim, "never asked"));
                case 1 -> {
                    that(granted(claim).release(), "the holder must have held");
                    members.add(Member.without(claim, "was released"));
                }
                case 2 -> {
                    // Two claims of one name, of which the one that holds comes first or last.
                    that(granted(claim).release(), "the holder must have held");
                    Member next = Member.held(granted(scene.lasting("A", name)));
                    Member old = Member.without(claim, "was released before the next of its client");
                    members.addAll(i == 12 ? List.of(old, next) : List.of(next, old));
                }
                case 3 -> members.add(revoked(scene, granted(claim), revocable, i));
                default -> members.add(Member.held(granted(claim)));
            }
        }
        // The last of the brief leases has ended, and with it those before it.
        RecordingClaim witness = grantedAfterLease(scene, scene.lasting("B", names.get(6)));
        witness.release();
        for (int i = 0; i < 6; i++) {
            if (i % 2 == 0) {
                grantedAfterLease(scene, scene.lasting("B", names.get(i)));
            }
            members.add(i * 3, Member.without(late.get(i), i % 2 == 0 ? "was overtaken" : "has ended"));
        }
        return members;
    }

    private static Member revoked(Scene scene, RecordingClaim claim, boolean revocable, int i) {
        if (!revocable) {
            return Member.held(claim);
        }
        boolean now = i % 2 == 0;
        String reason = "reason <" + i + ">";
        that(
                scene.backend("C").revoke(claim.request().lock(), reason, now, scene.callLimit()),
                "somebody held the lock");
        return new Member(claim, now ? "was revoked at once" : REVOKED, Answer.NO, reason);
    }

    /** Each state in front and at the end, and any mixture. */
    private static List<List<Member>> orders(List<Member> members) {
        List<List<Member>> orders = new ArrayList<>();
        Function<Member, String> name = member -> member.claim().request().lock();
        orders.add(members.stream().sorted(Comparator.comparing(name)).toList());
        orders.add(
                members.stream().sorted(Comparator.comparing(name).reversed()).toList());
        orders.add(members.stream().sorted(Comparator.comparing(Member::due)).toList());
        orders.add(members.stream()
                .sorted(Comparator.comparing(Member::due).reversed())
                .toList());
        Random random = new Random(7);
        for (String state : new TreeSet<>(members.stream().map(Member::state).toList())) {
            Optional<Member> first =
                    members.stream().filter(member -> member.is(state)).findFirst();
            List<Member> order = new ArrayList<>(members);
            Collections.shuffle(order, random);
            first.ifPresent(member -> Collections.swap(order, 0, order.indexOf(member)));
            orders.add(List.copyOf(order));
            Collections.reverse(order);
            orders.add(List.copyOf(order));
        }
        return orders;
    }
}
