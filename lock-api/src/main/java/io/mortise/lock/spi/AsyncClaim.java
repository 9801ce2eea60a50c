// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi;

import io.mortise.lock.Loss;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * One attempt to get one lock, whose requests need no thread that waits. Made by {@link AsyncLockBackend#asyncClaim}.
 *
 * <p>It keeps the rules of {@link Claim}, which say what each request means, and those of {@link AsyncLockBackend}. At most one
 * request of a claim is open at a time, where one that was given up does not count: the next one never overtakes it on its way
 * to the store, and after an unanswered try a release leaves a mark as that of {@link Claim#release} does.
 */
public interface AsyncClaim {
    /**
     * As {@link Claim#tryAcquire}.
     *
     * @param atMost how long it may take, positive
     * @return completes with whether this claim holds the lock
     */
    CompletionStage<Boolean> tryAcquire(Duration atMost);

    /**
     * As {@link Claim#release}.
     *
     * @param atMost how long it may take, positive
     * @return completes with whether this claim held the lock until now
     */
    CompletionStage<Boolean> release(Duration atMost);

    /**
     * As {@link Claim#raiseToken}.
     *
     * @param token the token to stay above
     * @param atMost how long it may take, positive
     * @return completes with whether this claim holds the lock and every later token is greater
     */
    CompletionStage<Boolean> raiseToken(long token, Duration atMost);

    /** {@return as {@link Claim#fencingToken()}} */
    long fencingToken();

    /** {@return as {@link Claim#leaseSpent()}} */
    Duration leaseSpent();

    /** {@return as {@link Claim#retryAfter()}} */
    Optional<Duration> retryAfter();

    /** {@return which incarnation of the store's process answered the last try, as {@link Claim#storeIncarnation}, without I/O} */
    Optional<StoreIncarnation> storeIncarnation();

    /** {@return as {@link Claim#holdsUntilLeaseEnds()}} */
    boolean holdsUntilLeaseEnds();

    /** {@return as {@link Claim#loss()}} */
    Loss loss();
}
