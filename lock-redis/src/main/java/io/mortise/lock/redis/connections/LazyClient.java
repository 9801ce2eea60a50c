// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.connections;

import io.mortise.lock.spi.BackendException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.UnifiedJedis;

/**
 * A client that cannot be made while no server answers, and so is made when it is first needed. Thread-safe.
 *
 * @param <C> its kind
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

    /** Makes the client when it is needed, and closes it. */
    public static <C extends UnifiedJedis> LazyClient<C> made(Supplier<C> maker) {
        return new LazyClient<>(maker, true);
    }

    /** The application's, which stays open. */
    public static <C extends UnifiedJedis> LazyClient<C> given(C client) {
        LazyClient<C> late = new LazyClient<>(() -> client, false);
        late.client = client;
        return late;
    }

    /** The client, if it is there. */
    @Nullable
    C known() {
        return client;
    }

    /** The client; asks servers if it is not there yet. */
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
            throw new BackendException("this client of Redis is closed", null);
        }
        return made;
    }

    /** Does not wait for a client that is being made: whoever makes it closes it then. */
    @Override
    public void close() {
        closed = true;
        C made = client;
        if (own && made != null) {
            made.close();
        }
    }
}
