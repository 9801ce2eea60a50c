// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.process;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Lets a child JVM find the classes that this JVM has: on the class path, on the module path, or in a runtime that jlink has made. */
final class ChildPaths {
    /** What a build adds so that the tests of a module see what they test. */
    private static final Pattern OF_MODULES =
            Pattern.compile("--(add-(reads|opens|exports|modules)|patch-module)(=.*)?", Pattern.DOTALL);

    private ChildPaths() {}

    /** The options, and the main class as the last word; {@code loaded} is a class that the program loads by its name. */
    static List<String> of(Class<?> program, Class<?> loaded) {
        List<String> options = new ArrayList<>();
        String modules = System.getProperty("jdk.module.path", "");
        if (!modules.isEmpty()) {
            options.addAll(List.of("--module-path", modules));
        }
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> OF_MODULES.matcher(option).matches())
                .forEach(options::add);
        if (loaded.getModule().isNamed()) {
            options.add("--add-modules=" + loaded.getModule().getName());
        }
        String classes = System.getProperty("java.class.path", "");
        if (!classes.isEmpty()) {
            options.addAll(List.of("-cp", classes));
        }
        Module module = program.getModule();
        if (module.isNamed()) {
            options.addAll(List.of("-m", module.getName() + "/" + program.getName()));
        } else {
            options.add(program.getName());
        }
        return options;
    }
}
