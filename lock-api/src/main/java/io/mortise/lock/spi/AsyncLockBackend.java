// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A backend that can also be asked without a thread that waits for the answer. For backends that are made of other backends and
 * ask many of them at once; the engine uses {@link LockBackend} alone. Thread-safe.
 *
 * <p>The rules, for every method of this interface and of {@link AsyncClaim} that answers a stage:
 *
 * <ul>
 *   <li><b>Never blocks.</b> The caller goes on at once, also while the store is silent.
 *   <li><b>Bounded.</b> The stage completes within {@code atMost}, give or take scheduling: with what {@link Claim} calls a known
 *       fact, or with a {@link BackendException} whose {@link BackendException#end()} says when a request that was given up can no
 *       longer change the store.
 *   <li><b>Callbacks are quick.</b> They run on the thread that reads the store's answers, or on the caller's.
 * </ul>
 */
public interface AsyncLockBackend extends LockBackend {
    /**
     * {@return a claim that has not asked for anything yet, and never enters a queue in the store} Does no I/O and never fails.
     *
     * @param request what is asked for; {@link ClaimRequest#waits()} is false
     */
    AsyncClaim asyncClaim(ClaimRequest request);

    /**
     * Renews many claims, as {@link LockBackend#renewAll} does. Renewals are not held up by other requests.
     *
     * @param renewals claims of this backend, none twice, and for each how long its lease is to last
     * @param atMost how long it may take, positive
     * @return completes with an answer for each claim, in the same order
     */
    CompletionStage<List<Answer>> renewAllAsync(List<AsyncRenewal> renewals, Duration atMost);

    /**
     * Looks whether a lock seems to be held, as cheaply as the store can: for whoever waits, before it tries again. Decides
     * nothing, changes nothing.
     *
     * @param lock the name
     * @param atMost how long it may take, positive
     * @return completes with how much of a lease is left at most, or empty if the lock seems to be free
     */
    CompletionStage<Optional<Duration>> look(String lock, Duration atMost);
}
