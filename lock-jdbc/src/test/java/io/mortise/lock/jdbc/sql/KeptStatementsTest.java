// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeptStatementsTest {
    private static Handle open(String url) throws SQLException {
        return Session.keepingStatements(DriverManager.getConnection(url), new HandleFactory())
                .handle();
    }

    private static Statement ask(Handle handle, int number) {
        return handle.createQuery("select :number as n")
                .bind("number", number)
                .map((row, context) -> {
                    assertThat(row.getInt(1)).isEqualTo(number);
                    return context.getStatement();
                })
                .one();
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc:h2:mem:", "jdbc:sqlite::memory:"})
    void aStatementWithParametersIsPreparedOnce(String url) throws SQLException {
        try (Handle handle = open(url)) {
            assertThat(ask(handle, 2)).isSameAs(ask(handle, 1)).isSameAs(ask(handle, 3));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc:h2:mem:", "jdbc:sqlite::memory:"})
    void oneThatFailedIsOfUseAgain(String url) throws SQLException {
        try (Handle handle = open(url)) {
            handle.execute("create table t (n integer primary key)");
            insert(handle, 1);
            assertThatThrownBy(() -> insert(handle, 1)).isInstanceOf(JdbiException.class);
            insert(handle, 2);
            assertThat(handle.createQuery("select count(*) from t")
                            .mapTo(Integer.class)
                            .one())
                    .isEqualTo(2);
        }
    }

    /** What the call came to must not be hidden by what became of its statement. */
    @ParameterizedTest
    @ValueSource(strings = {"jdbc:h2:mem:", "jdbc:sqlite::memory:"})
    void oneThatHasEndedIsNotKeptAndNoFailure(String url) throws SQLException {
        try (Handle handle = open(url)) {
            KeptStatements kept = (KeptStatements) handle.getStatementBuilder();
            PreparedStatement ended = handle.getConnection().prepareStatement("select 1");
            ended.close();

            kept.giveBack("select 1", ended);

            assertThat(kept.take(handle.getConnection(), "select 1", Statement.NO_GENERATED_KEYS)
                            .execute())
                    .isTrue();
        }
    }

    private static void insert(Handle handle, int number) {
        handle.createUpdate("insert into t values (:number)")
                .bind("number", number)
                .execute();
    }

    /** As one that is asked while another with the same text is being read. */
    @ParameterizedTest
    @ValueSource(strings = {"jdbc:h2:mem:", "jdbc:sqlite::memory:"})
    void oneInUseIsNotUsedTwice(String url) throws SQLException {
        try (Handle handle = open(url)) {
            handle.createQuery("select :number as n")
                    .bind("number", 1)
                    .map((row, context) -> {
                        assertThat(ask(handle, 2)).isNotSameAs(context.getStatement());
                        assertThat(row.getInt(1)).isEqualTo(1);
                        return true;
                    })
                    .one();
        }
    }
}
