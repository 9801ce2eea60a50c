// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.FencingStrength;
import io.mortise.lock.spi.LeaseBounds;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.RegisterEntry;
import io.mortise.lock.spi.SafetyLevel;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The bases of wrappers pass on every method that there is, once, with its arguments and its answer. */
class ForwardingTest {
    private static final ClaimRequest REQUEST = new ClaimRequest("a", "b", "c", Duration.ofDays(1), true, 2, 3);

    /** Something of each type, different from what a default method would answer. */
    private static final Map<Class<?>, Object> SAMPLES = Map.ofEntries(
            Map.entry(boolean.class, true),
            Map.entry(int.class, 42),
            Map.entry(long.class, 4242L),
            Map.entry(String.class, "sample"),
            Map.entry(Duration.class, Duration.ofHours(42)),
            Map.entry(Optional.class, Optional.of("sample")),
            Map.entry(List.class, List.of("sample")),
            Map.entry(Set.class, Set.of("sample")),
            Map.entry(Runnable.class, (Runnable) () -> {}),
            Map.entry(ClaimRequest.class, REQUEST),
            Map.entry(RegisterEntry.class, RegisterEntry.of("sample")),
            Map.entry(Loss.class, new Loss(LossCause.SESSION_LOST, "sample")),
            Map.entry(SafetyLevel.class, SafetyLevel.QUORUM),
            Map.entry(FencingStrength.class, FencingStrength.STRICT),
            Map.entry(LeaseBounds.class, new LeaseBounds(Duration.ofMillis(4), Duration.ofMillis(42))),
            Map.entry(Claim.class, new ForwardingClaim(failing(Claim.class)) {}),
            Map.entry(Consumer.class, (Consumer<Object>) unused -> {}));

    @TestFactory
    Stream<DynamicTest> aBackendPassesOn() {
        return passesOn(LockBackend.class, inner -> new ForwardingBackend(inner) {});
    }

    @TestFactory
    Stream<DynamicTest> aClaimPassesOn() {
        return passesOn(Claim.class, inner -> new ForwardingClaim(inner) {});
    }

    @Test
    void theOneBehindIsTold() {
        LockBackend backend = failing(LockBackend.class);
        Claim claim = failing(Claim.class);

        assertThat(new ForwardingBackend(backend) {}.inner()).isSameAs(backend);
        assertThat(new ForwardingClaim(claim) {}.inner()).isSameAs(claim);
    }

    private static <T> Stream<DynamicTest> passesOn(Class<T> type, Function<T, T> wrapper) {
        List<Method> methods = Arrays.stream(type.getMethods())
                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                .toList();
        assertThat(methods).hasSizeGreaterThan(6);
        return methods.stream().map(method -> dynamicTest(method.getName(), () -> isPassedOn(type, wrapper, method)));
    }

    private static <T> void isPassedOn(Class<T> type, Function<T, T> wrapper, Method method) throws Exception {
        List<Method> asked = new ArrayList<>();
        List<Object> given = new ArrayList<>();
        Object answer = method.getReturnType() == void.class ? null : sample(method.getReturnType());
        T inner = type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, called, arguments) -> {
                    asked.add(called);
                    given.addAll(arguments == null ? List.of() : List.of(arguments));
                    return answer;
                }));
        Object[] arguments = Arrays.stream(method.getParameterTypes())
                .map(ForwardingTest::sample)
                .toArray();

        Object answered = method.invoke(wrapper.apply(inner), arguments);

        assertThat(asked).singleElement().isEqualTo(method);
        assertThat(given).containsExactly(arguments);
        assertThat(answered).isEqualTo(answer);
    }

    private static Object sample(Class<?> type) {
        return Optional.ofNullable(SAMPLES.get(type)).orElseThrow(() -> new AssertionError("no sample of " + type));
    }

    private static <T> T failing(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
            throw new AssertionError(method + " was not expected to be called");
        }));
    }
}
