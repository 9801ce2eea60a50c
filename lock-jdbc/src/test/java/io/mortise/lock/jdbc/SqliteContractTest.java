// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteContractTest extends JdbcContract {
    @TempDir
    Path folder;

    @Override
    String url() {
        return "jdbc:sqlite:" + folder.resolve("locks.db");
    }
}
