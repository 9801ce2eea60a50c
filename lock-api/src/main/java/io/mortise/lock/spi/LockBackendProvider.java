// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi;

import java.util.Set;

/**
 * Opens backends from URLs. Found by {@link java.util.ServiceLoader}: register it both in {@code module-info.java}
 * ({@code provides}) and in {@code META-INF/services}, since the first is read on the module
 * path only and the second on the class path only. Needs a public constructor without parameters. Thread-safe.
 */
public interface LockBackendProvider {
    /**
     * {@return the URL schemes that this provider opens, in lower case without colon, such as {@code redis}; for
     * databases, {@code jdbc}}
     */
    Set<String> schemes();

    /**
     * {@return the names of the options that {@link #open} understands in a URL; unless overridden, none} Any other
     * is refused before it is called.
     */
    default Set<String> options() {
        return Set.of();
    }

    /**
     * {@return a new client of the store} Of the URL, show only its {@link StoreUrl#toString()}. Secrets in what a driver says are
     * removed from the exceptions of this method and of the backend; from what the backend logs and from the names of its threads, it
     * must keep them itself, with {@link Secrets#mask}.
     *
     * @param url the store, its scheme one of {@link #schemes()}, its options among {@link #options()}
     * @throws io.mortise.lock.LockConfigurationException if the URL cannot be understood or the store is not fit for use
     * @throws BackendException if opening needs an answer of the store and there is none
     */
    LockBackend open(StoreUrl url);
}
