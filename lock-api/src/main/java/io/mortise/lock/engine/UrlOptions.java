// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.SafetyLevel;
import io.mortise.lock.spi.support.DurationText;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the {@code mortise.*} options that every store URL understands. Immutable. */
public final class UrlOptions {
    public static final Set<String> NAMES = Set.of(
            "mortise.lease",
            "mortise.renewal",
            "mortise.minHold",
            "mortise.maxHold",
            "mortise.maxWait",
            "mortise.lockDelay",
            "mortise.goOnWithoutAnswer",
            "mortise.label",
            "mortise.localHandOvers",
            "mortise.callTimeout",
            "mortise.require",
            "mortise.safety");

    /** The URL of a client that has none. */
    public static final UrlOptions NONE = new UrlOptions(Map.of());

    private final Map<String, String> values;

    /**
     * The options of one URL.
     *
     * @throws LockConfigurationException if one of them is wrong
     */
    public UrlOptions(Map<String, String> values) {
        this.values = values;
        lockOptions(LockOptions.defaults());
        callTimeout(null);
        safetyLevel(null);
        requiredFeatures();
    }

    /** The options of a lock: those of the URL, and those of {@code base} where the URL has none. */
    public LockOptions lockOptions(LockOptions base) {
        LockOptions[] options = {base};
        read("mortise.lease", value -> options[0] = options[0].withLease(DurationText.parse(value)));
        read("mortise.renewal", value -> options[0] = options[0].withRenewal(bool(value)));
        read("mortise.minHold", value -> options[0] = options[0].withMinHold(DurationText.parse(value)));
        read("mortise.maxHold", value -> options[0] = options[0].withMaxHold(DurationText.parse(value)));
        read("mortise.maxWait", value -> options[0] = options[0].withMaxWait(DurationText.parse(value)));
        read("mortise.lockDelay", value -> options[0] = options[0].withLockDelay(DurationText.parse(value)));
        read("mortise.goOnWithoutAnswer", value -> options[0] = options[0].withGoOnWithoutAnswer(bool(value)));
        read("mortise.label", value -> options[0] = options[0].withLabel(value));
        read("mortise.localHandOvers", value -> options[0] = options[0].withLocalHandOvers(Integer.parseInt(value)));
        return options[0];
    }

    /** The URL's call time-out; {@code otherwise} if it has none. */
    public @Nullable Duration callTimeout(@Nullable Duration otherwise) {
        Duration[] found = {otherwise};
        read("mortise.callTimeout", value -> {
            Duration timeout = DurationText.parse(value);
            if (timeout.isZero()) {
                throw new IllegalArgumentException("it must be positive");
            }
            found[0] = timeout;
        });
        return found[0];
    }

    /** The safety level that the URL requires; {@code otherwise} if it requires none. */
    public @Nullable SafetyLevel safetyLevel(@Nullable SafetyLevel otherwise) {
        SafetyLevel[] found = {otherwise};
        read("mortise.safety", value -> found[0] = constant(SafetyLevel.class, value));
        return found[0];
    }

    /** The features that the URL requires. */
    public Set<Feature> requiredFeatures() {
        Set<Feature> required = EnumSet.noneOf(Feature.class);
        read("mortise.require", value -> Stream.of(value.split(","))
                .forEach(name -> required.add(constant(Feature.class, name))));
        return required;
    }

    /** Whatever is wrong with the value, the exception names the option. */
    private void read(String name, Consumer<String> use) {
        String value = values.get(name);
        if (value == null) {
            return;
        }
        try {
            use.accept(value);
        } catch (IllegalArgumentException wrong) {
            throw new LockConfigurationException(
                    "the option " + name + " of the store URL is wrong: " + wrong.getMessage(), wrong);
        }
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
