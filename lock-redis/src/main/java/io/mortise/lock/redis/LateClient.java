// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import io.mortise.lock.spi.BackendException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.UnifiedJedis;

/**
 * A client that cannot be made while no server answers, and so is made when it is first needed. Thread-safe.
 *
 * @param <C> its kind
 */
final class LateClient<C extends UnifiedJedis> implements AutoCloseable {
    private final Supplier<C> maker;
    private final boolean own;
    private volatile @Nullable C client;
    private volatile boolean closed;

    private LateClient(Supplier<C> maker, boolean own) {
        this.maker = maker;
        this.own = own;
    }

    /** Makes the client when it is needed, and closes it. */
    static <C extends UnifiedJedis> LateClient<C> made(Supplier<C> maker) {
        return new LateClient<>(maker, true);
    }

    /** The application's, which stays open. */
    static <C extends UnifiedJedis> LateClient<C> given(C client) {
        LateClient<C> late = new LateClient<>(() -> client, false);
        late.client = client;
        return late;
    }

    /** The client, if it is there. */
    @Nullable
    C known() {
        return client;
    }

    /** The client; asks servers if it is not there yet. */
    C get() {
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
