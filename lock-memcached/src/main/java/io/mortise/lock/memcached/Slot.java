// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.ClaimRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/**
 * Where the item of one lock is. Everything that changes an item compares the version that was read on the same connection;
 * only {@link #add} needs none. Stateless.
 *
 * @param server the server of the key
 * @param key its key
 */
record Slot(Server server, String key) {

    Command read(Contact contact) {
        return Command.get(contact, key);
    }

    /** The item, or empty if there is none. */
    Optional<Stored> read(Call call) {
        Contact contact = server.contact(call);
        return stored(contact, server.ask(read(contact), call));
    }

    Optional<Stored> stored(Contact contact, Reply reply) {
        return switch (reply.status()) {
            case Reply.NOT_FOUND -> Optional.empty();
            case Reply.OK -> {
                if (reply.cas() == 0) {
                    throw new BackendException(
                            "memcached at " + server.name() + " runs without compare-and-swap (-C); locks need it",
                            null);
                }
                yield Optional.of(new Stored(Holding.parse(key, reply.body()), reply.cas(), contact));
            }
            default -> throw reply.refusal(server.name());
        };
    }

    /** Stores an item for a claim if there is none; false if there is one. */
    boolean add(ClaimRequest request, Call call) {
        Contact contact = server.contact(call);
        contact.awaitAwake(call);
        byte[] value = Holding.of(request, contact.clock()).encoded();
        Reply reply = server.ask(Command.add(contact, key, value, Holding.expiration(request.lease())), call);
        return switch (reply.status()) {
            case Reply.OK -> true;
            case Reply.EXISTS, Reply.NOT_STORED -> false;
            default -> throw reply.refusal(server.name());
        };
    }

    /** Gives an item the claim's full lease again. */
    Command extend(Stored stored, ClaimRequest request, Call call) {
        Contact contact = stored.contact();
        contact.awaitAwake(call);
        byte[] value = stored.holding().renewed(request, contact.clock()).encoded();
        return Command.replace(contact, key, value, stored.cas(), Holding.expiration(request.lease()));
    }

    /** Removes an item. */
    Command delete(Stored stored) {
        return Command.delete(stored.contact(), key, stored.cas());
    }

    /** Adds the reason of a revocation to an item, whose time stays as it is. */
    Command revoke(Stored stored, String reason) {
        return Command.append(stored.contact(), key, Holding.revocation(reason), stored.cas());
    }

    /** Whether a change was made; if not, the item was changed since it was read, and is to be read again. */
    boolean isDone(Command change, Call call) {
        return isDone(server.ask(change, call));
    }

    boolean isDone(Reply reply) {
        return switch (reply.status()) {
            case Reply.OK -> true;
            case Reply.EXISTS, Reply.NOT_FOUND, Reply.NOT_STORED -> false;
            default -> throw reply.refusal(server.name());
        };
    }

    /** Leaves a word beside the locks, for as long as a lease lasts. */
    void leaveNote(Contact contact, String text, Duration lease, Call call) {
        byte[] value = VisibleText.encode(text).getBytes(StandardCharsets.US_ASCII);
        server.ask(Command.set(contact, key, value, Holding.expiration(lease)), call);
    }

    /** The word that was left, if there is one and the server tells it. */
    Optional<String> note(Call call) {
        try {
            Reply reply = server.ask(read(server.contact(call)), call);
            return reply.status() == Reply.OK
                    ? Optional.of(VisibleText.decode(new String(reply.body(), StandardCharsets.US_ASCII)))
                    : Optional.empty();
        } catch (BackendException unanswered) {
            return Optional.empty();
        }
    }
}
