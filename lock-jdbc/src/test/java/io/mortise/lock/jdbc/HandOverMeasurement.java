// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import io.mortise.lock.tck.servers.MariaDbServer;
import io.mortise.lock.tck.servers.PostgresServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How often a lock that many want is handed over, how fairly to several JVMs, and how many statements that costs the server. Not part of
 * the tests: {@code mvn -pl lock-jdbc -am test -Dtest=HandOverMeasurement}, for one database {@code -Dtest=HandOverMeasurement#mariaDb*}.
 */
class HandOverMeasurement {
    private static final int SECONDS = Integer.getInteger("mortise.handover.seconds", 10);
    private static final Duration WARM_UP = Duration.ofSeconds(3);
    private static final Duration SHORT = Duration.ofMillis(20);
    private static final Shape WAITERS = new Shape(4, 1, true);
    private static final List<Shape> SHAPES =
            List.of(new Shape(3, 4, true), new Shape(3, 4, false), new Shape(4, 1, true));

    @TempDir
    Path folder;

    /**
     * Who wants the lock.
     *
     * @param threads of each client
     * @param local whether a client may hand the lock over from one of its threads to another
     */
    private record Shape(int jvms, int threads, boolean local) {
        @Override
        public String toString() {
            return jvms + " JVMs x " + threads + " threads" + (local ? "" : ", no hand-overs within a JVM");
        }
    }

    /** What was counted in the time that is measured. */
    private record Counted(int grants, int toOtherJvms, double greatestToLeast) {
        private double aSecond() {
            return (double) grants / SECONDS;
        }
    }

    @Test
    void postgres() throws Exception {
        try (PostgresServer server = PostgresServer.start()) {
            for (Shape shape : SHAPES) {
                Counted advisory = contend("PostgreSQL, advisory locks", server.url(), shape, 0);
                Counted ours = contend("PostgreSQL", server.url(), shape, 1);
                print("  %.2f times as many as with advisory locks%n", ours.aSecond() / advisory.aSecond());
            }
        }
    }

    @Test
    void mariaDb() throws Exception {
        try (MariaDbServer server = MariaDbServer.start()) {
            contend("MariaDB", server.url());
        }
    }

    @Test
    void h2Server() throws Exception {
        try (H2Process server = H2Process.start(folder)) {
            contend("H2 server", server.url());
        }
    }

    @Test
    void sqlite() throws Exception {
        contend("SQLite", "jdbc:sqlite:" + folder.resolve("locks.db"));
    }

    @Test
    void postgresStatements() throws Exception {
        for (int clients : new int[] {50, 200}) {
            try (PostgresServer server =
                    PostgresServer.start(ServerStatements.POSTGRES_SETTING, "max_connections=1000")) {
                countStatements("PostgreSQL", server.url(), clients, ServerStatements::onPostgres);
            }
        }
    }

    @Test
    void mariaDbStatements() throws Exception {
        for (int clients : new int[] {50, 200}) {
            try (MariaDbServer server = MariaDbServer.start("--max-connections=1000")) {
                countStatements("MariaDB", server.url(), clients, ServerStatements::onMariaDb);
            }
        }
    }

    private static void contend(String what, String url) throws Exception {
        for (Shape shape : SHAPES) {
            contend(what, url, shape, 1);
        }
    }

    private static Counted contend(String what, String url, Shape shape, int clients) throws Exception {
        List<Contenders> all = start(url, shape, clients, Duration.ZERO);
        try {
            long from = System.nanoTime() + WARM_UP.toNanos();
            long until = from + Duration.ofSeconds(SECONDS).toNanos();
            for (Contenders each : all) {
                each.begin(until);
            }
            Counted counted = count(all, from, until);
            print(
                    "%s, %s: %.0f grants/s, %.0f/s of them to another JVM; most to least of a JVM %.2f%n",
                    what, shape, counted.aSecond(), (double) counted.toOtherJvms / SECONDS, counted.greatestToLeast);
            return counted;
        } finally {
            all.forEach(Contenders::close);
        }
    }

    /** First they all wait for one holder; then they have the lock in turn, again and again. */
    private static void countStatements(String what, String url, int clients, ToLongFunction<String> statements)
            throws Exception {
        try (LockClient holder = LockClient.connect(url)) {
            Lease held = holder.lock(Contenders.LOCK, LockOptions.defaults().withLease(Duration.ofMinutes(10)))
                    .acquire();
            List<Contenders> all = start(url, WAITERS, clients / WAITERS.jvms, SHORT);
            try {
                long settled = System.nanoTime() + 2 * WARM_UP.toNanos();
                long released = settled + Duration.ofSeconds(SECONDS).toNanos();
                long from = released + WARM_UP.toNanos();
                long until = from + Duration.ofSeconds(SECONDS).toNanos();
                for (Contenders each : all) {
                    each.begin(until + WARM_UP.toNanos());
                }
                awaitMoment(settled);
                long before = statements.applyAsLong(url);
                awaitMoment(released);
                double waiting = (double) (statements.applyAsLong(url) - before) / SECONDS / clients;
                held.release();
                awaitMoment(from);
                before = statements.applyAsLong(url);
                awaitMoment(until);
                long carriedOut = statements.applyAsLong(url) - before;
                Counted counted = count(all, from, until);
                print(
                        "%s, %d clients: %.2f statements/s each while they wait; with holds of %d ms %.0f hand-overs/s,"
                                + " %.1f statements each; most to least of a JVM %.2f%n",
                        what,
                        clients,
                        waiting,
                        SHORT.toMillis(),
                        counted.aSecond(),
                        (double) carriedOut / counted.grants,
                        counted.greatestToLeast);
            } finally {
                all.forEach(Contenders::close);
            }
        }
    }

    private static List<Contenders> start(String url, Shape shape, int clients, Duration hold) throws IOException {
        List<Contenders> all = new ArrayList<>();
        for (int jvm = 0; jvm < shape.jvms; jvm++) {
            all.add(Contenders.start(url, clients, shape.threads, shape.local, hold));
        }
        for (Contenders each : all) {
            each.awaitReady();
        }
        return all;
    }

    private static void awaitMoment(long moment) {
        await().forever().until(() -> System.nanoTime() - moment >= 0);
    }

    private record Grant(int jvm, Contenders.Hold hold) {}

    /** Grants within a time. Of all there were, no two overlap. */
    private static Counted count(List<Contenders> all, long from, long until) throws IOException {
        List<Grant> grants = new ArrayList<>();
        for (int jvm = 0; jvm < all.size(); jvm++) {
            int number = jvm;
            all.get(jvm).holds().forEach(hold -> grants.add(new Grant(number, hold)));
        }
        grants.sort(Comparator.comparingLong(grant -> grant.hold.from()));
        long[] ofJvm = new long[all.size()];
        int toOthers = 0;
        for (int i = 1; i < grants.size(); i++) {
            Grant before = grants.get(i - 1);
            Grant grant = grants.get(i);
            assertThat(grant.hold.from()).as("exclusion").isGreaterThanOrEqualTo(before.hold.until());
            if (grant.hold.from() - from >= 0 && grant.hold.from() - until < 0) {
                ofJvm[grant.jvm]++;
                toOthers += grant.jvm == before.jvm ? 0 : 1;
            }
        }
        LongSummaryStatistics each = LongStream.of(ofJvm).summaryStatistics();
        return new Counted((int) each.getSum(), toOthers, (double) each.getMax() / each.getMin());
    }

    private static void print(String format, Object... values) {
        System.out.printf(Locale.ROOT, format, values);
    }
}
