// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.wrong;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.mortise.lock.tck.scene.Scene;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs some cases of the suite against a store, and tells which of them failed and how. */
public final class SuiteRun implements TestExecutionListener {
    final Map<String, TestExecutionResult> results = new TreeMap<>();

    private SuiteRun() {}

    static SuiteRun of(TinyStore store, Duration lease, Collection<String> cases) {
        WrongLockTck.store = store;
        WrongLockTck.lease = lease;
        return of(WrongLockTck.class, cases);
    }

    /**
     * Runs some cases of a suite.
     *
     * @param suite the test class
     * @param cases the names of its methods
     * @return what became of them
     */
    public static SuiteRun of(Class<?> suite, Collection<String> cases) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(cases.stream()
                        .map(name -> selectMethod(suite, name, Scene.class.getName()))
                        .toList())
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
                .build();
        SuiteRun run = new SuiteRun();
        LauncherFactory.create().execute(request, run);
        return run;
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        test.getSource()
                .filter(MethodSource.class::isInstance)
                .map(MethodSource.class::cast)
                .ifPresent(source -> results.put(source.getMethodName(), result));
    }

    /**
     * The failures by case.
     *
     * @return each with its message
     */
    public Map<String, String> failures() {
        Map<String, String> failures = new TreeMap<>();
        results.forEach((name, result) -> {
            if (result.getStatus() == TestExecutionResult.Status.FAILED) {
                failures.put(
                        name, result.getThrowable().map(Throwable::getMessage).orElse(""));
            }
        });
        return failures;
    }
}
