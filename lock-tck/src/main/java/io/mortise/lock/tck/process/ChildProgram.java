// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.process;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockClosedException;
import io.mortise.lock.LockLostException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.LockReleaseException;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.spi.support.ForwardingBackend;
import io.mortise.lock.spi.support.ForwardingClaim;
import io.mortise.lock.tck.scene.BackgroundTask;
import io.mortise.lock.tck.scene.StoreUnderTest;
import io.mortise.lock.tck.time.Pause;
import io.mortise.lock.tck.time.StallMeter;
import io.mortise.lock.tck.time.Timing;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Constructor;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * The main program of a child JVM of the suite, which acquires a lock and holds it, works under it, waits for it or
 * counts. It opens the store through the author's own test class, prints what it does, a line at a time, and ends when
 * its parent ends.
 */
public final class ChildProgram {
    /** The store is open. */
    static final String OPENED = "OPENED";

    /** With nanoseconds: how long this process stood still. No case waits for this word. */
    static final String STOOD = "STOOD";

    private ChildProgram() {}

    /**
     * The arguments are the test class, the lock, the lease in milliseconds, and a task: {@code hold};
     * {@code once}; {@code write}; {@code work}; {@code wait} and a number of clients; or {@code count}, a file and the number of rounds.
     * Standard input begins with the store. If anything fails, the stack trace goes to the parent.
     */
    public static void main(String[] args) throws Exception {
        String store = new DataInputStream(System.in).readUTF();
        endWithParent();
        Runtime.getRuntime().addShutdownHook(new Thread(StallMeter::nanos));
        Constructor<?> constructor = Class.forName(args[0]).getDeclaredConstructor();
        constructor.setAccessible(true);
        StoreUnderTest tck = (StoreUnderTest) constructor.newInstance();
        LockOptions options = LockOptions.defaults().withLease(Duration.ofMillis(Long.parseLong(args[2])));
        String lock = args[1];
        if (args[3].equals("wait")) {
            for (int i = 0; i < Integer.parseInt(args[4]); i++) {
                LockClient client = client(new Asking(open(tck, store)), options);
                new BackgroundTask<>("wait " + i, () -> {
                    Lease lease = patiently(client.lock(lock));
                    say("HELD");
                    new CountDownLatch(1).await();
                    return lease;
                });
            }
            new CountDownLatch(1).await();
        }
        LockBackend backend = open(tck, store);
        try (LockClient client = client(backend, options)) {
            switch (args[3]) {
                case "hold" -> hold(client, lock);
                case "once" ->
                    once(client.lock(lock, options.withMinHold(options.lease().multipliedBy(2))));
                case "write" -> write(client, lock);
                case "work" -> work(client, lock, options.lease().dividedBy(5));
                case "count" ->
                    FileRace.join(
                            client.lock(lock, options.withLease(lasting(backend, options.lease()))),
                            Path.of(args[4]),
                            Integer.parseInt(args[5]));
                default -> throw new IllegalArgumentException(args[3]);
            }
        }
    }

    /** Counting proves exclusion: its lease is longer, so that a slow machine does not end it. */
    private static Duration lasting(LockBackend backend, Duration lease) {
        return honoured(backend, lease.multipliedBy(5));
    }

    /** The wanted lease, or the longest that the store can honour here: perhaps not what it can in the JVM of the suite. */
    private static Duration honoured(LockBackend backend, Duration wanted) {
        return Timing.shorter(wanted, backend.leaseBounds().longest());
    }

    private static LockClient client(LockBackend backend, LockOptions options) {
        return LockClient.builder(backend)
                .options(options.withLease(honoured(backend, options.lease())))
                .build();
    }

    /** The token of a lease; 0 if it has none. */
    public static long token(Lease lease) {
        try {
            return lease.fencingToken();
        } catch (UnsupportedOperationException notFenced) {
            return 0;
        }
    }

    /** Prints a line when a claim has asked the store for the first time. */
    private static final class Asking extends ForwardingBackend {
        private Asking(LockBackend inner) {
            super(inner);
        }

        @Override
        public Claim claim(ClaimRequest request, Runnable nudge) {
            return new ForwardingClaim(super.claim(request, nudge)) {
                private boolean asked;

                @Override
                public boolean tryAcquire(Duration atMost) throws InterruptedException {
                    boolean granted = super.tryAcquire(atMost);
                    if (!asked) {
                        say("ASKED");
                    }
                    asked = true;
                    return granted;
                }
            };
        }

        @Override
        public List<Answer> renewAll(List<Renewal> renewals, Duration atMost) {
            return renewOneByOne(renewals, atMost);
        }
    }

    /** Counts what a renewal takes beyond what is usual as a stall: a lease may end by it. */
    private static final class Timed extends ForwardingBackend {
        private static final long USUAL_NANOS = 50_000_000;

        private Timed(LockBackend inner) {
            super(inner);
        }

        @Override
        public List<Answer> renewAll(List<Renewal> renewals, Duration atMost) {
            long begin = System.nanoTime();
            try {
                return super.renewAll(renewals, atMost);
            } finally {
                long late = System.nanoTime() - begin - USUAL_NANOS;
                if (late > 0) {
                    say(STOOD + " " + late + ";");
                }
            }
        }
    }

    /** On a busy machine the first connection of a new JVM may take longer than a backend waits. */
    private static LockBackend open(StoreUnderTest tck, String store) {
        while (true) {
            try {
                LockBackend backend = new Timed(tck.open(store));
                say(OPENED);
                // From now on leases run that a stall can end; before, it makes a start late, which no case minds.
                StallMeter.tell(nanos -> say(STOOD + " " + nanos + ";"));
                return backend;
            } catch (BackendException unanswered) {
                say("TROUBLE " + unanswered);
            }
        }
    }

    /** For the same reason, and for a client. */
    static Lease patiently(DistributedLock lock) throws InterruptedException {
        while (true) {
            try {
                return lock.acquire();
            } catch (LockStoreException unanswered) {
                say("TROUBLE " + unanswered);
            }
        }
    }

    /** Works a little, again and again, each time past a checkpoint. */
    private static void hold(LockClient client, String lock) throws InterruptedException {
        Lease lease = patiently(client.lock(lock));
        say("HELD");
        try {
            while (true) {
                say("CHECK");
                lease.ensureHeld();
                say("WORK");
                Pause.of(Duration.ofMillis(10));
            }
        } catch (LockLostException lost) {
            say("LOST " + lost.loss().cause());
        }
    }

    /** Holds the lock for a moment, tells when it began, and ends. */
    private static void once(DistributedLock lock) throws InterruptedException {
        long begin = System.nanoTime();
        patiently(lock).close();
        say("DONE " + begin + " " + System.nanoTime() + ";");
        Runtime.getRuntime().halt(0);
    }

    /** Keeps writing without checking the lease, like a client that was paused after its last check. */
    private static void write(LockClient client, String lock) throws InterruptedException {
        Lease lease = patiently(client.lock(lock));
        while (true) {
            say("WRITE " + lease.fencingToken() + ";");
            Pause.of(Duration.ofMillis(10));
        }
    }

    /**
     * Gets the lock again and again, lingers, and tells when it was inside; rests, so that others get it, too. Closes its
     * client when it is asked to end.
     */
    private static void work(LockClient client, String lock, Duration pause) throws InterruptedException {
        Runtime.getRuntime().addShutdownHook(new Thread(client::close));
        while (true) {
            try (Lease lease = client.lock(lock).acquire()) {
                long begin = System.nanoTime();
                boolean held = lease.isHeld();
                Pause.of(pause);
                long end = System.nanoTime();
                if (held && lease.isHeld()) {
                    say("INSIDE " + begin + " " + end + " " + token(lease) + ";");
                }
            } catch (LockClosedException asked) {
                return;
            } catch (LockLostException | LockReleaseException | LockStoreException trouble) {
                say("TROUBLE " + trouble);
            }
            Pause.of(pause.dividedBy(2));
        }
    }

    static void say(String line) {
        System.out.println(line);
    }

    /** Standard input ends when the parent ends, in whatever way, or ends this process and wants to hear its last stall. */
    private static void endWithParent() {
        Thread watch = new Thread(
                () -> {
                    try {
                        System.in.transferTo(OutputStream.nullOutputStream());
                    } catch (IOException broken) {
                        Runtime.getRuntime().halt(3);
                    }
                    StallMeter.nanos();
                    Runtime.getRuntime().halt(3);
                },
                "tck parent watch");
        watch.setDaemon(true);
        watch.start();
    }
}
