// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.migration.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** With all rules nothing goes wrong in any state that a migration can come to; without any one of them something does. */
class ModelsTest {
    static Stream<Arguments> models() {
        return Stream.of(
                Arguments.of("windows", new WindowModel(Set.of())),
                Arguments.of("order of the halves", new OrderModel(Set.of())),
                Arguments.of("length of the halves", new HalvesModel(Set.of())),
                Arguments.of("loss of a half", new LossModel(Set.of())),
                Arguments.of("tokens", new TokenModel(Set.of())),
                Arguments.of("register", new RegisterModel(Set.of())));
    }

    static Stream<Arguments> rules() {
        return Stream.of(
                        without(WindowModel.Rule.values(), WindowModel::new),
                        without(OrderModel.Rule.values(), OrderModel::new),
                        without(HalvesModel.Rule.values(), HalvesModel::new),
                        without(LossModel.Rule.values(), LossModel::new),
                        without(TokenModel.Rule.values(), TokenModel::new),
                        without(RegisterModel.Rule.values(), RegisterModel::new))
                .flatMap(rules -> rules);
    }

    private static <R> Stream<Arguments> without(R[] rules, Function<Set<R>, Model<?>> model) {
        return Stream.of(rules).map(rule -> Arguments.of(rule, model.apply(Set.of(rule))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("models")
    void nothingGoesWrong(String name, Model<?> model) {
        Exploration exploration = Exploration.of(model);

        assertThat(exploration.counterexample()).as(name).isEmpty();
        assertThat(exploration.states()).as("states of " + name).isGreaterThan(100);
    }

    @ParameterizedTest(name = "without {0}")
    @MethodSource("rules")
    void eachRuleIsNeeded(Object rule, Model<?> model) {
        assertThat(Exploration.of(model).counterexample()).as("without " + rule).isNotEmpty();
    }
}
