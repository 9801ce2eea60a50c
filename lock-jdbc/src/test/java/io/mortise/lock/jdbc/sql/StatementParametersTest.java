// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jdbi.v3.core.statement.ColonPrefixSqlParser;
import org.jdbi.v3.core.statement.ParsedSql;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@SuppressWarnings("NullAway") // neither parser looks at the context
class StatementParametersTest {
    private final StatementParameters parameters = new StatementParameters();

    @Test
    void parametersAreFoundInTheirOrder() {
        ParsedSql parsed = parameters.parse("update t set a = :a, b = :b + :a where k=:key_1", null);
        assertThat(parsed.getSql()).isEqualTo("update t set a = ?, b = ? + ? where k=?");
        assertThat(parsed.getParameters().getParameterNames()).isEqualTo(List.of("a", "b", "a", "key_1"));
    }

    /** jdbi's own parser finds one in it. */
    @Test
    void aNameOfMariaDbMayHaveAColon() {
        ParsedSql parsed = parameters.parse("select `a:b` from t where k = :key", null);
        assertThat(parsed.getSql()).isEqualTo("select `a:b` from t where k = ?");
        assertThat(parsed.getParameters().getParameterNames()).isEqualTo(List.of("key"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select 1",
                "",
                ":a",
                "select :a::text, n::bigint from t",
                "select ':a', 'it''s :b', :c",
                "select \":a\".\"b:c\" from \"x\"\"y:z\" where k = :key",
                "select ?, a from t where b = ? and c = '?'",
                "insert into t (a, b) values (:a,:b) returning a",
                "select pg_notify('mortise:channel', :key) from t where lock_key = :key and (:a)is null",
                "set a = 1; -- nothing\nselect :a",
                "select \u00e4, '\u00e4:x' from t where k = :key"
            })
    void whatJdbiReadsIsReadInTheSameWay(String sql) {
        assertThat(parameters.parse(sql, null)).isEqualTo(new ColonPrefixSqlParser().parse(sql, null));
        assertThat(parameters.nameParameter("key", null)).isEqualTo(":key");
    }
}
