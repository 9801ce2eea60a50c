// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The messages that {@code docs/operating.md} explains are those of the sources. */
class MessagesTest {
    private static final Pattern MESSAGE = Pattern.compile("^\\| `([^`]+)` \\|", Pattern.MULTILINE);

    /** What a variable part of a message may be in the source: an expression. */
    private static final int LONGEST_EXPRESSION = 300;

    @Test
    void documentedMessagesAreInTheSources() {
        List<String> sources = SourceTree.mainSources().stream()
                .map(file -> joined(String.join("\n", SourceTree.lines(file))))
                .toList();
        List<String> messages = MESSAGE.matcher(Document.of(SourceTree.root().resolve("docs/operating.md"))
                        .text())
                .results()
                .map(found -> found.group(1))
                .toList();

        assertThat(messages).hasSizeGreaterThan(50);
        assertThat(messages).allMatch(message -> sources.stream().anyMatch(source -> isIn(source, message)));
    }

    /** A source in which texts that are only broken over several lines are one, and quotes in formats are single. */
    private static String joined(String source) {
        return source.replaceAll("\"\\s*\\+ \"", "").replace("''", "'");
    }

    /** Whether the fixed parts of a message, between its variable parts, follow one another in a source. */
    private static boolean isIn(String source, String message) {
        List<String> parts =
                Stream.of(message.split("…")).filter(part -> !part.isEmpty()).toList();
        String first = parts.get(0);
        for (int start = source.indexOf(first); start >= 0; start = source.indexOf(first, start + 1)) {
            if (follow(source, start, parts)) {
                return true;
            }
        }
        return false;
    }

    private static boolean follow(String source, int start, List<String> parts) {
        int end = start;
        for (String part : parts) {
            int next = source.indexOf(part, end);
            if (next < 0 || next - end > LONGEST_EXPRESSION) {
                return false;
            }
            end = next + part.length();
        }
        return true;
    }

    @Test
    void aMessageThatNobodyWritesIsFound() {
        String source = joined("throw new Gone(\"the store \" + url\n + \" is gone; \"\n + \"find it\");");

        assertThat(isIn(source, "the store … is gone; find it")).isTrue();
        assertThat(isIn(source, "the store … is here")).isFalse();
    }
}
