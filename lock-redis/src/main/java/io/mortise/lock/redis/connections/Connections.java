// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.connections;

import static io.mortise.lock.redis.connections.RedisFailures.STORE;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.support.CallDeadline;
import io.mortise.lock.spi.support.DaemonExecutor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisRedirectionException;
import redis.clients.jedis.util.Pool;

/**
 * Lends pooled connections to calls, within the time of each call. The calling thread takes an idle connection itself.
 * Connecting has time limits of its own and cannot be interrupted, so daemon threads do it, and a caller whose time is
 * over leaves them. Thread-safe.
 */
public final class Connections implements AutoCloseable {
    private static final int MOST_THREADS = 2;

    private final Topology topology;
    private final ConnectionUses uses = new ConnectionUses();
    private final DaemonExecutor connectors = new DaemonExecutor("lock-redis-connect", MOST_THREADS);

    public Connections(Topology topology) {
        this.topology = topology;
    }

    /** As {@link Topology#failsOver()}. */
    public boolean failsOver() {
        return topology.failsOver();
    }

    /** What failures of the servers mean. */
    public RedisFailures failures() {
        return topology.failures();
    }

    /** A connection to the server that has a slot. */
    public PooledConnection borrow(int slot, CallDeadline deadline) throws InterruptedException {
        Pool<Connection> known = topology.known(slot);
        return known != null && needsNoServer(known)
                ? takeAlive(known, deadline)
                : connect(() -> topology.find(slot), deadline);
    }

    public PooledConnection borrowElsewhere(int slot, JedisRedirectionException redirection, CallDeadline deadline)
            throws InterruptedException {
        return connect(() -> topology.redirected(slot, redirection), deadline);
    }

    public PooledConnection borrowFrom(Pool<Connection> server, CallDeadline deadline) throws InterruptedException {
        return needsNoServer(server) ? takeAlive(server, deadline) : connect(() -> server, deadline);
    }

    /** Talks to one server; throws {@link BackendException} if it did not answer, or with an error. */
    public <T> T use(Pool<Connection> server, CallDeadline deadline, Function<Connection, T> conversation)
            throws InterruptedException {
        try (PooledConnection borrowed = borrowFrom(server, deadline)) {
            try {
                return conversation.apply(borrowed.connection());
            } catch (JedisConnectionException failure) {
                borrowed.failed();
                throw failure;
            }
        } catch (JedisException failure) {
            throw failures().exceptionFor(failure);
        }
    }

    /** The server that has a slot, if it is known without asking; else null. */
    public @Nullable Pool<Connection> known(int slot) {
        return topology.known(slot);
    }

    /** The servers that have some slots, asked for once; a slot that no server has is missing. */
    public Map<Integer, Pool<Connection>> find(Set<Integer> slots, CallDeadline deadline) throws InterruptedException {
        return await(start(() -> topology.find(slots)), deadline);
    }

    public List<Pool<Connection>> servers(CallDeadline deadline) throws InterruptedException {
        return await(start(topology::all), deadline);
    }

    /** The server that has a slot could not be reached: another may have it by now. */
    public void failed(int slot) {
        topology.failed(slot);
    }

    /** Whether taking a connection asks no server. A pool that tests its connections asks for each idle one, one after the other. */
    private static boolean needsNoServer(Pool<Connection> pool) {
        return !pool.getTestOnBorrow()
                && (pool.getNumIdle() > 0 || (pool.getMaxTotal() > 0 && pool.getNumActive() >= pool.getMaxTotal()));
    }

    private PooledConnection takeAlive(Pool<Connection> pool, CallDeadline deadline) throws InterruptedException {
        PooledConnection taken;
        try (IdleOnly.Mark unused = new IdleOnly.Mark()) {
            taken = deadline.driverWait(time -> takeOnce(pool, false, time));
        } catch (IdleOnly.NoneIdle others) {
            return connect(() -> pool, deadline);
        }
        if (taken.isAlive(deadline)) {
            return taken;
        }
        taken.failed();
        taken.close();
        return connect(() -> pool, deadline);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // nobody waits for what gives back a late connection
    private PooledConnection connect(Supplier<Pool<Connection>> server, CallDeadline deadline)
            throws InterruptedException {
        CompletableFuture<PooledConnection> connecting = start(() -> {
            try {
                return takeOnce(server.get(), true, deadline);
            } catch (InterruptedException closing) {
                throw BackendException.closed(STORE);
            }
        });
        try {
            return await(connecting, deadline);
        } catch (InterruptedException | RuntimeException left) {
            connecting.thenAccept(PooledConnection::close);
            throw left;
        }
    }

    private PooledConnection takeOnce(Pool<Connection> pool, boolean connects, CallDeadline deadline)
            throws InterruptedException {
        try {
            Connection connection = pool.borrowObject(Duration.ofMillis(deadline.remainingMillis()));
            boolean isFresh = connects && !uses.isKnown(connection);
            return new PooledConnection(pool, connection, isFresh, uses, this::discard);
        } catch (NoSuchElementException exhausted) {
            throw new BackendException(
                    "all connections to Redis were in use during the time of the call; make the pool larger",
                    exhausted);
        } catch (InterruptedException | RuntimeException failure) {
            throw failure;
        } catch (Exception failure) {
            throw failures().exceptionFor(failure);
        }
    }

    private <T> CompletableFuture<T> start(Supplier<T> question) {
        try {
            return connectors.supply(question);
        } catch (RejectedExecutionException closed) {
            throw BackendException.closed(STORE);
        }
    }

    /** What is late here changes no lock, so the exception names no end of it. */
    private <T> T await(CompletableFuture<T> answer, CallDeadline deadline) throws InterruptedException {
        if (!deadline.awaitEnd(answer)) {
            throw deadline.noAnswer(null);
        }
        try {
            return answer.join();
        } catch (CompletionException failed) {
            throw failures().exceptionFor(failed);
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
