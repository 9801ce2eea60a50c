// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Links of the documents lead somewhere, and the index leads to every page. */
class DocumentsTest {
    @Test
    void linksLeadSomewhere() {
        List<Document> documents = Document.all();

        assertThat(documents).hasSizeGreaterThan(5);
        assertThat(documents.stream().flatMap(DocumentsTest::deadLinks)).isEmpty();
    }

    private static Stream<String> deadLinks(Document document) {
        return document.links().stream()
                .filter(link -> !leadsSomewhere(document, link))
                .map(link -> document.name() + " -> " + link);
    }

    private static boolean leadsSomewhere(Document document, String link) {
        int hash = link.indexOf('#');
        Path target = hash == 0 ? document.file() : target(document, hash < 0 ? link : link.substring(0, hash));
        if (hash < 0 || !target.toString().endsWith(".md")) {
            return Files.exists(target);
        }
        return Files.exists(target) && Document.of(target).anchors().contains(link.substring(hash + 1));
    }

    private static Path target(Document document, String link) {
        return document.file().resolveSibling(link).normalize();
    }

    @Test
    void theIndexLeadsToEveryPage() {
        Document index = Document.of(SourceTree.root().resolve("docs/README.md"));
        Set<Path> linked = index.links().stream()
                .map(link -> target(index, link.replaceFirst("#.*", "")))
                .collect(Collectors.toSet());

        assertThat(Document.all().stream()
                        .filter(Document::isPage)
                        .map(Document::file)
                        .filter(page -> !page.equals(index.file())))
                .hasSizeGreaterThan(10)
                .allMatch(linked::contains);
    }

    @Test
    void anchorsAreThoseOfGitHub() {
        Document document = new Document(
                Path.of("page.md"),
                "# A `store`: [why](x.md)?\n## Two words\n## Two words\n```sh\n# no heading\n```\n");

        assertThat(document.anchors()).containsExactlyInAnyOrder("a-store-why", "two-words", "two-words-1");
    }
}
