// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.conventions;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The class path of this test: all modules and what they need, as an application would have it, and test libraries. */
final class ClassPath {
    private static final List<String> TEST_LIBRARIES = List.of(
            "apiguardian",
            "archunit",
            "asm",
            "assertj",
            "awaitility",
            "byte-buddy",
            "hamcrest",
            "jakarta",
            "jboss",
            "jdeparser",
            "junit",
            "lock-tck",
            "lock-testing",
            "opentest4j",
            "org.apache.aries",
            "org.apache.felix",
            "weld");

    /** What works on a class path only: the jars of ZooKeeper share packages. */
    private static final List<String> CLASS_PATH_ONLY = List.of("curator", "lock-zookeeper", "zookeeper");

    private ClassPath() {}

    static Stream<Path> entries() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(entry -> entry.toString().endsWith(".jar"));
    }

    /** What an application has: neither the libraries of tests nor JSpecify, whose annotations nobody needs at run time. */
    static String ofApplication() {
        return joined(application());
    }

    /** What an application with a module path has. */
    static String ofModularApplication() {
        return joined(application().filter(entry -> !isClassPathOnly(entry)));
    }

    private static Stream<Path> application() {
        return entries().filter(entry -> !isTestLibrary(entry)).filter(entry -> !isNamed(entry, "jspecify"));
    }

    /** What its compiler has. */
    static String ofCompiler() {
        return joined(entries().filter(entry -> !isTestLibrary(entry)).filter(entry -> !isClassPathOnly(entry)));
    }

    /** The jar of an artifact. */
    static Path jar(String artifact) {
        return entries()
                .filter(entry -> artifact(entry).equals(artifact))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no jar of " + artifact));
    }

    /** The artifact whose jar this is: its name without the version. */
    static String artifact(Path jar) {
        return String.valueOf(jar.getFileName()).replaceFirst("-\\d.*", "");
    }

    static boolean isOurs(Path entry) {
        return entry.startsWith(SourceTree.root());
    }

    private static boolean isTestLibrary(Path entry) {
        return TEST_LIBRARIES.stream().anyMatch(library -> isNamed(entry, library));
    }

    private static boolean isClassPathOnly(Path entry) {
        return CLASS_PATH_ONLY.stream().anyMatch(library -> isNamed(entry, library));
    }

    private static boolean isNamed(Path entry, String library) {
        return String.valueOf(entry.getFileName()).startsWith(library);
    }

    private static String joined(Stream<Path> entries) {
        return entries.map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }
}
