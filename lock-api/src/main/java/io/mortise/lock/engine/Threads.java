// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The engine's threads: daemons, all. */
final class Threads {
    private Threads() {}

    static Thread start(String name, Runnable body) {
        Thread thread = daemon(name, body);
        thread.start();
        return thread;
    }

    /** As many threads as there is work for at once; idle ones end after five seconds. */
    static ThreadPoolExecutor pool(String name) {
        AtomicInteger number = new AtomicInteger();
        ThreadFactory factory = body -> daemon(name + "-" + number.incrementAndGet(), body);
        return new ThreadPoolExecutor(0, Integer.MAX_VALUE, 5, TimeUnit.SECONDS, new SynchronousQueue<>(), factory);
    }

    /** A virtual thread for each task where the JVM has them, else a daemon thread for each. */
    static ExecutorService forWaiting() {
        try {
            return (ExecutorService)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (ReflectiveOperationException olderJvm) {
            return pool("mortise-async");
        }
    }

    private static Thread daemon(String name, Runnable body) {
        Thread thread = new Thread(null, body, name, 0, false);
        thread.setDaemon(true);
        return thread;
    }
}
