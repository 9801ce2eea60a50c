// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.console;

import io.mortise.lock.spi.support.DurationText;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the times of options, such as {@code 500ms}, {@code 30s}, {@code 5m} or {@code 1h30m}. */
public class TimeConverter implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
        try {
            return DurationText.parse(text);
        } catch (IllegalArgumentException wrong) {
            throw new TypeConversionException(String.valueOf(wrong.getMessage()));
        }
    }

    /** For options that make no sense with zero. */
    public static final class Positive extends TimeConverter {
        @Override
        public Duration convert(String text) {
            Duration time = super.convert(text);
            if (time.isZero()) {
                throw new TypeConversionException("'" + text + "' is no time; it must be longer than zero");
            }
            return time;
        }
    }
}
