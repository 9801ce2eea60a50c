// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck;

import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.fault.Faults;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The suite passes on a right lock that processes share, and kills, freezes and restarts processes for it. */
class ProcessKitTest extends LockBackendTck implements Faults {
    @TempDir
    static Path directory;

    private static String store = "";

    @BeforeAll
    static void nameTheStore() {
        store = directory.toString();
    }

    @Override
    public String store() {
        return store;
    }

    @Override
    public LockBackend open(String store) {
        return new FileBackend(Path.of(store), FileBackend.Kind.FENCED);
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
