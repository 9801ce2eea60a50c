// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.run;

import io.mortise.lock.spi.Feature;
import io.mortise.lock.tck.history.History;
import io.mortise.lock.tck.history.Hold;
import io.mortise.lock.tck.report.CaseResult;
import io.mortise.lock.tck.report.CaseResult.Verdict;
import io.mortise.lock.tck.report.ReportFiles;
import io.mortise.lock.tck.scene.Rule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The report of one run of the suite against one backend: which cases passed, failed or were skipped, and why. Logs it as
 * one line, and fails the run if no case of a declared feature was executed (V1).
 */
final class SuiteReport {
    private static final System.Logger LOG = System.getLogger("io.mortise.lock.tck");

    /** The system property with the folder for a report as a page and as JSON; without it none is written. */
    private static final String REPORT = "mortise.tck.report";

    private final Class<?> testClass;
    private final Set<String> passed = new ConcurrentSkipListSet<>();
    private final Set<String> failed = new ConcurrentSkipListSet<>();
    private final Map<String, String> skipped = new ConcurrentSkipListMap<>();
    private final Map<String, String> failures = new ConcurrentHashMap<>();
    private final Map<String, Duration> took = new ConcurrentHashMap<>();
    private final Map<String, List<Hold>> holds = new ConcurrentHashMap<>();
    private final StoreLook store = new StoreLook();

    /** Why a history is not in the report; no case fails by that. */
    private volatile @Nullable IOException unwritten;

    SuiteReport(Class<?> testClass) {
        this.testClass = testClass;
    }

    StoreLook store() {
        return store;
    }

    Set<Feature> features() {
        return store.declared().features();
    }

    void passed(Method method) {
        passed.add(method.getName());
    }

    void failed(Method method, String message) {
        failed.add(method.getName());
        failures.put(method.getName(), message);
    }

    /** A case has ended, whatever its result: it took so long, and this was asked and answered last. */
    void ran(Method method, long nanos, History history) {
        String name = method.getName();
        took.put(name, Duration.ofNanos(nanos));
        if (!directory().isEmpty()) {
            holds.put(name, history.holds());
            try {
                ReportFiles.write(Path.of(directory()), testClass.getSimpleName(), name, history.lines());
            } catch (IOException failure) {
                unwritten = failure;
            }
        }
    }

    private static String directory() {
        return System.getProperty(REPORT, "");
    }

    private void write(List<Method> cases, String badge) {
        List<CaseResult> results =
                cases.stream().filter(this::isKnown).map(this::result).toList();
        try {
            if (unwritten != null) {
                throw unwritten;
            }
            ReportFiles.write(Path.of(directory()), testClass.getSimpleName(), store.seen(), badge, results);
        } catch (IOException failure) {
            throw new UncheckedIOException("the report could not be written into " + directory(), failure);
        }
    }

    private boolean isKnown(Method method) {
        return ran(method) || skipped.containsKey(method.getName());
    }

    private CaseResult result(Method method) {
        String name = method.getName();
        Rule rule = method.getAnnotation(Rule.class);
        Verdict verdict =
                failed.contains(name) ? Verdict.FAILED : passed.contains(name) ? Verdict.PASSED : Verdict.SKIPPED;
        return new CaseResult(
                name,
                RuleNames.numberOf(method),
                rule.needs().length == 0 ? "CORE" : rule.needs()[0].name(),
                rule.says(),
                verdict,
                took.getOrDefault(name, Duration.ZERO).toMillis(),
                failures.getOrDefault(name, skipped.getOrDefault(name, "")),
                holds.getOrDefault(name, List.of()));
    }

    void skipped(Method method, String reason) {
        skipped.put(method.getName(), reason);
    }

    /** Tells the badge; throws if the whole suite ran and a declared feature has no executed case. */
    void close(Consumer<String> publish) {
        List<Method> cases = Cases.of(testClass);
        boolean whole = cases.stream()
                .map(Method::getName)
                .allMatch(name -> passed.contains(name) || failed.contains(name) || skipped.containsKey(name));
        String badge = badge(whole);
        publish.accept(badge);
        if (!directory().isEmpty()) {
            write(cases, badge);
        }
        LOG.log(Level.INFO, () -> testClass.getSimpleName() + ": " + badge + reasons());
        List<String> missing = Cases.removed(testClass);
        if (!missing.isEmpty()) {
            throw new AssertionError("V1 is broken. Every rule of the suite must be run, but "
                    + testClass.getSimpleName() + " has removed " + missing);
        }
        if (whole && store.seen().isPresent()) {
            for (Feature feature : features()) {
                if (cases.stream().noneMatch(method -> proves(method, feature) && ran(method))) {
                    throw new AssertionError("V1 is broken. " + testClass.getSimpleName() + " declares " + feature
                            + ", but no case of that feature was executed; skipped: " + skipped);
                }
            }
        }
    }

    /** Such as {@code CORE LEASE FENCE(WHILE_DATA_LIVES) ADMIN; 80 cases passed, 0 failed, 4 skipped}. */
    private String badge(boolean whole) {
        List<String> words = new ArrayList<>();
        if (failed.isEmpty() && whole) {
            words.addAll(List.of("CORE", "LEASE"));
            Set<Feature> features = features();
            if (features.contains(Feature.FENCED)) {
                words.add("FENCE(" + store.declared().strength() + ")");
            }
            Stream.of(Feature.PROMPT, Feature.FAIR).filter(features::contains).forEach(each -> words.add(each.name()));
            if (features.contains(Feature.LISTABLE) && features.contains(Feature.REVOCABLE)) {
                words.add("ADMIN");
            }
        } else {
            words.add(
                    store.seen().isEmpty()
                            ? "nothing was tested"
                            : whole ? "not conformant" : "a part of the suite ran");
        }
        return String.format(
                Locale.ROOT,
                "%s; %d cases passed, %d failed, %d skipped",
                String.join(" ", words),
                passed.size(),
                failed.size(),
                skipped.size());
    }

    /** Why cases were skipped, a line for each reason. */
    private String reasons() {
        Map<String, List<String>> reasons = new TreeMap<>();
        skipped.forEach((name, reason) ->
                reasons.computeIfAbsent(reason, unused -> new ArrayList<>()).add(name));
        StringBuilder text = new StringBuilder();
        reasons.forEach((reason, names) ->
                text.append("\n  ").append(reason).append(": ").append(names));
        return text.toString();
    }

    private boolean ran(Method method) {
        return passed.contains(method.getName()) || failed.contains(method.getName());
    }

    private static boolean proves(Method method, Feature feature) {
        return List.of(method.getAnnotation(Rule.class).needs()).contains(feature);
    }
}
