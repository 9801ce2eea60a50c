// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import static io.mortise.lock.jdbc.Client.ENOUGH;
import static io.mortise.lock.jdbc.Client.LEASE;
import static io.mortise.lock.jdbc.Client.tryAcquire;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.jdbc.connection.PendingCall;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.support.BriefWait;
import io.mortise.lock.spi.support.CallDeadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Another's open transaction on the row: calls end at their time, and what they do later is undone. */
class UnansweredCallsTest {
    private static final Duration SHORT = Duration.ofMillis(150);

    private final String url = "jdbc:h2:mem:" + UUID.randomUUID();
    private Client client;
    private Rows rows;

    @BeforeEach
    void open() {
        client = Client.open(url);
        rows = new Rows(url);
    }

    @AfterEach
    void close() {
        rows.close();
        client.close();
    }

    private Handle blockRow(String key) {
        Handle blocker = rows.handle();
        blocker.begin();
        blocker.execute("update mortise_locks set label = label where lock_key = '" + key + "'");
        return blocker;
    }

    private static void isGivenUp(Claim claim) {
        long start = System.nanoTime();
        BackendException unanswered = catchThrowableOfType(BackendException.class, () -> claim.tryAcquire(SHORT));
        assertThat(unanswered).isNotNull();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(SHORT, ENOUGH.dividedBy(2));
    }

    /** It has succeeded, or run into the locked row once more when its time was over, perhaps just before it was given up. */
    private static void awaitEnd(BackendException unanswered) throws Exception {
        if (unanswered.end().isPresent()) {
            unanswered
                    .end()
                    .get()
                    .handle((answer, failure) -> "ended")
                    .toCompletableFuture()
                    .get(10, TimeUnit.SECONDS);
        }
    }

    @Test
    void aCallGivenUpWhileItRunsTellsItsEnd() throws Exception {
        CompletableFuture<Void> begun = new CompletableFuture<>();
        CompletableFuture<String> slow = new CompletableFuture<>();
        CompletableFuture<PendingCall<String>> call = new CompletableFuture<>();
        Function<PendingCall<String>, String> work = running -> {
            begun.complete(null);
            return slow.join();
        };
        BackendException unanswered = catchThrowableOfType(
                BackendException.class,
                () -> CallDeadline.interruptibly("the database", SHORT, deadline -> {
                    call.complete(new PendingCall<>(work, deadline, null, false, new BriefWait())
                            .startOn(task -> new Thread(task).start()));
                    begun.join();
                    return call.join().await();
                }));
        assertThat(unanswered.end().orElseThrow().toCompletableFuture()).isNotDone();
        slow.complete("too late");
        awaitEnd(unanswered);
        assertThat(call.join().hasEnded()).isTrue();
    }

    @Test
    void aBlockedTryIsGivenUpAtItsTimeAndReleasedAfterItsEnd() throws Exception {
        client.held("a").release(ENOUGH);
        Handle blocker = blockRow("a");
        Claim claim = client.claim("a");
        isGivenUp(claim);
        BackendException release = catchThrowableOfType(BackendException.class, () -> claim.release(SHORT));
        assertThat(release).as("waits for the try, then for the row").isNotNull();
        blocker.commit();
        awaitEnd(release);
        claim.release(ENOUGH); // true if the try was granted in the end, on a slow machine
        assertThat(client.backend.inspect("a", ENOUGH)).isEmpty();
        assertThat(tryAcquire(client.claim("a"))).isTrue();
    }

    @Test
    void anInterruptedTryIsLeftAtOnceAndTheReleaseComesAfterIt() throws Exception {
        client.held("a").release(ENOUGH);
        Handle blocker = blockRow("a");
        Claim claim = client.claim("a");
        Thread.currentThread().interrupt();
        assertThat(catchThrowableOfType(InterruptedException.class, () -> claim.tryAcquire(ENOUGH)))
                .as("before anything was sent")
                .isNotNull();
        Thread caller = Thread.currentThread();
        Thread interrupter = new Thread(() -> {
            try {
                TimeUnit.MILLISECONDS.sleep(100);
            } catch (InterruptedException impossible) {
                throw new IllegalStateException(impossible);
            }
            caller.interrupt();
        });
        interrupter.start();
        assertThat(catchThrowableOfType(InterruptedException.class, () -> claim.tryAcquire(ENOUGH)))
                .isNotNull();
        interrupter.join();
        BackendException release = catchThrowableOfType(BackendException.class, () -> claim.release(SHORT));
        blocker.commit();
        awaitEnd(release);
        claim.release(ENOUGH);
        assertThat(client.backend.inspect("a", ENOUGH)).isEmpty();
    }

    @Test
    void releaseOfAnInterruptedThreadReleasesAndKeepsTheFlag() {
        Claim claim = client.held("a");
        Thread.currentThread().interrupt();
        assertThat(claim.release(ENOUGH)).isTrue();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aTryThatWasNeverSentIsNeverSent() throws Exception {
        // A row for each: of two tries in line for one, the second may take the first for a guard, and end with a no.
        List<String> rowsToWaitFor = List.of("a1", "a2");
        rowsToWaitFor.forEach(name -> client.held(name).release(ENOUGH));
        Handle blocker = blockRow("a1");
        blocker.execute("update mortise_locks set label = label where lock_key = 'a2'");
        List<CompletableFuture<Boolean>> blocked = new ArrayList<>();
        for (String name : rowsToWaitFor) {
            blocked.add(CompletableFuture.supplyAsync(() -> tryAcquire(client.claim(name))));
        }
        await().until(() ->
                rows.number("select count(*) from information_schema.sessions where blocker_id is not null") == 2);
        Claim unsent = client.claim("b");
        BackendException givenUp = catchThrowableOfType(BackendException.class, () -> unsent.tryAcquire(SHORT));
        assertThat(givenUp.end()).as("it cannot change anything any more").isEmpty();
        blocker.commit();
        for (CompletableFuture<Boolean> each : blocked) {
            each.get(10, TimeUnit.SECONDS);
        }
        assertThat(tryAcquire(client.claim("c")))
                .as("the threads are free again")
                .isTrue();
        assertThat(rows.number("select count(*) from mortise_locks where lock_key = 'b'"))
                .isZero();
    }

    @Test
    void oneBlockedRowHidesNoOtherAnswersOfABatch() {
        List<Claim> claims = new ArrayList<>();
        for (int i = 0; i < 260; i++) {
            Claim claim = client.claim("n" + i, Duration.ofMinutes(10), 0, 1);
            assertThat(tryAcquire(claim)).isTrue();
            claims.add(claim);
        }
        Handle blocker = blockRow("n255"); // in the second transaction, of ten
        List<Answer> answers = client.backend.renewAll(Client.renewals(claims, Duration.ofMinutes(10)), ENOUGH);
        blocker.rollback();
        for (int i = 0; i < 260; i++) {
            assertThat(answers.get(i)).as("claim " + i).isEqualTo(i == 255 ? Answer.UNKNOWN : Answer.YES);
        }
        assertThat(claims.get(255).renew(LEASE, ENOUGH)).isTrue();
    }

    @Test
    void aTryThatMayStillBeOnItsWayFindsAMarkOfItsRelease() {
        Claim claim = client.claim("a");
        rows.execute("alter table mortise_locks rename to elsewhere");
        assertThat(catchThrowableOfType(BackendException.class, () -> tryAcquire(claim)))
                .hasMessageContaining("is missing");
        rows.execute("alter table elsewhere rename to mortise_locks");
        assertThat(claim.release(ENOUGH)).isFalse();
        assertThat(tryAcquire(claim)).as("as if it came late").isFalse();
        assertThat(tryAcquire(client.claim("a")))
                .as("the mark keeps nobody else out")
                .isTrue();
    }
}
