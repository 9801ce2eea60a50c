// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.LockStoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;

/**
 * Opens the backend that a store URL names: finds the provider of its scheme with {@link ServiceLoader}. For clients, and for
 * backends that are made of other backends.
 */
public final class BackendSelection {
    private BackendSelection() {}

    /**
     * Opens the backend that a URL names.
     *
     * @param url the store
     * @param others names of options in the URL that are the caller's, not the backend's
     * @return a new backend
     * @throws LockConfigurationException if no module knows the scheme or two do, if an option is unknown, or if the URL
     *     or the store cannot be used
     * @throws LockStoreException if opening needs an answer of the store and there is none
     */
    public static LockBackend open(StoreUrl url, Set<String> others) {
        LockBackendProvider provider = provider(url.scheme());
        for (String option : url.options().keySet()) {
            if (!others.contains(option) && !provider.options().contains(option)) {
                TreeSet<String> known = new TreeSet<>(others);
                known.addAll(provider.options());
                throw new LockConfigurationException("unknown option '" + option + "' in the URL of a " + url.scheme()
                        + ": store; known are " + String.join(", ", known));
            }
        }
        try {
            return provider.open(url);
        } catch (LockConfigurationException clear) {
            throw clear;
        } catch (BackendException unanswered) {
            throw new LockStoreException(
                    "", "the store " + url + " did not answer: " + message(unanswered), unanswered);
        } catch (IllegalArgumentException unfit) {
            throw new LockConfigurationException("the store " + url + " cannot be used: " + message(unfit), unfit);
        }
    }

    private static String message(RuntimeException failure) {
        return Secrets.mask(String.valueOf(failure.getMessage()));
    }

    private static LockBackendProvider provider(String scheme) {
        List<LockBackendProvider> fitting = new ArrayList<>();
        TreeSet<String> schemes = new TreeSet<>();
        for (LockBackendProvider provider : all()) {
            schemes.addAll(provider.schemes());
            if (provider.schemes().contains(scheme)) {
                fitting.add(provider);
            }
        }
        if (fitting.isEmpty()) {
            throw new LockConfigurationException("no lock store for the scheme '" + scheme
                    + ":'; available are " + String.join(", ", schemes)
                    + " (is the module of the store, such as lock-" + scheme + ", on the class path or module path?)");
        }
        if (fitting.size() > 1) {
            throw new LockConfigurationException("two lock stores for the scheme '" + scheme + ":': "
                    + fitting.get(0).getClass().getName() + " and "
                    + fitting.get(1).getClass().getName() + "; remove one of them");
        }
        return fitting.get(0);
    }

    /** The context class loader sees application servers' deployments; our own sees the module layer. */
    private static List<LockBackendProvider> all() {
        List<LockBackendProvider> found = new ArrayList<>();
        TreeSet<String> names = new TreeSet<>();
        ClassLoader own = BackendSelection.class.getClassLoader();
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        for (ClassLoader loader : context == null || context == own ? List.of(own) : List.of(own, context)) {
            try {
                for (LockBackendProvider provider : ServiceLoader.load(LockBackendProvider.class, loader)) {
                    if (names.add(provider.getClass().getName())) {
                        found.add(provider);
                    }
                }
            } catch (ServiceConfigurationError broken) {
                throw new LockConfigurationException(
                        "a registered lock store cannot be loaded: " + broken.getMessage(), broken);
            }
        }
        return found;
    }
}
