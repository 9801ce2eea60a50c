// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.util.ReflectionUtils;

/** What the health endpoint is told, on either line of Spring Boot: their types differ, and their methods have the same names. */
class MortiseHealthTest {
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(MortiseAutoConfiguration.class, MortiseHealthAutoConfiguration.class));

    @Test
    void aStoreThatAnswersIsUp() {
        application.withPropertyValues("mortise.store=memory:").run(context -> {
            Object health = health(context);
            assertThat(told(health, "getStatus")).hasToString("UP");
            assertThat(details(health)).containsOnlyKeys("store", "roundTrip");
        });
    }

    @Test
    void aStoreThatDoesNotAnswerIsDown() {
        application.withPropertyValues("mortise.store=redis://127.0.0.1:1").run(context -> {
            Object health = health(context);
            assertThat(told(health, "getStatus")).hasToString("DOWN");
            assertThat(details(health)).containsOnlyKeys("store", "error");
        });
    }

    @Test
    void itCanBeSwitchedOff() {
        application
                .withPropertyValues("mortise.store=memory:", "management.health.mortise.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean("mortiseHealthIndicator"));
        application
                .withPropertyValues("mortise.store=memory:", "management.health.defaults.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean("mortiseHealthIndicator"));
    }

    private static Object health(ApplicationContext context) {
        return told(context.getBean("mortiseHealthIndicator"), "health");
    }

    private static Map<String, Object> details(Object health) {
        Map<String, Object> details = new HashMap<>();
        ((Map<?, ?>) told(health, "getDetails")).forEach((key, value) -> details.put(key.toString(), value));
        return details;
    }

    private static Object told(Object of, String name) {
        Method method = Objects.requireNonNull(ReflectionUtils.findMethod(of.getClass(), name), name);
        ReflectionUtils.makeAccessible(method);
        return Objects.requireNonNull(ReflectionUtils.invokeMethod(method, of), name);
    }
}
