// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What one part has shown on one store.
 *
 * @param reference the entrant that the others are compared with
 */
record Figures(Part part, Store store, String reference, List<Figure> all) {
    /** In the order in which they were measured. */
    Map<String, List<Figure>> bySetting() {
        return all.stream().collect(Collectors.groupingBy(Figure::setting, LinkedHashMap::new, Collectors.toList()));
    }

    /** Some of them, in the order in which they were measured. */
    static Map<String, List<Figure>> byEntrant(List<Figure> some) {
        return some.stream().collect(Collectors.groupingBy(Figure::entrant, LinkedHashMap::new, Collectors.toList()));
    }

    String title() {
        return store.title() + ", against " + reference;
    }
}
