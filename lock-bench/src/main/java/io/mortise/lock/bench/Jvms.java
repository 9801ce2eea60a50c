// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The JVMs that measure what depends on them: the system property names their executables, with a colon between them. */
final class Jvms {
    private static final String PROPERTY = "mortise.bench.jvms";

    private Jvms() {}

    /** The one that runs this, unless others are named. */
    static List<String> all() {
        return List.of(System.getProperty(PROPERTY, own()).split(":"));
    }

    static String own() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** Before anything is measured: they are needed last. */
    static void check() {
        for (String jvm : all()) {
            Path file = Path.of(jvm);
            if (!Files.isRegularFile(file) || !Files.isExecutable(file)) {
                throw new IllegalArgumentException(
                        PROPERTY + " must name programs, such as /usr/bin/java, and not " + jvm);
            }
        }
    }
}
