// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.conventions;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A Markdown file of this repository: its links, the anchors of its headings, and its fenced blocks.
 *
 * @param file where it is
 * @param text all of it
 */
record Document(Path file, String text) {
    private static final Pattern BLOCK =
            Pattern.compile("^ *```([^`\n]*)\n(.*?)^ *```$", Pattern.DOTALL | Pattern.MULTILINE);

    private static final Pattern HEADING = Pattern.compile("^#{1,6} +(.+?) *$", Pattern.MULTILINE);

    private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:|mailto:)([^)\\s]+)\\)");

    private static final Pattern LINK_TEXT = Pattern.compile("\\[([^\\]]*)\\]\\([^)]*\\)");

    /**
     * A fenced block.
     *
     * @param language what stands behind its first fence
     * @param text what stands between its fences
     */
    record Block(String language, String text) {}

    static Document of(Path file) {
        return new Document(file, String.join("\n", SourceTree.lines(file)) + "\n");
    }

    /** Every Markdown file. */
    static List<Document> all() {
        return SourceTree.files(file -> file.toString().endsWith(".md")).stream()
                .map(Document::of)
                .toList();
    }

    String name() {
        return SourceTree.relative(file);
    }

    /** A page that people read, as opposed to a record of a decision. */
    boolean isPage() {
        return name().startsWith("docs/") && !name().startsWith("docs/adr/");
    }

    List<Block> blocks() {
        return BLOCK.matcher(text)
                .results()
                .map(found -> new Block(found.group(1).strip(), found.group(2)))
                .toList();
    }

    /** The texts of all blocks in a language. */
    Stream<String> blocks(String language) {
        return blocks().stream()
                .filter(block -> block.language().equals(language))
                .map(Block::text);
    }

    /** Where links lead that stay within the repository, as they are written. */
    List<String> links() {
        return LINK.matcher(prose()).results().map(found -> found.group(1)).toList();
    }

    /** The anchors that GitHub makes of the headings. */
    Set<String> anchors() {
        Map<String, Integer> seen = new HashMap<>();
        Set<String> anchors = new HashSet<>();
        for (MatchResult heading : HEADING.matcher(prose()).results().toList()) {
            String anchor = LINK_TEXT
                    .matcher(heading.group(1))
                    .replaceAll("$1")
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N} _-]", "")
                    .replace(' ', '-');
            int before = seen.merge(anchor, 1, Integer::sum) - 1;
            anchors.add(before == 0 ? anchor : anchor + "-" + before);
        }
        return anchors;
    }

    private String prose() {
        return BLOCK.matcher(text).replaceAll("");
    }
}
