// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached;

import io.mortise.lock.spi.BackendException;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import net.spy.memcached.MemcachedConnection;
import net.spy.memcached.MemcachedNode;
import net.spy.memcached.ops.Operation;
import net.spy.memcached.ops.OperationState;
import org.jspecify.annotations.Nullable;

/**
 * One memcached server, as a place to send commands to: only while there is a connection on which it has answered, and never to
 * another server instead. Thread-safe.
 */
final class Server {
    private final MemcachedConnection connection;
    private final MemcachedNode node;
    private final Link link;

    Server(MemcachedConnection connection, MemcachedNode node, Link link) {
        this.connection = connection;
        this.node = node;
        this.link = link;
    }

    /** As the client was told it, such as {@code localhost:11211}. */
    String name() {
        return link.server();
    }

    /** The connection, or null if there is none at the moment on which the server has answered. */
    @Nullable
    Contact contactNow() {
        return link.contactNow();
    }

    /** Waits for a connection. */
    Contact contact(Call call) {
        return link.contact(call);
    }

    /** Sends a command; {@link #await} its answer. */
    Command send(Command command) {
        command.setHandlingNode(node);
        // The driver would refuse an interrupted thread.
        boolean interrupted = Thread.interrupted();
        try {
            connection.addOperations(Map.of(node, command));
        } catch (IllegalStateException full) {
            command.giveUp();
            throw new BackendException("the queue of commands to memcached at " + name() + " is full", full);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        return command;
    }

    /** Waits for the answer of a command while the call lasts. One that is given up before it is sent never will be. */
    Reply await(Command command, Call call) {
        try {
            return call.await(command.reply());
        } catch (TimeoutException late) {
            boolean mayChangeSomething = command.giveUp() && command.changesItems();
            throw new BackendException(link.unanswered(call), null, mayChangeSomething ? command.reply() : null);
        } catch (Call.Interrupted now) {
            command.giveUp();
            throw now;
        }
    }

    Reply ask(Command command, Call call) {
        return await(send(command), call);
    }

    boolean isAt(Object address) {
        return node.getSocketAddress().equals(address);
    }

    void connected(boolean mayGreet) {
        link.connected(mayGreet);
    }

    /** Called by the driver's thread, before it connects again. */
    void disconnected() {
        link.disconnected();
        // A command of which a part was sent would be sent again on the next connection, by now perhaps given up.
        Operation current = node.getCurrentWriteOp();
        if (current instanceof Command && current.getState() == OperationState.WRITING) {
            node.removeCurrentWriteOp();
            current.cancel();
        }
    }

    void close() {
        link.close();
    }

    /** Ends all commands that are still under way, when the driver's thread has ended. */
    void abandon() {
        while (node.hasReadOp()) {
            node.removeCurrentReadOp().cancel();
        }
        while (node.hasWriteOp()) {
            node.removeCurrentWriteOp().cancel();
        }
        node.destroyInputQueue().forEach(Operation::cancel);
    }
}
