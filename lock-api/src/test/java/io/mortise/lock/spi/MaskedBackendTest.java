// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every method that asks the store, also one that is yet to come, answers as before and fails without a secret. */
class MaskedBackendTest {
    private static final Secrets SECRETS = Secrets.of("redis://u:hunter2@h");
    private static final ClaimRequest REQUEST = new ClaimRequest("a", "b", "c", Duration.ofDays(1), true, 2, 3);
    private static final Loss LOSS = new Loss(LossCause.SESSION_LOST, "closed for hunter2");

    private static final Map<Class<?>, Object> SAMPLES = Map.of(
            boolean.class,
            true,
            int.class,
            42,
            long.class,
            4242L,
            String.class,
            "sample",
            Duration.class,
            Duration.ofHours(42),
            Optional.class,
            Optional.of("sample"),
            List.class,
            List.of(),
            RegisterEntry.class,
            RegisterEntry.of("sample"));

    @TestFactory
    Stream<DynamicTest> aBackend() {
        return eachThatAsksTheStore(LockBackend.class, inner -> MaskedBackend.of(inner, SECRETS));
    }

    @TestFactory
    Stream<DynamicTest> aClaim() {
        return eachThatAsksTheStore(Claim.class, MaskedBackendTest::masked);
    }

    @Test
    void aLossIsToldWithoutSecret() {
        List<Loss> told = new ArrayList<>();
        Claim claim = masked(proxy(Claim.class, (method, arguments) -> {
            if (method.getName().equals("whenLost")) {
                @SuppressWarnings("unchecked")
                Consumer<Loss> listener = (Consumer<Loss>) arguments.get(0);
                listener.accept(LOSS);
                return null;
            }
            return LOSS;
        }));
        claim.whenLost(told::add);
        told.add(claim.loss());
        assertThat(told).hasSize(2).containsOnly(new Loss(LossCause.SESSION_LOST, "closed for ***"));
    }

    @Test
    void theBackendBehindRenewsItsOwnClaims() {
        Claim behind = proxy(Claim.class, (method, arguments) -> true);
        List<Object> renewed = new ArrayList<>();
        LockBackend backend = MaskedBackend.of(
                proxy(LockBackend.class, (method, arguments) -> {
                    if (method.getName().equals("claim")) {
                        return behind;
                    }
                    renewed.addAll((List<?>) arguments.get(0));
                    return List.of(Answer.YES);
                }),
                SECRETS);
        Renewal renewal = new Renewal(backend.claim(REQUEST, () -> {}), Duration.ofSeconds(5));
        assertThat(backend.renewAll(List.of(renewal), Duration.ofSeconds(1))).containsExactly(Answer.YES);
        assertThat(renewed).containsExactly(new Renewal(behind, Duration.ofSeconds(5)));
    }

    @Test
    void aBackendIsNotWrappedIfItsUrlHasNoSecret() {
        LockBackend backend = proxy(LockBackend.class, (method, arguments) -> true);
        for (String url : List.of(
                "redis://h1:7000/0?prefix=locks&mortise.lease=5s", "jdbc:postgresql://h/db?user=app", "memory:test")) {
            assertThat(MaskedBackend.of(backend, Secrets.of(url))).as(url).isSameAs(backend);
        }
    }

    private static Claim masked(Claim inner) {
        return MaskedBackend.of(proxy(LockBackend.class, (method, arguments) -> inner), SECRETS)
                .claim(REQUEST, () -> {});
    }

    /** Who asks the store has a limit of time, or closes. */
    private static <T> Stream<DynamicTest> eachThatAsksTheStore(Class<T> type, Function<T, T> masked) {
        List<Method> methods = Arrays.stream(type.getMethods())
                .filter(method -> method.getName().equals("close")
                        || List.of(method.getParameterTypes()).contains(Duration.class))
                .toList();
        assertThat(methods).hasSizeGreaterThan(4);
        return methods.stream()
                .flatMap(method -> Stream.of(
                        dynamicTest(method.getName() + " answers", () -> answers(type, masked, method)),
                        dynamicTest(method.getName() + " fails", () -> failsWithoutSecret(type, masked, method))));
    }

    private static <T> void answers(Class<T> type, Function<T, T> masked, Method method) throws Exception {
        Object answer = method.getReturnType() == void.class ? null : sample(method.getReturnType());
        List<Method> asked = new ArrayList<>();
        T inner = proxy(type, (called, arguments) -> {
            asked.add(called);
            assertThat(arguments).containsExactly(arguments(method));
            return answer;
        });
        assertThat(method.invoke(masked.apply(inner), arguments(method))).isEqualTo(answer);
        assertThat(asked).containsExactly(method);
    }

    private static <T> void failsWithoutSecret(Class<T> type, Function<T, T> masked, Method method) {
        T inner = proxy(type, (called, arguments) -> {
            throw new BackendException("no reply for hunter2", new IOException("at hunter2"));
        });
        assertThatThrownBy(() -> method.invoke(masked.apply(inner), arguments(method)))
                .cause()
                .isInstanceOf(BackendException.class)
                .hasMessage("no reply for ***")
                .cause()
                .hasToString("java.io.IOException: at ***");
    }

    private static Object[] arguments(Method method) {
        return Arrays.stream(method.getParameterTypes())
                .map(MaskedBackendTest::sample)
                .toArray();
    }

    private static Object sample(Class<?> type) {
        return Objects.requireNonNull(SAMPLES.get(type), () -> "no sample of " + type);
    }

    private interface Behaviour {
        @Nullable
        Object answer(Method method, List<Object> arguments);
    }

    private static <T> T proxy(Class<T> type, Behaviour behaviour) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) ->
                        behaviour.answer(method, arguments == null ? List.of() : List.of(arguments))));
    }
}
