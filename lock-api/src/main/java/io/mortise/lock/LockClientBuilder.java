// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock;

import io.mortise.lock.engine.Engine;
import io.mortise.lock.engine.Settings;
import io.mortise.lock.engine.UrlOptions;
import io.mortise.lock.engine.local.Environment;
import io.mortise.lock.engine.local.Nanos;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.SafetyLevel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link LockClient}. Each value may be set once: setting it again throws {@link IllegalStateException}. Only
 * {@link #require} and {@link #listener} add to what was set before. Options of the store URL win over what is set here. Not
 * thread-safe.
 */
public final class LockClientBuilder {
    private final Function<@Nullable String, LockBackend> opener;
    private final UrlOptions urlOptions;
    private final String store;
    private final List<LockListener> listeners = new ArrayList<>();
    private final Set<Feature> required = EnumSet.noneOf(Feature.class);
    private @Nullable LockOptions options;
    private @Nullable SafetyLevel leastLevel;
    private @Nullable Ticker ticker;
    private @Nullable Executor executor;
    private @Nullable Duration callTimeout;
    private @Nullable Double clockDrift;
    private @Nullable String password;

    /** Opens with a password or null. The URL's options win over what is set here. */
    LockClientBuilder(Function<@Nullable String, LockBackend> opener, UrlOptions urlOptions, String store) {
        this.opener = opener;
        this.urlOptions = urlOptions;
        this.store = store;
    }

    /**
     * Sets the options of locks that have none of their own. Each option of the URL wins over the one of these.
     *
     * @param value the options; {@link LockOptions#defaults()} if never set
     * @return this
     */
    public LockClientBuilder options(LockOptions value) {
        options = once("options", options, value);
        return this;
    }

    /**
     * Requires features of the store; without them the client does not start.
     *
     * @param features what the store must declare; adds to those required before and in the URL
     * @return this
     */
    public LockClientBuilder require(Feature... features) {
        for (Feature feature : Objects.requireNonNull(features, "features")) {
            required.add(Objects.requireNonNull(feature, "feature"));
        }
        return this;
    }

    /**
     * Requires a safety level of the store; with a weaker one the client does not start.
     *
     * @param level what the store must declare at least; any level will do if never set
     * @return this
     */
    public LockClientBuilder atLeast(SafetyLevel level) {
        leastLevel = once("safety level", leastLevel, level);
        return this;
    }

    /**
     * Sets the clock, for tests.
     *
     * @param value {@link Ticker#system()} if never set
     * @return this
     */
    public LockClientBuilder ticker(Ticker value) {
        ticker = once("ticker", ticker, value);
        return this;
    }

    /**
     * Sets what completes the futures of {@link DistributedLock#acquireAsync()} and so runs what depends on them. No thread
     * waits for a lock there. An executor that refuses a task does not keep a future from being completed. If it accepts a task
     * and never runs it, the future completes with {@link LockClosedException} when the client is closed, and the lease ends.
     *
     * @param value threads of the client, as many as are needed at one time, if never set
     * @return this
     */
    public LockClientBuilder executor(Executor value) {
        executor = once("executor", executor, value);
        return this;
    }

    /**
     * Sets how long one question to the store may take before it counts as unanswered.
     *
     * @param value 2 seconds if never set
     * @return this
     * @throws IllegalArgumentException if {@code value} is not positive
     */
    public LockClientBuilder callTimeout(Duration value) {
        if (Objects.requireNonNull(value, "callTimeout").isNegative() || value.isZero()) {
            throw new IllegalArgumentException("callTimeout must be positive: " + value);
        }
        callTimeout = once("callTimeout", callTimeout, value);
        return this;
    }

    /**
     * Sets by how much the clocks of this host and of the store may differ in speed. This fraction of each lease, and two
     * milliseconds, are subtracted from it.
     *
     * @param fraction 0 up to, but not including, 0.5; 0.01 if never set. A clock that is slewed fast may need 0.08
     * @return this
     * @throws IllegalArgumentException if {@code fraction} is outside that range
     */
    public LockClientBuilder clockDrift(double fraction) {
        if (!(fraction >= 0 && fraction < 0.5)) {
            throw new IllegalArgumentException("clockDrift must be at least 0 and less than 0.5: " + fraction);
        }
        clockDrift = once("clockDrift", clockDrift, fraction);
        return this;
    }

    /**
     * Sets the password for the store, so that the URL needs none. The user is that of the URL.
     *
     * @param value the password; if never set, the one in the URL, or where its options {@code mortise.passwordFile} and
     *     {@code mortise.passwordEnv} say. {@link #build()} refuses two
     * @return this
     */
    public LockClientBuilder password(String value) {
        if (password != null) {
            throw new IllegalStateException("password was already set");
        }
        password = Objects.requireNonNull(value, "password");
        return this;
    }

    /**
     * Adds a listener to the events of all locks of this client.
     *
     * @param listener the listener
     * @return this
     */
    public LockClientBuilder listener(LockListener listener) {
        listeners.add(Objects.requireNonNull(listener, "listener"));
        return this;
    }

    /**
     * {@return a new client of the store, which it opens; close it} Blocks as {@link LockClient#connect} does. If it fails it closes
     * the backend, also one that the application has made. Build only one client of such a backend: each client closes it.
     *
     * @throws LockConfigurationException if no store fits, or it lacks a required feature or level, or cannot honour the
     *     lease
     * @throws LockStoreException if opening needs an answer of the store and there is none
     */
    public LockClient build() {
        LockBackend backend = opener.apply(password);
        try {
            checkFitness(backend);
            Settings settings = new Settings(
                    store,
                    urlOptions.lockOptions(orElse(options, LockOptions.defaults())),
                    Environment.system(),
                    orElse(ticker, Ticker.system()),
                    executor,
                    shortened(orElse(urlOptions.callTimeout(callTimeout), Duration.ofSeconds(2))),
                    orElse(clockDrift, 0.01),
                    List.copyOf(listeners));
            return new LockClient(new Engine(backend, settings));
        } catch (Throwable unfit) {
            close(backend, unfit);
            throw unfit;
        }
    }

    private static void close(LockBackend backend, Throwable reason) {
        try {
            backend.close();
        } catch (Throwable unclosed) {
            reason.addSuppressed(unclosed);
        }
    }

    /** As good as forever, but short enough for arithmetic with nanoseconds. */
    private static Duration shortened(Duration timeout) {
        return timeout.compareTo(Nanos.LONGEST_CALL) < 0 ? timeout : Nanos.LONGEST_CALL;
    }

    private void checkFitness(LockBackend backend) {
        Set<Feature> missing = EnumSet.noneOf(Feature.class);
        missing.addAll(required);
        missing.addAll(urlOptions.requiredFeatures());
        missing.removeAll(backend.features());
        if (!missing.isEmpty()) {
            throw new LockConfigurationException(
                    "the store does not have the required features " + missing + "; it has " + backend.features());
        }
        SafetyLevel least = urlOptions.safetyLevel(leastLevel);
        if (least != null && backend.safetyLevel().compareTo(least) < 0) {
            throw new LockConfigurationException("the store is " + backend.safetyLevel() + ", but at least " + least
                    + " is required; choose a stronger store");
        }
    }

    private static <T> T once(String what, @Nullable T before, T value) {
        Objects.requireNonNull(value, what);
        if (before != null) {
            throw new IllegalStateException(what + " was already set to " + before);
        }
        return value;
    }

    private static <T> T orElse(@Nullable T value, T otherwise) {
        return value == null ? otherwise : value;
    }
}
