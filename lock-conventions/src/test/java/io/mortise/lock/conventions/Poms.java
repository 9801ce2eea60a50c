// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.conventions;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/** The poms as they are written, and which modules they publish. */
final class Poms {
    private static final Pattern PROPERTY = Pattern.compile("\\$\\{(.+)}");

    private Poms() {}

    static Element root() {
        return of(SourceTree.root());
    }

    static Element of(Path module) {
        try {
            Document document = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(module.resolve("pom.xml").toFile());
            return document.getDocumentElement();
        } catch (IOException | SAXException | ParserConfigurationException failure) {
            throw new IllegalStateException("cannot read the pom of " + module, failure);
        }
    }

    static String version() {
        return text(root(), "version").orElseThrow();
    }

    /** The directories of all modules that are deployed; the root is not among them. */
    static List<Path> published() {
        return SourceTree.modules().stream()
                .filter(module -> !isTrue(of(module), "maven.deploy.skip"))
                .toList();
    }

    static boolean isTrue(Element pom, String property) {
        return text(pom, "properties", property).filter("true"::equals).isPresent();
    }

    /** The children of that name. */
    static List<Element> children(Element parent, String name) {
        return nodes(parent)
                .filter(Element.class::isInstance)
                .map(Element.class::cast)
                .filter(child -> child.getTagName().equals(name))
                .toList();
    }

    /** The text at that path; nothing if there is none. */
    static Optional<String> text(Element from, String... path) {
        Optional<Element> element = Optional.of(from);
        for (String name : path) {
            element = element.flatMap(parent -> children(parent, name).stream().findFirst());
        }
        return element.map(Element::getTextContent).map(String::strip).filter(text -> !text.isEmpty());
    }

    /** All elements of that name below. */
    static Stream<Element> all(Element from, String name) {
        return IntStream.range(0, from.getElementsByTagName(name).getLength())
                .mapToObj(index -> (Element) from.getElementsByTagName(name).item(index));
    }

    /** The versions of all libraries and plugins that the root fixes. */
    static Stream<Coordinates> managed() {
        Element root = root();
        return Stream.concat(all(root, "dependency"), all(root, "plugin"))
                .filter(entry -> text(entry, "version").isPresent())
                .map(entry -> new Coordinates(
                        text(entry, "groupId").orElse("org.apache.maven.plugins"),
                        text(entry, "artifactId").orElseThrow(),
                        resolved(root, text(entry, "version").orElseThrow())));
    }

    private static String resolved(Element root, String version) {
        Matcher property = PROPERTY.matcher(version);
        if (!property.matches()) {
            return version;
        }
        String name = property.replaceFirst("$1");
        return name.equals("project.version")
                ? version()
                : text(root, "properties", name).orElseThrow();
    }

    private static Stream<Node> nodes(Element parent) {
        return IntStream.range(0, parent.getChildNodes().getLength())
                .mapToObj(index -> parent.getChildNodes().item(index));
    }
}
