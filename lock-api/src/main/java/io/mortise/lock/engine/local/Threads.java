// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.local;

import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Starts the threads of a client. All are daemons. */
public final class Threads {
    private Threads() {}

    public static Thread start(String name, Runnable body) {
        Thread thread = daemon(name, body);
        thread.start();
        return thread;
    }

    /** A pool of as many threads as there are tasks at one time; a thread that was idle for so many seconds ends. */
    public static ThreadPoolExecutor pool(String name, int idleSeconds) {
        AtomicInteger number = new AtomicInteger();
        ThreadFactory factory = body -> daemon(name + "-" + number.incrementAndGet(), body);
        return new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, idleSeconds, TimeUnit.SECONDS, new SynchronousQueue<>(), factory);
    }

    private static Thread daemon(String name, Runnable body) {
        Thread thread = new Thread(null, body, name, 0, false);
        thread.setDaemon(true);
        return thread;
    }
}
