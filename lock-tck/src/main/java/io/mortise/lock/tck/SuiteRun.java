// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.mortise.lock.tck.scene.Scene;
import io.mortise.lock.tck.time.StallMeter;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * The result of a suite that ran inside another test: which of its cases passed, and how the others failed. For tests of wrong
 * locks, whose failure counts however many threads want the processors, unless the system property {@value StallMeter#CROWD} says from
 * when on it does not; needs {@code junit-platform-launcher}.
 *
 * @param passed the names of the cases that passed; one that was skipped is not among them
 * @param skipped the names of the cases that do not apply to the store
 * @param failures the names of the cases that failed, each with its message; also the suite's own name if it could not run at
 *     all, for instance because it has no case of a given name
 */
public record SuiteRun(Set<String> passed, Set<String> skipped, Map<String, String> failures) {
    private static final String NEVER_CROWDED = "1000000";

    /**
     * Runs some cases of the conformance suite.
     *
     * @param suite the class that extends it
     * @param cases the names of the cases
     * @return what became of them
     */
    public static SuiteRun of(Class<?> suite, Collection<String> cases) {
        return of(cases.stream()
                .map(name -> selectMethod(suite, name, Scene.class.getName()))
                .toList());
    }

    /**
     * Runs all tests of a class.
     *
     * @param tests the class
     * @return what became of them
     */
    public static SuiteRun of(Class<?> tests) {
        return of(List.of(selectClass(tests)));
    }

    /**
     * Runs all cases of the conformance suite, one by one, to find those that are worth asking again and again.
     *
     * @param suite the class that extends it, with a lock that is right
     * @param longest how long a case may take
     * @return the names of those that passed within that time, the quickest first
     */
    public static List<String> quickCases(Class<? extends LockBackendTck> suite, Duration longest) {
        Map<String, Long> nanos = new HashMap<>();
        Stream.of(LockBackendTck.class.getMethods())
                .filter(method -> Arrays.equals(method.getParameterTypes(), new Class<?>[] {Scene.class}))
                .map(Method::getName)
                .forEach(name -> {
                    long begin = System.nanoTime();
                    boolean passed = of(suite, List.of(name)).passed.contains(name);
                    long took = System.nanoTime() - begin;
                    if (passed && took <= longest.toNanos()) {
                        nanos.put(name, took);
                    }
                });
        return nanos.keySet().stream().sorted(Comparator.comparing(nanos::get)).toList();
    }

    /**
     * Runs cases of the conformance suite one by one, until one fails.
     *
     * @param suite the class that extends it
     * @param cases the names of the cases
     * @return the name of the one that failed
     */
    public static Optional<String> firstFailure(Class<? extends LockBackendTck> suite, List<String> cases) {
        return cases.stream()
                .filter(name -> !of(suite, List.of(name)).failures.isEmpty())
                .findFirst();
    }

    private static SuiteRun of(List<? extends DiscoverySelector> selectors) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectors)
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
                .build();
        SuiteRun run = new SuiteRun(new TreeSet<>(), new TreeSet<>(), new TreeMap<>());
        boolean crowdIsTold = System.getProperty(StallMeter.CROWD) != null;
        if (!crowdIsTold) {
            // A lock that is wrong fails on a busy machine, too: that tells enough of it.
            System.setProperty(StallMeter.CROWD, NEVER_CROWDED);
        }
        try {
            execute(request, run);
        } finally {
            if (!crowdIsTold) {
                System.clearProperty(StallMeter.CROWD);
            }
        }
        return run;
    }

    private static void execute(LauncherDiscoveryRequest request, SuiteRun run) {
        LauncherFactory.create().execute(request, new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                if (test.getSource().orElse(null) instanceof MethodSource method) {
                    run.finished(method.getMethodName(), result);
                } else if (result.getStatus() == TestExecutionResult.Status.FAILED) {
                    run.finished(test.getDisplayName(), result);
                }
            }
        });
    }

    private void finished(String name, TestExecutionResult result) {
        switch (result.getStatus()) {
            case SUCCESSFUL -> passed.add(name);
            case FAILED ->
                failures.put(
                        name, result.getThrowable().map(Throwable::getMessage).orElse(""));
            case ABORTED -> skipped.add(name);
        }
    }

    /**
     * Checks that a case failed, and that its message explains the mistake.
     *
     * @param name the case that names the mistake
     * @return its message
     */
    public String caughtBy(String name) {
        String message = failures.get(name);
        if (message == null) {
            throw new AssertionError(
                    name + " should have failed; failed: " + failures.keySet() + ", passed: " + passed);
        }
        String rule = name.substring(0, name.indexOf('_')).toUpperCase(Locale.ROOT);
        boolean atItsEnd =
                message.startsWith("V5 is broken. ") && message.contains("Found at the end of " + rule + ": ");
        if (!message.startsWith(rule + " is broken. ") && !atItsEnd) {
            throw new AssertionError("the message should name the rule " + rule + ": " + message);
        }
        for (String part : List.of("Why it matters: ", "What happened: ", "Time line:")) {
            if (!message.contains(part)) {
                throw new AssertionError("the message should have the part \"" + part + "\": " + message);
            }
        }
        return message;
    }
}
