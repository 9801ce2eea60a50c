// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.operations;

import static io.mortise.lock.redis.connections.RedisFailures.STORE;

import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.redis.connections.RedisFailures;
import io.mortise.lock.redis.connections.RedisReply;
import io.mortise.lock.redis.connections.ReleaseListener;
import io.mortise.lock.redis.scripts.KeyText;
import io.mortise.lock.redis.scripts.LockKeys;
import io.mortise.lock.redis.scripts.Script;
import io.mortise.lock.redis.scripts.ScriptCall;
import io.mortise.lock.redis.scripts.ScriptSender;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.spi.StoreIncarnation;
import io.mortise.lock.spi.support.CallDeadline;
import io.mortise.lock.spi.support.Moment;
import io.mortise.lock.spi.support.PollDelay;
import io.mortise.lock.spi.support.RememberedLoss;
import io.mortise.lock.spi.support.RenewalBatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.util.Pool;

/** Implements a claim by scripts on the keys of one lock. */
public final class RedisClaim implements Claim {
    /** How long a try waits until released locks can be heard of, before it polls. */
    private static final Duration LISTENING_AT_MOST = Duration.ofMillis(200);

    /** How often a waiter polls while it cannot hear of released locks; half of it at least. */
    private static final Duration POLL = Duration.ofMillis(100);

    /** How often a waiter looks that was not nudged: messages may be lost. */
    private static final Duration SAFETY_POLL = Duration.ofSeconds(15);

    /** Who held the lock for so long lets the next grant be watched over. Who is told to watch goes on for longer than this. */
    private static final long WATCHED_HOLD_NANOS = Duration.ofMillis(500).toNanos();

    private static final long MARK_MILLIS = 60_000;
    private static final int MOST_RENEWED_BY_ONE_SCRIPT = 100;

    /** How the answer begins to the renewal of a lock that was revoked and is held until its lease ends. */
    private static final String ENDING = "ending ";

    private final OperationContext context;
    private final ClaimRequest request;
    private final LockKeys keys;
    private final QueuePlace place;

    private long token;
    private long heldSince;
    private long heldUntil;
    private Duration leaseSpent = Duration.ZERO;
    /** Whether somebody is to look if the next grant is confirmed, however short this one is held. */
    private boolean watchNext;

    /** Whether nobody held the lock when this claim asked, so that perhaps nobody waits for it. */
    private boolean wasFree;

    private boolean inDoubt;
    private boolean holdsUntilLeaseEnds;
    private StoreIncarnationCache.@Nullable Request lastTry;
    private @Nullable Duration retryAfter;
    private final RememberedLoss loss = new RememberedLoss();

    public RedisClaim(OperationContext context, ClaimRequest request, Runnable nudge) {
        this.context = context;
        this.request = request;
        this.keys = LockKeys.of(context.prefix(), request.lock());
        this.place = new QueuePlace(request, nudge);
    }

    @Override
    public boolean tryAcquire(Duration atMost) throws InterruptedException {
        return CallDeadline.interruptibly(STORE, atMost, this::tryAcquire);
    }

    private boolean tryAcquire(CallDeadline deadline) throws InterruptedException {
        ReleaseListener listener = request.waits() ? context.listener() : null;
        if (listener == null) {
            return ask(deadline);
        }
        if (confirmGrant(deadline)) {
            return true;
        }
        boolean heard = listener.isLive();
        if (heard) {
            enter(listener);
        }
        // An entry that was made once is removed by the grant, whether messages are heard or not.
        boolean granted = ask(deadline);
        if (!granted && !heard) {
            if (listener.awaitLive(deadline.within(LISTENING_AT_MOST))) {
                enter(listener);
                return ask(deadline);
            }
            retryAfter = poll(retryAfter);
        }
        return granted;
    }

    private boolean ask(CallDeadline deadline) throws InterruptedException {
        retryAfter = null;
        Moment asked = QueuePlace.now();
        String look = place.nextLook();
        ScriptCall call = acquisition(look);
        Tried tried = context.calls()
                .talk(
                        keys.slot(),
                        deadline,
                        sender -> tryThere(sender, () -> {
                            List<?> answer = (List<?>) sender.run(call);
                            if (isGrant(answer)) {
                                confirm(sender);
                            }
                            return answer;
                        }));
        if (tried(tried.answer(), asked)) {
            return true;
        }
        place.refused(look, tried.answer(), asked, tried.server());
        return false;
    }

    /** A try that does not wait. */
    ScriptCall acquisition() {
        return acquisition(place.nextLook());
    }

    private ScriptCall acquisition(String look) {
        return ScriptCall.of(
                Script.ACQUIRE,
                List.of(keys.lock(), keys.token(), keys.queue(), keys.ended(request.owner())),
                request.owner(),
                leaseMillis(request.lease()),
                KeyText.encode(request.label()),
                request.tokenFloor(),
                request.tokenCount(),
                place.entry(),
                context.reachable(),
                look);
    }

    /** Takes the reply to a try that was sent after {@code asked}. */
    boolean tried(List<?> answer, Moment asked) {
        if (isGrant(answer)) {
            watchNext = true;
            wasFree = true;
            granted(RedisReply.number(answer.get(1)), asked, Duration.ZERO);
            return true;
        }
        retryAfter = safetyPoll((Long) answer.get(1));
        return false;
    }

    /**
     * Confirms a grant of which this claim was told, by one command. False if there is none, or if it takes a try. Where replicas
     * confirm, it does: they must have the grant itself.
     */
    private boolean confirmGrant(CallDeadline deadline) throws InterruptedException {
        long told = place.takeGrant();
        if (told == 0 || context.replication().replicas() > 0) {
            return false;
        }
        Moment asked = QueuePlace.now();
        return context.calls().talk(keys.slot(), deadline, sender -> {
            Duration spent = place.spent(asked, sender.server());
            if (spent == null || !hasLeftQueue(sender)) {
                return false;
            }
            wasFree = false;
            granted(told, asked, spent);
            return true;
        });
    }

    private boolean hasLeftQueue(ScriptSender sender) throws InterruptedException {
        Tried tried = tryThere(sender, () -> List.of(sender.remove(keys.queue(), place.entry())));
        return tried.answer().equals(List.of(true));
    }

    private void granted(long first, Moment asked, Duration spent) {
        token = first;
        leaseSpent = spent;
        heldSince = asked.nanos();
        heldUntil = asked.nanos() + request.lease().minus(spent).toNanos();
        stopListening();
        watchNext |= place.left();
    }

    /** What a try asks. */
    private interface Question {
        List<?> ask() throws InterruptedException;
    }

    /** The answer to a try, and the server that gave it. */
    private record Tried(List<?> answer, Pool<Connection> server) {}

    /** From sending to the answer there may be a grant that nobody knows of. Where the try was refused there is none. */
    private Tried tryThere(ScriptSender sender, Question question) throws InterruptedException {
        long sentAt = System.nanoTime();
        boolean before = inDoubt;
        inDoubt = true;
        List<?> answer;
        try {
            answer = question.ask();
        } catch (JedisDataException refused) {
            inDoubt = before;
            throw refused;
        } catch (InterruptedException | RuntimeException | Error unanswered) {
            place.unanswered();
            throw unanswered;
        }
        inDoubt = before;
        lastTry = new StoreIncarnationCache.Request(sender.connection(), sender.answeredBy(), sentAt);
        return new Tried(answer, sender.server());
    }

    /** A grant that the replicas do not have is given back. */
    private void confirm(ScriptSender sender) throws InterruptedException {
        try {
            sender.confirm(context.replication());
        } catch (BackendException | JedisDataException unconfirmed) {
            sender.run(releaseCall(false));
            throw unconfirmed;
        }
    }

    @Override
    public boolean renew(Duration lease, Duration atMost) {
        return CallDeadline.uninterruptibly(STORE, atMost, deadline -> {
            RenewedTogether alone = new RenewedTogether(List.of(this), List.of(lease), deadline.startNanos());
            while (!alone.isDone()) {
                Object told = context.scripts()
                        .runAll(List.of(alone.next()), deadline, context.replication())
                        .get(0);
                if (told instanceof RuntimeException failure) {
                    throw failure;
                }
                alone.told((List<?>) told);
            }
            Answer answer = alone.answers().get(0);
            if (answer == Answer.UNKNOWN) {
                throw RedisFailures.notALock();
            }
            return answer == Answer.YES;
        });
    }

    /** Renews many claims with a few scripts: one for a hundred claims, in a Cluster one for each slot, and another for those that need a look. */
    public static List<Answer> renewAll(OperationContext context, List<Renewal> renewals, CallDeadline deadline)
            throws InterruptedException {
        RenewalBatch<RedisClaim> batch = new RenewalBatch<>(renewals, RedisClaim.class);
        List<RenewalBatch<RedisClaim>.Group> groups =
                batch.groups(claim -> context.isCluster() ? claim.keys.slot() : 0, MOST_RENEWED_BY_ONE_SCRIPT);
        List<RenewedTogether> parts = groups.stream()
                .map(group -> new RenewedTogether(group.claims(), group.leases(), deadline.startNanos()))
                .toList();
        BackendException refusal = null;
        List<RenewedTogether> open = parts;
        while (!open.isEmpty()) {
            List<Object> told = context.scripts()
                    .runAll(open.stream().map(RenewedTogether::next).toList(), deadline, context.replication());
            List<RenewedTogether> further = new ArrayList<>();
            for (int i = 0; i < open.size(); i++) {
                RenewedTogether part = open.get(i);
                if (told.get(i) instanceof BackendException failure
                        && failure.kind() == BackendException.Kind.REFUSED) {
                    refusal = failure;
                } else if (told.get(i) instanceof List<?> replies) {
                    part.told(replies);
                    if (!part.isDone()) {
                        further.add(part);
                    } else if (part.answers().contains(Answer.UNKNOWN)) {
                        refusal = RedisFailures.notALock();
                    }
                }
            }
            open = further;
        }
        for (int i = 0; i < parts.size(); i++) {
            List<Answer> answers = parts.get(i).answers();
            for (int j = 0; j < answers.size(); j++) {
                groups.get(i).answer(j, answers.get(j));
            }
        }
        if (refusal != null && batch.answers().stream().allMatch(answer -> answer == Answer.UNKNOWN)) {
            throw refusal;
        }
        return batch.answers();
    }

    /** Takes the reply to a renewal that was sent after {@code asked}. Unknown if the lock's key holds something else. */
    Answer renewed(Object reply, Duration lease, long asked) {
        String answer = RedisReply.text(reply);
        holdsUntilLeaseEnds = answer.startsWith(ENDING);
        if (answer.equals("foreign")) {
            return Answer.UNKNOWN;
        }
        if (!isHeld(answer)) {
            return Answer.NO;
        }
        return prolonged(lease, asked);
    }

    /** The store has renewed the lease, as it was asked to at {@code asked} or later. */
    Answer prolonged(Duration lease, long asked) {
        heldUntil = asked + lease.toNanos();
        leaseSpent = Duration.ZERO;
        holdsUntilLeaseEnds = false;
        return Answer.YES;
    }

    /** Whether a renewal that is asked for at {@code asked} lets the lease end earlier than before. */
    boolean isShorter(Duration lease, long asked) {
        return asked + lease.toNanos() - heldUntil < 0;
    }

    LockKeys keys() {
        return keys;
    }

    String owner() {
        return request.owner();
    }

    @Override
    public boolean holdsUntilLeaseEnds() {
        return holdsUntilLeaseEnds;
    }

    @Override
    public boolean release(Duration atMost) {
        // Also where Redis does not answer: the caller has given up, and this claim is not to be nudged forever.
        stopListening();
        return CallDeadline.uninterruptibly(STORE, atMost, deadline -> {
            ScriptCall call = releaseCall(inDoubt);
            return isHeld(RedisReply.text(context.calls().run(call, keys.slot(), deadline)));
        });
    }

    /** A release that leaves a mark if a try is in doubt. */
    ScriptCall releaseCall(boolean marks) {
        return ScriptCall.of(
                Script.RELEASE,
                List.of(keys.lock(), keys.queue(), keys.ended(request.owner()), keys.token()),
                request.owner(),
                place.entry(),
                marks ? MARK_MILLIS : 0L,
                context.reachable(),
                watchNext || System.nanoTime() - heldSince >= WATCHED_HOLD_NANOS ? "watch" : "",
                wasFree ? "free" : "");
    }

    @Override
    public boolean raiseToken(long least, Duration atMost) {
        ScriptCall call = raising(least);
        return CallDeadline.uninterruptibly(
                STORE, atMost, deadline -> (Long) context.scripts().run(call, deadline) == 1);
    }

    ScriptCall raising(long least) {
        ClaimRequest.checkRaisedToken(least);
        return ScriptCall.of(Script.RAISE, List.of(keys.lock(), keys.token()), request.owner(), least);
    }

    @Override
    public Optional<StoreIncarnation> storeIncarnation(Duration atMost) {
        StoreIncarnationCache.Request answered = lastTry;
        if (answered == null && context.isCluster()) {
            return Optional.empty();
        }
        return Optional.of(CallDeadline.uninterruptibly(
                STORE,
                atMost,
                deadline -> answered == null
                        ? context.incarnations().incarnationNow(keys.slot(), deadline)
                        : context.incarnations().incarnationThatAnswered(answered, keys.slot(), deadline)));
    }

    @Override
    public long fencingToken() {
        return token;
    }

    @Override
    public Duration leaseSpent() {
        return leaseSpent;
    }

    @Override
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }

    @Override
    public Loss loss() {
        return loss.get();
    }

    /** What PX takes: whole milliseconds, never less than the lease. */
    public static long leaseMillis(Duration lease) {
        long millis = lease.toMillis();
        return lease.equals(Duration.ofMillis(millis)) ? millis : millis + 1;
    }

    /** Whether the answer of a script says that the claim holds or held; remembers why not. */
    boolean isHeld(String answer) {
        switch (answer) {
            case "held" -> {
                return true;
            }
            case "taken" -> loss.remember(LossCause.TAKEN_OVER, "another client holds it");
            case "gone" -> {
                if (heldUntil - System.nanoTime() <= 0) {
                    loss.remember(LossCause.EXPIRED, "the lease ended in the store");
                } else {
                    loss.forget();
                }
            }
            default -> loss.remember(LossCause.REVOKED, KeyText.decode(answer.substring(answer.indexOf(' ') + 1)));
        }
        return false;
    }

    private void enter(ReleaseListener listener) {
        place.enter(listener, leaseMillis(request.lease()), KeyText.encode(request.label()));
    }

    private void stopListening() {
        place.hearNoMore(context.listener());
    }

    /** As the server says; a negative number means that it does not know. */
    private static Duration safetyPoll(long millis) {
        return millis < 0 || millis > SAFETY_POLL.toMillis() ? SAFETY_POLL : Duration.ofMillis(millis);
    }

    private static Duration poll(@Nullable Duration untilFree) {
        Duration pause = Duration.ofNanos(PollDelay.jittered(POLL.toNanos()));
        return untilFree == null || untilFree.compareTo(pause) > 0 ? pause : untilFree;
    }

    private static boolean isGrant(List<?> answer) {
        return (Long) answer.get(0) == 1;
    }
}
