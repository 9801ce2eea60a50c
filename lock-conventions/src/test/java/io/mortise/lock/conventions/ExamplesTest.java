// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Each block of the documents is in a language that some test checks. {@link DocumentedCommandsTest} runs the commands. */
class ExamplesTest {
    private static final String JAVA = "java";

    /** Code for other libraries, which nothing here can compile. */
    private static final String THEIRS = "java theirs";

    private static final String MAY_SHOW_THEIRS = "docs/moved-from.md";

    /** The languages, and a block without one: URLs, and what a program prints. */
    private static final Set<String> LANGUAGES =
            Set.of("", JAVA, THEIRS, "xml", "yaml", "sh", "cron", "ini", "json", "dockerfile");

    private static final Pattern OURS = Pattern.compile("<groupId>io\\.mortise</groupId>\\s*<artifactId>([^<]+)<");

    private static final Pattern VERSION =
            Pattern.compile("<artifactId>lock-[a-z0-9-]+</artifactId>\\s*<version>([^<]+)<");

    @Test
    void blocksHaveALanguageThatIsChecked() {
        for (Document document : Document.all()) {
            assertThat(document.blocks())
                    .as(document.name())
                    .allMatch(block -> LANGUAGES.contains(block.language()))
                    .allMatch(block ->
                            !block.language().equals(THEIRS) || document.name().equals(MAY_SHOW_THEIRS));
        }
    }

    @Test
    void javaIsCompiledInSomeTest() {
        String compiled =
                SourceTree.files(file ->
                                SourceTree.isJava(file) && file.toString().contains("src/test/"))
                        .stream()
                        .map(source -> squeezed(String.join("\n", SourceTree.lines(source))))
                        .collect(Collectors.joining("\n"));
        int examples = 0;
        for (Document document : Document.all()) {
            for (String block : document.blocks(JAVA).toList()) {
                examples++;
                assertThat(compiled.contains(squeezed(block)))
                        .as("compiled in some test: %s of %s", block, document.name())
                        .isTrue();
            }
        }
        assertThat(examples).isGreaterThan(10);
    }

    private static String squeezed(String text) {
        return text.replaceAll("\\s+", ""); // a formatter breaks lines in tests where documents do not
    }

    @Test
    void xmlNamesOurModulesAndTheirVersion() throws Exception {
        Set<String> modules = SourceTree.modules().stream()
                .map(module -> String.valueOf(module.getFileName()))
                .collect(Collectors.toSet());
        Set<String> version = Set.of(version());
        for (Document document : Document.all()) {
            for (String block : document.blocks("xml").toList()) {
                DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(new InputSource(new StringReader("<block>" + block + "</block>")));
                assertThat(found(OURS, block)).as(document.name()).isSubsetOf(modules);
                assertThat(found(VERSION, block)).as(document.name()).isSubsetOf(version);
            }
        }
    }

    private static String version() {
        Path pom = SourceTree.root().resolve("pom.xml");
        return found(
                        Pattern.compile("<artifactId>mortise-parent</artifactId>\\s*<version>([^<]+)<"),
                        String.join("\n", SourceTree.lines(pom)))
                .get(0);
    }

    private static List<String> found(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(match -> match.group(1)).toList();
    }

    @Test
    void yamlDescribesObjectsOfKubernetes() {
        List<String> blocks = Document.all().stream()
                .flatMap(document -> document.blocks("yaml"))
                .toList();

        assertThat(blocks).isNotEmpty();
        for (String block : blocks) {
            Yaml yaml = new Yaml(new SafeConstructor(new LoaderOptions()));
            assertThat(StreamSupport.stream(yaml.loadAll(block).spliterator(), false))
                    .as(block)
                    .isNotEmpty()
                    .allSatisfy(
                            object -> assertThat(((Map<?, ?>) object).keySet().toString())
                                    .contains("apiVersion", "kind", "metadata"));
        }
    }
}
