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

/** Settings of a {@link RedlockBackend}. Not thread-safe. */
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
     * Adds a member: one store that fails by itself.
     *
     * @param name what messages call it
     * @param backend its client, not used by anybody else; closed with the quorum
     * @return this
     * @throws LockConfigurationException if the name or the client is there already
     */
    public RedlockBackendBuilder member(String name, LockBackend backend) {
        if (members.containsKey(name) || members.containsValue(backend)) {
            throw new LockConfigurationException("the member " + name + " stands twice: a member must not vote twice");
        }
        members.put(name, backend);
        return this;
    }

    /**
     * Sets how long one member may take for one answer. A member that hangs costs no more than this, and nothing as long as
     * the others decide.
     *
     * @param time positive, and much shorter than the leases; a second unless set
     * @return this
     */
    public RedlockBackendBuilder memberTimeout(Duration time) {
        memberTimeout = positive("memberTimeout", time);
        return this;
    }

    /**
     * Sets the longest lease that may be asked for, by any client of these members.
     *
     * @param lease positive; a minute unless set
     * @return this
     */
    public RedlockBackendBuilder longestLease(Duration lease) {
        longestLease = positive("longestLease", lease);
        return this;
    }

    /**
     * Sets how far the clocks of the members may differ.
     *
     * @param bound positive; a second unless set. The yes of a member that differs from the others by more does not count
     * @return this
     */
    public RedlockBackendBuilder clockBound(Duration bound) {
        clockBound = positive("clockBound", bound);
        return this;
    }

    /**
     * Sets how long a member must have run before its yes counts: leases that it forgot when it was restarted have then ended.
     * Unless set, it is a second more than the least that it can be, and members that a majority was started with within ten
     * seconds need not wait, so that a new quorum serves at once; once set, they wait too.
     *
     * @param delay not less than the longest lease and the clock bound together
     * @return this
     */
    public RedlockBackendBuilder restartDelay(Duration delay) {
        restartDelay = positive("restartDelay", delay);
        return this;
    }

    /**
     * Sets whether grants have fencing tokens.
     *
     * @param wanted true unless set; needs members that are {@link Feature#FENCED}, all of them
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
     * @throws LockConfigurationException if the members are not an odd number of at least three, if the delay after a restart is
     *     too short, or if tokens are wanted and a member has none
     */
    public RedlockBackend build() {
        if (members.size() < 3 || members.size() % 2 == 0) {
            throw new LockConfigurationException("a quorum has 3, 5 or 7 members, not " + members.size()
                    + ": of an even number one more could fail for nothing");
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
