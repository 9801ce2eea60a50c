// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.console;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Builds a flat JSON object on one line, in pure ASCII whatever the locale and the names of locks. */
public final class Json {
    private final Map<String, String> members = new LinkedHashMap<>();

    /** Adds a member, whose value is a text, a number, a boolean or null. */
    public Json put(String name, @Nullable Object value) {
        members.put(name, value instanceof CharSequence text ? quote(text) : String.valueOf(value));
        return this;
    }

    private static String quote(CharSequence text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char unit = text.charAt(i);
            if (unit == '"' || unit == '\\') {
                quoted.append('\\').append(unit);
            } else if (unit < ' ' || unit > '~') {
                quoted.append(String.format("\\u%04x", (int) unit));
            } else {
                quoted.append(unit);
            }
        }
        return quoted.append('"').toString();
    }

    @Override
    public String toString() {
        return members.entrySet().stream()
                .map(member -> quote(member.getKey()) + ":" + member.getValue())
                .collect(Collectors.joining(",", "{", "}"));
    }
}
