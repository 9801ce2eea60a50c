// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.local;

import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What an engine takes from the machine beside the clock: threads, their waking, short pauses and chance. Replaceable, so that a
 * simulation decides what happens when. Thread-safe.
 */
public interface Environment {
    /** Starts a daemon thread. */
    Thread start(String name, Runnable body);

    /** A pool of as many threads as there are tasks at one time; a thread that was idle for so many seconds ends. */
    Pool pool(String name, int idleSeconds);

    /** Wakes a thread that is parked by the client's ticker, or will be next; does nothing for null. */
    void unpark(@Nullable Thread thread);

    /**
     * Blocks the calling thread for so long, or until it is interrupted, or for no reason. In real time, also where a test drives the
     * client's clock by hand: whoever waits so does not drive it meanwhile.
     */
    void pause(Object blocker, long nanos);

    /** The monotonic time in which {@link #pause} counts. */
    long realNanos();

    /** What makes pauses random, for the calling thread. */
    RandomGenerator random();

    /** Runs tasks on threads of its own. */
    interface Pool extends Executor {
        /** From now on a thread ends as soon as it has nothing to do. */
        void keepNoIdleThreads();

        /** Takes no more tasks; those that were taken are run. */
        void shutdown();
    }

    /** The threads, the clock and the chance of this JVM. */
    static Environment system() {
        record SystemPool(ThreadPoolExecutor threads) implements Pool {
            @Override
            public void execute(Runnable task) {
                threads.execute(task);
            }

            @Override
            public void keepNoIdleThreads() {
                threads.setKeepAliveTime(0, TimeUnit.NANOSECONDS);
            }

            @Override
            public void shutdown() {
                threads.shutdown();
            }
        }

        enum SystemEnvironment implements Environment {
            INSTANCE;

            @Override
            public Thread start(String name, Runnable body) {
                Thread thread = daemon(name, body);
                thread.start();
                return thread;
            }

            @Override
            public Pool pool(String name, int idleSeconds) {
                // The pool asks each new thread for it; a class whose initialization finds no memory stays unusable.
                Thread.State unused = Thread.currentThread().getState();
                AtomicInteger number = new AtomicInteger();
                return new SystemPool(new ThreadPoolExecutor(
                        0,
                        Integer.MAX_VALUE,
                        idleSeconds,
                        TimeUnit.SECONDS,
                        new SynchronousQueue<>(),
                        body -> daemon(name + "-" + number.incrementAndGet(), body)));
            }

            @Override
            public void unpark(@Nullable Thread thread) {
                LockSupport.unpark(thread);
            }

            @Override
            public void pause(Object blocker, long nanos) {
                LockSupport.parkNanos(blocker, nanos);
            }

            @Override
            public long realNanos() {
                return System.nanoTime();
            }

            @Override
            public RandomGenerator random() {
                return ThreadLocalRandom.current();
            }

            private static Thread daemon(String name, Runnable body) {
                Thread thread = new Thread(null, body, name, 0, false);
                thread.setDaemon(true);
                return thread;
            }
        }
        return SystemEnvironment.INSTANCE;
    }
}
