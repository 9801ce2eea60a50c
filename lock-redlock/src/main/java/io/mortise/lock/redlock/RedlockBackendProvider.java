// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock;

import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.LockBackendProvider;
import io.mortise.lock.spi.StoreUrl;
import java.util.Set;

/**
 * Opens {@code redlock://user:password@host1:port,host2,host3/database}: a quorum of Redis servers, each a member
 * {@code redis://user:password@host:port/database}; with {@code redlocks}, over TLS. Needs the module {@code lock-redis} at run
 * time. Options: {@code memberTimeout}, {@code longestLease}, {@code clockBound}, {@code restartDelay}, {@code newQuorum} (true or
 * false) and {@code fencing} as in {@link RedlockBackendBuilder}; {@code prefix}, {@code timeout} and {@code connections} go to
 * the members. Thread-safe.
 */
public final class RedlockBackendProvider implements LockBackendProvider {
    /** For {@link java.util.ServiceLoader}. */
    public RedlockBackendProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of("redlock", "redlocks");
    }

    @Override
    public Set<String> options() {
        return RedlockUrl.OPTIONS;
    }

    /**
     * Opens a client of the quorum. A member that is down is not an error.
     *
     * @throws io.mortise.lock.LockConfigurationException if the URL cannot be understood, if it names an even number of
     *     members or one of them twice, or if a member refuses the user
     */
    @Override
    public LockBackend open(StoreUrl url) {
        return new RedlockUrl(url).open();
    }
}
