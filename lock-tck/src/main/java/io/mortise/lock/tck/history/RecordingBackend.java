// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.history;

import io.mortise.lock.LockHolder;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.RegisterEntry;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.spi.support.ForwardingBackend;
import io.mortise.lock.tck.history.Operation.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Wraps a backend and records every request and answer in the history. Thread-safe. */
public final class RecordingBackend extends ForwardingBackend {
    private final String who;
    private final History history;
    private final Duration callLimit;
    private final Consumer<RecordingClaim> claims;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * Tells {@code claims} each new claim.
     *
     * @param callLimit how long a call of a claim may take, if the case does not say
     */
    public RecordingBackend(
            String who, LockBackend inner, History history, Duration callLimit, Consumer<RecordingClaim> claims) {
        super(inner);
        this.who = who;
        this.history = history;
        this.callLimit = callLimit;
        this.claims = claims;
    }

    @Override
    public RecordingClaim claim(ClaimRequest request, Runnable nudge) {
        RecordingClaim claim =
                new RecordingClaim(who, history, request, inner().claim(request, nudge), nudge, callLimit);
        claims.accept(claim);
        return claim;
    }

    @Override
    public List<Answer> renewAll(List<Renewal> renewals, Duration atMost) {
        List<RecordingClaim> recorded = renewals.stream()
                .map(renewal -> (RecordingClaim) renewal.claim())
                .toList();
        List<String> places = IntStream.rangeClosed(1, recorded.size())
                .mapToObj(place -> place + " of " + recorded.size())
                .toList();
        List<Long> begins = IntStream.range(0, recorded.size())
                .mapToObj(i -> recorded.get(i).asked(Kind.RENEW, places.get(i)))
                .toList();
        List<Answer> answers;
        try {
            List<Renewal> inner = renewals.stream()
                    .map(renewal -> new Renewal(((RecordingClaim) renewal.claim()).inner(), renewal.lease()))
                    .toList();
            answers = super.renewAll(inner, atMost);
        } catch (RuntimeException | Error unanswered) {
            for (int i = 0; i < recorded.size(); i++) {
                recorded.get(i)
                        .record(
                                Kind.RENEW,
                                renewals.get(i).lease(),
                                begins.get(i),
                                places.get(i),
                                "unknown: " + unanswered);
            }
            throw unanswered;
        }
        for (int i = 0; i < Math.min(answers.size(), recorded.size()); i++) {
            recorded.get(i)
                    .record(
                            Kind.RENEW,
                            renewals.get(i).lease(),
                            begins.get(i),
                            places.get(i),
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
        return history.ask(who, Kind.INSPECT, lock, "", () -> super.inspect(lock, atMost));
    }

    @Override
    public List<LockHolder> list(String prefix, String after, int limit, Duration atMost) {
        return history.ask(
                who,
                Kind.LIST,
                "",
                limit + " with \"" + prefix + "\" after \"" + after + "\"",
                () -> super.list(prefix, after, limit, atMost));
    }

    @Override
    public boolean revoke(String lock, String reason, boolean now, Duration atMost) {
        String asked = (now ? "at once, because " : "because ") + reason;
        if (!now) {
            return history.ask(who, Kind.REVOKE, lock, asked, () -> super.revoke(lock, reason, false, atMost));
        }
        AtomicBoolean held = new AtomicBoolean();
        history.fault(
                lock,
                "revoked at once by " + who,
                () -> held.set(
                        history.ask(who, Kind.REVOKE, lock, asked, () -> super.revoke(lock, reason, true, atMost))));
        return held.get();
    }

    @Override
    public Optional<RegisterEntry> readRegister(String name, Duration atMost) {
        return history.ask(who, Kind.READ, "", name, () -> super.readRegister(name, atMost));
    }

    @Override
    public boolean writeRegister(String name, Optional<String> expected, RegisterEntry entry, Duration atMost) {
        String asked = name + ", " + entry.version() + " after " + expected.orElse("none");
        return history.ask(who, Kind.WRITE, "", asked, () -> super.writeRegister(name, expected, entry, atMost));
    }

    @Override
    public void close() {
        if (!closed.getAndSet(true)) {
            long begin = history.now();
            super.close();
            history.add(Operation.about(who, Kind.CLOSE, "", begin, history.now(), "", ""));
        } else {
            super.close();
        }
    }
}
