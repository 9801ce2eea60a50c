// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached;

import io.mortise.lock.spi.BackendException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import net.spy.memcached.MemcachedConnection;
import net.spy.memcached.MemcachedNode;
import net.spy.memcached.ops.Operation;
import net.spy.memcached.ops.OperationStatus;
import net.spy.memcached.ops.StatsOperation;
import net.spy.memcached.protocol.binary.StatsOperationImpl;
import org.jspecify.annotations.Nullable;

/** The first words on a new connection: asks the server for its settings and its time. Sent once. */
final class Greeting {
    /** That the server is not fit for locks, as it told on this connection. */
    record Refusal(String why, SocketChannel channel) {}

    private static final Logger LOG = System.getLogger(MemcachedBackend.class.getName());

    /** Servers that were reported in this JVM: every client would say the same. */
    private static final Set<String> REPORTED = ConcurrentHashMap.newKeySet();

    private final MemcachedNode node;
    private final String server;
    private final Words settings = new Words();
    private final Words state = new Words();
    private final Operation question = new StatsOperationImpl("", state);
    private final CompletableFuture<Contact> contact = new CompletableFuture<>();
    private volatile @Nullable Refusal refusal;

    Greeting(MemcachedNode node, String server) {
        this.node = node;
        this.server = server;
    }

    /** Completes with the contact, or with a {@link BackendException}. */
    CompletableFuture<Contact> send(MemcachedConnection connection) {
        boolean interrupted = Thread.interrupted(); // the driver would refuse such a thread
        try {
            connection.addOperations(Map.of(node, new StatsOperationImpl("settings", settings)));
            connection.addOperations(Map.of(node, question));
        } catch (IllegalStateException full) {
            contact.completeExceptionally(full);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        return contact;
    }

    /** Tells of what makes this server worse for locks than it must be. */
    void report() {
        if (!REPORTED.add(server)) {
            return;
        }
        boolean evicts = !"off".equals(settings.values.get("evictions"));
        long evicted = state.number("evictions");
        if (evicts && evicted > 0) {
            LOG.log(
                    Level.WARNING,
                    "memcached at {0} has evicted {1} items since it was started: locks may be among the next. Give it more"
                            + " memory, or run one for locks alone with -M",
                    server,
                    String.valueOf(evicted));
        } else if (evicts) {
            LOG.log(
                    Level.INFO,
                    "memcached at {0} evicts items when its memory is full, locks as well; one for locks alone is better run"
                            + " with -M",
                    server);
        }
    }

    /** Why the server is not fit; null if it is, or if it has not answered. */
    @Nullable
    Refusal refusal() {
        return refusal;
    }

    private void finish() {
        boolean withoutVersions = "no".equals(settings.values.get("cas_enabled"));
        if (withoutVersions) {
            refuse(" runs without compare-and-swap (-C); locks need it");
        } else if (settings.refused || state.refused) {
            refuse(" asks for a user and a password");
        }
        if (refusal == null && state.number("time") > 0) {
            contact.complete(
                    new Contact(server, node.getChannel(), state.number("time"), question.getWriteCompleteTimestamp()));
        } else {
            contact.completeExceptionally(new BackendException("memcached at " + server + " was not greeted", null));
        }
    }

    private void refuse(String why) {
        refusal = new Refusal("memcached at " + server + why, node.getChannel());
    }

    /** Collected by the driver's thread. */
    private final class Words implements StatsOperation.Callback {
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
