// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.admin;

import io.mortise.lock.LockHolder;
import io.mortise.lock.Ticker;
import io.mortise.lock.zookeeper.internal.node.LockPath;
import io.mortise.lock.zookeeper.internal.node.NodePaths;
import io.mortise.lock.zookeeper.internal.node.NodeText;
import io.mortise.lock.zookeeper.internal.node.QueueOrder;
import io.mortise.lock.zookeeper.internal.queue.LockQueue;
import io.mortise.lock.zookeeper.internal.session.CuratorSessions;
import io.mortise.lock.zookeeper.internal.session.Session;
import io.mortise.lock.zookeeper.internal.session.SessionCall;
import io.mortise.lock.zookeeper.internal.token.TokenBase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.jspecify.annotations.Nullable;

/** Reads who holds which lock, and changes nothing. Thread-safe. */
public final class LockListing {
    /** How many shards or queues are asked about together. */
    private static final int TOGETHER = 64;

    private final NodePaths paths;
    private final CuratorSessions sessions;

    public LockListing(NodePaths paths, CuratorSessions sessions) {
        this.paths = paths;
        this.sessions = sessions;
    }

    /** Who holds a lock. */
    public Optional<LockHolder> inspect(String lock, Duration atMost) {
        String queue = paths.queue(lock);
        return sessions.callUninterruptibly(atMost, call -> {
            while (true) {
                List<String> inOrder = LockQueue.nodesInOrder(queue, call);
                if (inOrder.isEmpty()) {
                    return Optional.empty();
                }
                try {
                    CompletableFuture<Session.Data> base = call.session().data(paths.tokenBase());
                    CompletableFuture<Session.Data> first = call.session().data(queue + "/" + inOrder.get(0));
                    TokenBase tokens = TokenBase.of(call.await(base));
                    Session.Data node = call.await(first);
                    return Optional.of(holder(NodeText.read(lock, node.bytes()), node, tokens, inOrder.size() - 1));
                } catch (NoNodeException gone) {
                    // and the next is first; or the first ever is about to be
                }
            }
        });
    }

    /** One page of the locks that are held, in the order of their shards and segments; {@code after} is empty for the first. */
    public List<LockHolder> list(String prefix, String after, int limit, Duration atMost) {
        LockPath last = after.isEmpty() ? null : LockPath.of(after);
        return sessions.callUninterruptibly(atMost, call -> new Page(call, prefix, limit).after(last));
    }

    /**
     * What is known of a holder. The time since its node was made is the difference of this host's clock and the ensemble's; no
     * other figure depends on clocks. It has held for as long, less what it waited. Only the holder knows how much of its lease
     * is left.
     */
    private static LockHolder holder(NodeText text, Session.Data node, TokenBase base, int waiters) {
        long since = node.stat().getCtime();
        return new LockHolder(
                text.lock(),
                text.label(),
                text.token().orElseGet(() -> base.tokenThen(node.stat().getCzxid())),
                atLeastZero(
                        Duration.ofMillis(Ticker.system().wallMillis() - since).minus(text.waited())),
                Optional.empty(),
                OptionalInt.of(waiters),
                text.revoked());
    }

    private static Duration atLeastZero(Duration time) {
        return time.isNegative() ? Duration.ZERO : time;
    }

    /** The first node of a queue, and the request for its data. */
    private record Head(String queue, int waiters, CompletableFuture<Session.Data> node) {}

    /** One page, read by one thread. */
    private final class Page {
        private final SessionCall call;
        private final Session session;
        private final String prefix;
        private final int limit;
        private final List<LockHolder> page = new ArrayList<>();

        private Page(SessionCall call, String prefix, int limit) {
            this.call = call;
            this.session = call.session();
            this.prefix = prefix;
            this.limit = limit;
        }

        private List<LockHolder> after(@Nullable LockPath last) throws KeeperException, InterruptedException {
            CompletableFuture<String> caughtUp = session.sync(paths.root());
            CompletableFuture<Session.Data> base = session.data(paths.tokenBase());
            call.await(caughtUp);
            try {
                TokenBase tokens = TokenBase.of(call.await(base));
                List<String> shards = children(session.children(paths.locks()));
                shards.sort(null);
                shards.removeIf(shard -> last != null && shard.compareTo(last.shard()) < 0);
                for (int i = 0; i < shards.size() && page.size() < limit; i += TOGETHER) {
                    listShards(shards.subList(i, Math.min(shards.size(), i + TOGETHER)), last, tokens);
                }
            } catch (NoNodeException nobodyEver) {
                // an empty page
            }
            return page;
        }

        private void listShards(List<String> shards, @Nullable LockPath last, TokenBase base)
                throws KeeperException, InterruptedException {
            List<CompletableFuture<List<String>>> requests = shards.stream()
                    .map(shard -> session.children(paths.shard(shard)))
                    .toList();
            for (int i = 0; i < shards.size() && page.size() < limit; i++) {
                String shard = shards.get(i);
                String after = last != null && last.shard().equals(shard) ? last.segment() : "";
                List<String> segments = children(requests.get(i));
                segments.sort(null);
                segments.removeIf(segment -> segment.compareTo(after) <= 0 || !mayBegin(segment));
                for (int j = 0; j < segments.size() && page.size() < limit; j += TOGETHER) {
                    list(shard, segments.subList(j, Math.min(segments.size(), j + TOGETHER)), base);
                }
            }
        }

        private void list(String shard, List<String> segments, TokenBase base)
                throws KeeperException, InterruptedException {
            List<Head> heads = heads(shard, segments);
            for (int i = 0; i < heads.size() && page.size() < limit; i++) {
                Head head = heads.get(i);
                try {
                    Session.Data node = call.await(head.node);
                    NodeText text = NodeText.parse(node.bytes());
                    if (paths.queue(text.lock()).equals(head.queue)
                            && text.lock().startsWith(prefix)) {
                        page.add(holder(text, node, base, head.waiters));
                    }
                } catch (NoNodeException | IllegalArgumentException goneOrForeign) {
                    // not held, or not ours
                }
            }
        }

        private List<Head> heads(String shard, List<String> segments) throws KeeperException, InterruptedException {
            List<String> queues = segments.stream()
                    .map(segment -> paths.shard(shard) + "/" + segment)
                    .toList();
            List<CompletableFuture<List<String>>> requests =
                    queues.stream().map(session::children).toList();
            List<Head> heads = new ArrayList<>();
            for (int i = 0; i < queues.size(); i++) {
                List<String> inOrder = QueueOrder.inOrder(children(requests.get(i)));
                if (!inOrder.isEmpty()) {
                    String first = queues.get(i) + "/" + inOrder.get(0);
                    heads.add(new Head(queues.get(i), inOrder.size() - 1, session.data(first)));
                }
            }
            return heads;
        }

        /** Segments of long names do not tell the whole name: their nodes do. */
        private boolean mayBegin(String segment) {
            Optional<String> name = LockPath.name(segment);
            return name.isEmpty() || name.get().startsWith(prefix);
        }

        private List<String> children(CompletableFuture<List<String>> request)
                throws KeeperException, InterruptedException {
            try {
                return new ArrayList<>(call.await(request));
            } catch (NoNodeException nothing) {
                return new ArrayList<>();
            }
        }
    }
}
