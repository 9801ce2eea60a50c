// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.StoreUrl;
import io.mortise.lock.tck.LockBackendTck;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** A file that one JVM has for itself. */
class H2FileTckTest extends LockBackendTck implements TableFaults {
    @TempDir
    static Path folder;

    @Override
    protected String store() {
        return "";
    }

    @Override
    protected LockBackend open(String store) {
        return new JdbcBackendProvider().open(StoreUrl.parse(tables()));
    }

    @Override
    public String tables() {
        return "jdbc:h2:file:" + folder.resolve("locks");
    }
}
