// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.connections;

import static io.mortise.lock.redis.connections.RedisFailures.STORE;

import io.mortise.lock.spi.BackendException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.UnifiedJedis;

/**
 * Creates a jedis client when it is first needed, because creating some kinds fails while no server answers.
 * Thread-safe.
 *
 * @param <C> the kind of client
 */
public final class LazyClient<C extends UnifiedJedis> implements AutoCloseable {
    private final Supplier<C> maker;
    private final boolean own;
    private volatile @Nullable C client;
    private volatile boolean closed;

    private LazyClient(Supplier<C> maker, boolean own) {
        this.maker = maker;
        this.own = own;
    }

    /** A client that is made when it is needed, and closed with this. */
    public static <C extends UnifiedJedis> LazyClient<C> made(Supplier<C> maker) {
        return new LazyClient<>(maker, true);
    }

    /** A client of the application, which stays open. */
    public static <C extends UnifiedJedis> LazyClient<C> given(C client) {
        LazyClient<C> given = new LazyClient<>(() -> client, false);
        given.client = client;
        return given;
    }

    /** The client if it is made already, else null. */
    @Nullable
    C known() {
        return client;
    }

    /** The client; asks servers if it is not made yet. */
    public C get() {
        C known = client;
        return known == null ? make() : known;
    }

    private synchronized C make() {
        C made = client;
        if (made == null && !closed) {
            made = maker.get();
            client = made;
        }
        if (closed || made == null) {
            close();
            throw BackendException.closed(STORE);
        }
        return made;
    }

    /** Does not wait for a client that is being made: the thread that makes it closes it then. */
    @Override
    public void close() {
        closed = true;
        C made = client;
        if (own && made != null) {
            made.close();
        }
    }
}
