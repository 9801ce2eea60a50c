// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.conventions;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.function.Predicate.not;
import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.spi.LockBackendProvider;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A provider is declared twice, for the class path and for the module path; both must say the same. */
class DescriptorsTest {
    /** Those without a descriptor, each with its reason; their jars have a name for the module path all the same. */
    private static final Set<String> WITHOUT = Set.of(
            "io.mortise.lock.zookeeper", // the jars of ZooKeeper share packages, which no module path allows
            "io.mortise.lock.spring"); // it would name the one above

    private static final String SERVICE = LockBackendProvider.class.getName();

    private final List<ModuleReference> modules =
            ModuleFinder.of(ClassPath.entries().filter(ClassPath::isOurs).toArray(Path[]::new)).findAll().stream()
                    .toList();

    @Test
    void everyPublishedModuleHasADescriptor() {
        assertThat(modules.stream().map(ModuleReference::descriptor))
                .extracting(ModuleDescriptor::name)
                .contains("io.mortise.lock", "io.mortise.lock.jdbc", "io.mortise.lock.tck", "io.mortise.lock.cli");
        assertThat(modules.stream().map(ModuleReference::descriptor).filter(ModuleDescriptor::isAutomatic))
                .extracting(ModuleDescriptor::name)
                .hasSameElementsAs(WITHOUT);
    }

    @Test
    void providersAreTheSameInBothWorlds() throws IOException {
        int providers = 0;
        for (ModuleReference module : modules) {
            List<String> onTheClassPath = services(module);
            assertThat(onTheModulePath(module)).as(module.descriptor().name()).hasSameElementsAs(onTheClassPath);
            providers += onTheClassPath.size();
        }
        assertThat(providers).isGreaterThan(1);
    }

    private static List<String> onTheModulePath(ModuleReference module) {
        return module.descriptor().provides().stream()
                .filter(provided -> provided.service().equals(SERVICE))
                .flatMap(provided -> provided.providers().stream())
                .toList();
    }

    private static List<String> services(ModuleReference module) throws IOException {
        try (ModuleReader reader = module.open()) {
            Optional<InputStream> file = reader.open("META-INF/services/" + SERVICE);
            return file.isEmpty() ? List.of() : statements(file.get());
        }
    }

    private static List<String> statements(InputStream file) throws IOException {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(file, UTF_8));
                Stream<String> lines = reader.lines()) {
            return lines.map(String::strip)
                    .filter(not(String::isEmpty))
                    .filter(line -> !line.startsWith("#"))
                    .toList();
        }
    }
}
