// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Finds the registered providers of backends. One that cannot be loaded does not hide the others: it is skipped and
 * remembered, for the message if no other provider fits. Used by one thread.
 */
final class ProviderSearch {
    /** A loader that fails this often is given up: it may repeat one failure for ever. */
    private static final int MOST_FAILURES = 100;

    private static final String SERVICE = LockBackendProvider.class.getName();

    private final Map<LockBackendProvider, Set<String>> schemes = new LinkedHashMap<>();
    private final Set<String> classNames = new TreeSet<>();
    private final Map<String, Throwable> failures = new TreeMap<>();

    /** The context class loader sees application servers' deployments; our own sees the module layer. */
    ProviderSearch() {
        ClassLoader own = ProviderSearch.class.getClassLoader();
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        search(ServiceLoader.load(LockBackendProvider.class, own).iterator());
        if (context != null && context != own) {
            search(ServiceLoader.load(LockBackendProvider.class, context).iterator());
        }
    }

    private void search(Iterator<LockBackendProvider> registered) {
        int failed = 0;
        while (failed < MOST_FAILURES) {
            try {
                if (!registered.hasNext()) {
                    return;
                }
                add(registered.next());
            } catch (ServiceConfigurationError | LinkageError unusable) {
                failed++;
                failures.putIfAbsent(reason(unusable), unusable);
            }
        }
    }

    private void add(LockBackendProvider provider) {
        String className = provider.getClass().getName();
        if (classNames.add(className)) {
            try {
                schemes.put(provider, Set.copyOf(provider.schemes()));
            } catch (LinkageError | RuntimeException unusable) {
                failures.putIfAbsent("schemes() of " + className + " failed: " + named(unusable), unusable);
            }
        }
    }

    /** What the loader says. What a provider itself says may quote any secret, and so only its class is told. */
    private static String reason(Throwable unusable) {
        String said = unusable instanceof LinkageError
                ? unusable.toString()
                : String.valueOf(unusable.getMessage()).replace(SERVICE + ": ", "");
        Throwable cause = unusable.getCause();
        return cause == null ? said : said + ": " + named(cause);
    }

    private static String named(Throwable failure) {
        return failure instanceof LinkageError || failure instanceof IOException
                ? failure.toString()
                : failure.getClass().getName();
    }

    /** The providers that open a scheme. */
    List<LockBackendProvider> of(String scheme) {
        List<LockBackendProvider> fitting = new ArrayList<>();
        schemes.forEach((provider, opened) -> {
            if (opened.contains(scheme)) {
                fitting.add(provider);
            }
        });
        return fitting;
    }

    /** The schemes of all providers, in order. */
    Set<String> allSchemes() {
        Set<String> all = new TreeSet<>();
        schemes.values().forEach(all::addAll);
        return all;
    }

    /** Why providers cannot be loaded, in words without secrets, and the failures; in the same order. */
    Map<String, Throwable> failures() {
        return failures;
    }
}
