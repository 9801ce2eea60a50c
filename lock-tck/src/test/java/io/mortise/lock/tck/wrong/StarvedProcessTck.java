// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.wrong;

import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.spi.support.ForwardingBackend;
import io.mortise.lock.tck.FileBackend;
import io.mortise.lock.tck.LockBackendTck;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The suite on a right lock whose first child process stands still before it renews. Run by {@link ChildStallsTest} only. */
class StarvedProcessTck extends LockBackendTck {
    static final Duration LEASE = Duration.ofMillis(500);

    /** For how many seconds it stands still, and the directory of the locks. Empty in children. */
    static volatile String store = "";

    @Override
    public String store() {
        return store;
    }

    @Override
    public LockBackend open(String name) {
        String[] words = name.split(" ", 2);
        Path directory = Path.of(words[1]);
        LockBackend files = new FileBackend(directory, FileBackend.Kind.FENCED);
        return store.isEmpty() && isFirstChild(directory) ? new Starved(files, words[0]) : files;
    }

    @Override
    public Duration lease() {
        return LEASE;
    }

    private static boolean isFirstChild(Path directory) {
        try {
            Path first = directory.resolve("child-1");
            boolean second = Files.exists(first);
            Files.createFile(second ? directory.resolve("child-2") : first);
            return !second;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static final class Starved extends ForwardingBackend {
        private final String seconds;
        private boolean stood;

        private Starved(LockBackend files, String seconds) {
            super(files);
            this.seconds = seconds;
        }

        @Override
        public synchronized List<Answer> renewAll(List<Renewal> renewals, Duration atMost) {
            if (!stood) {
                stood = true;
                standStill();
            }
            return super.renewAll(renewals, atMost);
        }

        /** By somebody else's hand: the suite knows nothing of it. */
        private void standStill() {
            long me = ProcessHandle.current().pid();
            try {
                new ProcessBuilder("sh", "-c", "kill -STOP " + me + "; sleep " + seconds + "; kill -CONT " + me)
                        .start()
                        .onExit()
                        .join();
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }
}
