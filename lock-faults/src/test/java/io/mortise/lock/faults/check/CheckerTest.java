// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.faults.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.faults.guard.GuardedPlace.Write;
import io.mortise.lock.faults.history.FaultWindow;
import io.mortise.lock.faults.history.Journals;
import io.mortise.lock.faults.history.WorkerHistory;
import io.mortise.lock.faults.history.WorkerHistory.Stall;
import io.mortise.lock.faults.scenario.Promise;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each thing that must not happen is found in a history of a few lines, and what looks like it is not taken for it. */
class CheckerTest {
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    Path folder;

    private final List<WorkerHistory> workers = new ArrayList<>();
    private final List<FaultWindow> faults = new ArrayList<>();
    private final List<Write> writes = new ArrayList<>();

    /** Times are in seconds; a word that begins with @ is one. */
    private void worker(long pid, List<Stall> freezes, String... lines) throws IOException {
        StringBuilder text = new StringBuilder();
        for (String line : lines) {
            for (String word : line.split(" ")) {
                boolean isTime = word.startsWith("@");
                text.append(isTime ? nanos(Double.parseDouble(word.substring(1))) : word)
                        .append(' ');
            }
            text.setCharAt(text.length() - 1, '\n');
        }
        Path journal = folder.resolve(pid + ".journal");
        Files.writeString(journal, text);
        workers.add(Journals.read(journal, pid, freezes, nanos(100)));
    }

    private static long nanos(double seconds) {
        return (long) (seconds * SECOND);
    }

    private static Stall frozen(double begin, double end) {
        return new Stall(nanos(begin), nanos(end));
    }

    private void fault(double begin, double end, boolean excuses) {
        Promise promise = excuses ? new Promise("it forgets", true, true) : null;
        faults.add(new FaultWindow("a fault", nanos(begin), nanos(end), nanos(end), promise));
    }

    private Verdict verdict() {
        return new Checker(workers, faults, writes, Duration.ofSeconds(4), Duration.ofSeconds(4), Duration.ofSeconds(6))
                .judge();
    }

    private void violated(String what) {
        assertThat(verdict().violations()).singleElement().satisfies(said -> assertThat(said)
                .contains(what));
    }

    private void clean() {
        assertThat(verdict().violations()).isEmpty();
    }

    /** From the second second to the fourth. */
    private void firstHolder() throws IOException {
        worker(1, List.of(), "ASK 1 n @2 @0 @1.9", "GRANTED 1 @2 @4 7", "RELEASE 1 @3.5", "RELEASED 1 @3.6 HELD");
    }

    private void secondHolder(double from, long token) throws IOException {
        worker(
                2,
                List.of(),
                "ASK 1 n @2 @0 @" + (from - 0.1),
                "GRANTED 1 @" + from + " @" + (from + 2) + " " + token,
                "RELEASE 1 @" + (from + 1),
                "RELEASED 1 @" + (from + 1.1) + " HELD");
    }

    @Test
    void oneAfterTheOtherIsRight() throws IOException {
        firstHolder();
        secondHolder(3.7, 8);
        clean();
    }

    @Test
    void twoAtOnceAreFound() throws IOException {
        firstHolder();
        secondHolder(3.0, 8);
        violated("two holders for 500 ms");
    }

    @Test
    void twoAtOnceAreExcusedByWhatThePageSays() throws IOException {
        firstHolder();
        secondHolder(3.0, 8);
        fault(2.5, 2.9, true);
        assertThat(verdict().violations()).isEmpty();
        assertThat(verdict().allowed()).containsEntry("it forgets", 1L);
    }

    @Test
    void anotherFaultExcusesNothing() throws IOException {
        firstHolder();
        secondHolder(3.0, 8);
        fault(2.5, 2.9, false);
        violated("two holders");
    }

    @Test
    void anExcuseEnds() throws IOException {
        fault(-20, -10, true);
        firstHolder();
        secondHolder(3.0, 8);
        violated("two holders");
    }

    @Test
    void whoWasKilledHeldToTheEndOfItsLease() throws IOException {
        worker(1, List.of(), "ASK 1 n @2 @0 @1.9", "GRANTED 1 @2 @4 7");
        workers.get(0).ended = nanos(2.5);
        secondHolder(3.9, 8);
        violated("two holders");
    }

    @Test
    void aTokenThatDoesNotRiseIsFound() throws IOException {
        firstHolder();
        secondHolder(3.7, 7);
        violated("the token 7 of 2:1 is not above 7 of 1:1");
    }

    @Test
    void aLateLossIsFound() throws IOException {
        worker(1, List.of(), "ASK 1 n @2 @0 @1.9", "GRANTED 1 @2 @4 7", "LOST 1 @4.9 EXPIRED");
        violated("was told of its loss 900 ms after");
    }

    @Test
    void aLossThatIsNeverToldIsFound() throws IOException {
        worker(1, List.of(), "ASK 1 n @2 @0 @1.9", "GRANTED 1 @2 @4 7");
        violated("was not told of its loss");
    }

    @Test
    void whoReleasesInTimeIsTold() throws IOException {
        worker(
                1,
                List.of(),
                "ASK 1 n @2 @0 @1.9",
                "GRANTED 1 @2 @4 7",
                "RELEASE 1 @3.9",
                "LOST 1 @6 TAKEN_OVER",
                "RELEASED 1 @6 LOST");
        clean();
    }

    @Test
    void aFrozenProcessIsToldWhenItThaws() throws IOException {
        worker(1, List.of(frozen(3, 9)), "ASK 1 n @2 @0 @1.9", "GRANTED 1 @2 @4 7", "LOST 1 @9.1 EXPIRED");
        clean();
    }

    @Test
    void aFrozenProcessIsToldLateIfItIsLongAfterTheThaw() throws IOException {
        worker(1, List.of(frozen(3, 9)), "ASK 1 n @2 @0 @1.9", "GRANTED 1 @2 @4 7", "LOST 1 @10 EXPIRED");
        violated("was told of its loss 1000 ms after");
    }

    @Test
    void aLongWaitForAFreeLockIsFound() throws IOException {
        firstHolder();
        worker(2, List.of(), "ASK 1 n @2 @30 @2.5", "GRANTED 1 @12 @14 8", "RELEASE 1 @13", "RELEASED 1 @13.1 HELD");
        violated("waited 8400 ms for a free lock, and the answer was GRANTED");
    }

    @Test
    void aFreeLockThatIsSaidToBeBusyIsFound() throws IOException {
        worker(1, List.of(), "ASK 1 n @2 @7 @1", "NOT 1 @8 BUSY");
        violated("waited 7000 ms for a free lock, and the answer was BUSY");
    }

    @Test
    void aWaitWhileTheStoreHasAFaultMayBeLong() throws IOException {
        firstHolder();
        fault(4, 9, false);
        worker(2, List.of(), "ASK 1 n @2 @30 @2.5", "GRANTED 1 @12 @14 8", "RELEASE 1 @13", "RELEASED 1 @13.1 HELD");
        clean();
    }

    @Test
    void aWriteAfterThatOfALaterHolderIsFound() throws IOException {
        firstHolder();
        secondHolder(3.7, 8);
        writes.add(new Write(nanos(4), "n", "2:1", 8, true));
        writes.add(new Write(nanos(4.1), "n", "1:1", 9, true));
        violated("a write of 1:1 was taken after one of 2:1");
    }

    @Test
    void aRefusedWriteIsRight() throws IOException {
        firstHolder();
        secondHolder(3.7, 8);
        writes.add(new Write(nanos(4), "n", "2:1", 8, true));
        writes.add(new Write(nanos(4.1), "n", "1:1", 7, false));
        clean();
        assertThat(verdict().staleRefused()).isEqualTo(1);
    }

    @Test
    void aRefusalWithoutAFaultIsFound() throws IOException {
        worker(1, List.of(), "ASK 1 n @2 @0 @1.9", "NOT 1 @2 REFUSED why");
        violated("was refused, though all was well");
    }

    @Test
    void threadsThatAreLeftAreFound() throws IOException {
        worker(1, List.of(), "CLOSING @2", "CLOSED @3", "LEFT @4 mortise-renewer");
        violated("these threads were left: mortise-renewer");
    }

    @Test
    void aLostLeaseThatIsHeldAgainIsFound() throws IOException {
        worker(1, List.of(), "ASK 1 n @2 @0 @1.9", "GRANTED 1 @2 @4 7", "LOST 1 @4 EXPIRED", "AGAIN 1 @4.1 @4");
        violated("a lost lease was held again");
    }
}
