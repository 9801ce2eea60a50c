// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockLostException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.spi.LockBackend;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The program that a child JVM of the suite runs. It opens the store through the author's own test class, and ends at once
 * when its parent does. Says on standard output what it does, a line at a time.
 */
public final class Holder {
    private Holder() {}

    /**
     * Runs.
     *
     * @param args the test class, the store, the lock, the lease in milliseconds; then {@code hold}, or {@code count}, a
     *     file, the number of threads and of rounds
     * @throws Exception if anything fails; the stack trace goes to the parent
     */
    public static void main(String[] args) throws Exception {
        endWithParent();
        Constructor<?> constructor = Class.forName(args[0]).getDeclaredConstructor();
        constructor.setAccessible(true);
        LockBackend backend = ((LockBackendTck) constructor.newInstance()).open(args[1]);
        Duration lease = Duration.ofMillis(Long.parseLong(args[3]));
        boolean holds = args[4].equals("hold");
        // Counting proves exclusion: its lease is longer, so that a slow machine does not end it.
        LockOptions options = LockOptions.defaults().lease(holds ? lease : lease.multipliedBy(5));
        try (LockClient client = LockClient.builder(backend).options(options).build()) {
            if (holds) {
                hold(client, args[2]);
            } else {
                count(client, args[2], Path.of(args[5]), Integer.parseInt(args[6]), Integer.parseInt(args[7]));
            }
        }
    }

    /** Works a little, again and again, each time past a checkpoint. */
    private static void hold(LockClient client, String lock) throws InterruptedException {
        Lease lease = client.lock(lock).acquire();
        System.out.println("HELD");
        try {
            while (true) {
                lease.ensureHeld();
                System.out.println("WORK");
                Pause.of(Duration.ofMillis(10));
            }
        } catch (LockLostException lost) {
            System.out.println("LOST " + lost.loss().cause());
        }
    }

    private static void count(LockClient client, String lock, Path file, int threads, int rounds) throws Exception {
        List<Background<Boolean>> runners = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            runners.add(new Background<>("count " + i, () -> {
                for (int round = 0; round < rounds; round++) {
                    try (Lease lease = client.lock(lock).acquire()) {
                        increment(file);
                        lease.ensureHeld();
                    }
                }
                return true;
            }));
        }
        for (Background<Boolean> runner : runners) {
            runner.get(Duration.ofMinutes(2));
        }
        System.out.println("COUNTED");
    }

    private static void increment(Path file) throws IOException {
        Files.writeString(file, String.valueOf(Integer.parseInt(Files.readString(file)) + 1));
    }

    /** Standard input ends when the parent ends, in whatever way. */
    private static void endWithParent() {
        Thread watch = new Thread(
                () -> {
                    try {
                        while (System.in.read() >= 0) {
                            continue;
                        }
                    } catch (IOException broken) {
                        Runtime.getRuntime().halt(3);
                    }
                    Runtime.getRuntime().halt(3);
                },
                "tck parent watch");
        watch.setDaemon(true);
        watch.start();
    }
}
