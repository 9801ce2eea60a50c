// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock.member;

import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.AsyncClaim;
import io.mortise.lock.spi.AsyncRenewal;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.StoreIncarnation;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The claim of one round at one member. It has an owner of its own, is tried once, and is released only after its try has
 * ended. Thread-safe.
 */
public final class MemberClaim {
    /** Why a member cannot be asked anything about a claim yet. */
    public static final String STILL_TRYING = "is still being asked for the lock";

    private static final SecureRandom RANDOM = new SecureRandom();

    private final Member member;
    private final AsyncClaim claim;
    private final String lock;
    private final CompletableFuture<Boolean> granted;
    private volatile boolean asked;
    private volatile @Nullable StoreIncarnation incarnation;
    private volatile boolean released;
    private volatile CompletableFuture<?> renewal = CompletableFuture.completedFuture(true);

    /** Until when the member keeps others out at least, unless somebody intervenes; null if it never said yes. */
    private volatile @Nullable ConfirmedLease kept;

    /** The shortest renewal without an answer: the member may execute it at any time, after longer ones. */
    private volatile @Nullable Duration unanswered;

    private volatile boolean keptAtRefusal;

    /**
     * What a member stores as the holder's label, so that the claims of one round can be told from those of another.
     *
     * @param round the round that the claim belongs to: 16 hexadecimal digits
     * @param token the round's token, or 0 in claims that were made before it was known
     * @param age how old the round was when the claim was made; zero in its first claims
     * @param label the holder's own label
     */
    public record Label(String round, long token, Duration age, String label) {
        private static final Pattern TEXT =
                Pattern.compile("([0-9a-f]{16}):(\\d{1,16}):(\\d{1,15}):(.*)", Pattern.DOTALL);

        String text() {
            return round + ":" + token + ":" + age.toMillis() + ":" + label;
        }

        /** Reads a member's label; a holder that is not a quorum's has the empty round. */
        public static Label of(String text) {
            Matcher matcher = TEXT.matcher(text);
            return matcher.matches()
                    ? new Label(
                            matcher.group(1),
                            Long.parseLong(matcher.group(2)),
                            Duration.ofMillis(Long.parseLong(matcher.group(3))),
                            matcher.group(4))
                    : new Label("", 0, Duration.ZERO, text);
        }
    }

    /**
     * Tries to acquire the lock at a member.
     *
     * @param tokenFloor the member's token must be greater than this
     * @param lease how long the lease is to last
     * @param before a claim that may still hold the lock here, or null; it is released first, or it would refuse this one
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the member waits for the release
    public MemberClaim(
            Member member,
            ClaimRequest request,
            Label label,
            long tokenFloor,
            Duration lease,
            @Nullable MemberClaim before,
            Duration time) {
        this.member = member;
        lock = request.lock();
        ClaimRequest own = new ClaimRequest(
                lock,
                randomOwner(),
                label.text(),
                lease,
                false,
                Math.min(tokenFloor, ClaimRequest.HIGHEST_TOKEN_FLOOR),
                request.tokenCount());
        claim = member.store().asyncClaim(own);
        if (before != null) {
            before.release(time);
        }
        granted = member.askAfterReleases(lock, time, atMost -> tryOnce(lease, atMost));
    }

    static String randomOwner() {
        byte[] owner = new byte[16];
        RANDOM.nextBytes(owner);
        return HexFormat.of().formatHex(owner);
    }

    private CompletionStage<Boolean> tryOnce(Duration lease, Duration atMost) {
        asked = true;
        long sent = System.nanoTime();
        return claim.tryAcquire(atMost).thenApply(yes -> {
            incarnation = claim.storeIncarnation().map(member::record).orElse(null);
            if (yes) {
                confirmed(sent, lease);
            }
            return yes;
        });
    }

    /** Whether the last renewal has ended, answered or not. */
    public boolean isIdle() {
        return renewal.isDone();
    }

    /**
     * Renews claims of one member in one batch, each to a length of its own, once the renewals have ended that are under way: a
     * member may execute in any order what it is asked at the same time.
     */
    public static CompletableFuture<List<Answer>> renewAll(
            Member member, List<MemberClaim> claims, List<Duration> leases, Duration atMost) {
        CompletableFuture<?>[] before =
                claims.stream().map(claim -> claim.renewal).toArray(CompletableFuture[]::new);
        CompletableFuture<List<Answer>> answers = member.askAfter(
                CompletableFuture.allOf(before), atMost, left -> renewNow(member, claims, leases, left));
        claims.forEach(claim -> claim.renewal = answers);
        return answers;
    }

    private static CompletionStage<List<Answer>> renewNow(
            Member member, List<MemberClaim> claims, List<Duration> leases, Duration atMost) {
        List<AsyncRenewal> batch = new ArrayList<>(claims.size());
        for (int i = 0; i < claims.size(); i++) {
            batch.add(new AsyncRenewal(claims.get(i).claim(), leases.get(i)));
        }
        long sent = System.nanoTime();
        return member.store().renewAllAsync(batch, atMost).whenComplete((told, failure) -> {
            List<Answer> answers = failure == null ? told : List.of();
            for (int i = 0; i < claims.size(); i++) {
                claims.get(i).renewed(i < answers.size() ? answers.get(i) : Answer.UNKNOWN, sent, leases.get(i));
            }
        });
    }

    private void renewed(Answer answer, long sent, Duration lease) {
        switch (answer) {
            case YES -> confirmed(sent, lease);
            case NO -> keptAtRefusal = claim.holdsUntilLeaseEnds();
            case UNKNOWN -> {
                unanswered = unanswered == null ? lease : shorter(unanswered, lease);
                ConfirmedLease late = new ConfirmedLease(sent, lease, Duration.ZERO);
                kept = kept != null && kept.lastsAsLongAs(late) ? late : kept;
            }
        }
    }

    /** Records the member's yes; called by the thread that got it. What may still be executed late counts as spent. */
    private void confirmed(long sent, Duration lease) {
        Duration sure = unanswered == null ? lease : shorter(unanswered, lease);
        kept = new ConfirmedLease(sent, lease, claim.leaseSpent().plus(lease.minus(sure)));
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /** How much of the lease was over when the member was asked for it; zero if it has never said yes. */
    public Duration spent() {
        ConfirmedLease lease = kept;
        return lease == null ? Duration.ZERO : lease.spent();
    }

    /** Whether the member, which has refused a renewal, certainly keeps others out until a lease ends. */
    public boolean isKeptUntilEndOf(ConfirmedLease lease) {
        ConfirmedLease mine = kept;
        return keptAtRefusal && mine != null && mine.lastsAsLongAs(lease);
    }

    public Member member() {
        return member;
    }

    public AsyncClaim claim() {
        return claim;
    }

    /** Whether the try was granted; fails if that is not known. */
    public CompletableFuture<Boolean> granted() {
        return granted;
    }

    /** Whether the try has ended: nothing else can be asked about the claim before. */
    public boolean hasEnded() {
        return granted.isDone();
    }

    /** The incarnation of the member's process that answered the try; null if the store does not tell. */
    public @Nullable StoreIncarnation incarnation() {
        return incarnation;
    }

    /** Makes the member's later tokens greater than {@code token}, if this claim holds the lock there. */
    public CompletableFuture<Boolean> raiseToken(long token, Duration time) {
        return member.askAfterReleases(lock, time, atMost -> claim.raiseToken(token, atMost));
    }

    /** Releases the claim when its try has ended, and again when a try that was given up has ended at last. */
    @SuppressWarnings("FutureReturnValueIgnored") // nobody waits for the second release
    public CompletableFuture<Boolean> release(Duration time) {
        return member.trackRelease(
                lock, granted.handle((yes, failure) -> failure).thenCompose(failure -> {
                    if (!asked) {
                        released = true;
                        return CompletableFuture.completedFuture(false);
                    }
                    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
                    if (cause instanceof BackendException unanswered) {
                        unanswered.end().ifPresent(end -> end.whenComplete((x, y) -> member.ask(time, claim::release)));
                    }
                    return member.ask(time, claim::release).whenComplete((held, unknown) -> released = unknown == null);
                }));
    }

    public boolean isReleased() {
        return released;
    }
}
