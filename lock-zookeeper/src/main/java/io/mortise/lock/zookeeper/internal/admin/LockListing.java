// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.admin;

import io.mortise.lock.LockHolder;
import io.mortise.lock.Ticker;
import io.mortise.lock.zookeeper.internal.node.Layout;
import io.mortise.lock.zookeeper.internal.node.LockPath;
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

    private record Head(String queue, String first, int waiters) {}

    private final Layout layout;
    private final CuratorSessions sessions;

    public LockListing(Layout layout, CuratorSessions sessions) {
        this.layout = layout;
        this.sessions = sessions;
    }

    /** Who holds a lock. */
    public Optional<LockHolder> inspect(String lock, Duration atMost) {
        String queue = layout.queue(LockPath.of(lock));
        return sessions.callUninterruptibly(atMost, call -> {
            while (true) {
                List<String> inOrder = LockQueue.nodesInOrder(queue, call);
                if (inOrder.isEmpty()) {
                    return Optional.empty();
                }
                try {
                    CompletableFuture<Session.Data> base = call.session().data(layout.tokenBase());
                    CompletableFuture<Session.Data> first = call.session().data(queue + "/" + inOrder.get(0));
                    Session.Data data = call.await(base);
                    return Optional.of(holder(
                            NodeText.read(lock, call.await(first).bytes()),
                            call.await(first),
                            TokenBase.of(data.bytes(), data.stat()),
                            inOrder.size() - 1));
                } catch (NoNodeException gone) {
                    // and the next is first; or the first ever is about to be
                }
            }
        });
    }

    /**
     * One page of the locks that are held, in the order of their shards and segments.
     *
     * @param prefix of their names
     * @param after the last name of the page before, empty for the first page
     */
    public List<LockHolder> list(String prefix, String after, int limit, Duration atMost) {
        LockPath last = after.isEmpty() ? null : LockPath.of(after);
        return sessions.callUninterruptibly(atMost, call -> new Page(call, prefix, limit).after(last));
    }

    /**
     * What is known of a holder. The time that it has been in the queue is the difference of this host's clock and the
     * ensemble's; no other figure depends on clocks. Only the holder knows how much of its lease is left, so this has the
     * whole lease.
     */
    private static LockHolder holder(NodeText text, Session.Data node, TokenBase base, int waiters) {
        long since = node.stat().getCtime();
        return new LockHolder(
                text.lock(),
                text.label(),
                text.token().orElseGet(() -> base.tokenThen(node.stat().getCzxid())),
                Duration.ofMillis(Math.max(0, Ticker.system().wallMillis() - since)),
                text.lease(),
                OptionalInt.of(waiters),
                text.revoked());
    }

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

        /** The page after a name, or the first if there is none. */
        private List<LockHolder> after(@Nullable LockPath last) throws KeeperException, InterruptedException {
            CompletableFuture<String> caughtUp = session.sync(layout.root());
            CompletableFuture<Session.Data> base = session.data(layout.tokenBase());
            call.await(caughtUp);
            try {
                Session.Data data = call.await(base);
                TokenBase tokens = TokenBase.of(data.bytes(), data.stat());
                List<String> shards = new ArrayList<>(sorted(session.children(layout.locks())));
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
            List<CompletableFuture<List<String>>> segments = shards.stream()
                    .map(shard -> session.children(layout.shard(shard)))
                    .toList();
            for (int i = 0; i < shards.size() && page.size() < limit; i++) {
                String after = last != null && last.shard().equals(shards.get(i)) ? last.segment() : "";
                listShard(shards.get(i), sorted(segments.get(i)), after, base);
            }
        }

        private void listShard(String shard, List<String> all, String after, TokenBase base)
                throws KeeperException, InterruptedException {
            List<String> segments = new ArrayList<>(all);
            segments.removeIf(segment -> segment.compareTo(after) <= 0 || !mayBegin(segment));
            for (int i = 0; i < segments.size() && page.size() < limit; i += TOGETHER) {
                list(shard, segments.subList(i, Math.min(segments.size(), i + TOGETHER)), base);
            }
        }

        private void list(String shard, List<String> segments, TokenBase base)
                throws KeeperException, InterruptedException {
            List<Head> heads = heads(shard, segments);
            List<CompletableFuture<Session.Data>> nodes = heads.stream()
                    .map(head -> session.data(head.queue + "/" + head.first))
                    .toList();
            for (int i = 0; i < heads.size() && page.size() < limit; i++) {
                try {
                    Session.Data node = call.await(nodes.get(i));
                    NodeText text = NodeText.parse(node.bytes());
                    String queue = layout.queue(LockPath.of(text.lock()));
                    if (queue.equals(heads.get(i).queue) && text.lock().startsWith(prefix)) {
                        page.add(holder(text, node, base, heads.get(i).waiters));
                    }
                } catch (NoNodeException | IllegalArgumentException goneOrForeign) {
                    // not held, or not ours
                }
            }
        }

        private List<Head> heads(String shard, List<String> segments) throws KeeperException, InterruptedException {
            List<String> queues = segments.stream()
                    .map(segment -> layout.shard(shard) + "/" + segment)
                    .toList();
            List<CompletableFuture<List<String>>> lines =
                    queues.stream().map(session::children).toList();
            List<Head> heads = new ArrayList<>();
            for (int i = 0; i < queues.size(); i++) {
                try {
                    List<String> line = QueueOrder.inOrder(call.await(lines.get(i)));
                    if (!line.isEmpty()) {
                        heads.add(new Head(queues.get(i), line.get(0), line.size() - 1));
                    }
                } catch (NoNodeException reaped) {
                    // nobody holds it
                }
            }
            return heads;
        }

        /** Segments of long names do not tell the whole name: their nodes do. */
        private boolean mayBegin(String segment) {
            Optional<String> name = LockPath.name(segment);
            return name.isEmpty() || name.get().startsWith(prefix);
        }

        private List<String> sorted(CompletableFuture<List<String>> children)
                throws KeeperException, InterruptedException {
            try {
                return call.await(children).stream().sorted().toList();
            } catch (NoNodeException nothing) {
                return List.of();
            }
        }
    }
}
