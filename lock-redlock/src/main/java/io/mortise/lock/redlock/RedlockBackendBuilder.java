// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.redlock.member.Member;
import io.mortise.lock.redlock.quorum.Quorum;
import io.mortise.lock.redlock.quorum.QuorumSettings;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LockBackend;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builds a {@link RedlockBackend} over the backends of its members. Not thread-safe. */
public final class RedlockBackendBuilder {
    private static final Logger LOG = System.getLogger(RedlockBackendBuilder.class.getName());
    private static final Duration MARGIN = Duration.ofSeconds(1);

    private final Map<String, LockBackend> members = new LinkedHashMap<>();
    private Duration memberTimeout = Duration.ofSeconds(1);
    private Duration longestLease = Duration.ofMinutes(1);
    private Duration clockBound = Duration.ofSeconds(1);
    private @Nullable Duration restartDelay;
    private boolean newQuorum;
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
     * it was restarted. The delay has no exception but {@link #newQuorum}: a quorum whose members have all just started
     * grants nothing until it has passed.
     *
     * @param delay at least the longest lease and the clock bound together; a second longer unless set
     * @return this
     */
    public RedlockBackendBuilder restartDelay(Duration delay) {
        restartDelay = positive("restartDelay", delay);
        return this;
    }

    /**
     * Declares that no client can hold a lock of these members now, so that members may vote at once, though they were started
     * less than the {@linkplain #restartDelay restart delay} ago: for their very first start, and for tests. Remove the call when
     * the quorum serves: each client that is opened with it, at any later time, believes members that have forgotten leases
     * because they had been restarted shortly before, and grants locks that others still hold.
     *
     * <p>It excepts the processes that run when the backend is made. A member that is restarted later waits for the delay. While
     * it is in force, a warning is logged when the backend is made.
     *
     * @return this
     */
    public RedlockBackendBuilder newQuorum() {
        newQuorum = true;
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
     * Makes the backend. Asks the members which servers they are, for a second at most; a member that does not answer is no error.
     *
     * @return a new backend
     * @throws LockConfigurationException if there is not an odd number of at least three members, if the restart delay is too
     *     short, if tokens are wanted and a member has none, or if two members are found to be one server; the members then stay
     *     open
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
        if (newQuorum) {
            LOG.log(
                    Level.WARNING,
                    "the option newQuorum is set: members vote at once though they may just have been restarted and have"
                            + " forgotten leases; remove it when the quorum of {0} serves",
                    String.join(", ", members.keySet()));
        }
        Quorum quorum = new Quorum(list, new QuorumSettings(memberTimeout, delay, newQuorum, clockBound, fencing));
        try {
            quorum.meetMembers();
        } catch (BackendException refused) {
            throw new LockConfigurationException(String.valueOf(refused.getMessage()), refused);
        }
        return new RedlockBackend(quorum, longestLease);
    }

    private static Duration positive(String option, Duration duration) {
        if (duration.isNegative() || duration.isZero()) {
            throw new LockConfigurationException("the option " + option + " must be positive, not " + duration);
        }
        return duration;
    }
}
