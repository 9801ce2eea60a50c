// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.process;

import java.io.File;
import java.nio.file.Path;
import java.util.List;

/**
 * The class path of a JVM that a test starts.
 *
 * @param entries jars and folders
 */
public record JvmClassPath(List<String> entries) {
    /**
     * The class path of this JVM.
     *
     * @return the same entries in the same order
     */
    public static JvmClassPath own() {
        return new JvmClassPath(List.of(System.getProperty("java.class.path").split(File.pathSeparator)));
    }

    /**
     * One with another version of a jar.
     *
     * @param jar the other version, named as in a repository: {@code ARTIFACT-VERSION.jar}
     * @return as this one besides
     * @throws IllegalArgumentException if no version of this artifact is here
     */
    public JvmClassPath replacing(Path jar) {
        String artifact = artifact(jar.toString());
        List<String> replaced = entries.stream()
                .map(entry -> artifact(entry).equals(artifact) ? jar.toString() : entry)
                .toList();
        if (replaced.equals(entries)) {
            throw new IllegalArgumentException("no other version of " + jar + " is on the class path " + entries);
        }
        return new JvmClassPath(replaced);
    }

    /**
     * One that lacks a jar.
     *
     * @param artifact such as {@code slf4j-nop}
     * @return as this one besides
     * @throws IllegalArgumentException if it lacks it already
     */
    public JvmClassPath without(String artifact) {
        List<String> rest = entries.stream()
                .filter(entry -> !artifact(entry).equals(artifact))
                .toList();
        if (rest.size() == entries.size()) {
            throw new IllegalArgumentException("no " + artifact + " is on the class path " + entries);
        }
        return new JvmClassPath(rest);
    }

    private static String artifact(String entry) {
        return Path.of(entry).getFileName().toString().replaceFirst("-\\d[^/]*\\.jar$", "");
    }

    /** As the option {@code -cp} wants it. */
    @Override
    public String toString() {
        return String.join(File.pathSeparator, entries);
    }
}
