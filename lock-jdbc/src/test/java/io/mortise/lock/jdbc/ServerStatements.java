// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

/** How many statements a server has carried out, by its own count. */
final class ServerStatements {
    /**
     * What lets PostgreSQL count statements. Its count of transactions, which it has always, is of no use here: a session
     * adds what it has done up to ten seconds later.
     */
    static final String POSTGRES_SETTING = "shared_preload_libraries=pg_stat_statements";

    private ServerStatements() {}

    /** Of all users, without those that ask for the count. */
    static long onPostgres(String url) {
        try (Rows rows = new Rows(url)) {
            rows.execute("create extension if not exists pg_stat_statements");
            return rows.number("select coalesce(sum(calls), 0) from pg_stat_statements"
                    + " where query not ilike '%pg_stat_statements%'");
        }
    }

    /** Of all users; each question adds the few statements that its own connection begins with. */
    static long onMariaDb(String url) {
        try (Rows rows = new Rows(url)) {
            return rows.number("select variable_value from information_schema.global_status"
                    + " where variable_name = 'questions'");
        }
    }
}
