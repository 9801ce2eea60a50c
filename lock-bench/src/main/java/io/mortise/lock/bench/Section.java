// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench;

import java.util.List;
import java.util.Map;

/**
 * What a part has shown on a store.
 *
 * @param table as Markdown
 * @param samples of each turn
 * @param bars for the page of bars: of each entrant as against the reference, by what they show
 */
record Section(String table, List<Sample> samples, Map<String, Map<String, Ratio>> bars) {
    /** Nothing but a table. */
    Section(String table) {
        this(table, List.of(), Map.of());
    }
}
