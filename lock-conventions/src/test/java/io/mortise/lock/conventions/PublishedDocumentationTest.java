// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Makes one site of the documentation of all public packages. Javadoc reads the sources without the descriptors of their
 * modules: lock-zookeeper has none, and javadoc refuses a mixture.
 */
class PublishedDocumentationTest {
    private static final List<String> ELSEWHERE =
            List.of("lock-cli", "lock-spring-boot-starter", "lock-spring-integration", "lock-shedlock");

    private static final Path SITE = SourceTree.root().resolve("target/documentation");
    private static final Pattern EXPORTS = Pattern.compile("exports ([\\w.]+);");

    @TempDir
    private Path sources;

    @Test
    void theSiteHasAllPublicPackagesAndNoWarnings() throws IOException {
        copySources();
        StringWriter said = new StringWriter();
        PrintWriter output = new PrintWriter(said);
        List<String> packages = publicPackages();

        int status = ToolProvider.findFirst("javadoc").orElseThrow().run(output, output, arguments(packages));

        assertThat(said.toString()).isEmpty();
        assertThat(status).isZero();
        assertThat(Files.readAllLines(SITE.resolve("element-list"))).hasSameElementsAs(packages);
        assertThat(SITE.resolve("io/mortise/lock/redis/RedisBackend.html"))
                .content()
                .contains("href=\"../spi/LockBackend.html\"");
    }

    private String[] arguments(List<String> packages) {
        Stream<String> options = Stream.of(
                "-quiet",
                "-notimestamp",
                "-Xdoclint:all",
                "-Werror",
                "-encoding",
                "UTF-8",
                "--release",
                "17",
                "-sourcepath",
                sources.toString(),
                "-classpath",
                System.getProperty("java.class.path"),
                "-d",
                SITE.toString(),
                "-overview",
                SourceTree.root().resolve("docs/overview.html").toString(),
                "-doctitle",
                "Mortise " + Poms.version(),
                "-windowtitle",
                "Mortise " + Poms.version(),
                "-group",
                "For applications",
                "io.mortise.lock:io.mortise.lock.memory",
                "-group",
                "Stores",
                "io.mortise.lock.jdbc:io.mortise.lock.redis:io.mortise.lock.redlock:"
                        + "io.mortise.lock.zookeeper:io.mortise.lock.etcd:io.mortise.lock.memcached",
                "-group",
                "For tests of applications",
                "io.mortise.lock.testing",
                "-group",
                "For authors of backends",
                "io.mortise.lock.spi*:io.mortise.lock.tck*");
        return Stream.concat(options, packages.stream()).toArray(String[]::new);
    }

    private void copySources() throws IOException {
        for (Path module : libraries()) {
            Path from = module.resolve("src/main/java");
            for (Path file : SourceTree.files(file -> file.startsWith(from) && !file.endsWith("module-info.java"))) {
                Path to = sources.resolve(from.relativize(file).toString());
                Files.createDirectories(to.resolveSibling("."));
                Files.copy(file, to);
            }
        }
    }

    private static List<String> publicPackages() {
        return Stream.concat(
                        libraries().stream().flatMap(PublishedDocumentationTest::exports),
                        // Without a descriptor; what is below internal is not public.
                        Stream.of("io.mortise.lock.zookeeper"))
                .toList();
    }

    private static Stream<String> exports(Path module) {
        Path descriptor = module.resolve("src/main/java/module-info.java");
        return !Files.exists(descriptor)
                ? Stream.empty()
                : EXPORTS.matcher(String.join("\n", SourceTree.lines(descriptor)))
                        .results()
                        .map(found -> found.group(1));
    }

    /**
     * What applications and tests call; nobody calls the command's classes. Without what adapts to a framework: its pages need the
     * framework's classes.
     */
    private static List<Path> libraries() {
        return Poms.published().stream()
                .filter(module ->
                        ELSEWHERE.stream().noneMatch(module::endsWith) && Files.exists(module.resolve("src/main/java")))
                .toList();
    }
}
