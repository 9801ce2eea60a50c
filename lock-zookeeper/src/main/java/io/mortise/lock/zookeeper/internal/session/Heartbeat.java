// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.session;

import io.mortise.lock.Ticker;
import io.mortise.lock.spi.support.Moment;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.zookeeper.Op;

/**
 * Sends one small request sixteen times in a session time-out, so that a grant always finds recent answers that prove
 * the session alive. Thread-safe.
 */
@SuppressWarnings(
        "FutureReturnValueIgnored") // beats are cancelled all together; what is not answered is asked with the next
public final class Heartbeat {
    private static final long WITHOUT_SESSION = TimeUnit.SECONDS.toNanos(1);
    private static final int BEATS_IN_A_TIMEOUT = 16;

    private final CuratorSessions sessions;
    private final DaemonScheduler scheduler;
    private final String root;
    private final Consumer<Session> onBeat;

    /** Beats until the scheduler is closed, and runs {@code onBeat}, which must be quick, with each beat. */
    public Heartbeat(CuratorSessions sessions, DaemonScheduler scheduler, String root, Consumer<Session> onBeat) {
        this.sessions = sessions;
        this.scheduler = scheduler;
        this.root = root;
        this.onBeat = onBeat;
    }

    /** Sends a request now, and from now on. */
    public void start() {
        Session session = sessions.sessionNow();
        long pause = session == null ? WITHOUT_SESSION : session.clock().timeout() / BEATS_IN_A_TIMEOUT;
        scheduler.after(pause, this::start);
        beat();
    }

    /** A session has begun: confirms it soon. */
    public void sessionBegun() {
        scheduler.after(0, this::beat);
        Session session = sessions.sessionNow();
        if (session != null) {
            // A session that was there before us is confirmed as soon as it can be.
            scheduler.after(session.clock().gap() + CuratorSessions.PAUSE, this::beat);
        }
    }

    private void beat() {
        sessions.adopt();
        Session session = sessions.sessionNow();
        if (session == null) {
            return;
        }
        CompletableFuture<String> reached = session.sync(root);
        if (session.clock().left(Moment.now(Ticker.system())) <= 0) {
            reached.thenRun(() -> session.multi(List.of(Op.check(root, -1))));
        }
        onBeat.accept(session);
    }
}
