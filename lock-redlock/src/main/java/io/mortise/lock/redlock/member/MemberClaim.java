// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock.member;

import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.spi.StoreIncarnation;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
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
    private final Claim claim;
    private final String lock;
    private final CompletableFuture<Boolean> granted;
    private volatile boolean asked;
    private volatile @Nullable StoreIncarnation incarnation;
    private volatile Duration spent = Duration.ZERO;
    private volatile boolean released;

    /**
     * What a member stores as the holder's label, so that the claims of one round can be told from those of another.
     *
     * @param round the round that the claim belongs to: 16 hexadecimal digits
     * @param token the round's token, or 0 in claims that were made before it was known
     * @param label the holder's own label
     */
    public record Label(String round, long token, String label) {
        private static final Pattern TEXT = Pattern.compile("([0-9a-f]{16}):(\\d{1,16}):(.*)", Pattern.DOTALL);

        String text() {
            return round + ":" + token + ":" + label;
        }

        /** Reads a member's label; a holder that is not a quorum's has the empty round. */
        public static Label of(String text) {
            Matcher matcher = TEXT.matcher(text);
            return matcher.matches()
                    ? new Label(matcher.group(1), Long.parseLong(matcher.group(2)), matcher.group(3))
                    : new Label("", 0, text);
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
        claim = member.backend().claim(own, () -> {});
        if (before != null) {
            before.release(time);
        }
        granted = member.askAfterReleases(lock, time, this::tryOnce);
    }

    private static String randomOwner() {
        byte[] owner = new byte[16];
        RANDOM.nextBytes(owner);
        return HexFormat.of().formatHex(owner);
    }

    private boolean tryOnce(Duration atMost) throws InterruptedException {
        asked = true;
        long end = System.nanoTime() + atMost.toNanos();
        boolean yes = claim.tryAcquire(atMost);
        Duration left = Duration.ofNanos(Math.max(1, end - System.nanoTime()));
        incarnation = claim.storeIncarnation(left).map(member::record).orElse(null);
        if (yes) {
            recordSpent();
        }
        return yes;
    }

    /** Renews claims of one member in one batch; called by the member's thread. */
    public static List<Answer> renewAll(
            Member member, List<MemberClaim> claims, List<Duration> leases, Duration atMost) {
        List<Renewal> batch = new ArrayList<>(claims.size());
        for (int i = 0; i < claims.size(); i++) {
            batch.add(new Renewal(claims.get(i).claim(), leases.get(i)));
        }
        List<Answer> answers = member.backend().renewAll(batch, atMost);
        for (int i = 0; i < claims.size() && i < answers.size(); i++) {
            if (answers.get(i) == Answer.YES) {
                claims.get(i).recordSpent();
            }
        }
        return answers;
    }

    /** Records how much of the lease was spent when the member was asked; called by the thread that got the member's yes. */
    private void recordSpent() {
        spent = claim.leaseSpent();
    }

    public Duration spent() {
        return spent;
    }

    public Member member() {
        return member;
    }

    public Claim claim() {
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
