// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.etcd.queue;

import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.etcd.gateway.Gateway;
import io.mortise.lock.etcd.gateway.Gateway.GrantedLease;
import io.mortise.lock.etcd.gateway.Gateway.KeptAlive;
import io.mortise.lock.etcd.gateway.KeyValue;
import io.mortise.lock.etcd.gateway.Transaction;
import io.mortise.lock.etcd.gateway.Transaction.Operation;
import io.mortise.lock.etcd.gateway.Transaction.Outcome;
import io.mortise.lock.etcd.gateway.Transaction.Reply;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.support.CallDeadline;
import io.mortise.lock.spi.support.RememberedLoss;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The key of one claim in the queue of its lock, and the lease of etcd with which it ends. One call at a time.
 *
 * <p>What was not answered may still happen. So a key that may yet be made is settled by ending its lease, without which etcd does
 * not make it, and a key that may yet be moved to another lease is settled by writing it once more: each write but the first is
 * done only in the revision of the key that is known.
 */
final class QueueKey {
    /** What a question for the lock has told. */
    enum Look {
        GRANTED,
        WAITS,
        REFUSED,
        ASK_AGAIN
    }

    private static final long NANOS = 1_000_000_000L;

    /** What a question that was refused reads last: {@link #whyNot}. */
    private static final int READ_BY_A_QUESTION = 4 + FencingTokens.READS;

    /** How many keys before its own a claim tells apart; with more, it waits as long for the others as with so many. */
    private static final int TOLD_APART = 9;

    private static final int OVERTAKEN_AT_ONCE = 100;

    /** A waiter lets its lease begin anew when so much of it is over. */
    private static final int LOOKS_IN_A_LEASE = 3;

    private final Gateway gateway;
    private final FencingTokens tokens;
    private final ClaimRequest request;
    private final String queue;
    private final String key;
    private final String note;
    private final RememberedLoss loss = new RememberedLoss();

    /** The key as it is known; null if there is none. */
    private volatile @Nullable KeyValue own;

    private volatile boolean revoked;
    private String predecessor = "";

    /** The lease with which the key ends or is to be made; 0 if there is none. */
    private long lease;

    private long seconds;
    private long createdAfter;
    private long serverSeconds;

    /** When the lease of a claim that holds was last known to begin, by this client's clock. */
    private long confirmedNanos;

    /** Before which moment the lease of a claim that waits did not begin, by this client's clock. */
    private long begunNanos;

    private boolean mayBeMade;
    private boolean mayBeMoved;

    private final IdleHead idleHead = new IdleHead();

    QueueKey(Gateway gateway, LockKeys keys, FencingTokens.OfStore tokens, ClaimRequest request) {
        this.gateway = gateway;
        this.tokens = new FencingTokens(gateway, keys, tokens, request.lock());
        this.request = request;
        queue = keys.queue(request.lock());
        key = keys.entry(request.lock(), request.owner());
        note = keys.note(key);
    }

    boolean isGranted() {
        KeyValue known = own;
        return known != null && Entry.read(known.value()).granted();
    }

    /** Whether the last refusal was for a revocation. */
    boolean isRevoked() {
        return revoked;
    }

    /** The key before this one in the queue, after {@link Look#WAITS}. */
    String predecessor() {
        return predecessor;
    }

    /** In which revision the key was made; 0 if there is none. */
    long created() {
        KeyValue known = own;
        return known == null ? 0 : known.created();
    }

    /** The first token of the grant. */
    long token() {
        KeyValue known = own;
        return known == null
                ? 0
                : FencingTokens.first(known.created(), Entry.read(known.value()).base());
    }

    Loss loss() {
        return loss.get();
    }

    /** Finds out, after a call without an answer, whether the key was made: it is not made later. */
    void settle(CallDeadline deadline) throws InterruptedException {
        if (mayBeMade) {
            Outcome look = look(deadline);
            see(look.replies().get(0));
            if (own == null) {
                gateway.revokeLease(lease, deadline);
                lease = 0;
            }
            mayBeMade = false;
        }
    }

    /** Asks for the lock that the claim has: lets the lease begin anew. */
    Look askAgain(CallDeadline deadline) throws InterruptedException {
        if (extend(request.lease(), deadline)) {
            return Look.GRANTED;
        }
        return revoked ? Look.REFUSED : Look.ASK_AGAIN;
    }

    /**
     * Whether a claim that waits need do nothing else: its lease is new enough, the same key is before its own, and the lock is not
     * left alone. One request, where to ask takes two: the last look of a short wait has little time.
     */
    boolean goesOnWaiting(CallDeadline deadline) throws InterruptedException {
        String before = predecessor;
        if (own == null || dueNanos() <= 0) {
            return false;
        }
        Outcome look = gateway.read(deadline, whyNot(own).toArray(new Operation[0]));
        return heed(look.replies()) == Look.WAITS && predecessor.equals(before) && !idleHead.isGivenUp();
    }

    /** How long the lease of a claim that waits may be left alone; negative if it is to begin anew. */
    private long dueNanos() {
        return seconds * NANOS / LOOKS_IN_A_LEASE - (System.nanoTime() - begunNanos);
    }

    /** When a waiter asks again, if nothing else happens: soon, but not at once, if the lease was to begin anew and did not. */
    Duration untilLeaseIsDue() {
        return Duration.ofNanos(Math.max(dueNanos(), seconds * NANOS / (4 * LOOKS_IN_A_LEASE)));
    }

    /** Reads why the lock is not granted. */
    private List<Operation> whyNot(@Nullable KeyValue waiting) {
        List<Operation> reads = new ArrayList<>(List.of(
                Operation.get(key),
                Operation.get(note),
                Operation.newestUpTo(queue, created(waiting), TOLD_APART + 1),
                Operation.oldest(queue, 1)));
        reads.addAll(tokens.read());
        return reads;
    }

    /** Asks for the lock: makes the key, or sees whether it is the first. */
    Look ask(CallDeadline deadline) throws InterruptedException {
        if (own == null && seconds != wholeSeconds(request.lease())) {
            dropLease();
        }
        KeptAlive kept = keepLease(deadline);
        if (lease == 0) {
            own = null;
            grantLease(deadline);
        }
        KeyValue waiting = own;
        long created = waiting == null ? createdAfter + 1 : waiting.created();
        FencingTokens.Base base = tokens.baseAbove(request.tokenFloor(), created, deadline);
        Transaction grant = tokens.given(base);
        if (waiting == null) {
            grant.ifNone(queue).ifModifiedIn(note, 0);
            if (request.waits()) {
                grant.otherwiseFirst(new Transaction()
                        .ifModifiedIn(key, 0)
                        .ifModifiedIn(note, 0)
                        .then(Operation.put(key, Entry.waiting(request.label()).text(), lease)));
            }
        } else {
            grant.ifModifiedIn(key, waiting.modified()).ifNoneBefore(queue, waiting.created());
        }
        Entry granted = Entry.granted(serverSeconds, base.value(), request.label());
        grant.then(Operation.put(key, granted.text(), lease)).otherwise(whyNot(waiting));
        tokens.take(request.tokenCount(), base, grant);
        mayBeMade |= waiting == null;
        Optional<Outcome> answer = commit(grant, deadline);
        mayBeMade = false;
        if (answer.isEmpty()) {
            lease = 0;
            return Look.ASK_AGAIN;
        }
        Outcome outcome = answer.get();
        if (!outcome.succeeded()) {
            Look look = heed(outcome.replies());
            return look == Look.WAITS && idleHead.isGivenUp() ? overtake(deadline) : look;
        }
        own = new KeyValue(
                key,
                granted.text(),
                waiting == null ? outcome.revision() : waiting.created(),
                outcome.revision(),
                lease);
        revoked = false;
        confirmedNanos = deadline.startNanos();
        return kept == null || kept.isConfirmedBy(outcome) ? Look.GRANTED : Look.ASK_AGAIN;
    }

    private static long created(@Nullable KeyValue known) {
        return known == null ? Long.MAX_VALUE : known.created();
    }

    /** What was refused for good has done nothing; all else without an answer may yet be done. */
    private Optional<Outcome> commit(Transaction transaction, CallDeadline deadline) throws InterruptedException {
        try {
            return gateway.commit(transaction, deadline);
        } catch (BackendException failure) {
            if (failure.kind() == BackendException.Kind.REFUSED) {
                mayBeMade = false;
            }
            throw failure;
        }
    }

    /** Heeds why the lock was not granted. A queue with only this claim, or none, was read with a base that is over. */
    private Look heed(List<Reply> replies) {
        int first = replies.size() - READ_BY_A_QUESTION;
        see(replies.get(first));
        tokens.heed(replies.subList(first + READ_BY_A_QUESTION - FencingTokens.READS, replies.size()));
        if (isNoted(replies.get(first + 1))) {
            return Look.REFUSED;
        }
        List<KeyValue> before = replies.get(first + 2).found().stream()
                .filter(other -> !other.key().equals(key) && other.created() < created(own))
                .toList();
        predecessor = before.isEmpty() ? "" : before.get(0).key();
        if (before.isEmpty() || isGranted() || (own == null && request.waits())) {
            return Look.ASK_AGAIN;
        }
        if (own == null) {
            return Look.REFUSED;
        }
        idleHead.see(replies.get(first + 3).found().get(0), before.size());
        return Look.WAITS;
    }

    /** For how long a waiter does nothing about the lock that it could have; null if none is known to be so idle. */
    @Nullable
    Duration untilItIsGivenUp() {
        return idleHead.left();
    }

    /** Deletes the keys before its own, whose claims do not take the lock though it is free. They go to the end, if they live. */
    private Look overtake(CallDeadline deadline) throws InterruptedException {
        List<KeyValue> before =
                gateway.read(deadline, Operation.oldest(queue, OVERTAKEN_AT_ONCE)).replies().get(0).found().stream()
                        .filter(other -> other.created() < created(own))
                        .toList();
        Transaction deletion = new Transaction();
        for (KeyValue idle : before) {
            if (Entry.read(idle.value()).granted()) {
                return Look.WAITS;
            }
            deletion.ifModifiedIn(idle.key(), idle.modified()).then(Operation.delete(idle.key()));
        }
        Optional<Outcome> unused = commit(deletion, deadline);
        return Look.ASK_AGAIN;
    }

    /** Lets the lease begin anew; it is 0 afterwards if it has ended. Null if there was none. */
    private @Nullable KeptAlive keepLease(CallDeadline deadline) throws InterruptedException {
        if (lease == 0) {
            return null;
        }
        long begun = System.nanoTime();
        KeptAlive kept = gateway.keepAlive(lease, deadline);
        begunNanos = begun;
        serverSeconds = kept.serverSeconds();
        if (!kept.lives()) {
            lease = 0;
        }
        return kept;
    }

    /** Of a claim without a key, which none is made with any more. */
    private void dropLease() {
        if (lease != 0) {
            gateway.revokeLater(lease);
            lease = 0;
        }
        mayBeMoved = false;
    }

    private void grantLease(CallDeadline deadline) throws InterruptedException {
        begunNanos = System.nanoTime();
        GrantedLease granted = gateway.grantLease(wholeSeconds(request.lease()), deadline);
        lease = granted.id();
        seconds = wholeSeconds(request.lease());
        createdAfter = granted.revision();
        serverSeconds = granted.serverSeconds();
    }

    private static long wholeSeconds(Duration length) {
        return length.plusNanos(NANOS - 1).toSeconds();
    }

    private Outcome look(CallDeadline deadline) throws InterruptedException {
        return gateway.read(deadline, Operation.get(key), Operation.get(note));
    }

    private void see(Reply ownKey) {
        own = ownKey.found().isEmpty() ? null : ownKey.found().get(0);
    }

    private boolean isNoted(Reply noted) {
        if (noted.found().isEmpty()) {
            return false;
        }
        remember(Entry.read(noted.found().get(0).value()).revoked().orElse(""));
        return true;
    }

    private void remember(String reason) {
        revoked = true;
        loss.remember(LossCause.REVOKED, reason);
    }

    /** Lets the lease of a claim that holds begin anew; false if it does not hold any more, or was revoked. */
    boolean extend(Duration length, CallDeadline deadline) throws InterruptedException {
        long wanted = wholeSeconds(length);
        while (!deadline.hasPassed()) {
            if (mayBeMoved && !holds(look(deadline))) {
                return false;
            }
            if ((mayBeMoved || wanted != seconds) ? move(wanted, deadline) : keep(deadline)) {
                confirmedNanos = deadline.startNanos();
                return true;
            }
            if (own == null || revoked) {
                return false;
            }
        }
        throw deadline.noAnswer(null);
    }

    /** Lets the same lease begin anew. */
    private boolean keep(CallDeadline deadline) throws InterruptedException {
        KeptAlive kept = gateway.keepAlive(lease, deadline);
        Outcome look = look(deadline);
        return holds(look) && kept.lives() && kept.isConfirmedBy(look);
    }

    /** Moves the key to a new lease of another length. */
    private boolean move(long wanted, CallDeadline deadline) throws InterruptedException {
        KeyValue from = own;
        if (from == null) {
            return false;
        }
        GrantedLease to = gateway.grantLease(wanted, deadline);
        mayBeMoved = true;
        Optional<Outcome> answer = commit(
                new Transaction()
                        .ifModifiedIn(key, from.modified())
                        .then(Operation.put(key, from.value(), to.id()))
                        .otherwise(Operation.get(key), Operation.get(note)),
                deadline);
        if (answer.isPresent() && answer.get().succeeded()) {
            mayBeMoved = false;
            own = new KeyValue(key, from.value(), from.created(), answer.get().revision(), to.id());
            gateway.revokeLater(lease);
            lease = to.id();
            seconds = wanted;
            return true;
        }
        gateway.revokeLater(to.id());
        answer.ifPresent(this::holds);
        return false;
    }

    /** Whether the claim holds, and goes on to. If it was revoked, it may hold without going on. */
    private boolean holds(Outcome look) {
        see(look.replies().get(0));
        KeyValue now = own;
        mayBeMoved &= now != null;
        if (now != null) {
            Optional<String> reason = Entry.read(now.value()).revoked();
            reason.ifPresent(this::remember);
            return reason.isEmpty();
        }
        if (!isNoted(look.replies().get(1))) {
            lost();
        }
        return false;
    }

    private void lost() {
        if (System.nanoTime() - confirmedNanos < seconds * NANOS) {
            loss.remember(
                    LossCause.EVICTED_OR_DELETED, "somebody deleted the key of this claim, or etcd lost its data");
        } else {
            loss.remember(LossCause.EXPIRED, "the lease ended before it was renewed");
        }
    }

    /** Raises all later tokens, if the claim holds. */
    boolean raiseToken(long token, CallDeadline deadline) throws InterruptedException {
        while (isGranted()) {
            KeyValue known = own;
            if (known == null) {
                return false;
            }
            FencingTokens.Base base = tokens.base(deadline);
            Transaction raise = tokens.given(base).ifModifiedIn(key, known.modified());
            tokens.raise(token, known.created(), base, raise);
            Optional<Outcome> answer =
                    gateway.commit(raise.otherwise(Operation.get(key)).otherwise(tokens.read()), deadline);
            if (answer.isPresent() && answer.get().succeeded()) {
                return true;
            }
            answer.map(Outcome::replies).ifPresent(replies -> {
                see(replies.get(0));
                tokens.heed(replies.subList(1, replies.size()));
            });
        }
        return false;
    }

    /** Deletes the key, and makes sure that it is not made later. Answers whether the claim held until now. */
    boolean delete(CallDeadline deadline) throws InterruptedException {
        if (own == null && !mayBeMade) {
            dropLease();
            return false;
        }
        Outcome outcome = gateway.commit(new Transaction().then(Operation.delete(key), Operation.get(note)), deadline)
                .orElseThrow();
        KeyValue knownBefore = own;
        see(outcome.replies().get(0));
        boolean held = isGranted();
        own = null;
        if (!held && knownBefore != null && !isNoted(outcome.replies().get(1))) {
            lost();
        }
        if (mayBeMade) {
            gateway.revokeLease(lease, deadline);
            mayBeMade = false;
            lease = 0;
        } else {
            dropLease();
        }
        return held;
    }
}
