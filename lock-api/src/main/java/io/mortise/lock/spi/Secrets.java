// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What one client must not show: everything in its store URL that {@link StoreUrl#toString()} leaves out, and a password that
 * was given apart. Removes it by value from what drivers say: as it is written and decoded, as a whole and
 * in the parts of four characters and more into which a driver may split it. Immutable.
 */
public final class Secrets {
    private static final int SHORTEST = 4;
    private static final int MOST_PARTS = 40;
    private static final Pattern SEPARATOR = Pattern.compile("[/?&;,:@=()#\\s]");

    /** Words of messages; a driver's option may have them as its value. */
    private static final Set<String> WORDS = Set.of("true", "false");

    private final List<String> hidden;
    private final @Nullable Pattern values;

    Secrets(Collection<String> hidden) {
        this.hidden = List.copyOf(hidden);
        Set<String> found = new TreeSet<>(Comparator.comparing(String::length)
                .reversed()
                .thenComparing(Comparator.naturalOrder())); // the longest first, so that no part hides the whole
        for (String text : hidden) {
            addParts(text, found);
            addParts(decoded(text.replace("+", "%2B")), found);
            addParts(decoded(text), found);
        }
        found.removeIf(value -> WORDS.contains(value.toLowerCase(Locale.ROOT)));
        values = found.isEmpty()
                ? null
                : Pattern.compile(
                        found.stream().map(Pattern::quote).collect(Collectors.joining("|")),
                        Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
    }

    /** Everything that stands between two separators, with those inside or without. */
    private static void addParts(String text, Set<String> found) {
        List<String> parts = new ArrayList<>(List.of(SEPARATOR.split(text, MOST_PARTS)));
        int start = 0;
        for (int first = 0; first < parts.size(); first++) {
            int end = start;
            for (int last = first; last < parts.size(); last++) {
                end += parts.get(last).length() + (last == first ? 0 : 1);
                if (end - start >= SHORTEST) {
                    found.add(text.substring(start, end));
                }
            }
            start += parts.get(first).length() + 1;
        }
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException wrong) {
            return text;
        }
    }

    /**
     * {@return the secrets of a store URL}
     *
     * @param text any text: of one that is no URL, everything is secret
     */
    public static Secrets of(String text) {
        return StoreUrl.secretsOf(text);
    }

    /** These, and others. */
    Secrets with(Secrets others) {
        List<String> all = new ArrayList<>(hidden);
        all.addAll(others.hidden);
        return new Secrets(all);
    }

    /** These, and one more. */
    Secrets with(String secret) {
        List<String> all = new ArrayList<>(hidden);
        all.add(secret);
        return new Secrets(all);
    }

    /** Whether there is nothing to hide. */
    boolean isEmpty() {
        return values == null;
    }

    /**
     * {@return a text with three asterisks for each secret in it}
     *
     * @param text a message that may quote the URL or a part of it
     */
    public String mask(String text) {
        return values == null ? text : values.matcher(text).replaceAll("***");
    }

    /**
     * {@return the failure itself if neither it nor what it carries shows a secret; else a copy that shows none} A copy of our
     * exceptions is of the same class and says the same; one of another class is named after it.
     *
     * @param failure what was thrown
     */
    public Throwable clean(Throwable failure) {
        return values == null ? failure : CleanFailure.of(failure, this::mask);
    }

    /** Nothing: this object holds the secrets. */
    @Override
    public String toString() {
        return "Secrets";
    }
}
