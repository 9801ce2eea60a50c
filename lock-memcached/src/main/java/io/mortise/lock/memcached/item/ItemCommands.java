// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached.item;

import io.mortise.lock.LockHolder;
import io.mortise.lock.memcached.connection.Command;
import io.mortise.lock.memcached.connection.Command.Reply;
import io.mortise.lock.memcached.connection.DriverClient;
import io.mortise.lock.memcached.connection.LiveConnection;
import io.mortise.lock.memcached.connection.ServerConnection;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.support.CallDeadline;
import java.time.Duration;
import java.util.Optional;

/**
 * The commands on one lock's item, such as get, add and delete. Every command that changes an item compares the version
 * that was read on the same connection; only {@link #add} needs none. Immutable.
 */
public final class ItemCommands {
    private final ServerConnection server;
    private final Keys keys;
    private final String lock;
    private final String key;

    /** The item of a lock, on the server that has it. */
    public ItemCommands(DriverClient client, Keys keys, String lock) {
        this.keys = keys;
        this.lock = lock;
        this.key = keys.lock(lock);
        this.server = client.serverOf(key);
    }

    ServerConnection server() {
        return server;
    }

    Command get(LiveConnection connection) {
        return Command.get(connection, key);
    }

    /** Reads the item; empty if there is none. */
    Optional<VersionedItem> read(CallDeadline deadline) throws InterruptedException {
        LiveConnection connection = server.awaitLive(deadline);
        return parse(connection, server.ask(get(connection), deadline));
    }

    Optional<VersionedItem> parse(LiveConnection connection, Reply reply) {
        return switch (reply.status()) {
            case Reply.NOT_FOUND -> Optional.empty();
            case Reply.OK -> {
                if (reply.cas() == 0) {
                    throw server.failures().withoutVersions();
                }
                yield Optional.of(new VersionedItem(LockItem.parse(key, reply.body()), reply.cas(), connection));
            }
            default -> throw server.failures().unusable(reply);
        };
    }

    /** Stores an item for a claim if there is none; false if there is one. */
    boolean add(ClaimRequest request, CallDeadline deadline) throws InterruptedException {
        LiveConnection connection = server.awaitLive(deadline);
        server.ensureRemembers(connection);
        connection.awaitAwake(deadline);
        byte[] value = LockItem.of(request, connection.clock()).encoded();
        return isDone(Command.add(connection, key, value, LockItem.expiration(request.lease())), deadline);
    }

    /** Gives the item a new lease, which begins now. */
    Command extend(VersionedItem found, Duration lease, CallDeadline deadline) throws InterruptedException {
        LiveConnection connection = found.connection();
        connection.awaitAwake(deadline);
        byte[] value = found.item().renewed(lease, connection.clock()).encoded();
        return Command.replace(connection, key, value, found.cas(), LockItem.expiration(lease));
    }

    /** Removes the item. */
    Command delete(VersionedItem found) {
        return Command.delete(found.connection(), key, found.cas());
    }

    /** Sends a change; false if the item is not as it was read, and must be read again. */
    boolean isDone(Command change, CallDeadline deadline) throws InterruptedException {
        return isDone(server.ask(change, deadline));
    }

    boolean isDone(Reply reply) {
        return switch (reply.status()) {
            case Reply.OK -> true;
            case Reply.EXISTS, Reply.NOT_FOUND, Reply.NOT_STORED -> false;
            default -> throw server.failures().unusable(reply);
        };
    }

    /** Chooses how to change an item that was read. */
    interface Change {
        /** The command, or empty to leave the item as it is. */
        Optional<Command> of(Optional<VersionedItem> found) throws InterruptedException;
    }

    /**
     * Reads the item and changes it, and does so again while others change it in between.
     *
     * @return false if it was left as it is
     */
    boolean change(Change choice, CallDeadline deadline) throws InterruptedException {
        while (true) {
            Optional<Command> change = choice.of(read(deadline));
            if (change.isEmpty()) {
                return false;
            }
            if (isDone(change.get(), deadline)) {
                return true;
            }
        }
    }

    /** The holder, as {@link io.mortise.lock.spi.LockBackend#inspect} returns it. */
    public Optional<LockHolder> inspect(CallDeadline deadline) throws InterruptedException {
        return read(deadline)
                .map(found -> found.item().holder(lock, found.connection().clock()));
    }

    /** Revokes the lock, as {@link io.mortise.lock.spi.LockBackend#revoke} describes it. */
    public boolean revoke(String reason, boolean now, CallDeadline deadline) throws InterruptedException {
        return change(
                found -> {
                    if (found.isEmpty()) {
                        return Optional.empty();
                    }
                    return Optional.of(
                            now ? takeAway(found.get(), reason, deadline) : markRevoked(found.get(), reason));
                },
                deadline);
    }

    /** Adds the reason to the item, and leaves its expiry as it is. */
    private Command markRevoked(VersionedItem found, String reason) {
        return Command.append(found.connection(), key, LockItem.revocation(reason), found.cas());
    }

    /** Leaves the reason before it removes the item: as soon as the item is gone, the holder asks for the reason. */
    private Command takeAway(VersionedItem found, String reason, CallDeadline deadline) throws InterruptedException {
        LockItem item = found.item();
        String reasonKey = keys.revocation(item.owner());
        int expiration = LockItem.expiration(item.lease());
        server.ask(Command.set(found.connection(), reasonKey, LockItem.reason(reason), expiration), deadline);
        return delete(found);
    }

    /**
     * The reason that an immediate revocation left for an owner; empty if there is none, or the server does not answer.
     *
     * @throws BackendException if there are foreign data in its place
     */
    Optional<String> revocationOf(String owner, CallDeadline deadline) throws InterruptedException {
        String reasonKey = keys.revocation(owner);
        Reply reply;
        try {
            reply = server.ask(Command.get(server.awaitLive(deadline), reasonKey), deadline);
        } catch (BackendException noAnswer) {
            return Optional.empty();
        }
        return reply.status() == Reply.OK
                ? Optional.of(LockItem.parseReason(reasonKey, reply.body()))
                : Optional.empty();
    }
}
