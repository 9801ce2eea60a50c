// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.operations;

import io.mortise.lock.redis.connections.Connections;
import io.mortise.lock.redis.connections.RedisFailures;
import io.mortise.lock.redis.pipeline.Pipeline;
import io.mortise.lock.redis.scripts.ScriptCall;
import io.mortise.lock.redis.scripts.ScriptRunner;
import io.mortise.lock.redis.scripts.ScriptRunner.Conversation;
import io.mortise.lock.redis.scripts.ScriptSender;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.support.CallDeadline;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.util.Pool;

/**
 * How tries and releases reach their server: each call over a connection of its own, or, while many threads call at once, over one that
 * they share, which takes both sides far fewer reads and writes. Thread-safe.
 */
public final class ClaimCalls {
    /** From so many calls at once a shared connection is the faster one. */
    public static final int MANY = 16;

    private final Connections connections;
    private final ScriptRunner scripts;
    private final @Nullable Pipeline shared;
    private final int many;
    private final AtomicInteger calling = new AtomicInteger();

    /**
     * Sends nothing yet.
     *
     * @param shared leads to the only server; null if there is none for all keys
     * @param many from so many calls at once it is used
     */
    public ClaimCalls(Connections connections, ScriptRunner scripts, @Nullable Pipeline shared, int many) {
        this.connections = connections;
        this.scripts = scripts;
        this.shared = shared;
        this.many = many;
    }

    /**
     * Talks to the server that has a slot. If a connection brings no answer, another one is tried in the time that is left: so the
     * conversation must do no harm if the server hears it twice, and even if it hears the first one later.
     */
    <T> T talk(int slot, CallDeadline deadline, Conversation<ScriptSender, T> conversation)
            throws InterruptedException {
        int calls = calling.incrementAndGet();
        try {
            SharedSender sender = sharedSender(calls, slot, deadline, 2);
            if (sender == null) {
                return scripts.talk(slot, deadline, conversation);
            }
            try {
                return conversation.with(sender);
            } catch (JedisDataException error) {
                if (!RedisFailures.isReplica(error)) {
                    throw connections.failures().exceptionFor(error);
                }
                // Where a name leads to the master, a new connection may find it.
                return scripts.talk(slot, deadline, conversation);
            } catch (BackendException unanswered) {
                // The idle connections are no better.
                sender.server().clear();
                return again(slot, deadline, conversation, unanswered);
            }
        } finally {
            calling.decrementAndGet();
        }
    }

    private <T> T again(
            int slot, CallDeadline deadline, Conversation<ScriptSender, T> conversation, BackendException unanswered)
            throws InterruptedException {
        if (deadline.hasPassed() || unanswered.kind() == BackendException.Kind.REFUSED) {
            throw unanswered;
        }
        try {
            return scripts.talk(slot, deadline, conversation);
        } catch (BackendException failure) {
            throw connections.failures().afterSilence(failure);
        }
    }

    /** The answer of one script, which is sent once; throws {@link BackendException} if it is not known. */
    Object run(ScriptCall call, int slot, CallDeadline deadline) throws InterruptedException {
        int calls = calling.incrementAndGet();
        try {
            SharedSender sender = sharedSender(calls, slot, deadline, 1);
            return sender == null ? scripts.run(call, deadline) : sender.run(call);
        } catch (JedisDataException error) {
            throw connections.failures().exceptionFor(error);
        } finally {
            calling.decrementAndGet();
        }
    }

    /** What sends over the shared connection within a part of the time, if so many calls are to. */
    private @Nullable SharedSender sharedSender(int calls, int slot, CallDeadline deadline, int parts) {
        if (shared == null || calls < many || !shared.isAlive()) {
            return null;
        }
        Pool<Connection> server = connections.known(slot);
        return server == null ? null : new SharedSender(shared, server, ScriptRunner.part(deadline, parts));
    }
}
