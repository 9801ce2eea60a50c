// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock;

import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.SafetyLevel;
import io.mortise.lock.spi.StoreUrl;
import io.mortise.lock.spi.support.DurationText;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The options that every store URL understands, turned into the settings of a client. */
final class ClientOptions {
    static final Set<String> NAMES = Set.of(
            "mortise.lease",
            "mortise.renewal",
            "mortise.maxHold",
            "mortise.maxWait",
            "mortise.label",
            "mortise.localHandOvers",
            "mortise.callTimeout",
            "mortise.require",
            "mortise.safety");

    private ClientOptions() {}

    /** Applies them to a builder; wrong values show now, not when the client is built. */
    static void apply(StoreUrl url, LockClientBuilder builder) {
        lockOptions(url, LockOptions.defaults());
        builder.overrides(options -> lockOptions(url, options));
        read(url, "mortise.callTimeout", value -> builder.callTimeout(DurationText.parse(value)));
        read(url, "mortise.safety", value -> builder.atLeast(constant(SafetyLevel.class, value)));
        read(url, "mortise.require", value -> Stream.of(value.split(","))
                .forEach(name -> builder.require(constant(Feature.class, name))));
    }

    private static LockOptions lockOptions(StoreUrl url, LockOptions base) {
        LockOptions[] options = {base};
        read(url, "mortise.lease", value -> options[0] = options[0].lease(DurationText.parse(value)));
        read(url, "mortise.renewal", value -> options[0] = options[0].renewal(bool(value)));
        read(url, "mortise.maxHold", value -> options[0] = options[0].maxHold(DurationText.parse(value)));
        read(url, "mortise.maxWait", value -> options[0] = options[0].maxWait(DurationText.parse(value)));
        read(url, "mortise.label", value -> options[0] = options[0].label(value));
        read(url, "mortise.localHandOvers", value -> options[0] = options[0].localHandOvers(Integer.parseInt(value)));
        return options[0];
    }

    private static void read(StoreUrl url, String name, Consumer<String> use) {
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
