// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached.connection;

import io.mortise.lock.spi.BackendException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import net.spy.memcached.MemcachedNode;
import net.spy.memcached.ops.Operation;
import net.spy.memcached.ops.OperationStatus;
import net.spy.memcached.ops.StatsOperation;
import net.spy.memcached.protocol.binary.StatsOperationImpl;
import org.jspecify.annotations.Nullable;

/**
 * Sends the initial requests on a new connection: asks the server for its settings, its time and its uptime, and decides whether
 * the server can be used for locks. Sent once.
 */
final class ServerHandshake {
    /** Why the server on this connection cannot be used for locks. */
    record Refusal(Supplier<BackendException> why, SocketChannel channel) {}

    static final Logger LOG = System.getLogger("io.mortise.lock.memcached.MemcachedBackend");

    /** Servers whose evictions were logged in this JVM: every client would log the same. */
    private static final Set<String> REPORTED = ConcurrentHashMap.newKeySet();

    private final MemcachedNode node;
    private final MemcachedFailures failures;
    private final Stats settings = new Stats();
    private final Stats state = new Stats();
    private final Operation stateRequest = new StatsOperationImpl("", state);
    private final CompletableFuture<@Nullable LiveConnection> live = new CompletableFuture<>();
    private volatile @Nullable Refusal refusal;

    ServerHandshake(MemcachedNode node, MemcachedFailures failures) {
        this.node = node;
        this.failures = failures;
    }

    /** Completes with the live connection, or with null if there is none; {@link #refusal} then has the reason, if known. */
    CompletableFuture<@Nullable LiveConnection> start(Consumer<Operation> sender) {
        try {
            sender.accept(new StatsOperationImpl("settings", settings));
            sender.accept(stateRequest);
        } catch (IllegalStateException full) {
            live.complete(null);
        }
        return live;
    }

    /** Logs, once for each server, that it evicts items or would do so. */
    void warnOfEvictions() {
        if (!REPORTED.add(failures.server())) {
            return;
        }
        boolean evicts = !"off".equals(settings.values.get("evictions"));
        long evicted = state.number("evictions");
        if (evicts && evicted > 0) {
            LOG.log(
                    Level.WARNING,
                    "memcached at {0} has evicted {1} items since it was started: locks may be among the next. Give it more"
                            + " memory, or run one for locks alone with -M",
                    failures.server(),
                    String.valueOf(evicted));
        } else if (evicts) {
            LOG.log(
                    Level.INFO,
                    "memcached at {0} evicts items when its memory is full, and locks are items; it is better to run one for"
                            + " locks alone with -M",
                    failures.server());
        }
    }

    /** Why the server cannot be used; null if it can, or if it has not answered. */
    @Nullable
    Refusal refusal() {
        return refusal;
    }

    private void finish() {
        if ("no".equals(settings.values.get("cas_enabled"))) {
            refusal = new Refusal(failures::withoutVersions, node.getChannel());
        } else if (settings.refused || state.refused) {
            refusal = new Refusal(failures::withoutPassword, node.getChannel());
        }
        if (refusal == null && state.number("time") > 0) {
            live.complete(new LiveConnection(
                    node.getChannel(),
                    state.number("time"),
                    state.number("uptime"),
                    stateRequest.getWriteCompleteTimestamp()));
        } else {
            live.complete(null);
        }
    }

    /** The answer to one stats request. Filled by the driver's thread. */
    private final class Stats implements StatsOperation.Callback {
        private final Map<String, String> values = new ConcurrentHashMap<>();
        private volatile boolean refused;

        @Override
        public void gotStat(String name, String value) {
            values.put(name, value);
        }

        /** The driver has no status for "not authenticated". */
        @Override
        public void receivedStatus(@Nullable OperationStatus status) {
            refused = status == null;
        }

        @Override
        public void complete() {
            if (this == state) {
                finish();
            }
        }

        private long number(String name) {
            String value = values.getOrDefault(name, "");
            return value.matches("\\d{1,18}") ? Long.parseLong(value) : 0;
        }
    }
}
