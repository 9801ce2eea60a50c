// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.listing;

import io.mortise.lock.LockHolder;
import io.mortise.lock.zookeeper.internal.client.ClientContext;
import io.mortise.lock.zookeeper.internal.node.LockPath;
import io.mortise.lock.zookeeper.internal.node.NodeText;
import io.mortise.lock.zookeeper.internal.node.QueueOrder;
import io.mortise.lock.zookeeper.internal.session.Deadline;
import io.mortise.lock.zookeeper.internal.session.Session;
import io.mortise.lock.zookeeper.internal.token.TokenBase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.jspecify.annotations.Nullable;

/** One page of the locks that are held, in the order of their shards and segments. Reads only. Used once, by one thread. */
public final class LockListing {
    /** How many shards or queues are asked about together. */
    private static final int TOGETHER = 64;

    private record Head(String queue, String first, int waiters) {}

    private final ClientContext ensemble;
    private final Session session;
    private final Deadline deadline;
    private final String prefix;
    private final int limit;
    private final List<LockHolder> page = new ArrayList<>();

    public LockListing(ClientContext ensemble, Session session, Deadline deadline, String prefix, int limit) {
        this.ensemble = ensemble;
        this.session = session;
        this.deadline = deadline;
        this.prefix = prefix;
        this.limit = limit;
    }

    /** The page after a name, or the first if there is none. */
    public List<LockHolder> after(@Nullable LockPath last) throws KeeperException, InterruptedException {
        CompletableFuture<String> caughtUp = session.sync(ensemble.layout.root());
        CompletableFuture<Session.Data> base = session.data(ensemble.layout.tokenBase());
        deadline.await(caughtUp);
        try {
            Session.Data data = deadline.await(base);
            TokenBase tokens = TokenBase.of(data.bytes(), data.stat());
            List<String> shards = new ArrayList<>(sorted(session.children(ensemble.layout.locks())));
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
                .map(shard -> session.children(ensemble.layout.shard(shard)))
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
                Session.Data node = deadline.await(nodes.get(i));
                NodeText text = NodeText.parse(node.bytes());
                String queue = ensemble.layout.queue(LockPath.of(text.lock()));
                if (queue.equals(heads.get(i).queue) && text.lock().startsWith(prefix)) {
                    page.add(Directory.holder(text, node, base, heads.get(i).waiters));
                }
            } catch (NoNodeException | IllegalArgumentException goneOrForeign) {
                // not held, or not ours
            }
        }
    }

    private List<Head> heads(String shard, List<String> segments) throws KeeperException, InterruptedException {
        List<String> queues = segments.stream()
                .map(segment -> ensemble.layout.shard(shard) + "/" + segment)
                .toList();
        List<CompletableFuture<List<String>>> lines =
                queues.stream().map(session::children).toList();
        List<Head> heads = new ArrayList<>();
        for (int i = 0; i < queues.size(); i++) {
            try {
                List<String> line = QueueOrder.inOrder(deadline.await(lines.get(i)));
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

    private List<String> sorted(CompletableFuture<List<String>> children) throws KeeperException, InterruptedException {
        try {
            return deadline.await(children).stream().sorted().toList();
        } catch (NoNodeException nothing) {
            return List.of();
        }
    }
}
