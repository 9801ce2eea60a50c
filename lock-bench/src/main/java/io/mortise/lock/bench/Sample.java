// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench;

import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What one turn has shown, for a file.
 *
 * @param setting such as {@code 48 waiters}
 * @param entrant who
 * @param round counted from one
 * @param values a record of numbers, whose components are their names
 */
record Sample(String setting, String entrant, int round, Record values) {
    /** Those of all turns. */
    static Stream<Sample> of(String setting, Map<String, ? extends List<? extends Record>> shown) {
        return shown.entrySet().stream().flatMap(each -> IntStream.range(
                        0, each.getValue().size())
                .mapToObj(turn -> new Sample(
                        setting, each.getKey(), turn + 1, each.getValue().get(turn))));
    }

    /** As one line of JSON. */
    String json(Part part, Store store) {
        StringBuilder line = new StringBuilder(String.format(
                Locale.ROOT,
                "{\"part\":\"%s\",\"store\":\"%s\",\"setting\":\"%s\",\"entrant\":\"%s\",\"round\":%d",
                part.word(),
                store,
                setting,
                entrant,
                round));
        try {
            for (RecordComponent component : values.getClass().getRecordComponents()) {
                line.append(String.format(
                        Locale.ROOT,
                        ",\"%s\":%.2f",
                        component.getName(),
                        ((Number) component.getAccessor().invoke(values)).doubleValue()));
            }
        } catch (ReflectiveOperationException hidden) {
            throw new IllegalStateException(hidden);
        }
        return line.append('}').toString();
    }
}
