// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.LockHolder;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LockBackend;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Inspects, lists and revokes locks of the store, for {@link io.mortise.lock.LockClient}. Thread-safe. */
public final class Admin {
    private static final int PAGE = 500;

    private final LockBackend backend;
    private final Duration callTimeout;

    Admin(LockBackend backend, Duration callTimeout) {
        this.backend = backend;
        this.callTimeout = callTimeout;
    }

    /** The locks that are held now, page by page. */
    public Stream<LockHolder> holders(String prefix) {
        if (!backend.features().contains(Feature.LISTABLE)) {
            throw new UnsupportedOperationException("this store cannot list its locks");
        }
        return Stream.iterate(page(prefix, ""), page -> !page.isEmpty(), page -> {
                    boolean last = page.size() < PAGE;
                    return last
                            ? List.of()
                            : page(prefix, page.get(page.size() - 1).lock());
                })
                .flatMap(List::stream);
    }

    Optional<LockHolder> holder(String lock) {
        return answered(lock, () -> backend.inspect(lock, callTimeout));
    }

    boolean revoke(String lock, String reason, boolean now) {
        return answered(lock, () -> backend.revoke(lock, reason, now, callTimeout));
    }

    private List<LockHolder> page(String prefix, String after) {
        return answered("", () -> backend.list(prefix, after, PAGE, callTimeout));
    }

    /** The one place where the end of a question is judged. */
    private static <T> T answered(String lock, Supplier<T> question) {
        try {
            return question.get();
        } catch (BackendException noAnswer) {
            if (noAnswer.kind() == BackendException.Kind.REFUSED) {
                throw new LockConfigurationException(String.valueOf(noAnswer.getMessage()), noAnswer);
            }
            throw new LockStoreException(
                    lock, "the store did not answer; check it, then try again: " + noAnswer.getMessage(), noAnswer);
        }
    }
}
