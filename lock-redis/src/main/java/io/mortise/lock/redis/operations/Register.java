// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.operations;

import io.mortise.lock.redis.connections.RedisReply;
import io.mortise.lock.redis.scripts.Script;
import io.mortise.lock.redis.scripts.ScriptCall;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.RegisterEntry;
import io.mortise.lock.spi.support.CallDeadline;
import java.util.List;
import java.util.Optional;
import redis.clients.jedis.util.JedisClusterCRC16;

/** Reads and writes the entries of the register: keys without an end. Thread-safe. */
public final class Register {
    private static final char BLANK = ' ';

    private final OperationContext context;

    public Register(OperationContext context) {
        this.context = context;
    }

    public Optional<RegisterEntry> read(String name, CallDeadline deadline) throws InterruptedException {
        return run(ScriptCall.of(Script.REGISTER, List.of(key(name))), deadline)
                .map(found -> entry(key(name), RedisReply.text(found)));
    }

    private static RegisterEntry entry(String key, String value) {
        int blank = value.indexOf(BLANK);
        try {
            return new RegisterEntry(value.substring(0, Math.max(0, blank)), value.substring(blank + 1));
        } catch (IllegalArgumentException foreign) {
            throw BackendException.refused(
                    "the key " + key + " holds what is no entry of the register; look at it, then delete it", foreign);
        }
    }

    public boolean write(String name, Optional<String> expected, RegisterEntry entry, CallDeadline deadline)
            throws InterruptedException {
        ScriptCall call = ScriptCall.of(
                Script.REGISTER, List.of(key(name)), expected.orElse(""), entry.version() + BLANK + entry.text());
        return run(call, deadline).equals(Optional.of(1L));
    }

    /** Both can be heard twice. */
    private Optional<Object> run(ScriptCall call, CallDeadline deadline) throws InterruptedException {
        int slot = JedisClusterCRC16.getSlot(call.keys().get(0));
        return context.scripts().talk(slot, deadline, pipeline -> Optional.ofNullable(pipeline.run(call)));
    }

    private String key(String name) {
        return context.prefix() + "register:" + RegisterEntry.checkName(name);
    }
}
