// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.LockStoreException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Opens the backend that a store URL names: finds the provider of its scheme with {@link java.util.ServiceLoader}. Skips
 * providers that cannot be loaded, and names them if none fits. Reads the password where the URL says that it is. No exception
 * shows a secret of the URL. For clients, and for backends that are made of other backends.
 */
public final class BackendSelection {
    private BackendSelection() {}

    /**
     * Opens the backend that a URL names.
     *
     * @param url the store
     * @param others names of options in the URL that are the caller's, not the backend's
     * @return a new backend
     * @throws LockConfigurationException if no module knows the scheme or two do, if an option is unknown, if the URL or the
     *     store cannot be used, or if the store refuses this client
     * @throws LockStoreException if opening needs an answer of the store and there is none
     */
    public static LockBackend open(StoreUrl url, Set<String> others) {
        StoreUrl complete = PasswordSource.read(url, null);
        try {
            return opened(complete, others);
        } catch (RuntimeException | Error failure) {
            throw unchecked(complete.secrets().clean(failure));
        }
    }

    /**
     * Opens as {@link #open} does a backend whose every exception shows no secret of the URL, whatever the store's driver
     * says.
     *
     * @param url the store
     * @param password the password, if neither the URL contains it nor its options say where it is; else null
     * @param others names of options in the URL that are the caller's, not the backend's
     * @return a new backend, which may be wrapped: its class tells nothing
     * @throws LockConfigurationException as {@link #open}
     * @throws LockStoreException as {@link #open}
     */
    public static LockBackend openForClient(StoreUrl url, @Nullable String password, Set<String> others) {
        StoreUrl complete = PasswordSource.read(url, password);
        return MaskedBackend.of(open(complete, others), complete.secrets());
    }

    /** Throws an error, or returns what is no error. */
    static RuntimeException unchecked(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        return (RuntimeException) failure;
    }

    private static LockBackend opened(StoreUrl url, Set<String> others) {
        LockBackendProvider provider = provider(url.scheme());
        for (String option : url.options().keySet()) {
            if (!others.contains(option) && !provider.options().contains(option)) {
                TreeSet<String> known = new TreeSet<>(others);
                known.addAll(provider.options());
                known.addAll(PasswordSource.OPTIONS);
                throw new LockConfigurationException("unknown option '" + option + "' in the URL of a " + url.scheme()
                        + ": store; known are " + String.join(", ", known));
            }
        }
        try {
            return provider.open(url);
        } catch (LockConfigurationException clear) {
            throw clear;
        } catch (BackendException unopened) {
            if (unopened.kind() == BackendException.Kind.REFUSED) {
                throw new LockConfigurationException(
                        "the store " + url + " refuses: " + unopened.getMessage(), unopened);
            }
            throw new LockStoreException(
                    "", "the store " + url + " did not answer: " + unopened.getMessage(), unopened);
        } catch (IllegalArgumentException unfit) {
            throw new LockConfigurationException("the store " + url + " cannot be used: " + unfit.getMessage(), unfit);
        } catch (LinkageError missing) {
            throw new LockConfigurationException(
                    "the store " + url + " cannot be used, because a class is missing or does not fit: " + missing
                            + "; is the store's driver on the class path, in the right version?",
                    missing);
        }
    }

    private static LockBackendProvider provider(String scheme) {
        ProviderSearch search = new ProviderSearch();
        List<LockBackendProvider> fitting = search.of(scheme);
        if (fitting.isEmpty()) {
            throw noProvider(scheme, search);
        }
        if (fitting.size() > 1) {
            throw new LockConfigurationException("two lock stores for the scheme '" + scheme + ":': "
                    + fitting.get(0).getClass().getName() + " and "
                    + fitting.get(1).getClass().getName() + "; remove one of them");
        }
        return fitting.get(0);
    }

    private static LockConfigurationException noProvider(String scheme, ProviderSearch search) {
        StringBuilder message = new StringBuilder("no lock store for the scheme '" + scheme + ":'; available are "
                + String.join(", ", search.allSchemes()) + "; " + StoreModules.advice(scheme));
        Throwable cause = null;
        for (Map.Entry<String, Throwable> failure : search.failures().entrySet()) {
            message.append(cause == null ? ". Some registered stores cannot be loaded: " : "; ")
                    .append(failure.getKey());
            cause = cause == null ? failure.getValue() : cause;
        }
        return new LockConfigurationException(message.toString(), cause);
    }
}
