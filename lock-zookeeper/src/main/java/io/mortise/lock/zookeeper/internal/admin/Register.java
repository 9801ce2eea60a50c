// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.admin;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.RegisterEntry;
import io.mortise.lock.zookeeper.internal.node.NodePaths;
import io.mortise.lock.zookeeper.internal.session.CuratorSessions;
import io.mortise.lock.zookeeper.internal.session.Session;
import io.mortise.lock.zookeeper.internal.session.SessionCall;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.BadVersionException;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.KeeperException.NodeExistsException;
import org.apache.zookeeper.Op;
import org.jspecify.annotations.Nullable;

/** Reads and writes the entries of the register, each a node with the version, a blank and the text. Thread-safe. */
public final class Register {
    private static final char BLANK = ' ';

    /** An entry, and how often its node was written. */
    private record Node(RegisterEntry entry, int writes) {}

    private final NodePaths paths;
    private final CuratorSessions sessions;

    public Register(NodePaths paths, CuratorSessions sessions) {
        this.paths = paths;
        this.sessions = sessions;
    }

    public Optional<RegisterEntry> read(String name, Duration atMost) {
        String path = paths.registered(name);
        return sessions.callUninterruptibly(
                atMost, call -> Optional.ofNullable(read(path, call)).map(Node::entry));
    }

    /**
     * A transaction that changes nothing goes first: it needs a majority, as a read and {@code sync} do not, so that a server or a leader
     * that was cut off does not answer with what was once so.
     */
    private static @Nullable Node read(String path, SessionCall call) throws KeeperException, InterruptedException {
        Session session = call.session();
        CompletableFuture<?> agreed = session.multi(List.of(Op.check(path, -1)));
        CompletableFuture<Session.Data> answer = session.data(path);
        try {
            call.await(agreed);
            Session.Data data = call.await(answer);
            return new Node(entry(path, data.bytes()), data.stat().getVersion());
        } catch (NoNodeException missing) {
            return null;
        }
    }

    private static RegisterEntry entry(String path, byte[] bytes) {
        String text = new String(bytes, StandardCharsets.US_ASCII);
        int blank = text.indexOf(BLANK);
        try {
            return new RegisterEntry(text.substring(0, Math.max(0, blank)), text.substring(blank + 1));
        } catch (IllegalArgumentException foreign) {
            throw BackendException.refused(
                    "the node " + path + " is no entry of the register; look at it, then delete it", foreign);
        }
    }

    /** A request that is repeated after a broken connection finds what the first one has written. */
    public boolean write(String name, Optional<String> expected, RegisterEntry entry, Duration atMost) {
        String path = paths.registered(name);
        byte[] bytes = (entry.version() + BLANK + entry.text()).getBytes(StandardCharsets.US_ASCII);
        return sessions.callUninterruptibly(atMost, call -> {
            while (true) {
                Node found = read(path, call);
                if (found != null && found.entry.equals(entry)) {
                    return true;
                }
                if (!Optional.ofNullable(found)
                        .map(node -> node.entry.version())
                        .equals(expected)) {
                    return false;
                }
                try {
                    if (found == null) {
                        call.await(call.session().createWithAncestors(paths.register(), paths.acl()));
                        call.await(call.session().create(path, bytes, paths.acl(), CreateMode.PERSISTENT));
                    } else {
                        call.await(call.session().write(path, bytes, found.writes));
                    }
                    return true;
                } catch (BadVersionException | NodeExistsException another) {
                    // Somebody was there in between: the next look tells whether it was this call.
                } catch (NoNodeException deleted) {
                    if (found == null) {
                        throw deleted;
                    }
                }
            }
        });
    }
}
