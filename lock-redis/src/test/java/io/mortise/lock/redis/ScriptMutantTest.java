// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import org.junit.jupiter.api.Test;

class ScriptMutantTest {
    @Test
    void eachMutantIsOneChange() {
        String script = """
                -- Answers 1 == 0.
                if not holder or holder.owner ~= ARGV[1] then -- and not
                  redis.call('SET', key, 'x', 'PX', 60000)
                end
                """;

        assertThat(ScriptMutant.of("some.lua", script))
                .extracting(ScriptMutant::number, mutant -> mutant.changed().strip())
                .containsExactlyInAnyOrder(
                        tuple(2, "if not holder or holder.owner == ARGV[1] then"),
                        tuple(2, "if not holder and holder.owner ~= ARGV[1] then"),
                        tuple(2, "if holder or holder.owner ~= ARGV[1] then"),
                        tuple(2, "if not holder or holder.owner ~= ARGV[0] then"),
                        tuple(3, "redis.call('SET', key, 'x', 'EX', 60000)"),
                        tuple(3, "redis.call('SET', key, 'x', 'PX', 0)"),
                        tuple(3, ""));
    }

    @Test
    void aMutantChangesItsLineOnly() {
        String script = "local a = 1\nlocal b = 1\n";
        ScriptMutant second = ScriptMutant.of("some.lua", script).stream()
                .filter(mutant -> mutant.number() == 2)
                .findFirst()
                .orElseThrow();

        assertThat(second.edit().of("some.lua", script)).isEqualTo("local a = 1\nlocal b = 0\n");
        assertThat(second.edit().of("other.lua", script)).isEqualTo(script);
    }
}
