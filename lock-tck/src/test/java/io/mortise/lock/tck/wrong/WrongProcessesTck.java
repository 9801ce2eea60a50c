// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.wrong;

import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.FileBackend;
import io.mortise.lock.tck.LockBackendTck;
import io.mortise.lock.tck.fault.Faults;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** The suite on locks that processes share, and that are wrong. Run by {@link WrongProcessesAreCaughtTest} only. */
class WrongProcessesTck extends LockBackendTck implements Faults {
    static volatile String store = "";

    @Override
    public String store() {
        return store;
    }

    /** The store is the kind and the directory: children know nothing else. */
    @Override
    public LockBackend open(String store) {
        String[] words = store.split(" ", 2);
        return new FileBackend(Path.of(words[1]), FileBackend.Kind.valueOf(words[0]));
    }

    @Override
    public Duration lease() {
        return Duration.ofMillis(800);
    }

    @Override
    public Map<String, String> environmentWithClock(Duration ahead) {
        return FileBackend.environmentWithClock(ahead);
    }
}
