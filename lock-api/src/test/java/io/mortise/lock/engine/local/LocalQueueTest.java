// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.Ticker;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.testing.LossyBackend;
import io.mortise.lock.testing.LossyBackend.Operation;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LocalQueueTest {
    private final MemoryStore store = new MemoryStore(Ticker.system());
    private final LossyBackend network = new LossyBackend(new MemoryBackend(store));
    private final LockClient locks = LockClient.builder(network).build();

    @AfterEach
    void close() {
        locks.close();
    }

    @Test
    void oneThreadAsksTheStoreAndTheOthersFollowInOrder() throws Exception {
        List<Integer> order = new CopyOnWriteArrayList<>();
        List<Thread> threads = new ArrayList<>();
        LockOptions strict = LockOptions.defaults().withLocalHandOvers(0);
        Lease first = locks.lock("a", strict).acquire();
        for (int i = 0; i < 50; i++) {
            int number = i;
            Thread thread = new Thread(() -> {
                try (Lease lease = locks.lock("a", strict).acquire()) {
                    lease.ensureHeld();
                    order.add(number);
                } catch (InterruptedException neverThrown) {
                    throw new AssertionError(neverThrown);
                }
            });
            threads.add(thread);
            thread.start();
            while (thread.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
        }
        assertThat(network.calls(Operation.TRY)).isEqualTo(1);
        first.close();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(order).isSorted().hasSize(50);
        assertThat(network.calls(Operation.TRY)).isEqualTo(51);
    }

    @Test
    void theNextIsAdmittedWhenTheLeaseIsLost() throws Exception {
        Lease stuck = locks.lock(
                        "a", locks.options().withLease(Duration.ofMillis(300)).withRenewal(false))
                .acquire();
        CompletableFuture<Lease> next = locks.lock("a").acquireAsync();
        assertThat(next.get().isHeld()).isTrue();
        assertThat(stuck.isHeld()).isFalse();
        assertThat(stuck.release()).isFalse();
        assertThat(next.join().isHeld()).isTrue();
    }

    @Test
    void theNextIsAdmittedWhenTheStoreFails() {
        network.loseRandomly(1, 7);
        for (int i = 0; i < 2; i++) {
            Assertions.assertThrows(
                    LockStoreException.class, () -> locks.lock("a").tryAcquire(Duration.ofMillis(50)));
        }
        network.loseRandomly(0, 7);
        await().until(() -> locks.lock("a").tryAcquire().isPresent());
    }

    @Test
    void namesWithEqualHashesAreIndependent() throws Exception {
        List<Lease> leases = new ArrayList<>();
        for (String name : new String[] {"AaAa", "BBBB", "AaBB", "BBAa"}) {
            leases.add(locks.lock(name).tryAcquire().orElseThrow());
        }
        for (int i = 0; i < 1_000; i++) {
            leases.add(locks.lock("name " + i).tryAcquire().orElseThrow());
        }
        assertThat(leases).allMatch(Lease::release);
        assertThat(store.size()).isLessThanOrEqualTo(64);
    }

    /** Nobody else will answer: the first has its lease, and asks no more. */
    @Test
    void whoAsksBehindALeaseIsWokenAtOnce() {
        LocalQueue<String> queue = new LocalQueue<>(lease -> true);
        AtomicInteger woken = new AtomicInteger();
        LocalQueue<String>.Ticket first = queue.enter("a", LockOptions.defaults(), 0, () -> {});
        LocalQueue<String>.Ticket second = queue.enter("a", LockOptions.defaults(), 0, woken::incrementAndGet);
        first.standFor("lease");
        second.awaitAnswer(true);
        assertThat(woken).hasPositiveValue();
        assertThat(second.isKnownHeld(0)).isTrue();
    }

    /** It asks itself: an answer to its own question is not to wake it, or it would ask again without a pause. */
    @Test
    void whoBecameTheFirstBeforeItAskedIsWokenOnce() {
        LocalQueue<String> queue = new LocalQueue<>(lease -> true);
        AtomicInteger woken = new AtomicInteger();
        LocalQueue<String>.Ticket only = queue.enter("a", LockOptions.defaults(), 0, woken::incrementAndGet);
        only.awaitAnswer(true);
        assertThat(woken).hasValue(1);
        only.answered(1, 2, new IllegalStateException("no answer"));
        assertThat(woken).hasValue(1);
    }

    /** Fails at first, as on a thread whose stack is full, and counts after that. */
    private static Runnable failsOnce(AtomicInteger woken) {
        AtomicBoolean hasFailed = new AtomicBoolean();
        return () -> {
            if (hasFailed.compareAndSet(false, true)) {
                throw new StackOverflowError("injected");
            }
            woken.incrementAndGet();
        };
    }

    @Test
    void aHandOverWhoseHeirCannotBeWokenIsOneAndARepeatedLeaveWakesIt() {
        LocalQueue<String> queue = new LocalQueue<>(lease -> true);
        AtomicInteger woken = new AtomicInteger();
        LocalQueue<String>.Ticket first = queue.enter("a", LockOptions.defaults(), 0, () -> {});
        LocalQueue<String>.Ticket second = queue.enter("a", LockOptions.defaults(), 0, failsOnce(woken));
        first.standFor("lease");
        assertThat(first.handOver(next -> "heir")).isTrue();
        assertThat(second.isFirst()).isTrue();
        assertThat(second.lease()).isEqualTo("heir");
        first.leave();
        assertThat(woken).hasValue(1);
        first.leave();
        assertThat(woken).as("told once").hasValue(1);
        assertThat(second.lease()).isEqualTo("heir");
    }

    @Test
    void aRepeatedLeaveWakesAFirstThatCouldNotBeWoken() {
        LocalQueue<String> queue = new LocalQueue<>(lease -> true);
        AtomicInteger woken = new AtomicInteger();
        LocalQueue<String>.Ticket first = queue.enter("a", LockOptions.defaults(), 0, () -> {});
        LocalQueue<String>.Ticket second = queue.enter("a", LockOptions.defaults(), 0, failsOnce(woken));
        assertThatThrownBy(first::leave).isInstanceOf(StackOverflowError.class);
        assertThat(second.isFirst()).isTrue();
        first.leave();
        assertThat(woken).hasValue(1);
        first.leave();
        assertThat(woken).as("told once").hasValue(1);
        second.leave();
        assertThat(queue.isEmpty()).isTrue();
    }

    /** Tickets that come and go in a line that never empties, of which only the last is still in it. */
    private static List<WeakReference<LocalQueue<String>.Ticket>> comeAndGo(
            LocalQueue<String> queue, LocalQueue<String>.Ticket first) {
        List<WeakReference<LocalQueue<String>.Ticket>> gone = new ArrayList<>();
        LocalQueue<String>.Ticket before = first;
        for (int i = 0; i < 10; i++) {
            LocalQueue<String>.Ticket next = queue.enter("a", LockOptions.defaults(), 0, () -> {});
            before.leave();
            if (before != first) {
                gone.add(new WeakReference<>(before));
            }
            before = next;
        }
        return gone;
    }

    @Test
    void aTicketThatHasLeftDoesNotKeepThoseThatCameAfterIt() {
        LocalQueue<String> queue = new LocalQueue<>(lease -> true);
        LocalQueue<String>.Ticket first = queue.enter("a", LockOptions.defaults(), 0, () -> {});
        List<WeakReference<LocalQueue<String>.Ticket>> gone = comeAndGo(queue, first);
        await().until(() -> {
            System.gc();
            return gone.stream().allMatch(ticket -> ticket.refersTo(null));
        });
        assertThat(queue.isEmpty()).isFalse();
        first.leave();
        assertThat(queue.isEmpty()).isFalse();
    }

    @Test
    void aStoreIsSilentSinceItHasAnsweredAndNotSinceItWasAsked() {
        LocalQueue<String> queue = new LocalQueue<>(lease -> true);
        LocalQueue<String>.Ticket first = queue.enter("a", LockOptions.defaults(), 0, () -> {});
        first.answered(10, 100, null);
        first.answered(200, 300, new IllegalStateException("no answer"));
        first.answered(400, 500, new IllegalStateException("no answer"));
        assertThat(first.unansweredSince(600)).isEqualTo(100);
    }

    @Test
    void aStoreThatHasNeverAnsweredIsSilentSinceItWasAskedFirst() {
        LocalQueue<String> queue = new LocalQueue<>(lease -> true);
        LocalQueue<String>.Ticket first = queue.enter("a", LockOptions.defaults(), 0, () -> {});
        first.answered(10, 100, new IllegalStateException("no answer"));
        first.answered(200, 300, new IllegalStateException("no answer"));
        assertThat(first.unansweredSince(600)).isEqualTo(10);
    }
}
