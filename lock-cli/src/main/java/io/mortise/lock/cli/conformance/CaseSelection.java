// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.conformance;

import io.mortise.lock.LockConfigurationException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The cases of the suite that words choose: the letter of a group of rules, the number of a rule, or the name of a case. */
final class CaseSelection {
    private static final Pattern CASE = Pattern.compile("(([a-z])[0-9]+)_\\w+");

    private CaseSelection() {}

    /** The names of all cases that one of the words fits; of all cases, if there is no word. */
    static Set<String> named(Class<?> suite, List<String> words) {
        Set<String> all = all(suite);
        if (words.isEmpty()) {
            return all;
        }
        Set<String> chosen = new TreeSet<>();
        for (String word : words) {
            Set<String> fitting =
                    all.stream().filter(name -> fits(word.trim(), name)).collect(Collectors.toSet());
            if (fitting.isEmpty()) {
                throw new LockConfigurationException(
                        "no case of the suite is named '" + word
                                + "': write a rule such as E1, the letter of a group of rules, or the name of a case, and a comma between two");
            }
            chosen.addAll(fitting);
        }
        return chosen;
    }

    private static Set<String> all(Class<?> suite) {
        return Arrays.stream(suite.getMethods())
                .map(Method::getName)
                .filter(name -> CASE.matcher(name).matches())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static boolean fits(String word, String name) {
        String lower = word.toLowerCase(Locale.ROOT);
        Matcher parts = CASE.matcher(name);
        return parts.matches()
                && (parts.group(1).equals(lower) || parts.group(2).equals(lower) || name.equals(word));
    }
}
