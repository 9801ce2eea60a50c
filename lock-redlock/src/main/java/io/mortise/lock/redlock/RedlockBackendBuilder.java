// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.redlock.member.Member;
import io.mortise.lock.redlock.quorum.Quorum;
import io.mortise.lock.redlock.quorum.QuorumSettings;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LockBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builds a {@link RedlockBackend} over the backends of its members. Not thread-safe. */
public final class RedlockBackendBuilder {
    private static final Duration MARGIN = Duration.ofSeconds(1);

    private final Map<String, LockBackend> members = new LinkedHashMap<>();
    private Duration memberTimeout = Duration.ofSeconds(1);
    private Duration longestLease = Duration.ofMinutes(1);
    private Duration clockBound = Duration.ofSeconds(1);
    private @Nullable Duration restartDelay;
    private boolean fencing = true;

    RedlockBackendBuilder() {}

    /**
     * Adds a member: a store that fails independently of the others.
     *
     * @param name the member's name in messages
     * @param backend the store's client, which nobody else uses; closed with the quorum
     * @return this
     * @throws LockConfigurationException if the name or the client was added already
     */
    public RedlockBackendBuilder member(String name, LockBackend backend) {
        if (members.containsKey(name) || members.containsValue(backend)) {
            throw new LockConfigurationException("the member " + name + " is there twice; a member has one vote");
        }
        members.put(name, backend);
        return this;
    }

    /**
     * Sets how long one member may take for one answer. A member that hangs costs this time at most, and none as long as the
     * others decide.
     *
     * @param time positive, and much shorter than the leases; a second unless set
     * @return this
     */
    public RedlockBackendBuilder memberTimeout(Duration time) {
        memberTimeout = positive("memberTimeout", time);
        return this;
    }

    /**
     * Sets the longest lease that any client of these members may ask for. It must be the same for all of them.
     *
     * @param lease positive; a minute unless set
     * @return this
     */
    public RedlockBackendBuilder longestLease(Duration lease) {
        longestLease = positive("longestLease", lease);
        return this;
    }

    /**
     * Sets how far the clocks of the members may differ. The vote of a member whose clock differs by more does not count.
     *
     * @param bound positive; a second unless set
     * @return this
     */
    public RedlockBackendBuilder clockBound(Duration bound) {
        clockBound = positive("clockBound", bound);
        return this;
    }

    /**
     * Sets how long a member must have run before its yes counts. By then all leases have ended that it may have forgotten when
     * it was restarted.
     *
     * <p>If this is not set, the delay is a second longer than the shortest that is allowed, and members that were started
     * within ten seconds of a majority may vote at once, so that a new quorum serves at once. If it is set, they wait too.
     *
     * @param delay at least the longest lease and the clock bound together
     * @return this
     */
    public RedlockBackendBuilder restartDelay(Duration delay) {
        restartDelay = positive("restartDelay", delay);
        return this;
    }

    /**
     * Sets whether grants have fencing tokens.
     *
     * @param wanted true unless set; all members must then be {@link Feature#FENCED}
     * @return this
     */
    public RedlockBackendBuilder fencing(boolean wanted) {
        fencing = wanted;
        return this;
    }

    /**
     * Makes the backend.
     *
     * @return a new backend
     * @throws LockConfigurationException if there is not an odd number of at least three members, if the restart delay is too
     *     short, or if tokens are wanted and a member has none
     */
    public RedlockBackend build() {
        if (members.size() < 3 || members.size() % 2 == 0) {
            throw new LockConfigurationException("a quorum has 3, 5 or 7 members, not " + members.size()
                    + ": with an even number, no more members could fail than with one fewer");
        }
        Duration least = longestLease.plus(clockBound);
        Duration delay = restartDelay == null ? least.plus(MARGIN) : restartDelay;
        if (delay.compareTo(least) < 0) {
            throw new LockConfigurationException("the option restartDelay must be at least longestLease and clockBound"
                    + " together, " + least + ", not " + delay);
        }
        List<Member> list = new ArrayList<>();
        members.forEach((name, backend) -> {
            if (fencing && !backend.features().contains(Feature.FENCED)) {
                throw new LockConfigurationException(
                        "the member " + name + " has no fencing tokens; set fencing=false to do without");
            }
            list.add(new Member(name, backend));
        });
        return new RedlockBackend(
                new Quorum(list, new QuorumSettings(memberTimeout, delay, restartDelay != null, clockBound, fencing)),
                longestLease);
    }

    private static Duration positive(String option, Duration duration) {
        if (duration.isNegative() || duration.isZero()) {
            throw new LockConfigurationException("the option " + option + " must be positive, not " + duration);
        }
        return duration;
    }
}
