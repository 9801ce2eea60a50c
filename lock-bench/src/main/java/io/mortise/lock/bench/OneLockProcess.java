// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench;

import io.mortise.lock.bench.contestant.Contestant;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.DataOutputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** A process whose threads want the same lock, for {@link OneLock}. */
final class OneLockProcess {
    static final String READY = "READY";
    static final String DONE = "DONE";
    static final String SEPARATOR = "\t";

    private OneLockProcess() {}

    /**
     * The arguments are the store, its URL, the entrant, and the number of threads. Each line of the input is a turn: the lock,
     * milliseconds, and a file for the holds. Each thread has the lock once at least.
     */
    public static void main(String... arguments) throws Exception {
        Contestant contestant = Store.valueOf(arguments[0]).open(arguments[2], arguments[1]);
        int threads = Integer.parseInt(arguments[3]);
        System.out.println(READY);
        BufferedReader turns = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = turns.readLine(); line != null; line = turns.readLine()) {
            String[] turn = line.split(SEPARATOR, -1);
            write(Path.of(turn[2]), start(contestant, turn[0], threads, Long.parseLong(turn[1])));
            System.out.println(DONE);
        }
        // However slow an entrant closes, it has been measured.
        Runtime.getRuntime().halt(0);
    }

    private static void write(Path file, List<Future<long[]>> running) throws Exception {
        try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)))) {
            out.writeInt(running.size());
            for (Future<long[]> each : running) {
                long[] times = each.get();
                out.writeInt(times.length / 2);
                for (long time : times) {
                    out.writeLong(time);
                }
            }
        }
    }

    private static List<Future<long[]>> start(Contestant contestant, String lock, int threads, long millis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        ExecutorService workers = Executors.newFixedThreadPool(threads);
        List<Future<long[]>> running = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            running.add(workers.submit(() -> repeat(contestant, lock, end)));
        }
        workers.shutdown();
        return running;
    }

    /** When each hold began, and when it ended. */
    private static long[] repeat(Contestant contestant, String lock, long end) throws Exception {
        long[] times = new long[1024];
        int count = 0;
        do {
            Contestant.Held held = contestant.acquire(lock);
            if (count + 2 > times.length) {
                times = Arrays.copyOf(times, count * 2);
            }
            times[count++] = System.nanoTime();
            times[count++] = System.nanoTime();
            held.release();
        } while (System.nanoTime() - end < 0);
        return Arrays.copyOf(times, count);
    }
}
