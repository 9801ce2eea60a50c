// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.faults.worker;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockClosedException;
import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.LockReleaseException;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.LockTimeoutException;
import io.mortise.lock.faults.guard.GuardedWriter;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One thread that gets locks in all ways, holds them, writes under them, releases them, and tells what it sees. */
final class LockUser implements Runnable {
    private static final AtomicLong ATTEMPTS = new AtomicLong();
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long WRITE_NANOS = TimeUnit.MILLISECONDS.toNanos(40);
    /** A renewal moves the end by more than what is lost between two readings of a clock. */
    private static final long MOVED_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final LockClient client;
    private final List<String> names;
    private final Journal journal;
    private final @Nullable GuardedWriter place;
    private final Random random;
    private final long longestLease;
    private volatile boolean stopped;

    LockUser(
            LockClient client,
            List<String> names,
            Journal journal,
            @Nullable GuardedWriter place,
            long seed,
            long longestLease) {
        this.client = client;
        this.names = names;
        this.journal = journal;
        this.place = place;
        this.random = new Random(seed);
        this.longestLease = longestLease;
    }

    /** Lets the thread end after what it does now. */
    void stop() {
        stopped = true;
    }

    @Override
    @SuppressWarnings("CatchingUnchecked")
    public void run() {
        while (!stopped) {
            try {
                once();
                pass(random.nextLong(1, TimeUnit.MILLISECONDS.toNanos(120)));
            } catch (LockClosedException closed) {
                return;
            } catch (Throwable unexpected) {
                journal.add("ODD", System.nanoTime(), unexpected, List.of(unexpected.getStackTrace()));
            }
        }
    }

    private void once() throws IOException {
        String name = names.get(random.nextInt(names.size()));
        long nanos = Math.max(TimeUnit.MILLISECONDS.toNanos(800), longestLease * (1 + random.nextInt(4)) / 4);
        LockOptions options = LockOptions.defaults()
                .withLease(Duration.ofNanos(nanos))
                .withRenewal(random.nextInt(5) > 0)
                .withMaxWait(Duration.ofMillis(random.nextInt(50, 4_000)));
        DistributedLock lock = client.lock(name, options);
        int way = random.nextInt(10);
        long wait = way < 3 ? 0 : options.maxWait().orElseThrow().toNanos();
        long attempt = ATTEMPTS.incrementAndGet();
        journal.add("ASK", attempt, name, nanos, wait, System.nanoTime());
        Lease lease = ask(lock, way, wait, attempt);
        if (lease != null) {
            hold(name, lease, attempt, nanos);
        }
    }

    private @Nullable Lease ask(DistributedLock lock, int way, long wait, long attempt) {
        try {
            Optional<Lease> lease =
                    switch (way) {
                        case 0, 1, 2 -> lock.tryAcquire();
                        case 3, 4, 5, 6 -> lock.tryAcquire(Duration.ofNanos(wait));
                        default -> Optional.of(lock.acquire());
                    };
            if (lease.isPresent()) {
                return lease.get();
            }
            journal.add("NOT", attempt, System.nanoTime(), "BUSY");
        } catch (LockTimeoutException busy) {
            journal.add("NOT", attempt, System.nanoTime(), "BUSY");
        } catch (LockConfigurationException refused) {
            journal.add("NOT", attempt, System.nanoTime(), "REFUSED", String.valueOf(refused.getMessage()));
        } catch (LockStoreException silence) {
            journal.add("NOT", attempt, System.nanoTime(), "SILENT", String.valueOf(silence.getMessage()));
        } catch (LockClosedException closed) {
            journal.add("NOT", attempt, System.nanoTime(), "CLOSED");
            throw closed;
        } catch (InterruptedException nobodyInterrupts) {
            throw new IllegalStateException(nobodyInterrupts);
        }
        return null;
    }

    private void hold(String name, Lease lease, long attempt, long leaseNanos) throws IOException {
        long begin = System.nanoTime();
        long until = begin + lease.remaining().toNanos();
        long token = token(lease);
        journal.add("GRANTED", attempt, begin, until, token);
        lease.onLost(loss -> journal.add("LOST", attempt, System.nanoTime(), loss.cause(), loss.detail()));
        long length =
                random.nextInt(12) == 0 ? leaseNanos * 3 / 2 : random.nextLong(1, TimeUnit.MILLISECONDS.toNanos(250));
        long nextWrite = begin;
        while (!stopped && System.nanoTime() - begin < length) {
            long before = System.nanoTime();
            long left = lease.remaining().toNanos();
            if (left > 0 && before + left - until > MOVED_NANOS) {
                until = before + left;
                journal.add("UNTIL", attempt, before, until);
            }
            boolean held = lease.isHeld();
            if (held && left == 0) {
                journal.add("AGAIN", attempt, before, until);
            }
            if (!held) {
                break;
            }
            if (before - nextWrite >= 0) {
                write(name, attempt, token, true);
                nextWrite = before + WRITE_NANOS;
            }
            pass(LOOK_NANOS);
        }
        if (!lease.isHeld()) {
            // As a holder does that has not looked: what it writes now must not get through.
            pass(random.nextLong(1, TimeUnit.MILLISECONDS.toNanos(400)));
            write(name, attempt, token, false);
        }
        release(lease, attempt);
    }

    private void write(String name, long attempt, long token, boolean held) throws IOException {
        if (place != null && token > 0) {
            boolean taken = place.write(name, ProcessHandle.current().pid() + ":" + attempt, token);
            if (!taken) {
                journal.add("STALE", attempt, System.nanoTime(), held);
            }
        }
    }

    private void release(Lease lease, long attempt) {
        journal.add("RELEASE", attempt, System.nanoTime());
        try {
            boolean held = lease.release();
            journal.add("RELEASED", attempt, System.nanoTime(), held ? "HELD" : "LOST");
        } catch (LockReleaseException unanswered) {
            String message = String.valueOf(unanswered.getMessage());
            boolean refused = message.contains("it refused");
            journal.add("RELEASED", attempt, System.nanoTime(), refused ? "REFUSED" : "SILENT", message);
        }
    }

    private static long token(Lease lease) {
        try {
            return lease.fencingToken();
        } catch (UnsupportedOperationException notFenced) {
            return 0;
        }
    }

    private static void pass(long nanos) {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
