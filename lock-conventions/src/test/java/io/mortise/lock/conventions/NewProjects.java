// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.conventions;

import io.mortise.lock.conventions.Jvm.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Projects of new users, outside of this tree: a pom with nothing but what the documents tell to add, and a class with
 * nothing but the first example. They have an empty Maven repository of their own; what they need comes from the
 * published modules, from a copy of what this build has fetched, and only then from Maven Central.
 */
final class NewProjects {
    /** Long enough for a busy machine. */
    private static final long PATIENCE_SECONDS = 1200;

    private static final String URL_OF_THE_EXAMPLE = "\"jdbc:sqlite:/var/lib/shop/locks.db\"";

    private final Path directory;
    private final List<String> names = new ArrayList<>();

    NewProjects(Path directory) {
        this.directory = directory;
    }

    /** A project that runs the first example of the README on the store that its argument names. */
    void addShop(String name, String dependencies) throws IOException {
        add(name, "<dependencies>" + dependencies + "</dependencies>");
        Files.writeString(source(name, "shop").resolve("Main.java"), main());
    }

    /** The same as a Java module. */
    void addModularShop(String name, String dependencies) throws IOException {
        addShop(name, dependencies);
        Files.writeString(
                directory.resolve(name).resolve("src/main/java/module-info.java"),
                "module shop { requires io.mortise.lock; }\n");
    }

    /** A project without sources. */
    void add(String name, String content) throws IOException {
        Files.createDirectories(directory.resolve(name));
        pom(name, """
                <properties>
                  <maven.compiler.release>17</maven.compiler.release>
                  <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
                </properties>
                """ + content);
        names.add(name);
    }

    /** Compiles all, and writes down their class paths. */
    Outcome build(Jvm jvm) throws IOException, InterruptedException {
        pom("", """
                <packaging>pom</packaging>
                <modules>%s</modules>
                """.formatted(
                names.stream().map(name -> "<module>" + name + "</module>").collect(Collectors.joining())));
        Path settings = Files.writeString(directory.resolve("settings.xml"), settings());
        return jvm.run(
                directory,
                List.of(
                        "mvn",
                        "--batch-mode",
                        "--quiet",
                        "--settings",
                        settings.toString(),
                        "-Dmaven.repo.local=" + directory.resolve("repository"),
                        plugin("maven-compiler-plugin") + ":compile",
                        plugin("maven-dependency-plugin") + ":build-classpath",
                        "-Dmdep.outputFile=class-path.txt"),
                PATIENCE_SECONDS);
    }

    /** Runs a shop on a class path. */
    Outcome run(Jvm jvm, String name, String url) throws IOException, InterruptedException {
        return jvm.java(directory, "-cp", classPath(name), "shop.Main", url);
    }

    /** Runs a shop on a module path. */
    Outcome runModular(Jvm jvm, String name, String url) throws IOException, InterruptedException {
        return jvm.java(directory, "-p", classPath(name), "-m", "shop/shop.Main", url);
    }

    /** The class path of a project, its own classes first. */
    String classPath(String name) throws IOException {
        Path project = directory.resolve(name);
        return project.resolve("target/classes") + ":" + Files.readString(project.resolve("class-path.txt"));
    }

    private Path source(String name, String packageName) throws IOException {
        return Files.createDirectories(
                directory.resolve(name).resolve("src/main/java").resolve(packageName));
    }

    private static String main() {
        String example = Readme.example();
        if (!example.contains(URL_OF_THE_EXAMPLE)) {
            throw new AssertionError("the first example has another URL: " + example);
        }
        return """
                package shop;

                import io.mortise.lock.DistributedLock;
                import io.mortise.lock.Lease;
                import io.mortise.lock.LockClient;

                public final class Main {
                    interface Ledger {
                        void charge(String order, long fencingToken);
                    }

                    public static void main(String[] arguments) throws InterruptedException {
                        String order = "order";
                        Ledger ledger = (charged, token) -> System.out.println(charged + " with token " + token);
                        %s
                    }
                }
                """.formatted(example.replace(URL_OF_THE_EXAMPLE, "arguments[0]"));
    }

    private void pom(String name, String content) throws IOException {
        Files.writeString(directory.resolve(name).resolve("pom.xml"), """
                <project xmlns="http://maven.apache.org/POM/4.0.0">
                  <modelVersion>4.0.0</modelVersion>
                  <groupId>com.example</groupId>
                  <artifactId>shop%s</artifactId>
                  <version>1</version>
                  %s
                </project>
                """.formatted(name, content));
    }

    private static String settings() {
        Path fetched = Path.of(System.getProperty("mortise.local.repository"));
        return """
                <settings>
                  <profiles>
                    <profile>
                      <id>published</id>
                      <activation><activeByDefault>true</activeByDefault></activation>
                      <repositories>
                        <repository>
                          <id>published</id>
                          <url>%s</url>
                        </repository>
                        <repository>
                          <id>fetched</id>
                          <url>%s</url>
                          <snapshots><enabled>false</enabled></snapshots>
                        </repository>
                      </repositories>
                      <pluginRepositories>
                        <pluginRepository>
                          <id>fetched</id>
                          <url>%s</url>
                          <snapshots><enabled>false</enabled></snapshots>
                        </pluginRepository>
                      </pluginRepositories>
                    </profile>
                  </profiles>
                </settings>
                """.formatted(PublishedArtifactsTest.REPOSITORY.toUri(), fetched.toUri(), fetched.toUri());
    }

    private static String plugin(String name) {
        return Poms.managed()
                .filter(plugin -> plugin.artifact().equals(name))
                .findFirst()
                .orElseThrow()
                .toString();
    }
}
