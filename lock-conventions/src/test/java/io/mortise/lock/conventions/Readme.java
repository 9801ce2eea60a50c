// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.conventions;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What a new user copies from the documents. */
final class Readme {
    private static final Pattern CELLS = Pattern.compile("\\| `([^`]+)`.*? \\| (.*?) \\|.*");
    private static final Pattern COORDINATES = Pattern.compile("`([\\w.-]+:[\\w.:-]+)`");

    private Readme() {}

    /** The first example in Java. */
    static String example() {
        return block("README.md", "java");
    }

    /** The dependencies of the first example, as a pom writes them. */
    static String dependencies() {
        return block("README.md", "xml");
    }

    /** The import of the list of versions, as a pom writes it. */
    static String listOfVersions() {
        return block("docs/building.md", "xml");
    }

    /** The rows of the table of stores. */
    static Stream<Store> stores() {
        return SourceTree.lines(SourceTree.root().resolve("README.md")).stream()
                .map(CELLS::matcher)
                .filter(Matcher::matches)
                .map(Matcher::toMatchResult)
                .filter(row -> row.group(2).startsWith("`io.mortise:"))
                .map(row -> new Store(
                        row.group(1),
                        COORDINATES
                                .matcher(row.group(2))
                                .results()
                                .map(found -> Coordinates.parse(found.group(1)))
                                .toList()));
    }

    private static String block(String document, String language) {
        Path file = SourceTree.root().resolve(document);
        String text = String.join("\n", SourceTree.lines(file));
        return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
                .matcher(text)
                .results()
                .findFirst()
                .map((MatchResult found) -> found.group(1))
                .orElseThrow(() -> new AssertionError("no example in " + document));
    }

    /**
     * A store, and what to add to a project for it.
     *
     * @param url the form of its URLs
     * @param dependencies the artifacts
     */
    record Store(String url, List<Coordinates> dependencies) {
        /** The beginning of its URLs, such as {@code redis:} or {@code jdbc:h2:}. */
        String scheme() {
            return url.replaceFirst("^(jdbc:\\w+:|\\w+:).*", "$1");
        }

        /** A name for a directory. */
        String directory() {
            return scheme().replaceAll("\\W+", "-") + "project";
        }

        @Override
        public String toString() {
            return scheme();
        }
    }
}
