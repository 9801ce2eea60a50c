// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.conventions;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The files of this repository as they lie in the working tree, without what a build makes. */
final class SourceTree {
    private static final Path ROOT = findRoot();

    private SourceTree() {}

    static Path root() {
        return ROOT;
    }

    /** The directories of all modules, in the order of their names. */
    static List<Path> modules() {
        try (Stream<Path> children = Files.list(ROOT)) {
            return children.filter(child -> Files.exists(child.resolve("pom.xml")))
                    .sorted()
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Every Java file of every module's main sources, descriptors of packages and modules included. */
    static List<Path> mainSources() {
        return files(path -> isJava(path) && ROOT.relativize(path).toString().contains("src/main/java"));
    }

    /** Every Java file of one module's tests. */
    static List<Path> testSources(Path module) {
        return files(path -> isJava(path) && path.startsWith(module.resolve("src/test/java")));
    }

    static List<Path> files(Predicate<Path> wanted) {
        List<Path> found = new ArrayList<>();
        try {
            Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                    String name = String.valueOf(directory.getFileName());
                    boolean ours = directory.equals(ROOT) || !(name.startsWith(".") || name.equals("target"));
                    return ours ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    if (attributes.isRegularFile() && wanted.test(file)) {
                        found.add(file);
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        found.sort(Comparator.naturalOrder());
        return found;
    }

    static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    static String relative(Path file) {
        return ROOT.relativize(file).toString();
    }

    static boolean isJava(Path file) {
        return file.toString().endsWith(".java");
    }

    private static Path findRoot() {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.exists(directory.resolve("lock-bom"))) {
            Path parent = directory.getParent();
            if (parent == null) {
                throw new IllegalStateException(
                        "not inside the source tree: " + Path.of("").toAbsolutePath());
            }
            directory = parent;
        }
        return directory;
    }
}
