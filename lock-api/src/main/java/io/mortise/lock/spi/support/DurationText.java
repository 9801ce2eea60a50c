// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi.support;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses durations as people write them in URLs and on command lines: {@code 250ms}, {@code 30s}, {@code 5m},
 * {@code 1h30m}, {@code PT30S}.
 */
public final class DurationText {
    private static final Pattern PARTS = Pattern.compile("(\\d{1,18})(ms|s|m|h|d)", Pattern.CASE_INSENSITIVE);

    private DurationText() {}

    /**
     * Reads a duration.
     *
     * @param text numbers with units {@code ms}, {@code s}, {@code m}, {@code h} or {@code d}, or ISO-8601; upper or
     *     lower case
     * @return the duration, zero or more
     * @throws IllegalArgumentException if the text is not a duration or is negative
     */
    public static Duration parse(String text) {
        Duration total = Duration.ZERO;
        Matcher matcher = PARTS.matcher(text);
        int end = 0;
        try {
            while (end < text.length() && matcher.find() && matcher.start() == end) {
                total = total.plus(part(Long.parseLong(matcher.group(1)), matcher.group(2)));
                end = matcher.end();
            }
            if (end == 0 || end < text.length()) {
                total = Duration.parse(text);
            }
        } catch (DateTimeException | ArithmeticException notADuration) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a duration; write for example 500ms, 30s, 5m or 1h30m", notADuration);
        }
        if (total.isNegative()) {
            throw new IllegalArgumentException("'" + text + "' is negative");
        }
        return total;
    }

    private static Duration part(long amount, String unit) {
        return switch (unit.toLowerCase(Locale.ROOT)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofDays(amount);
        };
    }
}
