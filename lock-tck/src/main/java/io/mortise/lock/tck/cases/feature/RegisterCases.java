// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.cases.feature;

import static io.mortise.lock.tck.scene.Expect.answered;
import static io.mortise.lock.tck.scene.Expect.between;
import static io.mortise.lock.tck.scene.Expect.granted;
import static io.mortise.lock.tck.scene.Expect.safe;
import static io.mortise.lock.tck.scene.Expect.that;
import static io.mortise.lock.tck.scene.Expect.thrown;
import static io.mortise.lock.tck.scene.Expect.time;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.RegisterEntry;
import io.mortise.lock.tck.history.RecordingClaim;
import io.mortise.lock.tck.scene.BackgroundTask;
import io.mortise.lock.tck.scene.Expect;
import io.mortise.lock.tck.scene.Rule;
import io.mortise.lock.tck.scene.Scene;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;

/** Cases about the register, in which all clients of several stores look what they may do. */
public interface RegisterCases {
    @Rule(
            says =
                    "An entry is read as it was written, by every client, and has nothing to do with others or with locks.",
            because = "Two clients that read different entries do what excludes each other.",
            needs = Feature.REGISTER)
    default void w1_anEntryIsReadAsItWasWritten(Scene scene) {
        StringBuilder all = new StringBuilder();
        for (char each = ' '; each <= '~'; each++) {
            all.append(each);
        }
        String name = scene.lock("a");
        String longest = name + "b".repeat(63 - name.length());
        List<String> names =
                List.of(name, longest, longest.substring(0, 62) + "c", name + "-", name + "-a", name + "1");
        List<String> texts =
                List.of(all.toString(), "x".repeat(RegisterEntry.LONGEST_TEXT), "", " ", "'\\\"%_{}", "A=a B=b");
        RecordingClaim holder = granted(scene.lasting("C", name));
        List<RegisterEntry> entries = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            Optional<RegisterEntry> before = read(scene, "B", names.get(i));
            safe(before.isEmpty(), "nothing was written of that name, and read was " + before);
            entries.add(RegisterEntry.of(texts.get(i)));
            that(write(scene, "A", names.get(i), Optional.empty(), entries.get(i)), "there was no entry of that name");
        }
        for (int i = 0; i < names.size(); i++) {
            isRead(scene, "B", names.get(i), entries.get(i));
        }
        that(holder.renew() && holder.release(), "an entry must change nothing for a lock of its name");
        if (scene.backend("B").features().contains(Feature.LISTABLE)) {
            that(
                    scene.backend("B").list(name, "", 100, scene.callLimit()).isEmpty(),
                    "an entry of the register is no lock, and must not be listed");
        }
        isRead(scene, "C", name, entries.get(0));
    }

    @Rule(
            says = "An entry is written only over the one that the writer knows.",
            because = "Who does not know what was decided last must not decide what comes next.",
            needs = Feature.REGISTER)
    default void w2_onlyWhatIsKnownIsReplaced(Scene scene) {
        String name = scene.lock("entry");
        RegisterEntry first = RegisterEntry.of("first");
        RegisterEntry second = RegisterEntry.of("second");
        RegisterEntry third = RegisterEntry.of("second");
        notWritten(scene, name, Optional.of(first.version()), second, Optional.empty());
        that(write(scene, "A", name, Optional.empty(), first), "there was no entry of that name");
        notWritten(scene, name, Optional.empty(), second, Optional.of(first));
        notWritten(scene, name, Optional.of(second.version()), second, Optional.of(first));
        that(write(scene, "B", name, Optional.of(first.version()), second), "the entry was the one that B knew");
        isRead(scene, "A", name, second);
        notWritten(scene, name, Optional.of(first.version()), third, Optional.of(second));
        // As another writer would have it, who has written the same: only the version tells the two apart.
        that(write(scene, "B", name, Optional.of(second.version()), third), "the entry was the one that B knew");
        notWritten(scene, name, Optional.of(second.version()), first, Optional.of(third));
        notWritten(scene, name, Optional.of(first.version()), second, Optional.of(third));
    }

    private static void notWritten(
            Scene scene, String name, Optional<String> expected, RegisterEntry entry, Optional<RegisterEntry> found) {
        safe(
                !write(scene, "A", name, expected, entry),
                "an entry was written over one that its writer did not know, which was "
                        + found.map(RegisterEntry::version).orElse("none"));
        Optional<RegisterEntry> now = read(scene, "B", name);
        safe(now.equals(found), "a refused write must change nothing: read was " + now + " instead of " + found);
    }

    @Rule(
            says = "Of several who write at the same time, one does.",
            because = "Two who both believe that they have decided have decided differently.",
            needs = Feature.REGISTER)
    default void w2_ofManyWritersOneWrites(Scene scene) throws Exception {
        String name = scene.lock("entry");
        int rounds = scene.times(25, 5);
        int count = 4;
        // All have read the same entry before one of them writes.
        CyclicBarrier read = new CyclicBarrier(count);
        CyclicBarrier written = new CyclicBarrier(count);
        List<BackgroundTask<Integer>> writers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            LockBackend client = scene.backend("C" + i);
            writers.add(scene.start("C" + i, () -> {
                int writes = 0;
                for (int round = 0; round < rounds; round++) {
                    Optional<RegisterEntry> before = client.readRegister(name, scene.callLimit());
                    int number =
                            before.map(entry -> Integer.parseInt(entry.text())).orElse(0);
                    read.await(scene.limit().toMillis(), TimeUnit.MILLISECONDS);
                    RegisterEntry next = RegisterEntry.of(String.valueOf(number + 1));
                    Optional<String> expected = before.map(RegisterEntry::version);
                    writes += client.writeRegister(name, expected, next, scene.callLimit()) ? 1 : 0;
                    written.await(scene.limit().toMillis(), TimeUnit.MILLISECONDS);
                }
                return writes;
            }));
        }
        int told = 0;
        for (BackgroundTask<Integer> writer : writers) {
            told += writer.get(scene.limit().multipliedBy(6));
        }
        int found = read(scene, "B", name)
                .map(entry -> Integer.parseInt(entry.text()))
                .orElse(0);
        safe(
                told == rounds && found == rounds,
                "in each of " + rounds + " rounds one writer must write; " + told
                        + " writes were answered with yes, and " + found + " were made one after the other");
    }

    @Rule(
            says = "What was answered as written is read by everybody who asks from then on.",
            because = "Who goes by what was once so does what another one does not expect any more.",
            needs = Feature.REGISTER)
    default void w3_nobodyReadsWhatIsOver(Scene scene) {
        String name = scene.lock("entry");
        Optional<String> version = Optional.empty();
        for (int round = 0; round < scene.times(30, 10); round++) {
            RegisterEntry entry = RegisterEntry.of("round " + round);
            that(write(scene, "A", name, version, entry), "A is the only one who writes");
            isRead(scene, "B", name, entry);
            isRead(scene, "C", name, entry);
            isRead(scene, "A", name, entry);
            version = Optional.of(entry.version());
        }
    }

    @Rule(
            says = "An entry stays when its writer has gone, and when every lease has ended.",
            because = "A decision counts until another one is made.",
            needs = Feature.REGISTER)
    default void w4_anEntryHasNoEnd(Scene scene) throws InterruptedException {
        String name = scene.lock("entry");
        RegisterEntry entry = RegisterEntry.of("stays");
        LockBackend writer = scene.open();
        that(writer.writeRegister(name, Optional.empty(), entry, scene.callLimit()), "there was no entry of that name");
        granted(scene.claim(writer, scene.request(scene.lock(), "writer"))).release();
        writer.close();
        scene.pass(scene.latestEndSeen(scene.lease()).plusSeconds(1));
        for (int i = 0; i < 70; i++) {
            // Stores that tidy up do so after so many of these.
            granted(scene.claim("A", scene.lock("swept" + i))).release();
        }
        isRead(scene, "B", name, entry);
        notWritten(scene, name, Optional.empty(), RegisterEntry.of("another"), Optional.of(entry));
    }

    @Rule(
            says = "A restart of the store that keeps its data keeps the register.",
            because = "A server that comes back with what was decided before lets in what is barred.",
            needs = Feature.REGISTER)
    default void w4_aRestartKeepsTheRegister(Scene scene) throws InterruptedException {
        String name = scene.lock("entry");
        RegisterEntry first = RegisterEntry.of("before");
        RegisterEntry last = RegisterEntry.of("just before");
        that(write(scene, "A", name, Optional.empty(), first), "there was no entry of that name");
        that(write(scene, "A", name, Optional.of(first.version()), last), "the entry was the one that A knew");
        scene.faults().restartStore();
        safe(
                answered(scene, () -> read(scene, "B", name).equals(Optional.of(last))),
                "what was answered as written must be there after a restart: " + last);
    }

    @Rule(
            says =
                    "A store that does not answer is reported as such, in time. A write whose answer was lost was made or not made,"
                            + " and whoever reads the entry knows which.",
            because = "\"Not written\" means that another one was faster; here nobody knows.",
            needs = Feature.REGISTER)
    default void w5_silenceIsNoAnswer(Scene scene) throws Exception {
        String name = scene.lock("entry");
        RegisterEntry first = RegisterEntry.of("first");
        RegisterEntry late = RegisterEntry.of("late");
        RegisterEntry next = RegisterEntry.of("next");
        that(write(scene, "A", name, Optional.empty(), first), "there was no entry of that name");
        isRead(scene, "B", name, first);
        scene.faults().pauseStore();
        endsInTime(
                scene,
                "a write",
                () -> thrown(
                        BackendException.class,
                        () -> scene.backend("A").writeRegister(name, Optional.of(first.version()), late, scene.brief()),
                        "a write to a store that hangs must throw"));
        endsInTime(scene, "a read", () -> {
            try {
                Optional<RegisterEntry> found = scene.backend("B").readRegister(name, scene.brief());
                safe(found.equals(Optional.of(first)), "nobody has replaced " + first + ", and read was " + found);
            } catch (BackendException unanswered) {
                // Some stores can be read while they cannot be written.
            }
        });
        scene.faults().resumeStore();
        // Whoever replaces what was read knows how the write has ended, and ends it.
        scene.await("the entry is replaced", () -> {
            try {
                RegisterEntry found = read(scene, "B", name).orElseThrow();
                safe(Set.of(first, late, next).contains(found), "nobody has written " + found);
                return found.equals(next) || write(scene, "B", name, Optional.of(found.version()), next);
            } catch (BackendException notYet) {
                return false;
            }
        });
        scene.pass(scene.brief());
        isRead(scene, "C", name, next);
    }

    private static void endsInTime(Scene scene, String what, Expect.Action question) throws Exception {
        BackgroundTask<Duration> asking = scene.start(what, () -> time(question));
        between(what, asking.get(scene.limit()), Duration.ZERO, scene.brief().plus(scene.tolerance()));
    }

    @Rule(
            says = "A backend that is not REGISTER says so when it is asked.",
            because = "\"There is no entry\" would mean that nothing was decided.",
            absent = Feature.REGISTER)
    default void v1_withoutARegisterItIsRefused(Scene scene) {
        String name = scene.lock("entry");
        thrown(
                UnsupportedOperationException.class,
                () -> read(scene, "A", name),
                "a backend that is not REGISTER must refuse to read");
        thrown(
                UnsupportedOperationException.class,
                () -> write(scene, "A", name, Optional.empty(), RegisterEntry.of("")),
                "a backend that is not REGISTER must refuse to write");
    }

    private static Optional<RegisterEntry> read(Scene scene, String who, String name) {
        return scene.backend(who).readRegister(name, scene.callLimit());
    }

    private static boolean write(Scene scene, String who, String name, Optional<String> expected, RegisterEntry entry) {
        return scene.backend(who).writeRegister(name, expected, entry, scene.callLimit());
    }

    private static void isRead(Scene scene, String who, String name, RegisterEntry entry) {
        Optional<RegisterEntry> found = read(scene, who, name);
        safe(found.equals(Optional.of(entry)), "written was " + entry + ", and " + who + " reads " + found);
    }
}
