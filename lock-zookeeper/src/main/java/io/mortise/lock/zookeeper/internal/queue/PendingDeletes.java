// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.queue;

import io.mortise.lock.zookeeper.internal.session.CuratorSessions;
import io.mortise.lock.zookeeper.internal.session.Session;
import io.mortise.lock.zookeeper.internal.session.ZooKeeperFailures;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Deletes nodes in the background, as soon as the ensemble answers, for as long as the client lives: nodes that are not
 * needed any more, and nodes that a claim's unanswered requests may have made. Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what is not answered is tried again
public final class PendingDeletes {
    /** Where a claim's node may turn up: the path of its queue, and what its name begins with. */
    private record Search(String queue, String prefix) {}

    private static final long WITHOUT_SESSION = TimeUnit.MINUTES.toNanos(1);

    private final CuratorSessions sessions;
    private final Set<String> nodes = ConcurrentHashMap.newKeySet();

    /** Each with the moment until which a request on its way may still arrive. */
    private final Map<Search, Long> searches = new ConcurrentHashMap<>();

    public PendingDeletes(CuratorSessions sessions) {
        this.sessions = sessions;
    }

    /** Deletes a node, now or when the ensemble answers. */
    void delete(String path) {
        nodes.add(path);
        Session session = sessions.sessionNow();
        if (session != null) {
            delete(path, session);
        }
    }

    /** Deletes the nodes that a claim's unanswered request may have made, now or when the ensemble answers. */
    void search(String queue, String prefix) {
        Search search = new Search(queue, prefix);
        Session session = sessions.sessionNow();
        searches.put(
                search,
                System.nanoTime()
                        + (session == null ? WITHOUT_SESSION : session.clock().timeout()));
        if (session != null) {
            search(search, session);
        }
    }

    /** Tries again what was not answered. */
    public void retry(Session session) {
        nodes.forEach(path -> delete(path, session));
        searches.keySet().forEach(search -> search(search, session));
    }

    /** Tries all known nodes again; completes when each deletion was answered, or will not be. */
    public CompletableFuture<?> deleteAll(Session session) {
        return CompletableFuture.allOf(
                nodes.stream().map(path -> delete(path, session)).toArray(CompletableFuture<?>[]::new));
    }

    private CompletableFuture<?> delete(String path, Session session) {
        return session.delete(path).whenComplete((deleted, failure) -> {
            // A permission that was withdrawn may be given back, and then the node would keep others waiting.
            if (failure == null || !(ZooKeeperFailures.isUnanswered(failure) || ZooKeeperFailures.isRefused(failure))) {
                nodes.remove(path);
            }
        });
    }

    private void search(Search search, Session session) {
        CompletableFuture<String> caughtUp = session.sync(search.queue);
        long asked = System.nanoTime();
        session.children(search.queue).whenComplete((children, failure) -> {
            boolean answered = failure == null
                    || !(ZooKeeperFailures.isUnanswered(failure) || ZooKeeperFailures.isRefused(failure));
            if (children != null) {
                children.stream()
                        .filter(name -> name.startsWith(search.prefix))
                        .forEach(name -> delete(search.queue + "/" + name));
            }
            if (answered && !caughtUp.isCompletedExceptionally()) {
                searches.computeIfPresent(search, (unused, until) -> until - asked <= 0 ? null : until);
            }
        });
    }
}
