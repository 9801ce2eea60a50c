// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.scene;

import static io.mortise.lock.tck.scene.Expect.that;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockClientBuilder;
import io.mortise.lock.LockOptions;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.fault.Faults;
import io.mortise.lock.tck.fault.Route;
import io.mortise.lock.tck.history.History;
import io.mortise.lock.tck.history.RecordedFaults;
import io.mortise.lock.tck.history.RecordingBackend;
import io.mortise.lock.tck.history.RecordingClaim;
import io.mortise.lock.tck.time.Pause;
import io.mortise.lock.tck.time.Timing;
import io.mortise.lock.testing.LossyBackend;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.opentest4j.TestAbortedException;

/**
 * Gives a case what it works with: clients, claims and names of its own, and the times that it may take. Everything is
 * recorded, and is closed and checked after the case. Thread-safe.
 */
public final class Scene {
    private static final SecureRandom RANDOM = new SecureRandom();

    private final StoreUnderTest tested;
    private final Timing timing;
    private final String store;
    private final BackendDeclaration declared;
    private final String prefix = "tck-" + random(4) + "-";
    private final History history = new History();
    private final Map<String, LockBackend> backends = new HashMap<>();
    private final SceneResources resources = new SceneResources(this);

    public Scene(StoreUnderTest tested, Timing timing, String store, BackendDeclaration declared) {
        this.tested = tested;
        this.timing = timing;
        this.store = store;
        this.declared = declared;
    }

    /** A name that no other case uses, always the same for the same rest. */
    public String lock(String rest) {
        return prefix + rest;
    }

    /** The name of the lock that the case is about, if it is about one. */
    public String lock() {
        return lock("lock");
    }

    /** The lease that locks of this scene have: the author's, times the patience. */
    public Duration lease() {
        return honoured(timing.scaled(tested.lease()));
    }

    /** The wanted lease, or the longest that the store can honour. */
    public Duration honoured(Duration wanted) {
        return Timing.shorter(wanted, declared.bounds().longest());
    }

    /** Skips the case if the store cannot honour a lease. */
    public void needs(Duration lease) {
        if (!honoured(lease).equals(lease)) {
            throw new TestAbortedException("skipped: the store's longest lease is " + honoured(lease)
                    + "; to enable the case, let lease() be a fifth of it at most");
        }
    }

    /** Skips the case if the store keeps nothing of a holder that has gone. */
    public void needsLeasesThatOutliveTheirHolders() {
        if (!declared.bounds().outlivesHolder()) {
            throw new TestAbortedException("skipped: the store's sessions end its locks (LeaseBounds.outlivesHolder)");
        }
    }

    /** Whether others use the store, too, so that nothing that lasts may be left in it. */
    public boolean sharesStore() {
        return tested.isShared();
    }

    /** Skips the case if others use the store, too. */
    public void needsAStoreOfItsOwn() {
        if (sharesStore()) {
            throw new TestAbortedException(
                    "skipped: others use the store, too, and the case would leave something in it that lasts"
                            + "; to enable the case, give the suite a store of its own");
        }
    }

    /** Skips the case if the store keeps a lock when its holder has gone. */
    public void needsLeasesThatEndWithTheirHolders() {
        if (declared.bounds().outlivesHolder()) {
            throw new TestAbortedException("skipped: the store keeps a lock when its holder has gone"
                    + " (LeaseBounds.outlivesHolder), so there is no refusal to check");
        }
    }

    /** How long the store may keep a lock after its last grant or renewal. */
    public Duration afterLease() {
        return latestEnd(lease());
    }

    /** When a lease has ended at the latest: a store that counts whole seconds counts up to the next one, and may be two late. */
    public Duration latestEnd(Duration lease) {
        Duration counted = countsWholeSeconds()
                ? Duration.ofSeconds(lease.plusNanos(999_999_999).getSeconds())
                : lease;
        return counted.plusSeconds(2).plus(tolerance());
    }

    /** As {@link #latestEnd}, for whoever asks for the lock all the time: of other stores that one has it soon. */
    public Duration latestEndSeen(Duration lease) {
        return countsWholeSeconds() ? latestEnd(lease) : lease.plus(tolerance());
    }

    private boolean countsWholeSeconds() {
        return declared.bounds().shortest().compareTo(Duration.ofSeconds(1)) >= 0;
    }

    /** How long the store may keep what a process had that died. */
    public Duration afterDeath() {
        Duration session = timing.scaled(tested.session());
        return (session.compareTo(lease()) > 0 ? session : lease())
                .plusSeconds(2)
                .plus(tolerance());
    }

    /** How long waiters that died may hold up those behind them, all together; a lease more if the store does not nudge. */
    public Duration deadWaiters() {
        Duration told = declared.features().contains(Feature.PROMPT) ? Duration.ZERO : lease();
        return told.plus(timing.scaled(tested.session())).plusSeconds(1).plus(tolerance());
    }

    /** What an answer may take that should come at once. */
    public Duration tolerance() {
        return timing.tolerance();
    }

    /** A time-out for calls that a case lets run out. */
    public Duration brief() {
        return timing.scaled(Duration.ofMillis(300));
    }

    /** How long to wait for what must come some time. */
    public Duration limit() {
        return timing.limit().plus(lease().multipliedBy(10));
    }

    /** How long the store may take for one answer, in cases that are not about that. */
    public Duration callLimit() {
        return timing.callLimit();
    }

    /** How many repetitions a case can afford: as many as wanted if the store is fast. */
    public int times(int wanted, int least) {
        return timing.times(wanted, least);
    }

    /** A part or a multiple of the lease. */
    public Duration leases(double factor) {
        return Duration.ofNanos((long) (lease().toNanos() * factor));
    }

    /** Lets real time pass, for leases that must end. */
    public void pass(Duration duration) throws InterruptedException {
        Pause.of(duration);
    }

    /** Waits until something is so; fails the case if it does not become so in time. */
    public void await(String what, Duration atMost, BooleanSupplier condition) throws InterruptedException {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > atMost.toNanos()) {
                throw new AssertionError("within " + atMost.toMillis() + " ms this did not become so: " + what);
            }
            Pause.of(Duration.ofMillis(2));
        }
    }

    /** Waits until something is so; fails the case if it does not become so within {@link #limit()}. */
    public void await(String what, BooleanSupplier condition) throws InterruptedException {
        await(what, limit(), condition);
    }

    /** Waits until a client has asked the store for a lock and was answered. */
    public void awaitTry(String who) throws InterruptedException {
        await(who + " has asked the store", () -> history.tries(who) > 0);
    }

    /** What the author's test class can do to its store; each fault that it does not support skips the case. */
    public Faults faults() {
        return tested instanceof Faults faults
                ? new RecordedFaults(faults, history, declared.survivesLoss(), resources.routes::add)
                : new Faults() {};
    }

    /** Does something to the store; skips the case if that took so long that a lease ended meanwhile, which proves nothing. */
    public void within(Duration lease, Runnable fault) {
        long start = System.nanoTime();
        fault.run();
        Duration taken = Duration.ofNanos(System.nanoTime() - start);
        if (taken.plus(tolerance()).compareTo(lease) > 0) {
            throw new TestAbortedException("skipped: what the case did to the store took " + taken.toMillis()
                    + " ms, and its lease lasts only " + lease.toMillis()
                    + " ms; to enable the case, let the test class do it in less time, or let lease() be longer");
        }
    }

    /** The client of a name: always the same for the same name, independent of all others. */
    public LockBackend backend(String who) {
        synchronized (backends) {
            return backends.computeIfAbsent(who, unused -> recorded(who, open()));
        }
    }

    /**
     * Like {@link #backend}, if the backend tells who holds a lock; else skips the case. A backend that is
     * {@link Feature#LISTABLE} must tell it; others may.
     */
    public LockBackend inspectable(String who) {
        LockBackend backend = backend(who);
        try {
            that(backend.inspect(lock("nobody's"), limit()).isEmpty(), "nobody holds a lock of this name");
        } catch (UnsupportedOperationException untold) {
            that(!backend.features().contains(Feature.LISTABLE), "a backend that is LISTABLE must tell holders");
            throw new TestAbortedException(
                    "skipped: the backend does not tell who holds a lock; to enable the case, let"
                            + " it implement LockBackend.inspect");
        }
        return backend;
    }

    /** A new, independent and unrecorded client, closed with the scene. */
    public LockBackend open() {
        return open(store);
    }

    /** Like {@link #open()}, by a {@link Route}. */
    public LockBackend open(String by) {
        long begin = history.now();
        LockBackend backend = tested.open(by);
        history.opened(begin);
        resources.backends.add(backend);
        return backend;
    }

    /** A new client of its own behind a network that can be made bad; to be given to {@link #client} or {@link #recorded}. */
    public LossyBackend lossy() {
        return new LossyBackend(open());
    }

    /** Records what a backend is asked and answers; closes it with the scene. */
    public LockBackend recorded(String who, LockBackend backend) {
        RecordingBackend recording = new RecordingBackend(who, backend, history, callLimit(), resources.claims::add);
        resources.backends.add(recording);
        return recording;
    }

    /** A claim of any backend, recorded or not, and any request. Released at the end if nobody did. */
    public RecordingClaim claim(LockBackend backend, ClaimRequest request, Runnable nudge) {
        LockBackend recording = backend instanceof RecordingBackend ? backend : recorded("direct", backend);
        RecordingClaim claim = (RecordingClaim) recording.claim(request, nudge);
        resources.ownClaims.add(claim);
        return claim;
    }

    /** A claim with the scene's lease, one token and an owner of its own, which enters no queue and has not asked yet. */
    public RecordingClaim claim(String who, String lock) {
        return claim(backend(who), request(lock, who));
    }

    /** Like {@link #claim(String, String)}, for the lock that the case is about. */
    public RecordingClaim claim(String who) {
        return claim(who, lock());
    }

    /** Like {@link #claim(String, String)}, with another lease, if the store can honour so much. */
    public RecordingClaim claim(String who, String lock, Duration lease) {
        return claim(backend(who), request(lock, who, lease));
    }

    /** Like {@link #claim(String, String)}, with a lease that outlasts the case, if the store can honour so much. */
    public RecordingClaim lasting(String who, String lock) {
        return claim(backend(who), lastingRequest(lock, who));
    }

    /** Like {@link #lasting(String, String)}, for the lock that the case is about. */
    public RecordingClaim lasting(String who) {
        return lasting(who, lock());
    }

    /** Renews a {@link #lasting} claim where the longest lease of the store is shorter than what a case may take. */
    public void keep(RecordingClaim holder) {
        if (holder.request().lease().compareTo(limit()) < 0) {
            Expect.that(holder.renew(), "the holder must hold");
        }
    }

    public RecordingClaim claim(LockBackend backend, ClaimRequest request) {
        return claim(backend, request, () -> {});
    }

    /** What {@link #claim(String, String)} asks for. */
    public ClaimRequest request(String lock, String label) {
        return request(lock, label, lease());
    }

    /** Like {@link #request(String, String)}, with another lease, if the store can honour so much. */
    public ClaimRequest request(String lock, String label, Duration lease) {
        return new ClaimRequest(lock, random(16), label, honoured(lease), false, 0, 1);
    }

    /** What {@link #lasting(String, String)} asks for. */
    public ClaimRequest lastingRequest(String lock, String label) {
        return request(lock, label, limit());
    }

    /** Like {@link #lastingRequest}, for the lock that the case is about and a claim that waits if it is refused. */
    public ClaimRequest waitingRequest(String label) {
        return waitingRequest(lock(), label);
    }

    /** Like {@link #lastingRequest}, for a claim that waits if it is refused. */
    public ClaimRequest waitingRequest(String lock, String label) {
        return new ClaimRequest(lock, random(16), label, honoured(limit()), true, 0, 1);
    }

    public LockOptions options(String label) {
        return LockOptions.defaults().withLease(lease()).withLabel(label);
    }

    /** Like {@link #options}, with a lease that outlasts the case, if the store can honour so much. */
    public LockOptions lastingOptions(String label) {
        return options(label).withLease(honoured(limit()));
    }

    /** Runs the nudges of all claims of a client, without a reason. */
    public void nudge(String who) {
        resources.claims.stream().filter(claim -> claim.isOf(who)).forEach(RecordingClaim::nudge);
    }

    /** A new client at the API with a store client of its own and the scene's lease. */
    public LockClient client(String who) {
        return client(who, open());
    }

    /** A new client at the API over a backend, which this call records, with the scene's lease. */
    public LockClient client(String who, LockBackend backend) {
        return client(who, backend, builder -> builder);
    }

    /** The lock that the case is about, as a new client sees it. */
    public DistributedLock lockOf(String who) {
        return client(who).lock(lock());
    }

    public DistributedLock lockOf(String who, LockOptions options) {
        return client(who).lock(lock(), options);
    }

    /** Like {@link #client(String, LockBackend)}, with further settings. */
    public LockClient client(String who, LockBackend backend, UnaryOperator<LockClientBuilder> more) {
        LockClientBuilder builder =
                LockClient.builder(tested.seenByEngine(recorded(who, backend))).options(options(who));
        LockClient client = more.apply(builder).build();
        resources.clients.add(client);
        return client;
    }

    /** Starts work that may block; it is interrupted at the end if it still runs. */
    public <T> BackgroundTask<T> start(String what, Callable<T> work) {
        BackgroundTask<T> started = new BackgroundTask<>(what, work);
        resources.background.add(started);
        return started;
    }

    /** Lets a new client acquire the lock that the case is about, however long it takes. */
    public BackgroundTask<Lease> acquiring(String who) {
        return start(who, lockOf(who)::acquire);
    }

    public void closeAtEnd(AutoCloseable other) {
        resources.others.add(other);
    }

    public History history() {
        return history;
    }

    /** The same beginning, with so many times the leases and limits. */
    public Scene again(int patience) {
        return new Scene(tested, timing.times(patience), store, declared);
    }

    /** The store, as the author's test calls it; empty if it lives in one JVM. */
    public String store() {
        return store;
    }

    public StoreUnderTest tested() {
        return tested;
    }

    public Timing timing() {
        return timing;
    }

    public SceneResources resources() {
        return resources;
    }

    private static String random(int bytes) {
        byte[] random = new byte[bytes];
        RANDOM.nextBytes(random);
        return HexFormat.of().formatHex(random);
    }
}
