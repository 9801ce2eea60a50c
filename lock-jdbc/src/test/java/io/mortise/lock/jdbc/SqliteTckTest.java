// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;

class SqliteTckTest extends JdbcTck {
    @TempDir
    static Path folder;

    /** Has the file to itself while the store is frozen. */
    private static @Nullable Rows alone;

    @Override
    public String store() {
        return "jdbc:sqlite:" + folder.resolve("locks.db");
    }

    @Override
    public void pauseStore() {
        alone = new Rows(store());
        alone.execute("begin immediate");
    }

    @Override
    public void resumeStore() {
        if (alone != null) {
            alone.execute("rollback");
            alone.close();
            alone = null;
        }
    }
}
