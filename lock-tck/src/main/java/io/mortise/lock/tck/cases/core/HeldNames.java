// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.cases.core;

import static io.mortise.lock.tck.scene.Expect.that;

import io.mortise.lock.LockHolder;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.tck.history.RecordingClaim;
import io.mortise.lock.tck.scene.Scene;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/** Locks of different names that client A holds all at once, a claim for each. */
final class HeldNames {
    /** How many of the names others ask for, at least, however slow the store is. */
    private static final int SAMPLE = 40;

    private final Scene scene;
    private final List<RecordingClaim> claims = new ArrayList<>();

    private HeldNames(Scene scene) {
        this.scene = scene;
    }

    /** Checks that no two names are the same lock: all can be held at once, and each release frees its own. */
    static void allDifferent(Scene scene, Collection<String> names) throws InterruptedException {
        HeldNames held = new HeldNames(scene);
        held.hold(names);
        held.othersAreRefused();
        held.eachReleaseFreesItsOwn();
    }

    private void hold(Collection<String> names) throws InterruptedException {
        for (String name : new LinkedHashSet<>(names)) {
            RecordingClaim claim =
                    scene.claim(scene.backend("A"), scene.lastingRequest(name, "holder " + claims.size()));
            boolean granted = claim.tryAcquire();
            if (!granted && name.length() == 1) {
                // Another run of the suite may have it for a moment.
                scene.await("the lock " + shown(name) + " is free", claim::tryAcquire);
            }
            that(
                    granted || name.length() == 1,
                    "the lock " + shown(name) + " must be free, and was refused while other names are held: "
                            + claims.size() + " up to "
                            + (claims.isEmpty() ? "" : shown(name(claims.get(claims.size() - 1)))));
            claims.add(claim);
        }
    }

    private void othersAreRefused() {
        for (RecordingClaim claim : sample()) {
            RecordingClaim other = scene.claim("B", name(claim));
            that(!other.tryAcquire(), "the lock " + shown(name(claim)) + " is held, and was granted to another");
            other.release();
            told(name(claim)).ifPresent(holder -> {
                that(
                        holder.lock().equals(name(claim)),
                        "the holder of " + shown(name(claim)) + " was told for " + shown(holder.lock()));
                that(
                        holder.label().equals(claim.request().label()),
                        "the holder of " + shown(name(claim)) + " must be told, and not that of another lock: "
                                + holder);
            });
        }
    }

    private Optional<LockHolder> told(String name) {
        LockBackend backend = scene.backend("B");
        try {
            Optional<LockHolder> holder = backend.inspect(name, scene.callLimit());
            that(holder.isPresent(), "somebody holds the lock " + shown(name));
            return holder;
        } catch (UnsupportedOperationException untold) {
            return Optional.empty();
        }
    }

    private void eachReleaseFreesItsOwn() {
        List<RecordingClaim> kept = new ArrayList<>();
        List<RecordingClaim> released = new ArrayList<>();
        for (RecordingClaim claim : claims) {
            (kept.size() > released.size() ? released : kept).add(claim);
        }
        released.forEach(claim -> that(claim.release(), "the lock " + shown(name(claim)) + " must have been held"));
        List<Renewal> renewals = kept.stream()
                .map(claim -> new Renewal(claim, claim.request().lease()))
                .toList();
        List<Answer> answers = scene.backend("A").renewAll(renewals, scene.limit());
        for (int i = 0; i < answers.size(); i++) {
            that(
                    answers.get(i) == Answer.YES,
                    "the lock " + shown(name(kept.get(i))) + " was lost when others were released: " + answers.get(i));
        }
        for (RecordingClaim claim : sample()) {
            if (claim.isReleased() && name(claim).length() > 1) {
                RecordingClaim next = scene.claim("B", name(claim));
                that(next.tryAcquire(), "the lock " + shown(name(claim)) + " was released, and is not free");
                next.release();
            }
        }
        kept.forEach(claim -> that(claim.release(), "the lock " + shown(name(claim)) + " must have been held"));
    }

    /** All, or some from everywhere. */
    private List<RecordingClaim> sample() {
        // Odd, so that neither only the kept nor only the released ones are in it.
        int step = Math.max(1, claims.size() / scene.times(claims.size(), SAMPLE)) | 1;
        List<RecordingClaim> some = new ArrayList<>();
        for (int i = 0; i < claims.size(); i += step) {
            some.add(claims.get(i));
        }
        return some;
    }

    private static String name(RecordingClaim claim) {
        return claim.request().lock();
    }

    /** With code numbers for what is not printable, and without the middle of what is long. */
    private static String shown(String name) {
        StringBuilder shown = new StringBuilder("\"");
        for (int i = 0; i < name.length(); i++) {
            char character = name.charAt(i);
            if (i == 40 && name.length() > 90) {
                i = name.length() - 41;
                shown.append("...");
            } else {
                shown.append(
                        character >= ' ' && character < 127
                                ? String.valueOf(character)
                                : String.format("\\u%04x", (int) character));
            }
        }
        return shown.append("\" (").append(name.length()).append(" characters)").toString();
    }
}
