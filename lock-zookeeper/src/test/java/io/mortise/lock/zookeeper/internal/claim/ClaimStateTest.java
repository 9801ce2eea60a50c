// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.Ticker;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.support.Moment;
import io.mortise.lock.zookeeper.internal.node.NodeNames;
import io.mortise.lock.zookeeper.internal.node.NodePaths;
import io.mortise.lock.zookeeper.internal.node.NodeText;
import io.mortise.lock.zookeeper.internal.queue.LockQueue;
import io.mortise.lock.zookeeper.internal.queue.PendingDeletes;
import io.mortise.lock.zookeeper.internal.queue.QueueNode;
import io.mortise.lock.zookeeper.internal.session.CuratorSessions;
import io.mortise.lock.zookeeper.internal.session.DaemonScheduler;
import io.mortise.lock.zookeeper.internal.token.FencingTokens;
import java.time.Duration;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When a client looks at a claim again, which it does for all of its claims together. */
class ClaimStateTest {
    private static final Duration LEASE = Duration.ofMinutes(10);

    private final CuratorFramework unconnected = CuratorFrameworkFactory.newClient("localhost:1", new RetryOneTime(1));
    private final DaemonScheduler scheduler = new DaemonScheduler("claim-state-test");
    private final ClaimState claim = claim();

    private ClaimState claim() {
        NodePaths paths = new NodePaths("/mortise", List.of());
        CuratorSessions sessions = new CuratorSessions(unconnected, "nowhere", "/", () -> {}, session -> {});
        LockQueue queue = new LockQueue(paths, new FencingTokens(paths), new PendingDeletes(sessions), "a");
        ClaimRequest request = new ClaimRequest("a", "0".repeat(32), "test", LEASE, true, 0, 1);
        return new ClaimState(
                new QueueNode(queue, new NodeNames(request.owner()), NodeText.of(request)),
                "a",
                new OpenClaims(scheduler));
    }

    private static Moment ago(Duration time) {
        Moment now = Moment.now(Ticker.system());
        return new Moment(now.nanos() - time.toNanos(), now.wallMillis() - time.toMillis());
    }

    @AfterEach
    void close() {
        scheduler.close();
        unconnected.close();
    }

    /** Not only a part of a lease later: another claim's end may be the reason for this look. */
    @Test
    void aLeaseThatEndsSoonIsLookedAtWhenItEnds() {
        assertThat(claim.extend(ago(LEASE.minusMinutes(1)), LEASE)).isTrue();

        assertThat(claim.endIfDue()).isBetween(1L, Duration.ofMinutes(1).toNanos());
    }

    @Test
    void aLeaseThatHasEndedIsEnded() {
        assertThat(claim.extend(ago(LEASE.plusMinutes(1)), LEASE)).isTrue();

        assertThat(claim.endIfDue()).isZero();
    }

    @Test
    void aClaimThatWasReleasedIsNotLookedAtAgain() {
        assertThat(claim.extend(ago(Duration.ZERO), LEASE)).isTrue();
        assertThat(claim.release()).isFalse();

        assertThat(claim.endIfDue()).isZero();
    }
}
