// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;

/** What is published, and that its poms have what Maven Central asks for. */
class PomsTest {
    /** Those that only test others. */
    private static final Set<String> UNPUBLISHED = Set.of(
            "lock-bench",
            "lock-conventions",
            "lock-costs",
            "lock-faults",
            "lock-jdk25",
            "lock-peers",
            "lock-spring-7",
            "lock-tck-wrong-locks");

    private static final Path LIST_OF_VERSIONS = SourceTree.root().resolve("lock-bom");

    @Test
    void allThatIsCompleteIsPublished() {
        List<Path> unpublished = SourceTree.modules().stream()
                .filter(module -> !Poms.published().contains(module))
                .toList();

        assertThat(unpublished).extracting(SourceTree::relative).hasSameElementsAs(UNPUBLISHED);
        assertThat(unpublished).allMatch(module -> Poms.isTrue(Poms.of(module), "maven.install.skip"));
        assertThat(unpublished).allMatch(module -> Poms.isTrue(Poms.of(module), "maven.javadoc.skip"));
    }

    @Test
    void everyPublishedModuleSaysWhatItIs() {
        assertThat(Poms.published()).hasSizeGreaterThan(8).allSatisfy(module -> {
            Element pom = Poms.of(module);
            assertThat(Poms.text(pom, "name")).as("name of %s", module).isPresent();
            assertThat(Poms.text(pom, "description"))
                    .as("description of %s", module)
                    .isPresent();
            // From which it has the rest.
            assertThat(Poms.text(pom, "parent", "artifactId").isPresent())
                    .as("parent of %s", module)
                    .isEqualTo(!module.equals(LIST_OF_VERSIONS));
        });
    }

    /** The list of versions has no parent: it says all of this itself. */
    @ParameterizedTest
    @ValueSource(strings = {"url", "licenses", "developers", "scm"})
    void theRootAndTheListOfVersionsSayTheSame(String element) {
        assertThat(Poms.text(Poms.root(), element))
                .isPresent()
                .map(PomsTest::squeezed)
                .isEqualTo(Poms.text(Poms.of(LIST_OF_VERSIONS), element).map(PomsTest::squeezed));
        assertThat(Poms.text(Poms.root(), "properties", "mortise.url"))
                .isPresent()
                .isEqualTo(Poms.text(Poms.of(LIST_OF_VERSIONS), "properties", "mortise.url"));
    }

    @Test
    void theListOfVersionsHasEveryPublishedModule() {
        assertThat(Poms.all(Poms.of(LIST_OF_VERSIONS), "dependency"))
                .map(entry -> Poms.text(entry, "artifactId").orElseThrow())
                .hasSameElementsAs(Poms.published().stream()
                        .filter(module -> !module.equals(LIST_OF_VERSIONS))
                        .map(SourceTree::relative)
                        .toList());
    }

    /** {@code ./mortise} names them, since Maven would also build what only the tests of the command need. */
    @Test
    void theCommandIsBuiltFromAllThatItNeeds() {
        String list = SourceTree.lines(SourceTree.root().resolve("mortise")).stream()
                .filter(line -> line.startsWith("modules='"))
                .findFirst()
                .orElseThrow();
        assertThat(list.replaceFirst("^modules='", "").replaceFirst("'$", "").split(" "))
                .containsExactlyInAnyOrderElementsOf(withAllThatItNeeds("lock-cli"));
    }

    private static Set<String> withAllThatItNeeds(String module) {
        Set<String> all = Poms.all(Poms.of(SourceTree.root().resolve(module)), "dependency")
                .filter(entry -> Poms.text(entry, "groupId").orElseThrow().equals("io.mortise"))
                .filter(entry -> !Poms.text(entry, "scope").orElse("compile").equals("test"))
                .flatMap(entry ->
                        withAllThatItNeeds(Poms.text(entry, "artifactId").orElseThrow()).stream())
                .collect(Collectors.toCollection(TreeSet::new));
        all.add(module);
        return all;
    }

    @Test
    void theReadmeNamesTheVersionsThatAreTested() {
        List<Coordinates> named =
                Readme.stores().flatMap(store -> store.dependencies().stream()).toList();
        Set<Coordinates> known = Stream.concat(
                        Poms.managed(), Poms.published().stream().map(PomsTest::coordinates))
                .collect(Collectors.toSet());
        Readme.Store sqlite = Readme.stores()
                .filter(store -> store.scheme().equals("jdbc:sqlite:"))
                .findFirst()
                .orElseThrow();

        assertThat(named).hasSizeGreaterThan(10).isSubsetOf(known);
        assertThat(squeezed(Readme.dependencies()))
                .isEqualTo(squeezed(sqlite.dependencies().stream()
                        .map(Coordinates::dependency)
                        .collect(Collectors.joining())));
        assertThat(Readme.listOfVersions()).contains("<version>" + Poms.version() + "</version>");
    }

    private static Coordinates coordinates(Path module) {
        return new Coordinates("io.mortise", SourceTree.relative(module), Poms.version());
    }

    private static String squeezed(String text) {
        return text.replaceAll("\\s+", " ").strip();
    }
}
