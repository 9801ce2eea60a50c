// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.SafetyLevel;
import io.mortise.lock.spi.StoreUrl;
import io.mortise.lock.spi.support.DurationText;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Reads the {@code mortise.*} options that every store URL understands. Immutable. */
public final class UrlOptions {
    public static final Set<String> NAMES = Set.of(
            "mortise.lease",
            "mortise.renewal",
            "mortise.maxHold",
            "mortise.maxWait",
            "mortise.label",
            "mortise.localHandOvers",
            "mortise.callTimeout",
            "mortise.require",
            "mortise.safety");

    private final StoreUrl url;

    /** Throws if an option of {@link #lockOptions} is wrong. */
    public UrlOptions(StoreUrl url) {
        this.url = url;
        lockOptions(LockOptions.defaults());
    }

    /** The options of a lock: those of the URL, and those of {@code base} where the URL has none. */
    public LockOptions lockOptions(LockOptions base) {
        LockOptions[] options = {base};
        read("mortise.lease", value -> options[0] = options[0].withLease(DurationText.parse(value)));
        read("mortise.renewal", value -> options[0] = options[0].withRenewal(bool(value)));
        read("mortise.maxHold", value -> options[0] = options[0].withMaxHold(DurationText.parse(value)));
        read("mortise.maxWait", value -> options[0] = options[0].withMaxWait(DurationText.parse(value)));
        read("mortise.label", value -> options[0] = options[0].withLabel(value));
        read("mortise.localHandOvers", value -> options[0] = options[0].withLocalHandOvers(Integer.parseInt(value)));
        return options[0];
    }

    /** Gives the value to {@code use}, if the URL has it; the next two methods do likewise. */
    public void callTimeout(Consumer<Duration> use) {
        read("mortise.callTimeout", value -> use.accept(DurationText.parse(value)));
    }

    public void safetyLevel(Consumer<SafetyLevel> use) {
        read("mortise.safety", value -> use.accept(constant(SafetyLevel.class, value)));
    }

    public void requiredFeatures(Consumer<Feature> use) {
        read("mortise.require", value -> Stream.of(value.split(","))
                .forEach(name -> use.accept(constant(Feature.class, name))));
    }

    /** Whatever is wrong with the value, the exception names the option. */
    private void read(String name, Consumer<String> use) {
        url.option(name).ifPresent(value -> {
            try {
                use.accept(value);
            } catch (IllegalArgumentException wrong) {
                throw new LockConfigurationException(
                        "the option " + name + " of the store URL is wrong: " + wrong.getMessage(), wrong);
            }
        });
    }

    private static boolean bool(String value) {
        if (!value.equals("true") && !value.equals("false")) {
            throw new IllegalArgumentException("'" + value + "' is neither true nor false");
        }
        return value.equals("true");
    }

    private static <T extends Enum<T>> T constant(Class<T> type, String name) {
        try {
            return Enum.valueOf(type, name.trim().toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException unknown) {
            throw new IllegalArgumentException(
                    "'" + name + "' is none of " + Arrays.toString(type.getEnumConstants()), unknown);
        }
    }
}
