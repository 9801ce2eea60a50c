// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.connections;

import io.mortise.lock.spi.BackendException;
import java.time.Duration;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisRedirectionException;
import redis.clients.jedis.util.Pool;

/**
 * Gives connections to calls, in their time. One that is there is taken by the caller itself; connecting, which has time limits of
 * its own and cannot be interrupted, is done by threads that a caller may leave. Daemons, ended when idle. Thread-safe.
 */
public final class Connections implements AutoCloseable {
    private static final int MOST_THREADS = 2;
    private static final long IDLE_SECONDS = 5;

    private final Topology topology;
    private final ThreadPoolExecutor connectors;

    public Connections(Topology topology) {
        this.topology = topology;
        connectors = new ThreadPoolExecutor(
                MOST_THREADS,
                MOST_THREADS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                Connections::thread);
        connectors.allowCoreThreadTimeOut(true);
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(null, work, "lock-redis-connect", 0, false);
        thread.setDaemon(true);
        return thread;
    }

    public Topology topology() {
        return topology;
    }

    /** A connection to the server that has a slot. */
    public PooledConnection borrow(int slot, Deadline deadline) throws InterruptedException {
        Pool<Connection> known = topology.known(slot);
        return known != null && connectsNobody(known)
                ? borrow(known, deadline)
                : connect(() -> topology.find(slot), deadline);
    }

    /** A connection to the server that another one named. */
    public PooledConnection borrowElsewhere(int slot, JedisRedirectionException redirection, Deadline deadline)
            throws InterruptedException {
        return connect(() -> topology.redirected(slot, redirection), deadline);
    }

    /** The server that has a slot. */
    public Pool<Connection> server(int slot, Deadline deadline) throws InterruptedException {
        Pool<Connection> known = topology.known(slot);
        return known != null ? known : ask(() -> topology.find(slot), deadline);
    }

    /** A connection of one server. */
    public PooledConnection borrowFrom(Pool<Connection> pool, Deadline deadline) throws InterruptedException {
        return connectsNobody(pool) ? borrow(pool, deadline) : connect(() -> pool, deadline);
    }

    /** Does what may ask servers on a thread that can be left. */
    public <T> T ask(Supplier<T> question, Deadline deadline) throws InterruptedException {
        CompletableFuture<T> answer = start(question);
        return await(answer, deadline);
    }

    /** Whether taking a connection asks no server. One that tests them asks on each that is idle, one after the other. */
    private static boolean connectsNobody(Pool<Connection> pool) {
        return !pool.getTestOnBorrow()
                && (pool.getNumIdle() > 0 || (pool.getMaxTotal() > 0 && pool.getNumActive() >= pool.getMaxTotal()));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // nobody waits for what gives back a late connection
    private PooledConnection connect(Supplier<Pool<Connection>> pools, Deadline deadline) throws InterruptedException {
        CompletableFuture<PooledConnection> borrowed = start(() -> borrowUninterrupted(pools.get(), deadline));
        try {
            return await(borrowed, deadline);
        } catch (InterruptedException | RuntimeException left) {
            borrowed.thenAccept(PooledConnection::close);
            throw left;
        }
    }

    private <T> CompletableFuture<T> start(Supplier<T> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        try {
            connectors.execute(() -> {
                try {
                    result.complete(work.get());
                } catch (Throwable failure) {
                    result.completeExceptionally(failure);
                }
            });
        } catch (RejectedExecutionException closed) {
            throw new BackendException("this client of Redis is closed", null);
        }
        return result;
    }

    private static <T> T await(CompletableFuture<T> result, Deadline deadline) throws InterruptedException {
        try {
            return result.get(Math.max(1, deadline.leftNanos()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw deadline.over();
        } catch (ExecutionException failed) {
            throw RedisFailures.unanswered(failed.getCause());
        }
    }

    private PooledConnection borrowUninterrupted(Pool<Connection> pool, Deadline deadline) {
        try {
            return borrow(pool, deadline);
        } catch (InterruptedException closing) {
            throw new BackendException("this client of Redis is closing", closing);
        }
    }

    private PooledConnection borrow(Pool<Connection> pool, Deadline deadline) throws InterruptedException {
        try {
            return new PooledConnection(
                    pool, pool.borrowObject(Duration.ofMillis(deadline.leftMillis())), this::discard);
        } catch (NoSuchElementException exhausted) {
            throw new BackendException(
                    "all connections to Redis were in use for "
                            + deadline.atMost().toMillis() + " ms; make the pool larger",
                    exhausted);
        } catch (InterruptedException | RuntimeException failure) {
            throw failure;
        } catch (Exception failure) {
            throw RedisFailures.unanswered(failure);
        }
    }

    private void discard(Runnable work) {
        try {
            connectors.execute(work);
        } catch (RejectedExecutionException closed) {
            // closing the pool closes its connections
        }
    }

    @Override
    public void close() {
        connectors.shutdownNow();
        topology.close();
    }
}
