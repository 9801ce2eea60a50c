// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck;

import io.mortise.lock.LockOptions;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.LockBackend;
import java.time.Duration;
import org.opentest4j.TestAbortedException;

/** What a case asks for: claims and options with the lease of its scene. */
public sealed interface Requests permits Scene {
    /**
     * The lease that locks of this scene have.
     *
     * @return the author's lease, times the patience factor
     */
    Duration lease();

    /**
     * How long to wait for what must come some time.
     *
     * @return longer than a case lasts on a machine that is fit for the suite
     */
    Duration limit();

    /**
     * A lease as long as the store can honour.
     *
     * @param wanted how long it may be
     * @return that long, or the longest lease within the declared bounds
     */
    Duration honoured(Duration wanted);

    /**
     * Skips the case if the store cannot honour a lease.
     *
     * @param lease how long
     */
    default void needs(Duration lease) {
        if (!honoured(lease).equals(lease)) {
            throw new TestAbortedException("skipped: the store's longest lease is " + honoured(lease)
                    + "; to enable the case, let lease() be a fifth of it at most");
        }
    }

    /**
     * The client of a name: always the same for the same name, independent of all others.
     *
     * @param who a short name
     * @return a client of the store at the SPI
     */
    LockBackend backend(String who);

    /**
     * A claim of any backend and request, with a nudge.
     *
     * @param backend recorded or not
     * @param request what to ask for
     * @param nudge told that it is worth trying again
     * @return a claim that has not asked yet; released at the end if nobody did
     */
    RecordingClaim claim(LockBackend backend, ClaimRequest request, Runnable nudge);

    /**
     * A claim with the scene's lease, one token and an owner of its own, which enters no queue.
     *
     * @param who its client
     * @param lock the name of the lock
     * @return a claim that has not asked yet
     */
    default RecordingClaim claim(String who, String lock) {
        return claim(backend(who), request(lock, who));
    }

    /**
     * Like {@link #claim(String, String)}, with another lease.
     *
     * @param who its client
     * @param lock the name of the lock
     * @param lease how long a grant lasts, if the store can honour so much
     * @return a claim that has not asked yet
     */
    default RecordingClaim claim(String who, String lock, Duration lease) {
        return claim(backend(who), new ClaimRequest(lock, RandomText.hex(16), who, honoured(lease), false, 0, 1));
    }

    /**
     * Like {@link #claim(String, String)}, with a lease that outlasts the case, if the store can honour so much.
     *
     * @param who its client
     * @param lock the name of the lock
     * @return a claim that has not asked yet
     */
    default RecordingClaim lasting(String who, String lock) {
        return claim(backend(who), lastingRequest(lock, who));
    }

    /**
     * A claim of any backend and request.
     *
     * @param backend recorded or not
     * @param request what to ask for
     * @return a claim that has not asked yet; released at the end if nobody did
     */
    default RecordingClaim claim(LockBackend backend, ClaimRequest request) {
        return claim(backend, request, () -> {});
    }

    /**
     * What {@link #claim(String, String)} asks for.
     *
     * @param lock the name of the lock
     * @param label who asks
     * @return a request with an owner of its own
     */
    default ClaimRequest request(String lock, String label) {
        return new ClaimRequest(lock, RandomText.hex(16), label, lease(), false, 0, 1);
    }

    /**
     * What {@link #lasting(String, String)} asks for.
     *
     * @param lock the name of the lock
     * @param label who asks
     * @return a request with an owner of its own
     */
    default ClaimRequest lastingRequest(String lock, String label) {
        return new ClaimRequest(lock, RandomText.hex(16), label, honoured(limit()), false, 0, 1);
    }

    /**
     * The options that clients of this scene have.
     *
     * @param label who asks
     * @return the defaults with the scene's lease
     */
    default LockOptions options(String label) {
        return LockOptions.defaults().lease(lease()).label(label);
    }

    /**
     * Like {@link #options}, with a lease that outlasts the case, if the store can honour so much.
     *
     * @param label who asks
     * @return the defaults with a long lease
     */
    default LockOptions lastingOptions(String label) {
        return options(label).lease(honoured(limit()));
    }
}
