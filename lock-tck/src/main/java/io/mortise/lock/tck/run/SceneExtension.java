// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.run;

import io.mortise.lock.spi.Feature;
import io.mortise.lock.tck.scene.Rule;
import io.mortise.lock.tck.scene.Scene;
import io.mortise.lock.tck.scene.StoreUnderTest;
import java.lang.reflect.Method;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.extension.TestWatcher;
import org.junit.platform.commons.support.ReflectionSupport;
import org.opentest4j.TestAbortedException;

/**
 * Runs each case in a scene of its own, as a JUnit extension: skips a case that does not apply, checks the history at
 * the end, and reports failures in full.
 */
public final class SceneExtension
        implements BeforeEachCallback, ParameterResolver, InvocationInterceptor, TestWatcher, AfterAllCallback {
    private static final ExtensionContext.Namespace SPACE = ExtensionContext.Namespace.create(SceneExtension.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Scene.class;
    }

    @Override
    public Scene resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return Objects.requireNonNull(context.getStore(SPACE).get(Scene.class, Scene.class));
    }

    @Override
    public void beforeEach(ExtensionContext context) throws InterruptedException {
        SuiteReport report = report(context);
        Scene scene = report.store().scene((StoreUnderTest) context.getRequiredTestInstance());
        Rule rule = context.getRequiredTestMethod().getAnnotation(Rule.class);
        if (rule != null) {
            skipUnlessApplicable(rule, report.features());
        }
        context.getStore(SPACE).put(Scene.class, scene);
    }

    @Override
    public void interceptTestMethod(
            Invocation<Void> invocation,
            ReflectiveInvocationContext<Method> invocationContext,
            ExtensionContext context)
            throws Throwable {
        Scene scene = context.getStore(SPACE).get(Scene.class, Scene.class);
        if (scene == null) {
            invocation.proceed();
            return;
        }
        Method method = invocationContext.getExecutable();
        long begin = System.nanoTime();
        new CaseRun(method, scene, report(context).store())
                .of(
                        unused -> invocation.proceed(),
                        again -> ReflectionSupport.invokeMethod(
                                method, invocationContext.getTarget().orElseThrow(), again),
                        last -> report(context).ran(method, System.nanoTime() - begin, last.history()));
    }

    @Override
    public void testSuccessful(ExtensionContext context) {
        report(context).passed(context.getRequiredTestMethod());
    }

    @Override
    public void testFailed(ExtensionContext context, @Nullable Throwable cause) {
        report(context)
                .failed(context.getRequiredTestMethod(), String.valueOf(cause == null ? "" : cause.getMessage()));
    }

    @Override
    public void testAborted(ExtensionContext context, @Nullable Throwable cause) {
        report(context)
                .skipped(
                        context.getRequiredTestMethod(),
                        cause == null ? "no reason" : String.valueOf(cause.getMessage()));
    }

    @Override
    public void afterAll(ExtensionContext context) {
        report(context).close(badge -> context.publishReportEntry("mortise.tck.badge", badge));
    }

    private static SuiteReport report(ExtensionContext context) {
        Class<?> testClass = context.getRequiredTestClass();
        ExtensionContext ofClass = context;
        while (ofClass.getTestMethod().isPresent()) {
            ofClass = ofClass.getParent().orElseThrow();
        }
        // By the methods that every JUnit from 5.10 on has; the cases of a class run one after the other.
        ExtensionContext.Store store = ofClass.getStore(SPACE);
        SuiteReport known = store.get(testClass, SuiteReport.class);
        if (known != null) {
            return known;
        }
        SuiteReport made = new SuiteReport(testClass);
        store.put(testClass, made);
        return made;
    }

    private static void skipUnlessApplicable(Rule rule, Set<Feature> declared) {
        for (Feature needed : rule.needs()) {
            if (!declared.contains(needed)) {
                throw new TestAbortedException("skipped: the backend does not declare " + needed
                        + "; to enable the case, declare it in LockBackend.features()");
            }
        }
        for (Feature unwanted : rule.absent()) {
            if (declared.contains(unwanted)) {
                throw new TestAbortedException(
                        "skipped: the backend declares " + unwanted + ", so there is no absence of it to check");
            }
        }
    }
}
