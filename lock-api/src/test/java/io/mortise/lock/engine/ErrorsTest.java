// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.engine.ThrowingStore.Call;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.LockBackend;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a store throws, every name can be had again, leases are renewed, and losses are told. */
@Timeout(60)
class ErrorsTest {
    /** What only backends call that are made of other backends, and who moves a fleet. */
    private static final Set<Call> NEVER_CALLED = Set.of(
            Call.FENCING_STRENGTH,
            Call.STORE_INCARNATION,
            Call.RAISE_TOKEN,
            Call.HIGHEST_TOKEN,
            Call.READ_REGISTER,
            Call.WRITE_REGISTER);

    private final ErrorScene scene = new ErrorScene();
    private final ThrowingStore store = scene.store;
    private final LockClient client = scene.client;

    @AfterEach
    void close() throws Exception {
        scene.close();
    }

    /** Each of some calls with each throwable. */
    static Stream<Arguments> faultsOf(Call... calls) {
        return Stream.of(calls).flatMap(call -> Stream.of(Thrown.values()).map(thrown -> Arguments.of(call, thrown)));
    }

    /** All but the end of the backend, which a client causes only with its own. */
    static Stream<Arguments> faults() {
        return faultsOf(Stream.of(Call.values())
                .filter(call -> call != Call.CLOSE && !NEVER_CALLED.contains(call))
                .toArray(Call[]::new));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void whateverTheStoreThrowsTheClientGoesOn(Call call, Thrown thrown) throws Exception {
        everyCall(() -> {
            store.plan(call, thrown::make);
            store.plan(call, thrown::make);
        });
        assertThat(store.thrown()).as("how often it was thrown").isPositive();
        scene.everythingWorks("a", "busy", "revoked", "deleted");
    }

    private static Set<String> methods(Class<?> type) {
        return Stream.of(type.isInterface() ? type.getMethods() : type.getDeclaredMethods())
                .filter(method -> !method.isSynthetic())
                .map(Method::getName)
                .collect(Collectors.toSet());
    }

    @Test
    void everyMethodOfABackendAndOfAClaimIsMadeToThrow() throws Exception {
        Claim claim = store.claim(new ClaimRequest("a", "1", "", ErrorScene.LEASE, false, 0, 1), () -> {});
        assertThat(methods(ThrowingStore.class)).containsAll(methods(LockBackend.class));
        assertThat(methods(claim.getClass())).containsAll(methods(Claim.class));
        everyCall(() -> {});
        BackgroundCall.startAction(client::close).get();
        assertThat(Call.values()).allSatisfy(call -> assertThat(store.calls(call) > 0)
                .as("calls of %s", call)
                .isNotEqualTo(NEVER_CALLED.contains(call)));
    }

    static Stream<Arguments> faultsOfGrants() {
        return faultsOf(Call.AFTER_TRY, Call.LEASE_SPENT, Call.FENCING_TOKEN);
    }

    @ParameterizedTest
    @MethodSource("faultsOfGrants")
    void aGrantThatIsNotUsedIsGivenBackLongBeforeItsEnd(Call call, Thrown thrown) throws Exception {
        store.always(call, thrown::raise);
        Optional<Lease> granted = scene.attempt("a try", client.lock("a")::tryAcquire);
        assertThat(granted).as("the answer to a try that failed").isNull();
        store.heal();
        scene.soonFree("a");
    }

    static Stream<Arguments> faultsOfReleases() {
        return faultsOf(Call.RELEASE, Call.AFTER_RELEASE);
    }

    @ParameterizedTest
    @MethodSource("faultsOfReleases")
    void aReleaseThatFailsIsTriedAgainAndTheLineGoesOn(Call call, Thrown thrown) throws Exception {
        Lease lease = scene.acquired(client, "a");
        Lease second = scene.acquired(client, "b");
        store.always(call, thrown::raise);
        assertThat(scene.attempt("a release", lease::release))
                .as("the answer to a release that failed")
                .isNull();
        assertThat(scene.attempt("a second release", lease::release))
                .as("the answer stays the same")
                .isNull();
        scene.attempt("another release", second::release);
        assertThat(lease.isHeld()).isFalse();
        store.heal();
        scene.soonFree("a");
        scene.soonFree("b");
        assertThat(scene.acquired(client, "a").release()).isTrue();
    }

    /** Does what makes an engine call each method of a backend, whatever comes of it. */
    private void everyCall(Runnable plan) throws InterruptedException {
        Lease busy = scene.acquired(scene.other, "busy");
        plan.run();
        scene.attempt("what the store can do", client::toString);
        scene.attempt("who holds a lock", () -> client.lock("busy").holder());
        scene.attempt("who holds which locks", () -> client.holders("").toList());
        scene.attempt("a revocation", () -> client.lock("nobody's").revoke("maintenance"));
        scene.attempt("a timed try for a busy lock", () -> client.lock("busy").tryAcquire(Duration.ofMillis(500)));
        busy.release();
        Lease released = scene.acquired(client, "a");
        Lease revoked = scene.acquired(client, "revoked").onLost(scene.losses::add);
        Lease deleted = scene.acquired(client, "deleted").onLost(scene.losses::add);
        plan.run();
        scene.attempt("a listener", () -> revoked.whenRevoked((lease, reason) -> {}));
        scene.ticker.advance(ErrorScene.LEASE.dividedBy(3).plusMillis(500));
        scene.pass("a renewal, whatever its end", () -> store.calls(Call.RENEW_ALL) > 0);
        if (revoked.isHeld()) {
            assertThat(scene.other.lock("revoked").revoke("maintenance")).isTrue();
        }
        scene.memory.delete("deleted");
        scene.passFast("the loss of what was deleted is noticed", () -> !deleted.isHeld());
        scene.passFast("the loss of what was revoked is noticed", () -> !revoked.isHeld());
        scene.pass("both losses are told", () -> scene.losses.size() == 2);
        Lease again = scene.acquired(client, "deleted");
        plan.run();
        scene.attempt("a release", again::release);
        scene.attempt("a release", released::release);
        scene.attempt("another release", released::release);
        assertThat(released.isHeld()).isFalse();
        assertThat(again.isHeld()).isFalse();
    }
}
