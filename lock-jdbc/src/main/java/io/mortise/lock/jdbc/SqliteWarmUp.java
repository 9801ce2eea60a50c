// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.jdbc.connection.CachedConnections;
import io.mortise.lock.jdbc.sql.TableSettings;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.Optional;

/**
 * Loads the driver of SQLite with its native library, and the classes that calls need, by taking a lock in a database in
 * memory. Where hundreds of processes start at once, that takes each of them longer than a store may take to answer, and
 * says nothing of the store.
 */
final class SqliteWarmUp {
    /** It waits for no store: only for the processor, and for the disks of the class path and of the temporary files. */
    private static final Duration LONG = Duration.ofMinutes(10);

    private static boolean done;

    private SqliteWarmUp() {}

    /**
     * Does so once in the life of this class.
     *
     * @throws LockConfigurationException if the driver cannot be used here, with what to do
     */
    static synchronized void once() {
        if (done) {
            return;
        }
        TableSettings settings = TableSettings.DEFAULT.withConnectTimeout(LONG);
        try (JdbcBackend backend = JdbcBackend.connect(
                new CachedConnections(() -> DriverManager.getConnection("jdbc:sqlite::memory:"), settings),
                settings,
                Optional.empty(),
                "")) {
            // One that is refused runs what one that is granted runs, and reads the row of the holder.
            for (String owner : new String[] {"a", "b"}) {
                Claim claim = backend.claim(new ClaimRequest("warm-up", owner, "", LONG, false, 0, 1), () -> {});
                claim.tryAcquire(LONG);
            }
        } catch (BackendException | LinkageError unusable) {
            String folder = System.getProperty("org.sqlite.tmpdir", System.getProperty("java.io.tmpdir"));
            throw new LockConfigurationException(
                    "the driver of SQLite does not work here: " + reason(unusable)
                            + ". It unpacks a native library into "
                            + folder
                            + ", where it must be allowed to make files and to execute them; name another folder by"
                            + " -Dorg.sqlite.tmpdir=FOLDER",
                    unusable);
        } catch (InterruptedException interrupt) {
            // The classes that are not loaded now are loaded by the calls.
            Thread.currentThread().interrupt();
        }
        done = true;
    }

    private static String reason(Throwable failure) {
        Throwable first = failure;
        while (first.getCause() != null) {
            first = first.getCause();
        }
        return String.valueOf(first.getMessage());
    }
}
