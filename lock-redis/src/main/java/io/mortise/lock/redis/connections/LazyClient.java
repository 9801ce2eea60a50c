// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.connections;

import static io.mortise.lock.redis.connections.RedisFailures.STORE;

import io.mortise.lock.spi.BackendException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Creates what of jedis keeps the connections when it is first needed, because creating some kinds fails while no server
 * answers. Thread-safe.
 *
 * @param <C> the kind of client
 */
public final class LazyClient<C> implements AutoCloseable {
    private final Supplier<C> maker;
    private final Consumer<C> closer;
    private volatile @Nullable C client;
    private volatile boolean closed;

    private LazyClient(Supplier<C> maker, Consumer<C> closer) {
        this.maker = maker;
        this.closer = closer;
    }

    /** A client that is made when it is needed, and closed with this. */
    public static <C> LazyClient<C> made(Supplier<C> maker, Consumer<C> closer) {
        return new LazyClient<>(maker, closer);
    }

    /** A client of the application, which stays open. */
    public static <C> LazyClient<C> given(C client) {
        LazyClient<C> given = new LazyClient<>(() -> client, unused -> {});
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
        if (made != null) {
            closer.accept(made);
        }
    }
}
