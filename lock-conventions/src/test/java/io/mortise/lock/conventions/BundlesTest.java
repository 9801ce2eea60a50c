// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.LockClient;
import io.mortise.lock.conventions.Jvm.Outcome;
import io.mortise.lock.conventions.guide.BundleHost;
import io.mortise.lock.conventions.guide.BundledShop;
import io.mortise.lock.tck.servers.EtcdServer;
import io.mortise.lock.tck.servers.RedisServer;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The jars of modules whose client libraries are bundles of OSGi are bundles, too, and find each other. */
class BundlesTest {
    private static final String FRAMEWORK = "org.apache.felix.framework";

    /** Finds what META-INF/services names, in other bundles. */
    private static final List<String> MEDIATOR = List.of(
            "org.apache.aries.spifly.dynamic.bundle", "asm", "asm-commons", "asm-tree", "asm-analysis", "asm-util");

    private static final List<String> REDIS =
            List.of("lock-redis", "jedis", "commons-pool2", "gson", "json", "redis-authx-core");

    private static final List<String> ETCD = List.of("lock-etcd", "jackson-core");

    @TempDir
    private Path directory;

    private Path shop;

    @BeforeEach
    void makeAnApplication() throws IOException {
        Manifest manifest = new Manifest();
        Attributes headers = manifest.getMainAttributes();
        headers.putValue("Manifest-Version", "1.0");
        headers.putValue("Bundle-ManifestVersion", "2");
        headers.putValue("Bundle-SymbolicName", "shop");
        headers.putValue("Import-Package", LockClient.class.getPackageName());
        shop = directory.resolve("shop.jar");
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(shop), manifest)) {
            jar.putNextEntry(new JarEntry(file(BundledShop.class)));
            copy(BundledShop.class, jar);
        }
        Path host = directory.resolve("host").resolve(file(BundleHost.class));
        Files.createDirectories(host.getParent());
        try (OutputStream out = Files.newOutputStream(host)) {
            copy(BundleHost.class, out);
        }
    }

    private static String file(Class<?> type) {
        return type.getName().replace('.', '/') + ".class";
    }

    private static void copy(Class<?> type, OutputStream out) throws IOException {
        try (InputStream code = Objects.requireNonNull(type.getClassLoader().getResourceAsStream(file(type)))) {
            code.transferTo(out);
        }
    }

    /** What the application prints: a token for each store. */
    private List<String> tokens(Jvm jvm, List<String> bundles, String... stores) throws Exception {
        String jars = Stream.concat(bundles.stream().map(ClassPath::jar), Stream.of(shop))
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
        List<String> arguments = new ArrayList<>(List.of(
                "-cp",
                Stream.of(directory.resolve("host"), ClassPath.jar(FRAMEWORK), ClassPath.jar("slf4j-api"))
                        .map(Path::toString)
                        .collect(Collectors.joining(File.pathSeparator)),
                BundleHost.class.getName(),
                directory.resolve("bundles").toString(),
                jars));
        arguments.addAll(List.of(stores));
        Outcome outcome = jvm.java(directory, arguments.toArray(String[]::new));
        assertThat(outcome.status()).as(outcome.err()).isZero();
        return outcome.out().lines().toList();
    }

    private static List<String> joined(List<String> some, List<String> more) {
        return Stream.concat(some.stream(), more.stream()).toList();
    }

    @ParameterizedTest
    @MethodSource("io.mortise.lock.conventions.Jvm#all")
    void storesAreFoundInBundlesOfTheirOwn(Jvm jvm) throws Exception {
        try (EtcdServer etcd = EtcdServer.start();
                RedisServer redis = RedisServer.start()) {
            assertThat(tokens(
                            jvm,
                            joined(joined(MEDIATOR, List.of("lock-api")), joined(ETCD, REDIS)),
                            etcd.url(),
                            redis.url(),
                            "memory:"))
                    .hasSize(3)
                    .allMatch(line -> line.matches("\\d{10,}"));
        }
    }

    @Test
    void whatNeedsOnlyTheApiHasAll() throws Exception {
        assertThat(tokens(
                        new Jvm(Path.of(System.getProperty("java.home"))),
                        List.of("lock-api", "lock-redlock", "lock-migration"),
                        "memory:"))
                .hasSize(1);
    }

    static Stream<Path> bundles() {
        return SourceTree.modules().stream()
                .filter(module -> Files.exists(module.resolve("bnd.bnd")))
                .map(module -> ClassPath.jar(String.valueOf(module.getFileName())));
    }

    /** What others may use is the same, whatever loads it. */
    @ParameterizedTest
    @MethodSource("bundles")
    void bundlesExportWhatModulesDo(Path jar) throws Exception {
        ModuleDescriptor module =
                ModuleFinder.of(jar).findAll().iterator().next().descriptor();
        try (JarFile file = new JarFile(jar.toFile())) {
            Attributes headers = file.getManifest().getMainAttributes();
            assertThat(headers.getValue("Bundle-SymbolicName")).isEqualTo(module.name());
            assertThat(Arrays.stream(headers.getValue("Export-Package")
                                    .replaceAll("\"[^\"]*\"", "")
                                    .split(","))
                            .map(clause -> clause.replaceFirst(";.*", "").strip()))
                    .containsExactlyInAnyOrderElementsOf(module.exports().stream()
                            .filter(export -> !export.isQualified())
                            .map(export -> export.source())
                            .toList());
        }
    }

    @Test
    void otherJarsAreNoBundles() throws Exception {
        List<Path> bundles = bundles().toList();
        for (Path jar : ClassPath.entries().filter(ClassPath::isOurs).toList()) {
            try (JarFile file = new JarFile(jar.toFile())) {
                assertThat(file.getManifest().getMainAttributes().getValue("Bundle-SymbolicName") != null)
                        .as(jar.toString())
                        .isEqualTo(bundles.contains(jar));
            }
        }
    }
}
