// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.stress;

import io.mortise.lock.engine.stress.Tally.Count;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/** Takes all the memory, or all the threads, that this process can have, for a while. */
final class Shortage {
    /** Where the address space is unlimited, threads do not run out before the machine does. */
    private static final int MOST_THREADS = 400;

    /** Makes no difference to what it refers to; keeps it from being optimized away. */
    @SuppressWarnings("unused")
    private static volatile Object kept;

    private static final Object NOTHING = new Object();

    private Shortage() {}

    /** Leaves no memory for so long, down to the last bytes, however much is freed meanwhile. */
    static void ofMemory(long nanos) {
        long end = Time.now() + nanos;
        Time.shortage();
        try {
            int size = 1 << 16;
            Object[] chain = null;
            while (Time.now() < end) {
                try {
                    Object[] more = new Object[size];
                    more[0] = chain;
                    chain = more;
                    kept = chain;
                } catch (OutOfMemoryError full) {
                    if (size > 4) {
                        size /= 4;
                    } else {
                        LockSupport.parkNanos(2_000_000);
                    }
                }
            }
        } finally {
            kept = NOTHING;
            Time.plenty();
        }
        Tally.add(Count.HEAP_EXHAUSTIONS);
    }

    /** Leaves no room for the stack of another thread for so long. */
    static void ofThreads(long nanos) {
        CountDownLatch over = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>(MOST_THREADS);
        Time.shortage();
        try {
            while (threads.size() < MOST_THREADS) {
                Thread thread = new Thread(() -> awaitQuietly(over), "stress hog");
                thread.setDaemon(true);
                thread.start();
                threads.add(thread);
            }
        } catch (OutOfMemoryError noThread) {
            LockSupport.parkNanos(nanos);
            Tally.add(Count.THREAD_SHORTAGES);
        } finally {
            over.countDown();
            threads.forEach(Shortage::joinQuietly);
            Time.plenty();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException unwanted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void joinQuietly(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException unwanted) {
            Thread.currentThread().interrupt();
        }
    }
}
