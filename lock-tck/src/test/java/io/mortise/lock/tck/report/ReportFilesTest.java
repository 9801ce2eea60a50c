// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.FencingStrength;
import io.mortise.lock.spi.LeaseBounds;
import io.mortise.lock.spi.SafetyLevel;
import io.mortise.lock.tck.history.Hold;
import io.mortise.lock.tck.report.CaseResult.Verdict;
import io.mortise.lock.tck.scene.BackendDeclaration;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class ReportFilesTest {
    private static final String HOSTILE = "<script>alert('1')</script>\" onload=\"x & \u202e\u0007 \ud83d\ude00";

    private static final BackendDeclaration DECLARED = new BackendDeclaration(
            Set.of(Feature.PROMPT, Feature.FAIR), SafetyLevel.QUORUM, FencingStrength.NONE, LeaseBounds.WIDEST);

    @TempDir
    private Path directory;

    private String written(String ending, CaseResult... cases) throws Exception {
        ReportFiles.write(
                directory.resolve("new"),
                "MyTest",
                Optional.of(DECLARED),
                "not conformant; " + HOSTILE,
                List.of(cases));
        return Files.readString(directory.resolve("new").resolve("MyTest." + ending));
    }

    private static CaseResult result(String name, String feature, Verdict verdict, String message, Hold... holds) {
        String rule = name.substring(0, name.indexOf('_')).toUpperCase(java.util.Locale.ROOT);
        return new CaseResult(name, rule, feature, "It is right.", verdict, 1234, message, List.of(holds));
    }

    private static Document svg(List<Hold> holds) throws Exception {
        String svg = new HoldLanes(holds).svg();
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
    }

    @Test
    void thePageShowsWhatBecameOfEachRule() throws Exception {
        String page = written(
                "html",
                result("a1_one", "CORE", Verdict.PASSED, ""),
                result("a1_two", "CORE", Verdict.FAILED, "A1 is broken.\n  Time line:"),
                result("a10_three", "CORE", Verdict.SKIPPED, "skipped: no server"),
                result("i1_four", "FENCED", Verdict.PASSED, ""));

        assertThat(page)
                .contains(
                        "<a class=\"chip failed\" href=\"#a1_one\" title=\"1 passed, 1 failed\">A1</a><a class=\"chip skipped\"")
                .contains("<th scope=\"row\">FENCED</th><td><a class=\"chip passed\" href=\"#i1_four\"")
                .contains("<article id=\"a1_two\">", "<pre>A1 is broken.\n  Time line:</pre>")
                .contains("skipped: no server", "<td class=\"time\">1.23 s</td>");
    }

    @Test
    void namesStayText() throws Exception {
        CaseResult hostile =
                result("a1_one", "CORE", Verdict.FAILED, HOSTILE, new Hold(HOSTILE, 1, 0, 10), new Hold("B", 2, 5, 9));
        assertThat(written("html", hostile))
                .contains("&#60;script&#62;alert(&#39;1&#39;)&#60;/script&#62;&#34; onload=&#34;x &#38; ")
                .doesNotContain("<script", "\" onload", "\u0007");
        assertThat(written("json", hostile))
                .contains(
                        "\"message\":\"<script>alert('1')</script>\\\" onload=\\\"x & \\u202e\\u0007 \\ud83d\\ude00\"")
                .matches("[\\x20-\\x7e\\n]+");
    }

    @Test
    void programsAreToldWhatTheBackendDeclares() throws Exception {
        assertThat(written("json", result("a1_one", "CORE", Verdict.PASSED, "")))
                .startsWith(
                        "{\"suite\":\"MyTest\",\"level\":\"QUORUM\",\"fencing\":\"NONE\",\"features\":[\"FAIR\",\"PROMPT\"],"
                                + "\"badge\":\"not conformant; ");
    }

    @Test
    void nothingComesFromElsewhere() throws Exception {
        assertThat(written("html", result("a1_one", "CORE", Verdict.PASSED, "")))
                .contains("default-src 'none'")
                .doesNotContain("http:", "https:", "url(", "@import", " src=");
    }

    @Test
    void eachClientHasALane() throws Exception {
        List<Hold> holds = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            holds.add(new Hold("client " + i, i + 1, i * 1000L, i * 1000L + 900));
        }
        Document lanes = svg(holds);

        assertThat(lanes.getElementsByTagName("rect").getLength()).isEqualTo(50);
        assertThat(lanes.getElementsByTagName("line").getLength()).isEqualTo(50);
        assertThat(lanes.getDocumentElement().getAttribute("viewBox")).isEqualTo("0 0 1000 1024");
        assertThat(lanes.getElementsByTagName("text").item(49).getTextContent()).isEqualTo("client 49");
    }

    @Test
    void twoHoldersAtOnceAreShown() throws Exception {
        Document lanes = svg(List.of(new Hold("A", 1, 0, 1000), new Hold("B", 2, 750, 2000)));

        assertThat(lanes.getElementsByTagName("rect").getLength()).isEqualTo(4);
        assertThat(lanes.getElementsByTagName("title").item(2).getTextContent())
                .isEqualTo("A#1 and B#2 at once, 0.750 to 1.000 ms");
        assertThat(svg(List.of(new Hold("A", 1, 0, 1000), new Hold("B", 2, 1000, 2000)))
                        .getElementsByTagName("rect")
                        .getLength())
                .isEqualTo(2);
    }
}
