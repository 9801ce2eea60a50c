// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A statement with one small change, as somebody might make it by mistake: a condition turned or left out, a number changed, a row not
 * locked. The changes are made from the statements as they are prepared, so that a new one has its mutants, too.
 *
 * @param sql the statement as it is
 * @param changed what is prepared instead
 * @param key what stands for it in a list that is kept: the statement's first line, the line that changed, and what it became
 */
record SqlMutant(String sql, String changed, String key) {
    private record Change(Pattern what, String to) {
        static Change of(String what, String to) {
            return new Change(Pattern.compile(what), to);
        }
    }

    /** What is compared: a column, a parameter, a number, or a call of a function. */
    private static final String VALUE = "(?:[\\w.]+\\([^()]*\\)|[\\w.]+|\\?|'[^']*')";

    private static final List<Change> CHANGES = List.of(
            Change.of("\\b(where|and|or|when) (" + VALUE + " (?:=|<>|<|<=|>|>=) " + VALUE + ")", "$1 ($2 or 1 = 1)"),
            Change.of("\\b(where|and|or|when) (" + VALUE + ") = ", "$1 $2 <> "),
            Change.of(" <> ", " = "),
            Change.of(" < ", " <= "),
            Change.of(" <= ", " < "),
            Change.of(" > ", " >= "),
            Change.of(" >= ", " > "),
            Change.of(" and ", " or "),
            Change.of(" or ", " and "),
            Change.of("\\bis null\\b", "is not null"),
            Change.of("\\bis not null\\b", "is null"),
            Change.of("\\bnot exists\\b", "exists"),
            Change.of("(?<!not )\\bexists\\b", "not exists"),
            Change.of("\\b(\\w+) = null\\b", "$1 = $1"),
            Change.of("\\bgreatest\\(", "least("),
            Change.of("\\bleast\\(", "greatest("),
            Change.of("\\bmax\\(", "min("),
            Change.of(" order by (\\S+)", " order by $1 desc"),
            Change.of(" limit 1\\b", ""),
            Change.of(" for update(?: of \\w+)?(?: skip locked)?", ""),
            Change.of(" skip locked\\b", ""),
            Change.of(" \\+ ", " - "),
            Change.of(" - ", " + "),
            Change.of("(?<![\\w'.$])0(?![\\w'.])", "1"),
            Change.of("(?<![\\w'.$])[1-9]\\d*(?![\\w'.])", "0"));

    static List<SqlMutant> of(String sql) {
        List<SqlMutant> mutants = new ArrayList<>();
        for (Change change : CHANGES) {
            Matcher found = change.what().matcher(sql);
            for (int from = 0; found.find(from); from = found.end()) {
                StringBuilder changed = new StringBuilder();
                found.appendReplacement(changed, change.to()).appendTail(changed);
                mutants.add(new SqlMutant(sql, changed.toString(), key(sql, changed.toString(), found.start())));
            }
        }
        return mutants;
    }

    private static String key(String sql, String changed, int at) {
        int line = (int) sql.substring(0, at).lines().count() - (at == 0 || sql.charAt(at - 1) == '\n' ? 0 : 1);
        return line(sql, 0) + ": " + line(sql, line) + " => " + line(changed, line);
    }

    private static String line(String sql, int number) {
        return sql.lines().skip(number).findFirst().orElse("").strip();
    }
}
