// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** On connections that keep statements, and on those of an application. */
class DirectStatementTest {
    private static final String INSERT = "insert into t values (:number, :text)";
    private static final String TEXT = "select text from t where number = :number and :number = number";

    private record Database(String url, boolean keepsStatements) {
        Connection open() throws SQLException {
            Connection connection = DriverManager.getConnection(url);
            session(connection)
                    .statement("create table t (number bigint primary key, text varchar(20))")
                    .changesARow();
            return connection;
        }

        Session session(Connection connection) {
            return keepsStatements
                    ? Session.keepingStatements(connection, new HandleFactory())
                    : Session.on(connection, new HandleFactory());
        }
    }

    private static Stream<Database> databases() {
        return Stream.of("jdbc:h2:mem:", "jdbc:sqlite::memory:")
                .flatMap(url -> Stream.of(new Database(url, false), new Database(url, true)));
    }

    private static boolean insert(Session session, Object number, @Nullable String text) {
        return session.statement(INSERT)
                .bind("text", text)
                .bind("number", number)
                .changesARow();
    }

    @ParameterizedTest
    @MethodSource("databases")
    void parametersAreBoundByName(Database database) throws SQLException {
        try (Connection connection = database.open()) {
            Session session = database.session(connection);
            assertThat(insert(session, 1L << 40, "long")).isTrue();
            assertThat(insert(session, 7, null)).isTrue();

            assertThat(session.statement(TEXT).bind("number", 1L << 40).one(row -> row.getString(1)))
                    .hasValue("long");
            assertThat(session.statement(TEXT).bind("number", 7).one(row -> row.getString(1)))
                    .as("a row without a value")
                    .isEmpty();
            assertThat(session.statement(TEXT).bind("number", 8).one(row -> row.getString(1)))
                    .as("no row")
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void allRowsComeInTheirOrder(Database database) throws SQLException {
        try (Connection connection = database.open()) {
            Session session = database.session(connection);
            String query = "select text from t where number >= :from order by number desc";
            assertThat(session.statement(query).bind("from", 0).all(row -> row.getString(1)))
                    .isEmpty();
            for (int number = 1; number <= 3; number++) {
                insert(session, number, "text " + number);
            }
            assertThat(session.statement(query).bind("from", 2).all(row -> row.getString(1)))
                    .containsExactly("text 3", "text 2");
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void itTellsWhetherARowWasChanged(Database database) throws SQLException {
        try (Connection connection = database.open()) {
            Session session = database.session(connection);
            insert(session, 1, "one");
            String update = "update t set text = :text where number = :number";
            assertThat(session.statement(update)
                            .bind("text", "two")
                            .bind("number", 1)
                            .changesARow())
                    .isTrue();
            assertThat(session.statement(update)
                            .bind("text", "two")
                            .bind("number", 2)
                            .changesARow())
                    .isFalse();
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void someRunTogetherOrNotAtAll(Database database) throws SQLException {
        try (Connection connection = database.open()) {
            Session session = database.session(connection);
            insert(session, 1, "one");
            insert(session, 3, "three");
            assertThat(DirectStatement.changedTogether(List.of(
                            changing(session, 1, "first"),
                            changing(session, 2, "second"),
                            changing(session, 3, "third"))))
                    .containsExactly(1, 0, 1);
            assertThat(texts(session)).containsExactly("first", "third");

            assertThatThrownBy(() -> DirectStatement.changedTogether(
                            List.of(inserting(session, 4), inserting(session, 1), inserting(session, 5))))
                    .isInstanceOf(JdbiException.class)
                    .hasCauseInstanceOf(SQLException.class);
            assertThatThrownBy(() -> DirectStatement.changedTogether(List.of(
                            inserting(session, 6), session.statement(INSERT).bind("number", 7))))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(connection.getAutoCommit()).isTrue();
            assertThat(texts(session)).containsExactly("first", "third");

            assertThat(DirectStatement.changedTogether(List.of(inserting(session, 8))))
                    .containsExactly(1);
            assertThat(texts(session)).containsExactly("first", "third", "new");
        }
    }

    private static DirectStatement changing(Session session, int number, String text) {
        return session.statement("update t set text = :text where number = :number")
                .bind("text", text)
                .bind("number", number);
    }

    private static DirectStatement inserting(Session session, int number) {
        return session.statement(INSERT).bind("number", number).bind("text", "new");
    }

    private static List<String> texts(Session session) {
        return session.statement("select text from t order by number").all(row -> row.getString(1));
    }

    @ParameterizedTest
    @MethodSource("databases")
    void aFailureIsTheDriversAndTheNextRunWorks(Database database) throws SQLException {
        try (Connection connection = database.open()) {
            Session session = database.session(connection);
            insert(session, 1, "one");
            assertThatThrownBy(() -> insert(session, 1, "again"))
                    .isInstanceOf(JdbiException.class)
                    .hasCauseInstanceOf(SQLException.class);
            assertThat(insert(session, 2, "two")).isTrue();
            assertThatThrownBy(() -> session.statement("select number from t").one(row -> row.getLong(1)))
                    .isInstanceOf(JdbiException.class)
                    .hasMessageContaining("more than one row");
            assertThatThrownBy(() -> session.statement(INSERT).bind("number", 3).changesARow())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(":text");
            assertThat(insert(session, 3, "three")).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void aKeptStatementIsPreparedOnceForBothWays(Database database) throws SQLException {
        try (Connection connection = database.open()) {
            Session session = database.session(connection);
            Statement first = statement(session, 1);
            assertThat(statement(session, 2) == first).isEqualTo(database.keepsStatements);

            Statement ofJdbi = session.handle()
                    .createQuery("select :number as n")
                    .bind("number", 3)
                    .map((row, context) -> context.getStatement())
                    .one();
            assertThat(ofJdbi == first).isEqualTo(database.keepsStatements);
        }
    }

    private static Statement statement(Session session, int number) {
        return session.statement("select :number as n")
                .bind("number", number)
                .one(row -> row.getStatement())
                .orElseThrow();
    }
}
