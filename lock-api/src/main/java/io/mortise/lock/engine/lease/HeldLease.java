// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.lease;

import io.mortise.lock.Lease;
import io.mortise.lock.LockEvent;
import io.mortise.lock.LockListener;
import io.mortise.lock.LockLostException;
import io.mortise.lock.LockReleaseException;
import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.engine.local.EventDispatcher;
import io.mortise.lock.engine.local.LocalQueue;
import io.mortise.lock.engine.local.Nanos;
import io.mortise.lock.engine.local.Nudge;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.spi.support.Moment;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Implements one lease as a state machine, from the grant to the release or the loss, over a claim that the store has
 * granted or that another lease of this client has handed over.
 *
 * <p>Whoever sees first that the lease is over makes it LOST, forever; a lost claim is still released, in the background.
 * Renewal acts in HELD and AT_RISK only. A change of state comes first and needs no memory; what follows from it is done after
 * that, and gone on with by the timer if an error cut it off. Thread-safe; its monitor is never held during I/O or user
 * code.
 */
public final class HeldLease extends LeaseTimer.Alarm implements RenewableLease, EventDispatcher.Subject {
    private static final Logger LOG = System.getLogger(HeldLease.class.getName());
    private static final Loss CLIENT_CLOSED =
            new Loss(LossCause.CLIENT_CLOSED, "its client was closed before it was released");
    private static final Loss ABANDONED = new Loss(LossCause.ABANDONED, "its holder ended without releasing it");
    private static final Loss UNEXPLAINED = new Loss(LossCause.EVICTED_OR_DELETED, "the store did not say why");

    /** When so long has passed since the store refused renewals, no client hands the lock over any more. */
    public static final Duration LAST_HAND_OVER = Duration.ofNanos(LeaseSchedule.HAND_OVER_NANOS / 4 * 5);

    /** How long a release waits for a renewal that is under way, before it is sent beside it. */
    private static final long RENEWAL_PATIENCE_NANOS = 100_000_000;

    /** In call time-outs: after that long nobody waits any more for a release that has not ended. */
    private static final int RELEASE_LIMIT = 3;

    /**
     * The life of one lease.
     *
     * <pre>
     * HELD ⇄ AT_RISK → RELEASING → RELEASED
     *   └───────┴─────────┴──────→ LOST
     * </pre>
     */
    private enum State {
        HELD,
        AT_RISK,
        RELEASING,
        RELEASED,
        LOST;

        boolean isHeld() {
            return this == HELD || this == AT_RISK;
        }
    }

    private final LeaseServices services;
    private final LocalQueue<HeldLease>.Ticket ticket;
    private final ClaimRelease claimRelease;
    private final long fencingToken;
    private final HandOverBudget handOvers;
    private final boolean handedOver;
    private final LeaseSchedule time;
    private final LeaseListeners listeners;
    private final RenewalStatus renewal = new RenewalStatus();
    private volatile boolean handOverForbidden;

    private State state = State.HELD;
    private boolean taken;
    private boolean givenBack;
    private boolean releasedTold;
    private boolean lossTold;
    private long waited;
    private long acquirer;
    private Duration stored;
    /** The number of the last renewal that the store has confirmed. */
    private long confirmed;

    private boolean releaseAgain;
    private @Nullable Loss revocation;
    /** How the lease ends if the store goes on refusing to renew it. */
    private @Nullable Loss refusal;

    private volatile @Nullable Loss loss;
    private boolean goneFromStore;
    /** How much of what follows from the loss is done. */
    private int settled;

    private @Nullable WeakReference<LeaseHandle> handle;
    private @Nullable BooleanSupplier abandoned;
    private @Nullable Thread releaser;
    private boolean releaseEnded;
    private @Nullable Throwable releaseFailure;

    private HeldLease(
            LeaseServices services,
            LocalQueue<HeldLease>.Ticket ticket,
            ClaimRelease claimRelease,
            Validity validity,
            long fencingToken,
            HandOverBudget handOvers,
            long mayComeLate,
            boolean handedOver) {
        this.services = services;
        this.ticket = ticket;
        this.claimRelease = claimRelease;
        this.fencingToken = fencingToken;
        this.handOvers = handOvers;
        this.handedOver = handedOver;
        this.time = new LeaseSchedule(
                services.ticker(),
                services.clockDrift(),
                services.bounds().longest(),
                ticket.options(),
                claimRelease.claim(),
                validity,
                mayComeLate);
        this.stored = time.beginRenewal();
        this.listeners = new LeaseListeners(services.environment(), services.events(), this::handle, time::remaining);
    }

    /**
     * The lease of a claim that the store has granted. It is renewed and ends from now on.
     *
     * @param fencingToken the first token of the grant, or 0 if the store has none
     * @param handOvers how far the lock may be handed over before the store is asked again
     * @param triesInDoubt whether the claim has tries that were given up and may still reach the store, and give it the length of
     *     the grant once more
     */
    public static HeldLease start(
            LeaseServices services,
            LocalQueue<HeldLease>.Ticket ticket,
            ClaimRelease claimRelease,
            Validity validity,
            long fencingToken,
            HandOverBudget handOvers,
            boolean triesInDoubt) {
        long mayComeLate = triesInDoubt ? Nanos.of(ticket.options().lease()) : Nanos.FOREVER;
        HeldLease lease =
                new HeldLease(services, ticket, claimRelease, validity, fencingToken, handOvers, mayComeLate, false);
        lease.begin();
        ticket.standFor(lease);
        return lease;
    }

    /** The same claim in the hands of the next in line, with a token of its own. */
    private HeldLease handedTo(LocalQueue<HeldLease>.Ticket next) {
        long token = fencingToken == 0 ? 0 : fencingToken + 1;
        HeldLease heir = new HeldLease(
                services, next, claimRelease, time.validity(), token, handOvers.afterOne(), time.mayComeLate(), true);
        heir.begin();
        // Before the heir is told of, so that listeners never see two holders.
        tellReleased();
        return heir;
    }

    /** Begins to be renewed and to end; before that nobody but the creator knows the lease. */
    private synchronized void begin() {
        services.timer().register(this);
        setAlarm();
        listenToBackend();
    }

    @SuppressWarnings("CatchingUnchecked")
    private void listenToBackend() {
        try {
            claimRelease.claim().whenLost(this::takenAway);
        } catch (Throwable unheard) {
            LOG.log(Level.DEBUG, "a loss will be noticed at a renewal", unheard);
        }
    }

    /** The backend has learnt by itself that the store has taken the lock away. */
    private synchronized void takenAway(Loss why) {
        if (notePassedEnd()) {
            lose(why);
        }
    }

    /** The handle for the caller. A lease that nobody can release any more, because no handle can be reached, is left to end. */
    public synchronized LeaseHandle newHandle() {
        LeaseHandle made = new LeaseHandle(this);
        handle = new WeakReference<>(made);
        return made;
    }

    /**
     * The call that waited for it has it now. False if it was lost on the way, and the call keeps its place in line.
     *
     * @param waitedNanos how long the call took
     * @param thread the ID of the thread that holds it as far as is known, or 0
     */
    public synchronized boolean taken(long waitedNanos, long thread) {
        taken = notePassedEnd();
        waited = waitedNanos;
        acquirer = thread;
        if (taken) {
            services.events().tell(this, LockListener::acquired);
        }
        return taken;
    }

    /** The ID of the thread that acquired it, or 0. */
    public synchronized long acquirer() {
        return acquirer;
    }

    public String lockName() {
        return ticket.name();
    }

    long fencingToken() {
        return fencingToken;
    }

    @Override
    public synchronized LockEvent event() {
        return new LockEvent(
                lockName(), services.store(), fencingToken, handedOver, Duration.ofNanos(waited), time.held());
    }

    /** From now on, the lock goes back to the store when it is released. */
    void forbidHandOver() {
        handOverForbidden = true;
    }

    /** As {@link #forbidHandOver}. Returns whether it is held, and so was not handed over before. */
    public synchronized boolean keepFromHandOver() {
        forbidHandOver();
        return notePassedEnd();
    }

    /** Registers a listener; a lease that is over is noticed first. */
    synchronized void listen(Consumer<LeaseListeners> registration) {
        notePassedEnd();
        registration.accept(listeners);
    }

    /** Runs something quick at the very moment of the loss, at once if the lease is lost. */
    public void atLoss(Runnable quick) {
        listen(registered -> registered.hook(quick));
    }

    /** Says how to find out that nobody can release this lease any more. */
    public synchronized void abandonedWhen(BooleanSupplier condition) {
        abandoned = condition;
    }

    public synchronized boolean isHeld() {
        return notePassedEnd();
    }

    synchronized Duration remaining() {
        return notePassedEnd() ? time.remaining() : Duration.ZERO;
    }

    /** Whether it was lost, as far as anybody has noticed. Takes no lock. */
    public boolean isLost() {
        return loss != null;
    }

    /** Why the lease was lost; null if it was not. */
    public synchronized @Nullable Loss loss() {
        return loss;
    }

    synchronized void ensureNotLost() {
        if (loss != null) {
            throw new LockLostException(lockName(), loss);
        }
    }

    synchronized void ensureHeld() {
        if (!notePassedEnd()) {
            ensureNotLost();
            throw new IllegalStateException("the lease of lock '" + lockName() + "' was released");
        }
    }

    /** Its client is closed: it is lost if it is held. */
    public synchronized void clientClosed() {
        if (notePassedEnd()) {
            lose(CLIENT_CLOSED);
        }
    }

    /** As {@link #clientClosed}, for a caller that was not told of the lease: others are not kept out for it. */
    public synchronized void clientClosedUntold() {
        givenBack = true;
        clientClosed();
    }

    /** This client has freed the lock in the store: the lease is lost if it is held. */
    public synchronized void revokedNow(String reason) {
        if (notePassedEnd()) {
            lose(new Loss(LossCause.REVOKED, reason));
        }
    }

    /**
     * Lets the lease last for at least {@code length} from now on. Waits for the store's answer, for at most one call time-out.
     * Returns how long it lasts.
     */
    Duration extend(Duration length) {
        Duration longest = services.bounds().longest().minus(ticket.options().lockDelay());
        if (length.isNegative() || length.isZero() || length.compareTo(longest) > 0) {
            throw new IllegalArgumentException(
                    "a lease can be extended to at most " + longest + " and not to " + length);
        }
        Nudge ended = new Nudge(services.environment());
        long now = services.ticker().nanos();
        long end = now + Nanos.of(services.callTimeout());
        long before;
        synchronized (this) {
            ensureHeld();
            before = renewal.number();
            time.extendUntil(now + Nanos.of(length));
            renewal.watch(ended);
            setAlarm();
        }
        try {
            while (!isRenewedAfter(before)
                    && end - services.ticker().nanos() > 0
                    && !Thread.currentThread().isInterrupted()) {
                ended.await(services.ticker(), end);
            }
        } finally {
            synchronized (this) {
                renewal.unwatch(ended);
            }
        }
        synchronized (this) {
            ensureHeld();
            return time.remaining();
        }
    }

    /** Whether a renewal later than that number has ended the question of how long the lease lasts. */
    private synchronized boolean isRenewedAfter(long number) {
        return !state.isHeld() || revocation != null || confirmed > number;
    }

    @Override
    protected synchronized void goOff() {
        switch (state) {
            case HELD, AT_RISK -> wake();
            case LOST -> settle();
            case RELEASING, RELEASED -> releaseIsOverdue();
        }
    }

    /** The release is slow, or was cut off by an error: at least those who wait go on. Its outcome is told when it has ended. */
    private void releaseIsOverdue() {
        ticket.leave();
        services.timer().unregister(this);
    }

    private void wake() {
        if (!notePassedEnd()) {
            return;
        }
        if (state == State.HELD && time.isAtRisk()) {
            Duration left = time.remaining();
            state = State.AT_RISK;
            listeners.atRisk(left);
            services.events().tell(this, (listener, event) -> listener.atRisk(event, left));
        }
        boolean due = time.renewalDue() && renewal.isIdle();
        if (due && isAbandoned()) {
            lose(ABANDONED);
            return;
        }
        if (due) {
            services.renewer().add(this);
            renewal.queue();
        }
        setAlarm();
    }

    @Override
    public int batchLimit() {
        return renewal.batchLimit();
    }

    @Override
    public synchronized long beginRenewal() {
        if (!renewal.begin(notePassedEnd())) {
            return 0;
        }
        stored = time.beginRenewal();
        return time.third();
    }

    @Override
    public synchronized Renewal renewal() {
        return new Renewal(claimRelease.claim(), stored);
    }

    @Override
    public synchronized void renewed(Answer answer, Moment asked, Duration spent) {
        renewal.end();
        if (!state.isHeld()) {
            if (renewal.wasOvertaken() && answer != Answer.NO) {
                releaseAgain();
            }
            return;
        }
        if (answer == Answer.NO) {
            refused(explained());
        }
        if (!notePassedEnd()) {
            return;
        }
        Duration late = time.late();
        if (answer == Answer.YES && time.renewed(asked, spent)) {
            services.events().tell(this, (listener, event) -> listener.renewed(event, late));
            renewal.answered();
            refusal = null;
            confirmed = renewal.number();
            if (!time.isAtRisk()) {
                state = State.HELD;
                listeners.noLongerAtRisk();
            }
        } else if (answer != Answer.NO) {
            Duration left = time.remaining();
            services.events().tell(this, (listener, event) -> listener.renewalUnanswered(event, left));
            renewal.unanswered();
            time.unanswered(true, services.environment().random());
        }
        setAlarm();
    }

    @Override
    public void renewalRefused(String why) {
        boolean isFirst;
        synchronized (this) {
            isFirst = refusal == null;
            refusal = new Loss(LossCause.EXPIRED, "the lease ended while the store refused to renew it: " + why);
        }
        if (isFirst) {
            LOG.log(Level.WARNING, "the store refuses to renew lock ''{0}'': {1}", lockName(), why);
        }
    }

    @Override
    public synchronized void renewalFailed() {
        boolean wasUnderWay = renewal.isUnderWay();
        renewal.end();
        if (state.isHeld()) {
            renewal.unanswered();
            time.unanswered(wasUnderWay, services.environment().random());
            setAlarm();
        } else if (wasUnderWay && renewal.wasOvertaken()) {
            releaseAgain();
        }
    }

    /** A holder that wants to hear of a revocation keeps the lease to its end, if the store does. */
    private void refused(Loss why) {
        if (why.cause() != LossCause.REVOKED || !listeners.hearRevocation() || !holdsUntilLeaseEnds()) {
            lose(why);
            return;
        }
        time.refused();
        if (revocation == null) {
            revocation = why;
            listeners.revoked(why.detail());
        }
    }

    @SuppressWarnings("CatchingUnchecked")
    private boolean holdsUntilLeaseEnds() {
        try {
            return claimRelease.claim().holdsUntilLeaseEnds();
        } catch (Throwable unknown) {
            return false;
        }
    }

    @SuppressWarnings("CatchingUnchecked")
    private Loss explained() {
        try {
            return claimRelease.claim().loss();
        } catch (Throwable unknown) {
            return UNEXPLAINED;
        }
    }

    /** Whether the calling thread has released it, and so has been told how that ended. */
    synchronized boolean wasReleasedByThisThread() {
        return releaser == Thread.currentThread() && releaseEnded;
    }

    /**
     * Gives the lock back: to the next waiter of this client if that is allowed, else to the store. Later calls wait for the end
     * of the first, and end as it did. True if it was held until the first call.
     *
     * @throws LockReleaseException if the store did not answer; the release is tried again in the background
     */
    @SuppressWarnings("CatchingUnchecked")
    public boolean release() {
        if (!isFirstRelease()) {
            return outcome();
        }
        Throwable failure = null;
        try {
            return releaseOnce();
        } catch (Throwable thrown) {
            failure = thrown;
            throw thrown;
        } finally {
            endRelease(failure);
        }
    }

    /** Releases a lease that no caller has got, so that others are not kept out for it. Never throws. */
    @SuppressWarnings("CatchingUnchecked")
    public void giveBack() {
        synchronized (this) {
            givenBack = true;
        }
        try {
            release();
        } catch (Throwable noAnswer) {
            // The clean-up goes on, or the lease ends: the release is settled whatever it threw.
        }
    }

    private synchronized boolean isFirstRelease() {
        if (releaser == null || (releaser == Thread.currentThread() && !releaseEnded)) {
            releaser = Thread.currentThread();
            return true;
        }
        return false;
    }

    private synchronized void endRelease(@Nullable Throwable failure) {
        releaseEnded = true;
        releaseFailure = failure;
        notifyAll();
        boolean unfinished = state == State.RELEASING || (failure != null && state.isHeld());
        if (unfinished) {
            tellReleased();
            // Before anything that can fail: the line goes on.
            ticket.leave();
        }
        if (unfinished && failure != null) {
            keepOthersOutUntil(time.keptUntilAfterRelease());
            releaseInBackground();
        }
        if (unfinished) {
            leave();
        }
    }

    /** How the first release has ended, or will. */
    private boolean outcome() {
        boolean interrupted = false;
        synchronized (this) {
            while (!releaseEnded) {
                try {
                    wait();
                } catch (InterruptedException keptForLater) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            if (releaseFailure != null) {
                throw unanswered(releaseFailure);
            }
            return loss == null;
        }
    }

    private boolean releaseOnce() {
        Nudge renewalEnded = new Nudge(services.environment());
        boolean awaitsRenewal;
        synchronized (this) {
            if (!notePassedEnd()) {
                return loss == null;
            }
            if (handOver()) {
                leave();
                return true;
            }
            keepOthersOutUntil(time.keptUntilAfterRelease());
            state = State.RELEASING;
            services.timer().set(this, services.ticker().nanos() + RELEASE_LIMIT * Nanos.of(services.callTimeout()));
            awaitsRenewal = renewal.isUnderWay();
            if (awaitsRenewal) {
                renewal.watch(renewalEnded);
            }
        }
        if (awaitsRenewal) {
            renewalEnded.await(services.ticker(), services.ticker().nanos() + RENEWAL_PATIENCE_NANOS);
        }
        synchronized (this) {
            renewal.overtake();
        }
        return releaseAtStore();
    }

    @SuppressWarnings("CatchingUnchecked")
    private boolean releaseAtStore() {
        boolean held;
        try {
            held = claimRelease.release(services.ticker(), timeForRelease());
        } catch (Throwable noAnswer) {
            throw unanswered(noAnswer);
        }
        if (claimRelease.isKeptTooLong()) {
            services.cleanup().letGo(lockName(), claimRelease, Nanos.of(stored));
        }
        synchronized (this) {
            services.turns()
                    .released(lockName(), time.sinceAsked(), services.ticker().nanos());
            if (state == State.RELEASING && held) {
                leave();
            } else if (state == State.RELEASING) {
                lose(explained());
            }
            if (releaseAgain) {
                releaseAgain();
            } else if (claimRelease.unfinished() != null) {
                // What was given up may still take the lock, and nobody else would release it.
                releaseInBackground();
            }
        }
        return held;
    }

    /** A call that ends without the lease does not wait for a slow store: the clean-up does. */
    private synchronized Duration timeForRelease() {
        return givenBack ? services.shortCall() : services.callTimeout();
    }

    private LockReleaseException unanswered(Throwable why) {
        String refusal = ClaimRelease.isRefusal(why) ? " (it refused: " + why.getMessage() + ")" : "";
        return new LockReleaseException(
                lockName(),
                "the store did not confirm the release of lock '" + lockName() + "', which was held until then"
                        + refusal
                        + ": it is tried again in the background, and the lock is free at the latest"
                        + " when the store's lease of " + stored.toMillis() + " ms has ended",
                why,
                null);
    }

    @SuppressWarnings("CatchingUnchecked")
    private boolean handOver() {
        try {
            boolean isHandedOver = state == State.HELD
                    && renewal.isIdle()
                    && time.allowsHandOver()
                    && !handOverForbidden
                    && handOvers.allows(services.ticker())
                    && ticket.handOver(next -> next.options().equals(ticket.options()) ? handedTo(next) : null);
            // Before anything is called that may fail: the claim is the heir's, and not to be released here.
            state = isHandedOver ? State.RELEASED : state;
            return isHandedOver;
        } catch (Throwable noMemory) {
            return false;
        }
    }

    /** A renewal that ended beside or after the release may have reached the store after it, too. */
    private void releaseAgain() {
        releaseAgain = state == State.RELEASING;
        if (!releaseAgain) {
            releaseInBackground();
        }
    }

    private void releaseInBackground() {
        services.cleanup().release(lockName(), claimRelease, Nanos.of(stored));
    }

    private void leave() {
        state = State.RELEASED;
        // Before the next in line can have it, so that listeners never see two holders.
        tellReleased();
        ticket.leave();
        services.timer().unregister(this);
    }

    private void tellReleased() {
        if (taken && !releasedTold) {
            releasedTold = true;
            services.events().tell(this, LockListener::released);
        }
    }

    /** Does nothing for a lease that no caller has got. */
    private void keepOthersOutUntil(long moment) {
        if (taken && !givenBack) {
            claimRelease.keepUntil(moment);
        }
    }

    private boolean isAbandoned() {
        if (abandoned != null) {
            return abandoned.getAsBoolean();
        }
        return handle != null && handle.refersTo(null);
    }

    /** What listeners are given as the lease. */
    private Lease handle() {
        LeaseHandle first;
        synchronized (this) {
            first = handle == null ? null : handle.get();
        }
        return first == null ? new LeaseHandle(this) : first;
    }

    /** Makes the lease LOST if its time is over. Returns whether it can be relied on. */
    private boolean notePassedEnd() {
        if (state.isHeld() && time.left() <= 0) {
            lose(revocation == null ? end() : revocation);
        }
        return state.isHeld();
    }

    private Loss end() {
        if (time.isUnreliable()) {
            return explained();
        }
        Loss end = time.end();
        return refusal != null && end.cause() == LossCause.EXPIRED ? refusal : end;
    }

    private void lose(Loss why) {
        goneFromStore = !state.isHeld();
        state = State.LOST;
        loss = why;
        settle();
    }

    /** Does what follows from the loss, and goes on where an error has cut it off. */
    private void settle() {
        if (settled == 0) {
            // A lease that nobody took is lost on the way to a waiter, and the waiter keeps its place.
            tellLost();
            if (taken) {
                ticket.leave();
            }
            settled = 1;
        }
        if (settled == 1 && loss != null) {
            listeners.lost(loss);
            settled = 2;
        }
        if (settled == 2) {
            if (!goneFromStore) {
                // A renewal that is still under way may extend the claim: it must not outlive the lease.
                renewal.overtake();
                keepOthersOutUntil(time.keptUntilAfterLoss());
                releaseInBackground();
            }
            settled = 3;
        }
        if (settled == 3) {
            services.timer().unregister(this);
            settled = 4;
        }
    }

    private void tellLost() {
        Loss why = loss;
        if (taken && !lossTold && why != null) {
            lossTold = true;
            services.events().tell(this, (listener, event) -> listener.lost(event, why));
        }
    }

    private void setAlarm() {
        services.timer().set(this, time.nextMoment(state == State.AT_RISK, !renewal.isIdle()));
    }
}
