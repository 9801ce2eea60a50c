// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SqlMutantTest {
    @Test
    void eachMutantIsOneChange() {
        String sql = """
                update locks set version = version + 1, owner = null
                where lock_key = ? and expires_us > now()""";

        assertThat(SqlMutant.of(sql))
                .extracting(SqlMutant::changed)
                .containsExactlyInAnyOrder("""
                update locks set version = version - 1, owner = null
                where lock_key = ? and expires_us > now()""", """
                update locks set version = version + 0, owner = null
                where lock_key = ? and expires_us > now()""", """
                update locks set version = version + 1, owner = owner
                where lock_key = ? and expires_us > now()""", """
                update locks set version = version + 1, owner = null
                where (lock_key = ? or 1 = 1) and expires_us > now()""", """
                update locks set version = version + 1, owner = null
                where lock_key <> ? and expires_us > now()""", """
                update locks set version = version + 1, owner = null
                where lock_key = ? or expires_us > now()""", """
                update locks set version = version + 1, owner = null
                where lock_key = ? and (expires_us > now() or 1 = 1)""", """
                update locks set version = version + 1, owner = null
                where lock_key = ? and expires_us >= now()""");
    }

    @Test
    void aMutantIsNamedByTheStatementAndTheLine() {
        assertThat(SqlMutant.of("delete from queue\n  where place > ?"))
                .extracting(SqlMutant::key)
                .containsExactly(
                        "delete from queue: where place > ? => where (place > ? or 1 = 1)",
                        "delete from queue: where place > ? => where place >= ?");
    }
}
