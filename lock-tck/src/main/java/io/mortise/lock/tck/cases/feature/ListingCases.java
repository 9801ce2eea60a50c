// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.cases.feature;

import static io.mortise.lock.tck.scene.Expect.granted;
import static io.mortise.lock.tck.scene.Expect.that;

import io.mortise.lock.LockHolder;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.history.RecordingClaim;
import io.mortise.lock.tck.scene.BackgroundTask;
import io.mortise.lock.tck.scene.Rule;
import io.mortise.lock.tck.scene.Scene;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Cases about listings, page by page, also while locks come and go. */
public interface ListingCases {
    @Rule(
            says =
                    "Whatever the limit, the pages are the same list, in one order, and only the last one is shorter than the limit.",
            because = "A page that is short because something was left out of it looks like the last one.",
            needs = Feature.LISTABLE)
    default void r5_allPagesMakeOneList(Scene scene) throws InterruptedException {
        String prefix = scene.lock("list-");
        Set<String> held = new TreeSet<>();
        List<RecordingClaim> lasting = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            String hash = Integer.toHexString(i * 0x9E3779B9);
            String lock = prefix + (i % 2 == 0 ? hash : hash.toUpperCase(Locale.ROOT));
            if (i % 5 == 0) {
                granted(scene.claim("A", lock));
            } else {
                held.add(lock);
                lasting.add(granted(holderOf(scene, lock, "holder of " + lock)));
            }
        }
        for (String end : List.of("", "\u00e9", "\ud83d\ude00", "\uffee")) {
            String lock = prefix + end;
            held.add(lock);
            lasting.add(granted(holderOf(scene, lock, "holder of " + lock)));
        }
        // Nobody releases them, so that a store may still have something of them.
        scene.await(
                "leases that have ended are not listed",
                scene.afterLease(),
                () -> held.containsAll(all(scene, prefix, 100)));
        List<String> order = all(scene, prefix, 100);
        that(new TreeSet<>(order).equals(held), "the list has " + order + " instead of " + held);
        for (int limit : new int[] {2, 3, 5, held.size() - 1, held.size(), held.size() + 1}) {
            lasting.forEach(RecordingClaim::renew);
            List<String> pages = all(scene, prefix, limit);
            that(pages.equals(order), "pages of " + limit + " give " + pages + ", and one page gives " + order);
        }
        List<String> everything = all(scene, "", 100);
        that(
                everything.containsAll(held),
                "all locks begin with nothing, and these were left out: "
                        + held.stream()
                                .filter(lock -> !everything.contains(lock))
                                .toList());
        that(
                scene.backend("B")
                        .list(prefix + "\uffff", "", 10, scene.callLimit())
                        .isEmpty(),
                "no lock begins with that");
    }

    @Rule(
            says = "A listing tells of each holder what inspecting tells of it.",
            because = "Who holds a lock, for how long, and why it was revoked is read from lists.",
            needs = Feature.LISTABLE)
    default void r5_aListTellsWhatInspectingTells(Scene scene) throws InterruptedException {
        String prefix = scene.lock("told-");
        LockBackend backend = scene.inspectable("B");
        Duration coarse = HolderCases.coarse(backend);
        granted(holderOf(scene, prefix + "held", "night job"));
        granted(holderOf(scene, prefix + "revoked", "day job"));
        if (backend.features().contains(Feature.REVOCABLE)) {
            that(backend.revoke(prefix + "revoked", "make room", false, scene.callLimit()), "somebody held the lock");
        }
        scene.pass(coarse.multipliedBy(2).plusMillis(50));
        long asked = System.nanoTime();
        List<LockHolder> listed = page(scene, prefix, "", 10);
        that(listed.size() == 2, "two locks are held, and the list has " + listed);
        for (LockHolder told : listed) {
            LockHolder inspected = backend.inspect(told.lock(), scene.callLimit())
                    .orElseThrow(() -> new AssertionError("inspect must find the holder of " + told.lock()));
            Duration apart = Duration.ofNanos(System.nanoTime() - asked).plus(coarse);
            boolean isSame = told.label().equals(inspected.label())
                    && told.fencingToken() == inspected.fencingToken()
                    && told.waiters().equals(inspected.waiters())
                    && told.revocationReason().equals(inspected.revocationReason())
                    && told.remaining().isPresent() == inspected.remaining().isPresent()
                    && isNear(
                            told.remaining().orElse(Duration.ZERO),
                            inspected.remaining().orElse(Duration.ZERO),
                            apart)
                    && isNear(told.heldFor(), inspected.heldFor(), apart);
            that(isSame, "the list tells " + told + ", and inspecting tells " + inspected);
        }
    }

    private static boolean isNear(Duration one, Duration other, Duration apart) {
        return one.minus(other).abs().compareTo(apart) <= 0;
    }

    private static RecordingClaim holderOf(Scene scene, String lock, String label) {
        return scene.claim(scene.backend("A"), scene.lastingRequest(lock, label));
    }

    @Rule(
            says = "A listing goes on behind the last name of the page before, whether anybody still holds it or not.",
            because = "Locks come and go while somebody reads a list; what was held all the time is in it once.",
            needs = Feature.LISTABLE)
    default void r5_aListGoesOnBehindWhatIsGone(Scene scene) {
        String prefix = scene.lock("gone-");
        List<RecordingClaim> claims = new ArrayList<>();
        for (int i = 0; i < 24; i++) {
            claims.add(granted(scene.lasting("A", prefix + Integer.toHexString(i * 0x9E3779B9))));
        }
        Set<String> throughout = new HashSet<>();
        claims.forEach(claim -> throughout.add(claim.request().lock()));
        List<String> seen = new ArrayList<>();
        String after = "";
        for (int pages = 0; ; pages++) {
            List<LockHolder> page = page(scene, prefix, after, 5);
            page.forEach(holder -> seen.add(holder.lock()));
            if (page.size() < 5) {
                break;
            }
            that(pages < 20, "the list has no end: " + seen);
            after = page.get(4).lock();
            throughout.remove(after);
            release(claims, after);
            // One more that was told, and one that was not told yet.
            throughout.remove(page.get(1).lock());
            release(claims, page.get(1).lock());
            String ahead = claims.stream()
                    .filter(claim -> !claim.isReleased())
                    .map(claim -> claim.request().lock())
                    .filter(lock -> !seen.contains(lock))
                    .findFirst()
                    .orElse("");
            if (pages == 1 && !ahead.isEmpty()) {
                throughout.remove(ahead);
                release(claims, ahead);
            }
            granted(scene.lasting("A", prefix + "new-" + pages));
        }
        that(new HashSet<>(seen).size() == seen.size(), "a lock was told twice: " + seen);
        Set<String> missing = new TreeSet<>(throughout);
        seen.forEach(missing::remove);
        that(missing.isEmpty(), "these were held all the time, and were not told: " + missing + "; told were " + seen);
    }

    @Rule(
            says = "While others come and go, each listing tells each lock that is held all the time, once.",
            because = "A list that skips a lock when another one is released hides the one that somebody looks for.",
            needs = Feature.LISTABLE)
    default void r5_aListOfWhatChangesIsWhole(Scene scene) throws Exception {
        String prefix = scene.lock("busy-");
        Set<String> throughout = new TreeSet<>();
        List<RecordingClaim> lasting = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            throughout.add(prefix + (char) ('b' + i));
            lasting.add(granted(scene.lasting("A", prefix + (char) ('b' + i))));
        }
        AtomicBoolean enough = new AtomicBoolean();
        AtomicInteger changes = new AtomicInteger();
        BackgroundTask<Boolean> others = scene.start("C", () -> {
            while (!enough.get()) {
                for (String lock : List.of("a", "a2", "b2", "d2", "f2", "z")) {
                    RecordingClaim claim = granted(scene.claim("C", prefix + lock));
                    if (changes.getAndIncrement() % 3 > 0) {
                        scene.pass(Duration.ofMillis(1));
                    }
                    claim.release();
                }
            }
            return true;
        });
        for (int i = 0; i < scene.times(60, 10) || (changes.get() < 20 && !others.isDone()); i++) {
            if (i % 4 == 3) {
                lasting.forEach(RecordingClaim::renew);
            }
            List<String> seen = all(scene, prefix, 2 + i % 4);
            that(new HashSet<>(seen).size() == seen.size(), "a lock was told twice: " + seen);
            that(seen.containsAll(throughout), "not all that were held all the time are told: " + seen);
        }
        enough.set(true);
        that(others.get(scene.limit()), "the others must have come and gone");
    }

    private static void release(List<RecordingClaim> claims, String lock) {
        claims.stream()
                .filter(claim -> claim.request().lock().equals(lock) && !claim.isReleased())
                .forEach(claim -> that(claim.release(), "the holder must have held"));
    }

    private static List<LockHolder> page(Scene scene, String prefix, String after, int limit) {
        List<LockHolder> page = scene.backend("B").list(prefix, after, limit, scene.callLimit());
        that(page.size() <= limit, "a page of at most " + limit + " had " + page.size() + " locks");
        for (LockHolder holder : page) {
            that(holder.lock().startsWith(prefix), "the list of " + prefix + " has the lock " + holder.lock());
            that(!holder.lock().equals(after) || after.isEmpty(), "the page behind " + after + " begins with it");
        }
        return page;
    }

    /** The names, of all pages. */
    private static List<String> all(Scene scene, String prefix, int limit) {
        List<String> names = new ArrayList<>();
        String after = "";
        while (true) {
            List<LockHolder> page = page(scene, prefix, after, limit);
            page.forEach(holder -> names.add(holder.lock()));
            that(names.size() < 100_000, "the list has no end, or far too many locks");
            for (LockHolder holder : page) {
                that(
                        !holder.label().startsWith("holder of ")
                                || holder.label().equals("holder of " + holder.lock()),
                        "the list tells the holder of another lock: " + holder);
            }
            if (page.size() < limit) {
                return names;
            }
            after = page.get(limit - 1).lock();
        }
    }
}
