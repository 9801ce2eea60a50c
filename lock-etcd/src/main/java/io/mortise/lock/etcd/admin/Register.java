// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.etcd.admin;

import io.mortise.lock.etcd.gateway.Gateway;
import io.mortise.lock.etcd.gateway.KeyValue;
import io.mortise.lock.etcd.gateway.Transaction;
import io.mortise.lock.etcd.gateway.Transaction.Operation;
import io.mortise.lock.etcd.gateway.Transaction.Outcome;
import io.mortise.lock.etcd.queue.LockKeys;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.RegisterEntry;
import io.mortise.lock.spi.support.CallDeadline;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Keeps the register, an entry in a key: its version, a blank, and its text. Immutable. */
public record Register(Gateway gateway, LockKeys keys) {
    /** An entry as it was written last. */
    public Optional<RegisterEntry> read(String name, Duration atMost) {
        String key = keys.register(RegisterEntry.checkName(name));
        return CallDeadline.uninterruptibly(Gateway.STORE, atMost, deadline -> written(key, deadline))
                .map(KeyValue::value)
                .map(Register::entry);
    }

    private Optional<KeyValue> written(String key, CallDeadline deadline) throws InterruptedException {
        List<KeyValue> found =
                gateway.read(deadline, Operation.get(key)).replies().get(0).found();
        return found.stream().findFirst();
    }

    private static RegisterEntry entry(String value) {
        String[] parts = value.split(" ", 2);
        try {
            return new RegisterEntry(parts[0], parts[1]);
        } catch (IndexOutOfBoundsException | IllegalArgumentException foreign) {
            throw BackendException.refused(
                    "somebody else has written into the register in etcd; delete that key, or choose another prefix",
                    foreign);
        }
    }

    /** Writes an entry in place of the one that the caller knows. */
    public boolean write(String name, Optional<String> expected, RegisterEntry entry, Duration atMost) {
        String key = keys.register(RegisterEntry.checkName(name));
        Operation put = Operation.put(key, entry.version() + " " + entry.text(), 0);
        return CallDeadline.uninterruptibly(Gateway.STORE, atMost, deadline -> {
            Optional<KeyValue> before = written(key, deadline);
            if (!before.map(KeyValue::value)
                    .map(Register::entry)
                    .map(RegisterEntry::version)
                    .equals(expected)) {
                return false;
            }
            Transaction write = before.map(known -> new Transaction().ifValue(key, known.value()))
                    .orElseGet(() -> new Transaction().ifModifiedIn(key, 0));
            Optional<Outcome> answer = gateway.commit(write.then(put), deadline);
            return answer.isPresent() && answer.get().succeeded();
        });
    }
}
