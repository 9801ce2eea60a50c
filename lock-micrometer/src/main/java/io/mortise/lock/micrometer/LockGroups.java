// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.micrometer;

import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** The group that a lock belongs to, as the value of a tag: of names there may be millions, and of groups there are few. Thread-safe. */
final class LockGroups {
    private static final Pattern CHANGING = Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}|\\d+");

    private final UnaryOperator<String> grouping;
    private final Set<String> groups = ConcurrentHashMap.newKeySet();

    LockGroups(UnaryOperator<String> grouping) {
        this.grouping = Objects.requireNonNull(grouping, "grouping");
    }

    /** The name with each number and UUID in it replaced by an asterisk. */
    static String withoutNumbers(String name) {
        return CHANGING.matcher(name).replaceAll("*");
    }

    /** Two at once may make a group too many, which does no harm. */
    String of(String name) {
        String group = grouping.apply(name);
        if (groups.contains(group) || groups.size() < LockMetrics.MOST_GROUPS && groups.add(group)) {
            return group;
        }
        return LockMetrics.OTHERS;
    }
}
