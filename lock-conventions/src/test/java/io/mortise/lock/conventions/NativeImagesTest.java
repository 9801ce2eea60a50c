// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** What the jars of libraries tell the builder of native images: the files that are read, and the classes that are found by name. */
class NativeImagesTest {
    /** Of the JDK's own or by their own means; and those that no application has at run time. */
    private static final Set<String> NO_LIBRARIES =
            Set.of("lock-cli", "lock-tck", "lock-tck-servers", "lock-testing", "lock-spring-boot-starter");

    static Stream<Path> libraries() {
        return ClassPath.entries().filter(ClassPath::isOurs).filter(jar -> NO_LIBRARIES.stream()
                .noneMatch(name -> ClassPath.artifact(jar).equals(name)));
    }

    private static ModuleReference module(Path jar) {
        return ModuleFinder.of(jar).findAll().iterator().next();
    }

    @ParameterizedTest
    @MethodSource("libraries")
    void everyFileOfItsOwnIsListed(Path jar) throws IOException {
        try (ModuleReader reader = module(jar).open();
                Stream<String> entries = reader.list()) {
            List<String> files = entries.filter(entry ->
                            !entry.endsWith("/") && !entry.endsWith(".class") && !entry.startsWith("META-INF/"))
                    .toList();
            List<String> patterns = patterns(reader, ClassPath.artifact(jar));
            assertThat(files).allMatch(file -> patterns.stream().anyMatch(file::matches));
            assertThat(patterns).allMatch(pattern -> files.stream().anyMatch(file -> file.matches(pattern)));
        }
    }

    /** Those to which a module opens a package, so that they find classes by their names. */
    @ParameterizedTest
    @MethodSource("libraries")
    void everyClassThatOthersFindIsListed(Path jar) throws Exception {
        ModuleReference module = module(jar);
        Set<String> packages = new HashSet<>();
        module.descriptor().exports().stream()
                .filter(export -> export.isQualified())
                .forEach(export -> packages.add(export.source()));
        module.descriptor().opens().forEach(open -> packages.add(open.source()));
        try (ModuleReader reader = module.open()) {
            Set<String> listed = new HashSet<>();
            for (Map<?, ?> type : types(reader, ClassPath.artifact(jar))) {
                if (type.get("methods") instanceof List<?> methods) {
                    Class<?> found = Class.forName(String.valueOf(type.get("name")));
                    assertThat(methods).hasSize(1).allMatch(method -> isConstructor(found, method));
                    listed.add(found.getPackageName());
                }
            }
            assertThat(listed).containsAll(packages);
        }
    }

    private static boolean isConstructor(Class<?> type, Object method) {
        if (!(method instanceof Map<?, ?> described)
                || !"<init>".equals(described.get("name"))
                || !(described.get("parameterTypes") instanceof List<?> parameters)) {
            return false;
        }
        return Stream.of(type.getConstructors()).anyMatch(constructor -> Stream.of(constructor.getParameterTypes())
                .map(Class::getName)
                .toList()
                .equals(parameters));
    }

    private static List<String> patterns(ModuleReader reader, String library) throws IOException {
        List<String> patterns = new ArrayList<>();
        Object file = json(reader, library, "resource-config.json");
        if (file instanceof Map<?, ?> root
                && root.get("resources") instanceof Map<?, ?> resources
                && resources.get("includes") instanceof List<?> includes) {
            includes.forEach(include -> patterns.add(String.valueOf(((Map<?, ?>) include).get("pattern"))));
        }
        return patterns;
    }

    private static List<Map<?, ?>> types(ModuleReader reader, String library) throws IOException {
        List<Map<?, ?>> types = new ArrayList<>();
        if (json(reader, library, "reflect-config.json") instanceof List<?> listed) {
            listed.forEach(type -> types.add((Map<?, ?>) type));
        }
        return types;
    }

    /** JSON is YAML. */
    private static Object json(ModuleReader reader, String library, String file) throws IOException {
        Yaml yaml = new Yaml(new SafeConstructor(new LoaderOptions()));
        var found = reader.open("META-INF/native-image/io.mortise/" + library + "/" + file);
        return found.isEmpty() ? List.of() : yaml.load(new String(found.get().readAllBytes(), StandardCharsets.UTF_8));
    }
}
