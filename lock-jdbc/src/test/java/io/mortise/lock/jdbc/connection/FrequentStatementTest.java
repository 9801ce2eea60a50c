// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** On connections that keep statements, and on those of an application. */
class FrequentStatementTest {
    private static final String INSERT = "insert into t values (:number, :text)";

    private static Stream<Jdbi> databases() {
        return Stream.of("jdbc:h2:mem:", "jdbc:sqlite::memory:").flatMap(url -> {
            Jdbi plain = Connections.jdbi(() -> DriverManager.getConnection(url));
            Jdbi keeping = Connections.jdbi(() -> DriverManager.getConnection(url))
                    .setStatementBuilderFactory(connection -> new KeptStatements());
            return Stream.of(plain, keeping);
        });
    }

    private static Handle withTable(Jdbi database) {
        Handle handle = database.open();
        handle.execute("create table t (number bigint primary key, text varchar(20))");
        return handle;
    }

    private static boolean insert(Handle handle, Object number, @Nullable String text) {
        return FrequentStatement.of(handle, INSERT)
                .bind("text", text)
                .bind("number", number)
                .changesARow();
    }

    @ParameterizedTest
    @MethodSource("databases")
    void parametersAreBoundByName(Jdbi database) {
        try (Handle handle = withTable(database)) {
            assertThat(insert(handle, 1L << 40, "long")).isTrue();
            assertThat(insert(handle, 7, null)).isTrue();

            String query = "select number, text from t where number = :number and :number = number";
            assertThat(FrequentStatement.of(handle, query)
                            .bind("number", 1L << 40)
                            .one(row -> row.getLong(1) + row.getString(2)))
                    .hasValue((1L << 40) + "long");
            assertThat(FrequentStatement.of(handle, query)
                            .bind("number", 7)
                            .one(row -> Optional.ofNullable(row.getString(2))))
                    .hasValue(Optional.empty());
            assertThat(FrequentStatement.of(handle, query).bind("number", 8).one(row -> row.getLong(1)))
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void itTellsWhetherARowWasChanged(Jdbi database) {
        try (Handle handle = withTable(database)) {
            insert(handle, 1, "one");
            String update = "update t set text = :text where number = :number";
            assertThat(FrequentStatement.of(handle, update)
                            .bind("text", "two")
                            .bind("number", 1)
                            .changesARow())
                    .isTrue();
            assertThat(FrequentStatement.of(handle, update)
                            .bind("text", "two")
                            .bind("number", 2)
                            .changesARow())
                    .isFalse();
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void aFailureIsTheDriversAndTheNextRunWorks(Jdbi database) {
        try (Handle handle = withTable(database)) {
            insert(handle, 1, "one");
            assertThatThrownBy(() -> insert(handle, 1, "again"))
                    .isInstanceOf(JdbiException.class)
                    .hasCauseInstanceOf(SQLException.class);
            assertThat(insert(handle, 2, "two")).isTrue();
            assertThatThrownBy(() ->
                            FrequentStatement.of(handle, "select number from t").one(row -> row.getLong(1)))
                    .isInstanceOf(JdbiException.class)
                    .hasMessageContaining("more than one row");
            assertThatThrownBy(() -> FrequentStatement.of(handle, INSERT)
                            .bind("number", 3)
                            .changesARow())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(":text");
            assertThat(insert(handle, 3, "three")).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void aKeptStatementIsPreparedOnce(Jdbi database) {
        try (Handle handle = withTable(database)) {
            Statement first = statement(handle, 1);
            boolean keeps = handle.getStatementBuilder() instanceof KeptStatements;
            assertThat(statement(handle, 2) == first).isEqualTo(keeps);
        }
    }

    private static Statement statement(Handle handle, int number) {
        return FrequentStatement.of(handle, "select :number as n")
                .bind("number", number)
                .one(row -> row.getStatement())
                .orElseThrow();
    }
}
