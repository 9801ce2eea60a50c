// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck;

import io.mortise.lock.LockHolder;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.FencingStrength;
import io.mortise.lock.spi.LeaseBounds;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.SafetyLevel;
import io.mortise.lock.tck.Operation.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** One client of the store, whose every question and answer goes into the history. Thread-safe. */
final class RecordingBackend implements LockBackend {
    private final String who;
    private final LockBackend inner;
    private final History history;
    private final Consumer<RecordingClaim> claims;
    private final AtomicBoolean closed = new AtomicBoolean();

    RecordingBackend(String who, LockBackend inner, History history, Consumer<RecordingClaim> claims) {
        this.who = who;
        this.inner = inner;
        this.history = history;
        this.claims = claims;
    }

    @Override
    public RecordingClaim claim(ClaimRequest request, Runnable nudge) {
        RecordingClaim claim = new RecordingClaim(who, history, request, inner.claim(request, nudge), nudge);
        claims.accept(claim);
        return claim;
    }

    @Override
    public Set<Feature> features() {
        return inner.features();
    }

    @Override
    public SafetyLevel safetyLevel() {
        return inner.safetyLevel();
    }

    @Override
    public FencingStrength fencingStrength() {
        return inner.fencingStrength();
    }

    @Override
    public LeaseBounds leaseBounds() {
        return inner.leaseBounds();
    }

    @Override
    public List<Answer> renewAll(List<? extends Claim> batch, Duration atMost) {
        List<RecordingClaim> recorded =
                batch.stream().map(RecordingClaim.class::cast).toList();
        List<Long> begins = recorded.stream().map(claim -> history.now()).toList();
        List<Answer> answers;
        try {
            answers =
                    inner.renewAll(recorded.stream().map(RecordingClaim::inner).toList(), atMost);
        } catch (RuntimeException | Error unanswered) {
            for (int i = 0; i < recorded.size(); i++) {
                recorded.get(i).record(Kind.RENEW, begins.get(i), "unknown: " + unanswered);
            }
            throw unanswered;
        }
        for (int i = 0; i < Math.min(answers.size(), recorded.size()); i++) {
            recorded.get(i)
                    .record(
                            Kind.RENEW,
                            begins.get(i),
                            switch (answers.get(i)) {
                                case YES -> Operation.YES;
                                case NO -> Operation.NO;
                                case UNKNOWN -> "unknown";
                            });
        }
        return answers;
    }

    @Override
    public Optional<LockHolder> inspect(String lock, Duration atMost) {
        return inner.inspect(lock, atMost);
    }

    @Override
    public List<LockHolder> list(String prefix, String after, int limit, Duration atMost) {
        return inner.list(prefix, after, limit, atMost);
    }

    @Override
    public boolean revoke(String lock, String reason, boolean now, Duration atMost) {
        if (now) {
            history.fault(lock, "revoked at once by " + who);
        }
        return inner.revoke(lock, reason, now, atMost);
    }

    @Override
    public void close() {
        if (!closed.getAndSet(true)) {
            long begin = history.now();
            inner.close();
            history.add(new Operation(who, 0, "", Kind.CLOSE, begin, history.now(), "", 0, 0, 0));
        } else {
            inner.close();
        }
    }
}
