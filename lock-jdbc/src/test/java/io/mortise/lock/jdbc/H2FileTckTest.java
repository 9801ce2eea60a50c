// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import io.mortise.lock.tck.Variant;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** A file that one JVM has for itself. */
@Variant(of = H2ServerTckTest.class)
class H2FileTckTest extends JdbcTck {
    @TempDir
    static Path folder;

    @Override
    public String store() {
        return "";
    }

    @Override
    public String tables() {
        return "jdbc:h2:file:" + folder.resolve("locks");
    }
}
