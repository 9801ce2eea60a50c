// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.tck.history.Operation.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A time line can be read, and has what a fault is found by, however much happened. */
class TimelineTest {
    private static final long MS = 1_000_000;
    private static final Duration LEASE = Duration.ofSeconds(30);

    private static Operation tried(String who, int claim, String lock, long atMs, String answer) {
        boolean granted = answer.equals(Operation.YES);
        return new Operation(
                who, claim, lock, Kind.TRY, atMs * MS, (atMs + 1) * MS, MS, "", answer, MS, granted ? claim : 0, 1);
    }

    private static Operation released(String who, int claim, String lock, long atMs) {
        return new Operation(who, claim, lock, Kind.RELEASE, atMs * MS, (atMs + 1) * MS, 0, "", Operation.YES, 0, 0, 1);
    }

    private static String text(List<Operation> operations) {
        return new Timeline(operations).text();
    }

    @Test
    void theSameAnswerAgainAndAgainIsOneLine() {
        List<Operation> operations = new ArrayList<>(List.of(tried("A", 1, "lock", 0, "yes")));
        for (int i = 1; i <= 42; i++) {
            operations.add(tried("B", 2, "lock", i * 10, "no"));
        }
        operations.add(released("A", 1, "lock", 500));
        operations.add(tried("B", 2, "lock", 510, "no"));
        operations.add(tried("B", 2, "lock", 520, "yes"));

        String text = text(operations);

        assertThat(text.lines()).hasSize(1 + 6 + 1);
        assertThat(text).contains("… 41 more tries of B#2, all no, until +421.0 ms");
        assertThat(text.indexOf("release")).isGreaterThan(text.indexOf("41 more"));
        assertThat(text).contains("L1 = \"lock\"");
    }

    @Test
    void twoWhoAskInTurnHaveALineEach() {
        List<Operation> operations = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            operations.add(tried("A", 1, "lock", 2 * i, "no"));
            operations.add(tried("B", 2, "lock", 2 * i + 1, "no"));
        }

        assertThat(text(operations)).contains("19 more tries of A#1", "19 more tries of B#2");
    }

    @Test
    void anotherAnswerBeginsALineOfItsOwn() {
        String text = text(List.of(
                tried("A", 1, "lock", 1, "no"),
                tried("A", 1, "lock", 2, "unknown: cut"),
                tried("A", 1, "lock", 3, "no"),
                tried("A", 1, "lock", 4, "no")));

        assertThat(text).contains("unknown: cut", "… 1 more try of A#1, all no").containsOnlyOnce("more");
    }

    @Test
    void theBeginningAndAllGrantsOfTheWrongLockAreKept() {
        List<Operation> operations = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            String lock = i % 2 == 0 ? "wrong" : "other";
            operations.add(tried("C" + i, i + 1, lock, i * 10, "yes"));
            operations.add(released("C" + i, i + 1, lock, i * 10 + 5));
        }
        operations.add(tried("C200", 500, "wrong", 2000, "yes"));

        String text = text(operations);

        assertThat(text).contains("C0#1 ", "lines left out");
        for (int i = 0; i < 400; i += 2) {
            assertThat(text).contains(" C" + i + "#" + (i + 1) + " ");
        }
        assertThat(text.lines().count()).isLessThan(500);
    }

    @Test
    void namesThatLookAlikeAreToldApart() {
        Set<String> names = Set.of("lock", "lo\u200bck", "l\u043eck", "lock ", "lock\\u200b", "lock\u200b");

        assertThat(names.stream().map(name -> LockNames.told(name, names)))
                .doesNotHaveDuplicates()
                .contains("\"lo\\u200bck\"", "\"l\\u043eck\"", "\"lock\\\\u200b\"", "\"lock\\u200b\"");
    }

    @Test
    void longNamesAreBriefAndToldApart() {
        String same = "x".repeat(300);
        Set<String> names = Set.of(same, same + "x", same.replaceFirst("x{150}", "x".repeat(149) + "y"));

        assertThat(LockNames.told(same + "x", names)).hasSizeLessThan(100).contains("(301 characters)");
        assertThat(names.stream().map(name -> LockNames.told(name, names))).doesNotHaveDuplicates();
    }

    @Test
    void everythingThatIsAskedIsThere() throws InterruptedException {
        History history = new History();
        RecordingBackend backend = new RecordingBackend(
                "A", new MemoryBackend(MemoryStore.named("timeline")), history, LEASE, claim -> {});
        List<Renewal> renewals = new ArrayList<>();
        for (String lock : List.of("one", "two")) {
            RecordingClaim claim =
                    backend.claim(new ClaimRequest(lock, "owner-" + lock, "label", LEASE, true, 0, 1), () -> {});
            assertThat(claim.tryAcquire(LEASE)).isTrue();
            renewals.add(new Renewal(claim, LEASE));
        }
        backend.renewAll(renewals, LEASE);
        RecordingClaim two = (RecordingClaim) renewals.get(1).claim();
        two.raiseToken(two.fencingToken() + 7, LEASE);
        backend.inspect("one", LEASE);
        backend.list("o", "", 5, LEASE);
        backend.revoke("one", "maintenance", false, LEASE);
        backend.revoke("two", "an emergency", true, LEASE);
        backend.close();

        assertThat(history.timeline())
                .containsPattern("A#1 +try +L1 +waits: yes, token \\d+")
                .containsPattern("A#1 +renew +L1 +1 of 2: yes")
                .containsPattern("A#2 +renew +L2 +2 of 2: yes")
                .containsPattern("A#2 +raise +L2 +to \\d+: yes")
                .containsPattern("A +inspect +L1 +Optional\\[LockHolder\\[lock=one")
                .containsPattern("A +list +5 with \"o\" after \"\": \\[LockHolder\\[lock=one")
                .containsPattern("A +revoke +L1 +because maintenance: yes")
                .containsPattern("suite +fault +L2 +begins: revoked at once by A")
                .containsPattern("A +revoke +L2 +at once, because an emergency: yes")
                .containsPattern("A +close");
    }

    @Test
    void whatIsNotAnsweredYetIsThere() {
        History history = new History();
        history.asked("A", 1, "lock", Kind.TRY, "");

        assertThat(history.timeline()).containsPattern("A#1 +try +L1 +no answer yet");
    }
}
