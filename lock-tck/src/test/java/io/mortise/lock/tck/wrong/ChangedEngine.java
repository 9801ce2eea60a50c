// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.wrong;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.tck.FileBackend;
import io.mortise.lock.tck.SuiteRun;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * An engine with one line of its source changed, and the case that must catch it. The changed file is compiled, and a JVM of its own runs
 * the case with it.
 *
 * @param file the source, below the engine's package
 * @param line what stands there, once
 * @param changed what stands there instead
 * @param caughtBy the name of the case
 * @param store where the case can tell it
 */
record ChangedEngine(String file, String line, String changed, String caughtBy, Store store) {
    private static final Path ENGINE =
            Path.of("..", "lock-api", "src", "main", "java", "io", "mortise", "lock", "engine");

    /** Stores that are right themselves. */
    enum Store {
        /** {@code memory:} serves claims in order, nudges, and tells holders at once what became of their locks. */
        MEMORY("io.mortise.lock.tck.KitTest"),
        /** Nudges a waiter when a lock was released, and does no more. */
        TINY("io.mortise.lock.tck.wrong.TinyStoreKitTest"),
        /** Shared by processes. */
        FILES("io.mortise.lock.tck.wrong.WrongProcessesTck");

        private final String suite;

        Store(String suite) {
            this.suite = suite;
        }
    }

    /** Runs in the JVM that has the changed engine. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) throws ClassNotFoundException {
            WrongProcessesTck.store = FileBackend.Kind.FENCED + " " + arguments[2];
            SuiteRun run = SuiteRun.of(Class.forName(arguments[0]), List.of(arguments[1]));
            run.failures().forEach((name, message) -> System.out.println("FAILED " + name + ": " + message));
            run.passed().forEach(name -> System.out.println("PASSED " + name));
            System.exit(0);
        }
    }

    /** The case must fail, by the rule that its name says. */
    void mustBeCaught(Path directory) throws IOException, InterruptedException {
        compile(directory);
        String output = run(directory);

        String rule = GalleryTest.rule(caughtBy);
        assertThat(output)
                .as("%s, with %s in place of %s", caughtBy, changed, line)
                .contains("FAILED " + caughtBy + ": ")
                .containsPattern(rule + " is broken|Found at the end of " + rule);
    }

    private void compile(Path directory) throws IOException {
        Path original = ENGINE.resolve(file);
        String source = Files.readString(original);
        assertThat(source.split(Pattern.quote(line), -1))
                .as("%s has this once: %s", file, line)
                .hasSize(2);
        Path patched = directory.resolve("src").resolve(original.getFileName());
        Files.createDirectories(patched.getParent());
        Files.writeString(patched, source.replace(line, changed));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter errors = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            boolean compiled = compiler.getTask(
                            errors,
                            files,
                            null,
                            List.of(
                                    "-proc:none",
                                    "-nowarn",
                                    "-d",
                                    directory.toString(),
                                    "-cp",
                                    System.getProperty("java.class.path")),
                            null,
                            files.getJavaFileObjects(patched))
                    .call();
            assertThat(compiled).as("%s compiles: %s", file, errors).isTrue();
        }
    }

    private String run(Path directory) throws IOException, InterruptedException {
        List<String> command = Arrays.asList(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Djava.util.logging.config.file=" + directory.resolve("none"),
                "-cp",
                directory + File.pathSeparator + System.getProperty("java.class.path"),
                Program.class.getName(),
                store.suite,
                caughtBy,
                directory.toString());
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("output").toFile())
                .start();
        try {
            assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return Files.readString(directory.resolve("output"));
    }

    @Override
    public String toString() {
        return caughtBy + ", " + file;
    }

    private static ChangedEngine of(String file, String line, String changed, String caughtBy) {
        return of(file, line, changed, caughtBy, Store.MEMORY);
    }

    private static ChangedEngine of(String file, String line, String changed, String caughtBy, Store store) {
        return new ChangedEngine(file, line, changed, caughtBy, store);
    }

    /** Each of them is an engine that somebody could have written. */
    static final List<ChangedEngine> ALL = List.of(
            of(
                    "lease/Validity.java",
                    "return nanos - elapsed(ticker);",
                    "return nanos;",
                    "h11_aFrozenHolderStopsAtItsFirstCheckpoint",
                    Store.FILES),
            of(
                    "acquisition/Acquisition.java",
                    "            if (!own.isFirst()) {\n",
                    "            HeldLease mine = own.firstLease();\n"
                            + "            if (mine != null && caller != 0 && mine.acquirer() == caller) {\n"
                            + "                granted = true;\n"
                            + "                return new Step(true, 0, mine.newHandle());\n"
                            + "            }\n"
                            + "            if (!own.isFirst()) {\n",
                    "a5_aLockIsNotReentrant"),
            of(
                    "acquisition/Acquisition.java",
                    "        long now = ticker.nanos();\n        Throwable noAnswer",
                    "        long ahead = ticker.wallMillis() - System.currentTimeMillis();\n"
                            + "        long now = ticker.nanos() + ahead * 1_000_000L;\n        Throwable noAnswer",
                    "c5_wallClockJumpsDoNotChangeAWait"),
            of(
                    "acquisition/Acquisition.java",
                    "            if (budget.endsWhileOthersHold(now)) {",
                    "            if (budget.endsWhileOthersHold(now) || wait.grantedLate == (wait.grantedLate = true)) {",
                    "c6_losingARaceDoesNotEndTheWait",
                    Store.TINY),
            of(
                    "acquisition/Acquisition.java",
                    "            if (budget.endsWhileOthersHold(now)) {",
                    "            if (budget.endsWhileOthersHold(now) || wait.grantedLate == (wait.grantedLate = true)) {",
                    "k3_needlessNudgesAreHarmless"),
            of(
                    "acquisition/Acquisition.java",
                    "            if (validity.remaining(ticker) > 0) {\n",
                    "            wait.mayBeKept = validity.remaining(ticker) <= 0;\n"
                            + "            if (budget.endsWhileOthersHold(ticker.nanos()) && budget.waits()) {\n"
                            + "                return false;\n"
                            + "            }\n"
                            + "            if (validity.remaining(ticker) > 0) {\n",
                    "j6_aGrantAtTheEndOfTheWaitIsNotLost"),
            of(
                    "acquisition/Backoff.java",
                    "return Math.min(untilExpiry, longestPrompt());",
                    "return longestPrompt();",
                    "k2_aWaiterFindsTheLockOfADeadHolder",
                    Store.TINY),
            of(
                    "ReentrantView.java",
                    "        inside.enterAgain();\n",
                    "        inside.enterAgain();\n        inside.enterAgain();\n",
                    "g6_nestedLocksLeaveNoRenewal"),
            of(
                    "Engine.java",
                    "            repeatedly(() -> queue.leases().forEach(HeldLease::clientClosed));\n",
                    "",
                    "g11_aClosedClientRenewsNothing"),
            of(
                    "lease/HeldLease.java",
                    "            return releaseOnce();",
                    "            boolean held = releaseOnce();\n"
                            + "            if (acquirer != Thread.currentThread().getId()) {\n"
                            + "                throw new IllegalMonitorStateException(\"not locked by this thread\");\n"
                            + "            }\n"
                            + "            return held;",
                    "a4_noIncrementIsLostWhenOthersRelease"),
            of(
                    "lease/HeldLease.java",
                    "if (due && isAbandoned()) {",
                    "if (due && isAbandoned() && isLost()) {",
                    "e10_aDroppedLeaseEnds"),
            of(
                    "lease/HeldLease.java",
                    "            if (!notePassedEnd()) {\n                return loss == null;",
                    "            if (!notePassedEnd()) {\n"
                            + "                ensureNotLost();\n"
                            + "                return loss == null;",
                    "h9_aListenerMayRelease"),
            of(
                    "lease/HeldLease.java",
                    "        renewal.end();\n        if (!state.isHeld()) {\n            if (renewal.wasOvertaken() && answer",
                    "        renewal.end();\n"
                            + "        if (state == State.LOST && answer == Answer.YES) {\n"
                            + "            time.renewed(Moment.now(services.ticker()), spent);\n"
                            + "            state = State.HELD;\n"
                            + "            return;\n"
                            + "        }\n"
                            + "        if (!state.isHeld()) {\n            if (renewal.wasOvertaken() && answer",
                    "h10_lostStaysLostWhenARenewalAnswersLate"),
            of(
                    "lease/HeldLease.java",
                    "                    && time.allowsHandOver()\n",
                    "",
                    "r7_aRevokedLockIsNotHandedOver",
                    Store.TINY),
            of(
                    "lease/Renewer.java",
                    "Collections.nCopies(renewals.size(), unknown);",
                    "Collections.nCopies(renewals.size(), new Renewed(Answer.NO, Duration.ZERO, null));",
                    "g3_aThrowingRenewalStopsNothing"),
            of(
                    "lease/Renewer.java",
                    "        int size = Math.min(largest.getKey(), queue.size());\n",
                    "        int size = 1;\n        environment.pause(this, RETRY_NANOS);\n",
                    "g7_manyLocksAreRenewedInTime"),
            of(
                    "local/EventDispatcher.java",
                    "private static final int MOST_WORKERS = 8;",
                    "private static final int MOST_WORKERS = 1;",
                    "h8_aBadListenerDelaysNobody"),
            of(
                    "local/LocalQueue.java",
                    "                ticket.previous = last;\n",
                    "                if (first != null && first.next != null) {\n"
                            + "                    ticket.previous = first;\n"
                            + "                    ticket.next = first.next;\n"
                            + "                    first.next.previous = ticket;\n"
                            + "                    first.next = ticket;\n"
                            + "                    return ticket;\n"
                            + "                }\n"
                            + "                ticket.previous = last;\n",
                    "k8_threadsOfOneClientAreServedInOrder"),
            of(
                    "lease/Validity.java",
                    "return nanos - elapsed(ticker);",
                    "return nanos;",
                    "h3_silenceIsRiskAndThenLoss"),
            of(
                    "acquisition/Acquisition.java",
                    "Validity.of(asked, options.lease()",
                    "Validity.of(Moment.now(ticker), options.lease()",
                    "f5_aGrantThatComesTooLateIsNone"),
            of(
                    "acquisition/Acquisition.java",
                    "if (wait != null && wait.mayBeKept) {",
                    "if (wait != null && wait.grantedLate) {",
                    "j1_aGivenUpTryLeavesNothing"),
            of(
                    "acquisition/Acquisition.java",
                    "if (wait != null && wait.mayBeKept) {",
                    "if (wait != null && wait.grantedLate) {",
                    "c9_aTimedOutWaiterIsGone"),
            of(
                    "acquisition/Acquisition.java",
                    "if (wait != null && wait.mayBeKept) {",
                    "if (wait != null && wait.grantedLate) {",
                    "d6_aCancelledCallKeepsNothing"),
            of(
                    "acquisition/Acquisition.java",
                    "if (wait != null && wait.mayBeKept) {",
                    "if (wait != null && wait.grantedLate) {",
                    "d3_anInterruptAtAnyMomentLosesNoLock"),
            of(
                    "acquisition/Acquisition.java",
                    "services.cleanup().release(name, wait.claimRelease, Nanos.of(ClaimFactory.stored(options)));",
                    "",
                    "d7_aSecondInterruptDoesNotStopTheCleanUp"),
            of(
                    "acquisition/TimeBudget.java",
                    "return isLimited() ? waitLimit - (now - start) : Nanos.FOREVER;",
                    "return isLimited() ? waitLimit / 2 - (now - start) : Nanos.FOREVER;",
                    "c2_aTimedWaitKeepsItsTime"),
            of(
                    "acquisition/Acquisition.java",
                    "            if (budget.endsWhileOthersHold(now)) {",
                    "            if (budget.endsWhileOthersHold(now) && sinceStart().toMillis() > 60) {",
                    "c8_noTimeMeansOneTry"),
            of(
                    "acquisition/Acquisition.java",
                    "            if (budget.endsWhileOthersHold(now)) {",
                    "            if (budget.endsWhileOthersHold(now) && sinceStart().toMillis() > 1500) {",
                    "c1_aPlainTryAnswersAtOnce"),
            of(
                    "acquisition/Acquisition.java",
                    "} else if (budget.endsAfterNoAnswer(now, wait.answeredAt)) {",
                    "} else {",
                    "c7_aShortSilenceIsWaitedOut"),
            of(
                    "acquisition/Acquisition.java",
                    "} else if (budget.endsAfterNoAnswer(now, wait.answeredAt)) {",
                    "} else {",
                    "j1_aLostGrantIsFoundAgain"),
            of(
                    "acquisition/Acquisition.java",
                    "                    left.leave();\n",
                    "",
                    "l4_aFailedCallOpensTheLocalQueue"),
            of(
                    "acquisition/Acquisition.java",
                    "if (!own.isFirst()) {",
                    "if (!own.isFirst() && budget.start() == 0) {",
                    "k4_oneThreadAsksForAll"),
            of(
                    "acquisition/TimeBudget.java",
                    "return isLimited() ? waitLimit - (now - start) : Nanos.FOREVER;",
                    "return isLimited() ? waitLimit - (now - start) / 2 : Nanos.FOREVER;",
                    "c3_localAndRemoteWaitShareADeadline"),
            of(
                    "acquisition/TimeBudget.java",
                    "return isLimited() ? left(now) <= 0 : now - answeredAt >= noAnswerLimit;",
                    "return isLimited() ? left(now) <= -5_000_000_000L : now - answeredAt >= noAnswerLimit;",
                    "c2_aTimedWaitEndsWhenTheStoreHangs"),
            of(
                    "local/Nanos.java",
                    "return duration.compareTo(LONGEST) >= 0 ? FOREVER : duration.toNanos();",
                    "return duration.getSeconds() * 1_000_000_000L + duration.getNano();",
                    "c4_zeroAndHugeWaitsWork"),
            of(
                    "acquisition/BlockingAcquisition.java",
                    "            while (true) {\n                heedInterrupt();",
                    "            while (true) {",
                    "d1_anInterruptBeforeTheCallAsksNothing"),
            of(
                    "acquisition/BlockingAcquisition.java",
                    "            interruptedMeanwhile = true;",
                    "",
                    "d4_anUninterruptibleWaitKeepsTheFlag"),
            of(
                    "ReentrantView.java",
                    "        inside.lease.ensureHeld();\n        inside.enterAgain();",
                    "        inside.enterAgain();",
                    "a6_enteringAgainAfterALossThrows"),
            of("ReentrantView.java", "if (--inside.count > 0) {", "if (--inside.count > 1) {", "a6_theViewCounts"),
            of(
                    "ReentrantView.java",
                    "        holds.leave(name);\n        if (inside.isReleased()) {",
                    "        if (inside.isReleased()) {",
                    "e6_afterAFailedReleaseTheNextLockIsNew"),
            of("lease/LeaseHandle.java", "            lease.ensureNotLost();", "", "e7_theBodysExceptionStaysPrimary"),
            of(
                    "Engine.java",
                    "            repeatedly(() -> queue.leases().forEach(HeldLease::clientClosed));\n",
                    "",
                    "e8_closingReleasesEverything"),
            of(
                    "lease/HeldLease.java",
                    "            lose(CLIENT_CLOSED);",
                    "            lose(ABANDONED);",
                    "h12_closingTellsHolders"),
            of(
                    "lease/HeldLease.java",
                    "            refused(explained());\n",
                    "            time.unanswered(true, services.environment().random());\n",
                    "h1_aDeletedLockIsReported"),
            of(
                    "lease/HeldLease.java",
                    "            refused(explained());\n",
                    "            time.unanswered(true, services.environment().random());\n",
                    "h2_aTakenOverLockIsReported"),
            of(
                    "lease/HeldLease.java",
                    "            refused(explained());\n",
                    "            refused(UNEXPLAINED);\n",
                    "h2_aRevokedLockIsReported"),
            of(
                    "lease/HeldLease.java",
                    "            renewal.unanswered();\n            time.unanswered(true, services.environment().random());\n",
                    "            lose(UNEXPLAINED);\n            return;\n",
                    "h4_aSilenceThatEndsInTimeLosesNothing"),
            of("lease/HeldLease.java", "handOvers.afterOne(), time", "handOvers, time", "k9_handOversAreLimited"),
            of(
                    "lease/HeldLease.java",
                    "next -> next.options().equals(ticket.options()) ? handedTo(next) : null",
                    "this::handedTo",
                    "f6_aFollowerGetsItsOwnLease"),
            of(
                    "lease/HeldLease.java",
                    "            if (taken) {\n                ticket.leave();\n            }\n",
                    "",
                    "l1_aLossOpensTheLocalQueue"),
            of(
                    "lease/HeldLease.java",
                    "    private void leave() {\n",
                    "    private void leave() {\n        listeners.lost(UNEXPLAINED);\n",
                    "h7_releasingIsNoLoss"),
            of(
                    "lease/LeaseListeners.java",
                    "            notice.send(loss);",
                    "            lost.add(notice);",
                    "h6_aLateListenerIsToldAtOnce"),
            of(
                    "lease/LeaseSchedule.java",
                    "return Math.min(validity.remaining(ticker), maxHoldLeft());",
                    "return validity.remaining(ticker);",
                    "g10_maxHoldEndsALease"),
            of(
                    "lease/ClaimRelease.java",
                    "return once(ticker.nanos(), end) || inDoubt;",
                    "return once(ticker.nanos(), end);",
                    "j3_aReleaseWithALostReplyIsARelease"),
            of(
                    "local/LocalQueue.java",
                    "Line line = lines.computeIfAbsent(name, Line::new);",
                    "Line line = lines.computeIfAbsent(name.substring(0, 3), Line::new);",
                    "l3_differentNamesNeverWaitForEachOther"),
            of(
                    "NamedLocks.java",
                    "            leases.get(i).held().giveBack();\n",
                    "",
                    "d8_anInterruptedCallForSeveralLocksKeepsNothing"),
            of(
                    "NamedLocks.java",
                    "                return false;\n",
                    "                continue;\n",
                    "q1_severalLocksAreAcquiredTogetherOrNotAtAll"),
            of(
                    "NamedLocks.java",
                    "new TreeSet<>(names)",
                    "new java.util.LinkedHashSet<>(names)",
                    "q2_oppositeOrdersBlockNobody"));
}
