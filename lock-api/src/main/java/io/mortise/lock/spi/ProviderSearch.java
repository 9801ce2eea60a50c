// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi;

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
                failures.putIfAbsent("schemes() of " + className + " failed: " + unusable, unusable);
            }
        }
    }

    /** What the loader says, and what it was told by the provider. */
    private static String reason(Throwable unusable) {
        Throwable cause = unusable.getCause();
        String said = unusable instanceof LinkageError
                ? unusable.toString()
                : String.valueOf(unusable.getMessage()).replace(SERVICE + ": ", "");
        return cause == null ? said : said + ": " + cause;
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
        Map<String, Throwable> masked = new TreeMap<>();
        failures.forEach((reason, failure) -> masked.put(Secrets.mask(reason), failure));
        return masked;
    }
}
