// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.LockEvent;
import io.mortise.lock.LockListener;
import io.mortise.lock.Ticker;
import io.mortise.lock.engine.local.EventDispatcher;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

/** When the machine has no threads left for a while, what could not begin then begins when there are threads again. */
class NoThreadTest {
    private static final Duration LEASE = Duration.ofSeconds(30);

    private final MemoryBackend backend = new MemoryBackend(new MemoryStore(Ticker.system()));
    private int refusals;
    private final Executor workers = task -> {
        if (refusals-- > 0) {
            throw new OutOfMemoryError("unable to create native thread");
        }
        task.run();
    };

    private Claim claim(String lock, String owner) {
        return backend.claim(new ClaimRequest(lock, owner, "", LEASE, false, 0, 1), () -> {});
    }

    @Test
    void renewalsGoOnWhenThereAreThreadsAgain() {
        List<String> begun = new ArrayList<>();
        Renewer renewer = new Renewer(
                backend,
                Ticker.system(),
                task -> {
                    workers.execute(task);
                    begun.add("a round");
                },
                LEASE);
        refusals = 5;
        for (int i = 0; i < 6; i++) {
            renewer.addAll(List.of());
        }
        assertThat(begun).hasSize(1);
    }

    @Test
    void aReleaseWithoutThreadIsDoneWithTheNext() throws Exception {
        Cleanup cleanup = new Cleanup(Ticker.system(), workers, LEASE);
        List<Claim> claims = List.of(claim("a", "1"), claim("b", "2"));
        refusals = 1;
        for (Claim claim : claims) {
            assertThat(claim.tryAcquire(LEASE)).isTrue();
            cleanup.release("it", new ClaimRelease(claim), LEASE.toNanos());
            assertThat(cleanup.isIdle()).isTrue();
        }
        assertThat(claim("a", "3").tryAcquire(LEASE)).isTrue();
        assertThat(claim("b", "3").tryAcquire(LEASE)).isTrue();
    }

    private static LockEvent event(String lock) {
        return new LockEvent(lock, "memory:", 1, false, Duration.ZERO, Duration.ofNanos(1));
    }

    @Test
    void anEventWithoutThreadIsToldWithTheNext() {
        List<String> heard = new ArrayList<>();
        LockListener listener = new LockListener() {
            @Override
            public void released(LockEvent event) {
                heard.add(event.lockName());
            }
        };
        EventDispatcher events = new EventDispatcher(List.of(listener), workers);
        refusals = 1;
        events.tell(told -> told.released(event("a")));
        assertThat(heard).isEmpty();
        events.tell(told -> told.released(event("b")));
        assertThat(heard).containsExactly("a", "b");
    }
}
