// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.session;

import io.mortise.lock.Ticker;
import io.mortise.lock.spi.support.Moment;
import io.mortise.lock.zookeeper.internal.node.NodePaths;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.KeeperException.NodeExistsException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * One session with ZooKeeper, with the requests that can be sent in it. A request is sent at once or fails at once,
 * and is never repeated. Answers come in the order of the requests, on ZooKeeper's event thread: what follows an
 * answer must be quick. Thread-safe.
 */
public final class Session {
    public record Created(String path, Stat stat) {}

    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Data(byte[] bytes, Stat stat) {}

    /** What an answer proves. */
    private enum Proof {
        HEARD,
        REACHED_THE_LEADER,
        AGREED
    }

    /** The codes by which a server answers after it has looked at its data; for a write, after a majority has agreed. */
    private static final Set<Code> LOOKED =
            EnumSet.of(Code.OK, Code.NONODE, Code.NODEEXISTS, Code.BADVERSION, Code.NOTEMPTY);

    private static final Set<KeeperState> ENDED =
            EnumSet.of(KeeperState.Expired, KeeperState.Closed, KeeperState.AuthFailed);

    private final ZooKeeper zooKeeper;
    private final long id;
    private final SessionClock clock;
    private volatile boolean over;
    private volatile boolean watched;

    Session(ZooKeeper zooKeeper, SessionClock clock) {
        this.zooKeeper = zooKeeper;
        this.id = zooKeeper.getSessionId();
        this.clock = clock;
    }

    public long id() {
        return id;
    }

    /** How long it lives for certain. */
    public SessionClock clock() {
        return clock;
    }

    /** Whether it has ended for this client, which then sends nothing more in it. */
    public boolean isOver() {
        return over;
    }

    void end() {
        over = true;
    }

    /** Whether the servers rejected the client's credentials: this client gets no other session. */
    boolean isUnauthenticated() {
        return zooKeeper.getState() == ZooKeeper.States.AUTH_FAILED;
    }

    /**
     * Asks to be told of the session's end, once: whoever watches a node hears of that, too, sooner than from Curator, and also if
     * the application closes its client. Asks again if the request before was not answered.
     */
    void watchState(String path, Runnable onEnd) {
        if (watched) {
            return;
        }
        watched = true;
        zooKeeper.exists(
                path,
                event -> {
                    if (event.getType() != EventType.None) {
                        watched = false;
                        watchState(path, onEnd);
                    } else if (ENDED.contains(event.getState())) {
                        onEnd.run();
                    }
                },
                (code, asked, context, stat) -> {
                    watched = LOOKED.contains(Code.get(code));
                    if (!watched && !zooKeeper.getState().isAlive()) {
                        onEnd.run();
                    }
                },
                null);
    }

    boolean isOf(ZooKeeper handle) {
        return zooKeeper == handle && id == handle.getSessionId();
    }

    /** Makes a node; agreed on by a majority. */
    public CompletableFuture<Created> create(String path, byte[] data, List<ACL> acl, CreateMode mode) {
        Request<Created> request = new Request<>(Proof.AGREED);
        zooKeeper.create(
                path,
                data,
                acl,
                mode,
                (code, asked, context, name, stat) ->
                        request.answered(code, asked, context, stat == null ? null : new Created(name, stat)),
                null);
        return request.answer;
    }

    /**
     * Makes a node that stays, and all above it, where they are missing; agreed on by a majority. Fails with the reason why the
     * lowest node that the servers say anything of could not be made: that those below it have no place then is no reason.
     */
    public CompletableFuture<String> createWithAncestors(String path, List<ACL> acl) {
        List<CompletableFuture<String>> steps = NodePaths.withAncestors(path).stream()
                .map(each ->
                        create(each, new byte[0], acl, CreateMode.PERSISTENT).thenApply(Created::path))
                .toList();
        return steps.get(steps.size() - 1).exceptionallyCompose(failure -> {
            Throwable reason = reason(steps, ZooKeeperFailures.unwrapped(failure));
            return reason instanceof NodeExistsException
                    ? CompletableFuture.completedFuture(path)
                    : CompletableFuture.failedFuture(reason);
        });
    }

    /** All steps have ended when the last has: answers come in the order of the requests. */
    private static Throwable reason(List<CompletableFuture<String>> steps, Throwable last) {
        Throwable reason = last;
        for (int i = steps.size() - 1; i >= 0 && reason instanceof NoNodeException; i--) {
            if (!steps.get(i).isCompletedExceptionally()) {
                return reason;
            }
            Throwable above = steps.get(i)
                    .handle((made, failure) -> ZooKeeperFailures.unwrapped(failure))
                    .join();
            if (above instanceof NodeExistsException) {
                return reason;
            }
            reason = above;
        }
        return reason;
    }

    /** Deletes a node; agreed on by a majority. */
    public CompletableFuture<String> delete(String path) {
        Request<String> request = new Request<>(Proof.AGREED);
        zooKeeper.delete(path, -1, (code, asked, context) -> request.answered(code, asked, context, path), null);
        return request.answer;
    }

    /** Changes a node; agreed on by a majority. */
    public CompletableFuture<Stat> write(String path, byte[] data, int version) {
        Request<Stat> request = new Request<>(Proof.AGREED);
        zooKeeper.setData(path, data, version, request::answered, null);
        return request.answer;
    }

    /** Does all of some operations or none; agreed on by a majority. */
    public CompletableFuture<List<OpResult>> multi(List<Op> operations) {
        Request<List<OpResult>> request = new Request<>(Proof.AGREED);
        zooKeeper.multi(
                operations,
                (code, asked, context, results) ->
                        request.answered(code, failed(operations, results), context, results),
                null);
        return request.answer;
    }

    /** The path of the operation for which the others were not done either, or null. */
    private static @Nullable String failed(List<Op> operations, @Nullable List<OpResult> results) {
        for (int i = 0; results != null && i < results.size(); i++) {
            if (results.get(i) instanceof OpResult.ErrorResult error && error.getErr() != Code.OK.intValue()) {
                return operations.get(i).getPath();
            }
        }
        return null;
    }

    /** As {@link #multi}, but a refusal is an answer, too: its results say which operation was refused. */
    public CompletableFuture<List<OpResult>> attempt(List<Op> operations) {
        Request<List<OpResult>> request = new Request<>(Proof.AGREED);
        zooKeeper.multi(
                operations,
                (code, asked, context, results) -> {
                    boolean answered = results != null && !results.isEmpty();
                    request.answered(answered ? Code.OK.intValue() : code, asked, context, results);
                },
                null);
        return request.answer;
    }

    /** Lets the server catch up with the leader before the next request. */
    public CompletableFuture<String> sync(String path) {
        Request<String> request = new Request<>(Proof.REACHED_THE_LEADER);
        zooKeeper.sync(path, (code, asked, context) -> request.answered(code, asked, context, path), null);
        return request.answer;
    }

    public CompletableFuture<Stat> exists(String path) {
        Request<Stat> request = new Request<>(Proof.HEARD);
        zooKeeper.exists(path, false, request::answered, null);
        return request.answer;
    }

    public CompletableFuture<List<String>> children(String path) {
        Request<List<String>> request = new Request<>(Proof.HEARD);
        zooKeeper.getChildren(path, false, request::answered, null);
        return request.answer;
    }

    /** Watches an ephemeral node, if it is there, until it is deleted: it never has children, and its data are not watched. */
    public CompletableFuture<List<String>> watchEnd(String path, Watcher watcher) {
        Request<List<String>> request = new Request<>(Proof.HEARD);
        zooKeeper.getChildren(path, watcher, request::answered, null);
        return request.answer;
    }

    public CompletableFuture<Data> data(String path) {
        Request<Data> request = new Request<>(Proof.HEARD);
        zooKeeper.getData(
                path,
                false,
                (code, asked, context, bytes, stat) ->
                        request.answered(code, asked, context, stat == null ? null : new Data(bytes, stat)),
                null);
        return request.answer;
    }

    /**
     * As {@link #data}, with a watch that hears of the next change of the node and of every event of the connection, and with
     * {@code onAnswer}, which is run before any event that comes after the answer.
     */
    public CompletableFuture<Data> watchedData(String path, Watcher watcher, Consumer<Data> onAnswer) {
        Request<Data> request = new Request<>(Proof.HEARD);
        zooKeeper.getData(
                path,
                watcher,
                (code, asked, context, bytes, stat) -> {
                    Data data = stat == null ? null : new Data(bytes, stat);
                    if (data != null) {
                        onAnswer.accept(data);
                    }
                    request.answered(code, asked, context, data);
                },
                null);
        return request.answer;
    }

    /** A request that was sent when this was made. */
    private final class Request<T> {
        private final CompletableFuture<T> answer = new CompletableFuture<>();
        private final Moment sent = Moment.now(Ticker.system());
        private final Proof proof;

        private Request(Proof proof) {
            this.proof = proof;
        }

        private void answered(int number, @Nullable String path, @Nullable Object context, @Nullable T value) {
            long now = System.nanoTime();
            Code code = Code.get(number);
            if (LOOKED.contains(code)) {
                note(now);
            }
            if (code == Code.OK && value != null) {
                answer.complete(value);
            } else {
                answer.completeExceptionally(KeeperException.create(code == null ? Code.SYSTEMERROR : code, path));
            }
        }

        /** The server that the client is with now may have agreed to less than the one before. */
        private void note(long now) {
            clock.renegotiated(TimeUnit.MILLISECONDS.toNanos(zooKeeper.getSessionTimeout()));
            switch (proof) {
                case HEARD -> clock.heard(sent, now);
                case REACHED_THE_LEADER -> clock.reached(sent, now);
                case AGREED -> clock.confirmed(sent, now);
            }
        }
    }
}
