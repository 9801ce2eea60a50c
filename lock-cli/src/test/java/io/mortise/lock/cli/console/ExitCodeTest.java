// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ExitCodeTest {
    @Test
    @DisplayName("the table of exit statuses for users has the codes that there are")
    void table() throws IOException, IllegalAccessException {
        String page = Files.readString(Path.of("../docs/command.md"));
        Set<Integer> documented = new TreeSet<>();
        String table = page.substring(page.indexOf("## Exit status\n"));
        Matcher row = Pattern.compile("(?m)^\\| ([0-9, ]+)(?: \\+ n)? \\|").matcher(table);
        while (row.find()) {
            for (String code : row.group(1).trim().split(", ")) {
                documented.add(Integer.valueOf(code));
            }
        }
        Set<Integer> codes = new TreeSet<>();
        for (Field constant : ExitCode.class.getFields()) {
            codes.add(constant.getInt(null));
        }
        assertThat(documented).isEqualTo(codes);
    }
}
