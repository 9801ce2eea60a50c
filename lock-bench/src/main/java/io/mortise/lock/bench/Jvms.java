// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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

    /**
     * A process with the class path of this one, before it is started.
     *
     * @param megabytes of heap at most
     */
    static ProcessBuilder program(String jvm, int megabytes, Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(
                List.of(jvm, "-Xmx" + megabytes + "m", "-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command);
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
