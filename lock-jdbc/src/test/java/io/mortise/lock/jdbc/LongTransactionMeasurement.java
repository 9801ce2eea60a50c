// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import static io.mortise.lock.jdbc.Client.ENOUGH;

import io.mortise.lock.tck.servers.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/**
 * What acquire and release cost together on PostgreSQL beside a transaction that stays open for long, for the documentation.
 * Not part of the tests: {@code mvn -pl lock-jdbc -am test -Dtest=LongTransactionMeasurement}.
 */
class LongTransactionMeasurement {
    private static final int[] GRANTS = {1_000, 10_000, 50_000, 200_000};
    private static final int WARM_UP = 3_000;
    private static final int MEASURED = 101;
    private static final String KEY = "lock_key = keys[1 + done % cardinality(keys)]";

    /** The versions of rows that grants and releases make. A place is found without passing older versions, which would take hours. */
    private static final String CYCLES = """
            do $$
            declare
              keys text[] := array(select lock_key from mortise_locks where lock_key <> '~' order by lock_key);
              places tid[] := array(select ctid from mortise_locks where lock_key <> '~' order by lock_key);
              records tid[] := array(select ctid from mortise_locks_grants order by lock_key);
              place tid;
            begin
              for done in 0 .. {grants} - 1 loop
                for change in 1 .. 2 loop
                  update mortise_locks set version = version + 1,
                      expires_us = cast(extract(epoch from clock_timestamp()) * 1000000 as bigint)
                    where {place} returning ctid into place;
                  places[1 + done % cardinality(keys)] := place;
                end loop;
                update mortise_locks_grants set fence = fence where {record} returning ctid into place;
                records[1 + done % cardinality(keys)] := place;
                commit;
              end loop;
            end $$""";

    /** What somebody else does with a connection meanwhile, and leaves open. */
    private enum Other {
        NOTHING(false, false, "select 1"),
        READER(false, true, "begin isolation level repeatable read; select count(*) from data"),
        WRITER(false, true, "begin isolation level read committed; insert into data values (1)"),
        READER_OF_ANOTHER_DATABASE(true, false, "begin isolation level repeatable read; select count(*) from data"),
        WRITER_OF_ANOTHER_DATABASE(true, true, "begin isolation level read committed; insert into data values (1)");

        private final boolean elsewhere;
        private final boolean keepsVersions;
        private final String statements;

        Other(boolean elsewhere, boolean keepsVersions, String statements) {
            this.elsewhere = elsewhere;
            this.keepsVersions = keepsVersions;
            this.statements = statements;
        }

        /** A search by the key removes old versions on its way where it may. */
        private String cycles(int grants) {
            return CYCLES.replace("{grants}", String.valueOf(grants))
                    .replace("{place}", keepsVersions ? "ctid = places[1 + done % cardinality(keys)]" : KEY)
                    .replace("{record}", keepsVersions ? "ctid = records[1 + done % cardinality(keys)]" : KEY);
        }
    }

    @Test
    void measure() throws Exception {
        try (PostgresServer server = PostgresServer.start("synchronous_commit=off", "shared_buffers=128MB")) {
            try (Rows rows = new Rows(server.url())) {
                rows.execute("create database elsewhere");
            }
            String elsewhere = server.url().replace("/postgres?", "/elsewhere?");
            for (String url : new String[] {server.url(), elsewhere}) {
                try (Rows rows = new Rows(url)) {
                    rows.execute("create table data (n int)");
                }
            }
            for (int locks : new int[] {1, 100}) {
                for (Other other : Other.values()) {
                    measure(server.url(), other.elsewhere ? elsewhere : server.url(), other, locks);
                }
            }
        }
    }

    private static void measure(String url, String othersUrl, Other other, int locks) throws SQLException {
        Rows.dropTables(url);
        try (Client client = Client.open(url)) {
            cycles(client, locks, WARM_UP);
        }
        try (Connection beside = DriverManager.getConnection(othersUrl);
                Statement statement = beside.createStatement();
                Rows rows = new Rows(url)) {
            statement.execute(other.statements);
            int before = 0;
            for (int grants : GRANTS) {
                rows.execute(other.cycles(grants - before));
                before = grants;
                try (Client client = Client.open(url)) {
                    cycles(client, locks, MEASURED);
                    System.out.printf(
                            "%s, locks %d, grants %d: median %.2f ms, the table %d kB%n",
                            other,
                            locks,
                            grants,
                            cycles(client, locks, MEASURED) / 1e6,
                            rows.number("select pg_total_relation_size('mortise_locks') / 1024"));
                }
            }
        }
    }

    /** The median of acquire and release together, in nanoseconds. */
    private static long cycles(Client client, int locks, int count) {
        long[] nanos = new long[count];
        for (int i = 0; i < count; i++) {
            long start = System.nanoTime();
            client.held("measured/" + i % locks).release(ENOUGH);
            nanos[i] = System.nanoTime() - start;
        }
        Arrays.sort(nanos);
        return nanos[count / 2];
    }
}
