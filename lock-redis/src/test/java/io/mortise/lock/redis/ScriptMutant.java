// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A script with one small change, as somebody might make it by mistake: a comparison turned, a condition or a command dropped, a number
 * or a word changed. The changes are made from the scripts as they are, so that a new line has its mutants, too.
 *
 * @param file the script's file, such as {@code acquire.lua}
 * @param number the number of the line, from 1 on
 * @param line the line as it is
 * @param changed what stands there instead
 */
record ScriptMutant(String file, int number, String line, String changed) {
    private record Change(Pattern what, String to) {
        static Change of(String what, String to) {
            return new Change(Pattern.compile(what), to);
        }
    }

    private static final List<Change> CHANGES = List.of(
            Change.of(" == ", " ~= "),
            Change.of(" ~= ", " == "),
            Change.of(" < ", " <= "),
            Change.of(" <= ", " < "),
            Change.of(" > ", " >= "),
            Change.of(" >= ", " > "),
            Change.of(" and ", " or "),
            Change.of(" or ", " and "),
            Change.of("\\bnot ", ""),
            Change.of("\\btrue\\b", "false"),
            Change.of("\\bfalse\\b", "true"),
            Change.of("\\bmath\\.max\\b", "math.min"),
            Change.of(", 'KEEPTTL'", ""),
            Change.of("'PX'", "'EX'"),
            Change.of("'NX', ", ""),
            Change.of(" \\+ ", " - "),
            Change.of(" - ", " + "),
            Change.of("(?<![\\w'%.(-])0(?![\\w'.])", "1"),
            Change.of("(?<![\\w'%.-])[1-9]\\d*(?![\\w'.])", "0"));

    /** What can be left out as a whole: a command, a call, a value that is set. */
    private static final Pattern STATEMENT =
            Pattern.compile("\\s+(redis\\.call\\(|[a-zA-Z]+\\(|[a-z.]+(, [a-z.]+)* = )[^{]*");

    static List<ScriptMutant> of(String file, String text) {
        List<ScriptMutant> mutants = new ArrayList<>();
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            String code = withoutComment(line);
            for (Change change : CHANGES) {
                Matcher found = change.what().matcher(code);
                while (found.find()) {
                    String changed = code.substring(0, found.start()) + change.to() + code.substring(found.end());
                    mutants.add(new ScriptMutant(file, i + 1, line, changed));
                }
            }
            if (STATEMENT.matcher(code).matches() && isWhole(code)) {
                mutants.add(new ScriptMutant(file, i + 1, line, ""));
            }
        }
        return mutants;
    }

    /** What stands for it in a list that is kept: it does not change when lines before it come and go. */
    String key() {
        return file + ": " + line.strip() + " => " + changed.strip();
    }

    /** The scripts with it. */
    EditedScripts.Edit edit() {
        return (name, text) -> {
            if (!name.equals(file)) {
                return text;
            }
            List<String> lines = new ArrayList<>(text.lines().toList());
            lines.set(number - 1, changed);
            return String.join("\n", lines) + "\n";
        };
    }

    private static String withoutComment(String line) {
        int comment = line.startsWith("--") ? 0 : line.indexOf(" --");
        return comment < 0 ? line : line.substring(0, comment);
    }

    private static boolean isWhole(String code) {
        return code.chars().filter(c -> c == '(').count()
                == code.chars().filter(c -> c == ')').count();
    }
}
