// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.migration.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** With all rules nothing goes wrong in any state that a migration can come to; without any one of them something does. */
class ModelsTest {
    static Stream<Arguments> models() {
        return Stream.of(
                Arguments.of("windows", WindowModel.whole()),
                Arguments.of("order of the halves", OrderModel.whole()),
                Arguments.of("length of the halves", HalvesModel.whole()),
                Arguments.of("loss of a half", LossModel.whole()),
                Arguments.of("tokens", TokenModel.whole()),
                Arguments.of("register", RegisterModel.whole()));
    }

    static Stream<Arguments> rules() {
        return Stream.of(
                        without(WindowModel.Rule.values(), WindowModel::without),
                        without(OrderModel.Rule.values(), OrderModel::without),
                        without(HalvesModel.Rule.values(), HalvesModel::without),
                        without(LossModel.Rule.values(), LossModel::without),
                        without(TokenModel.Rule.values(), TokenModel::without),
                        without(RegisterModel.Rule.values(), RegisterModel::without))
                .flatMap(rules -> rules);
    }

    private static <R> Stream<Arguments> without(R[] rules, Function<R, Model<?>> model) {
        return Stream.of(rules).map(rule -> Arguments.of(rule, model.apply(rule)));
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
