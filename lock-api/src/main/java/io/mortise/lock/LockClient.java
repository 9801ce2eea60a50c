// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock;

import io.mortise.lock.engine.Engine;
import io.mortise.lock.engine.NamedLock;
import io.mortise.lock.engine.NamedLocks;
import io.mortise.lock.engine.UrlOptions;
import io.mortise.lock.spi.BackendSelection;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LeaseBounds;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.SafetyLevel;
import io.mortise.lock.spi.StoreUrl;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A client of one lock store, the entry point of the API: makes the {@link DistributedLock}s of the store, and lists
 * who holds which lock. Make one for each store and keep it for the life of the application. Thread-safe.
 *
 * <p>Its few threads are daemons: none keeps a JVM alive. If the JVM ends without {@link #close()}, its
 * locks are free when their leases have ended in the store: the lease plus {@link LockOptions#lockDelay()}, or the rest of
 * {@link LockOptions#minHold()} if that is longer; on ZooKeeper, when the session ends.
 */
public final class LockClient implements AutoCloseable {
    private final Engine engine;

    LockClient(Engine engine) {
        this.engine = engine;
    }

    /**
     * Opens the store that a URL names, with the URL's options and defaults for everything else. Blocks for as long as the backend
     * gives the store to answer, whatever the call time-out: up to 15 s for a database.
     *
     * @param url such as {@code memory:test}, {@code jdbc:sqlite:/var/lib/app/locks.db} or
     *     {@code redis://localhost:6379?mortise.lease=10s}
     * @return a new client; close it
     * @throws LockConfigurationException if no store fits the URL, two do, an option is unknown or wrong, or the store is
     *     not fit for use
     * @throws LockStoreException if opening needs an answer of the store and there is none
     */
    public static LockClient connect(String url) {
        return builder(url).build();
    }

    /**
     * {@return a builder, for a client like that of {@link #connect} with settings of your own} Options of the URL win
     * over those of the builder.
     *
     * @param url the store
     * @throws LockConfigurationException if the text is not a store URL or one of its {@code mortise.*} options is wrong
     */
    public static LockClientBuilder builder(String url) {
        Objects.requireNonNull(url, "url");
        StoreUrl parsed;
        try {
            parsed = StoreUrl.parse(url);
        } catch (IllegalArgumentException wrong) {
            throw new LockConfigurationException("not a store URL: " + wrong.getMessage(), wrong);
        }
        return new LockClientBuilder(
                password -> BackendSelection.openForClient(parsed, password, UrlOptions.NAMES),
                new UrlOptions(parsed.options()),
                parsed.toString());
    }

    /**
     * {@return a builder of a client of a backend that the application has made, such as one with its own connection pool}
     * The client closes the backend, and so does a {@link LockClientBuilder#build()} that fails: build one client of it.
     *
     * @param backend the store
     */
    public static LockClientBuilder builder(LockBackend backend) {
        Objects.requireNonNull(backend, "backend");
        return new LockClientBuilder(
                password -> {
                    if (password != null) {
                        throw new IllegalStateException(
                                "the backend is open already, so that a password has no effect");
                    }
                    return backend;
                },
                UrlOptions.NONE,
                backend.getClass().getSimpleName());
    }

    /**
     * {@return the lock of a name, with this client's options} No I/O.
     *
     * @param name any string; case, blanks and length count
     * @throws LockClosedException if this client is closed
     */
    public DistributedLock lock(String name) {
        return lock(name, engine.options());
    }

    /**
     * {@return the lock of a name, with options of its own} No I/O.
     *
     * @param name any string; case, blanks and length count
     * @param options how to acquire and hold it; they replace all of this client's, those of its URL too. Begin with
     *     {@link #options()} to change only some
     * @throws LockConfigurationException if the store cannot honour the lease, or another option
     * @throws LockClosedException if this client is closed
     */
    public DistributedLock lock(String name, LockOptions options) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(options, "options");
        return new NamedLock(engine, name, options);
    }

    /**
     * {@return several locks that are acquired together or not at all, with this client's options} No I/O.
     *
     * @param names at least one; a name that comes twice counts once
     * @throws IllegalArgumentException if there is no name
     * @throws LockClosedException if this client is closed
     */
    public MultiLock multiLock(String... names) {
        return multiLock(List.of(names), engine.options());
    }

    /**
     * {@return several locks that are acquired together or not at all, with options of their own} No I/O.
     *
     * @param names at least one; a name that comes twice counts once
     * @param options how to acquire and hold each of them; they replace all of this client's. The longest wait is for all together
     * @throws IllegalArgumentException if there is no name
     * @throws LockConfigurationException if the store cannot honour the lease, or another option
     * @throws LockClosedException if this client is closed
     */
    public MultiLock multiLock(Collection<String> names, LockOptions options) {
        Objects.requireNonNull(names, "names");
        Objects.requireNonNull(options, "options");
        return new NamedLocks(engine, names, options);
    }

    /** {@return the options of locks that have none of their own} */
    public LockOptions options() {
        return engine.options();
    }

    /** {@return what the store declares that it can do} */
    public Set<Feature> features() {
        return engine.backend().features();
    }

    /** {@return what must fail before the store forgets a lock, as it declares} */
    public SafetyLevel safetyLevel() {
        return engine.backend().safetyLevel();
    }

    /** {@return the leases that the store can honour, the shortest and the longest} No I/O. */
    public LeaseBounds leaseBounds() {
        return engine.backend().leaseBounds();
    }

    /**
     * Asks the store one question, about a name that nobody uses, for health checks. Locks nothing that others use. Blocks for at
     * most the client's call time-out. Ignores interrupts and keeps the flag.
     *
     * @return how long the store took to answer
     * @throws LockStoreException if the store did not answer
     * @throws LockConfigurationException if the store refused the question for good, such as for want of a permission
     * @throws LockClosedException if this client is closed
     */
    public Duration ping() {
        return engine.admin().ping();
    }

    /**
     * The locks that are held now, by anybody, in the store's order of names. Asks nothing before the stream is read, and then
     * page by page; a lock that changes hands meanwhile may be missed or stale. Reading blocks for at most the client's call
     * time-out for each page. Ignores interrupts and keeps the flag.
     *
     * @param prefix what the names begin with; the empty string for all
     * @return a lazy stream. Reading it throws {@link LockStoreException} if the store does not answer,
     *     {@link LockConfigurationException} if it refuses for good, and {@link LockClosedException} if this client is closed
     * @throws UnsupportedOperationException if the store is not {@link Feature#LISTABLE}
     * @throws LockClosedException if this client is closed
     */
    public Stream<LockHolder> holders(String prefix) {
        Objects.requireNonNull(prefix, "prefix");
        return engine.admin().holders(prefix);
    }

    /**
     * Lets work end before it closes: new and waiting calls end with {@link LockClosedException} at once, and what is held is
     * waited for. What is still held after {@code grace} is treated as {@link #close()} does. An interrupt ends the grace, and
     * the flag is kept. Idempotent: a close beside another one waits for its end, ignores interrupts meanwhile, and makes its grace
     * neither longer nor shorter.
     *
     * @param grace how long to wait for the holders, zero or more
     * @throws IllegalArgumentException if {@code grace} is negative
     */
    public void close(Duration grace) {
        if (Objects.requireNonNull(grace, "grace").isNegative()) {
            throw new IllegalArgumentException("grace must not be negative: " + grace);
        }
        engine.close(grace);
    }

    /**
     * Ends all calls and leases of this client, stops its threads and closes the backend. Those that wait get
     * {@link LockClosedException}. Leases that are held are lost, with {@link LossCause#CLIENT_CLOSED}: listeners are told, and
     * the threads of {@link DistributedLock#run} interrupted. Then the locks are released, or kept from others for their
     * {@link LockOptions#lockDelay()} or the rest of their {@link LockOptions#minHold()}. Goes on after failures, and for as long as
     * the store answers releases. Gives up when it has not answered for one call time-out and each release was tried once, but for
     * five call time-outs at most; what is left then ends with its lease. Ignores interrupts and keeps the flag. Idempotent: a close
     * beside another one waits for its end, also for its grace.
     */
    @Override
    public void close() {
        engine.close();
    }

    /** The store without secrets, its safety level and its features, such as {@code LockClient[memory:a, SINGLE_STORE, [FENCED]]}. */
    @Override
    public String toString() {
        return "LockClient[" + engine.store() + ", " + safetyLevel() + ", " + new TreeSet<>(features()) + "]";
    }
}
