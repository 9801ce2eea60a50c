// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.scene;

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
    private final SceneResources mine = new SceneResources();

    /**
     * A scene for one case. Cases get theirs from the suite.
     *
     * @param tested the author's test
     * @param timing how long the suite waits
     * @param store what the author's test calls the store
     * @param declared what the backend says of itself
     */
    public Scene(StoreUnderTest tested, Timing timing, String store, BackendDeclaration declared) {
        this.tested = tested;
        this.timing = timing;
        this.store = store;
        this.declared = declared;
    }

    /**
     * A name that no other case uses.
     *
     * @param rest what it ends with
     * @return always the same for the same {@code rest}
     */
    public String lock(String rest) {
        return prefix + rest;
    }

    /**
     * The name of the lock that the case is about, if it is about one.
     *
     * @return a name that no other case uses, always the same
     */
    public String lock() {
        return lock("lock");
    }

    /**
     * The lease that locks of this scene have.
     *
     * @return the author's lease, times the patience factor
     */
    public Duration lease() {
        return honoured(timing.scaled(tested.lease()));
    }

    /**
     * A lease as long as the store can honour.
     *
     * @param wanted how long it may be
     * @return that long, or the longest lease within the declared bounds
     */
    public Duration honoured(Duration wanted) {
        Duration longest = declared.bounds().longest();
        return wanted.compareTo(longest) > 0 ? longest : wanted;
    }

    /**
     * Skips the case if the store cannot honour a lease.
     *
     * @param lease how long
     */
    public void needs(Duration lease) {
        if (!honoured(lease).equals(lease)) {
            throw new TestAbortedException("skipped: the store's longest lease is " + honoured(lease)
                    + "; to enable the case, let lease() be a fifth of it at most");
        }
    }

    /**
     * How long the store may keep a lock after its last grant or renewal.
     *
     * @return the lease, two seconds for a store of whole seconds, and the tolerance
     */
    public Duration afterLease() {
        return lease().plusSeconds(2).plus(tolerance());
    }

    /**
     * How long the store may keep what a process had that died.
     *
     * @return the lease or the author's session time-out, and two seconds and the tolerance
     */
    public Duration afterDeath() {
        Duration session = timing.scaled(tested.session());
        return (session.compareTo(lease()) > 0 ? session : lease())
                .plusSeconds(2)
                .plus(tolerance());
    }

    /**
     * How long waiters that died may hold up those behind them, all together.
     *
     * @return a second and the author's session time-out, a lease more if the store does not nudge, and the tolerance
     */
    public Duration deadWaiters() {
        Duration told = declared.features().contains(Feature.PROMPT) ? Duration.ZERO : lease();
        return told.plus(timing.scaled(tested.session())).plusSeconds(1).plus(tolerance());
    }

    /**
     * What an answer may take that should come at once.
     *
     * @return ten measured round trips and a quarter of a second, times the patience factor
     */
    public Duration tolerance() {
        return timing.tolerance();
    }

    /**
     * A time-out for calls that a case lets run out.
     *
     * @return 300 ms, times the patience factor
     */
    public Duration brief() {
        return timing.scaled(Duration.ofMillis(300));
    }

    /**
     * How long to wait for what must come some time.
     *
     * @return ten seconds and ten leases, times the patience factor
     */
    public Duration limit() {
        return timing.limit().plus(lease().multipliedBy(10));
    }

    /**
     * How many repetitions a case can afford.
     *
     * @param wanted as many as this if the store is fast
     * @param least as many as this in any case
     * @return the number
     */
    public int times(int wanted, int least) {
        return timing.times(wanted, least);
    }

    /**
     * A part or a multiple of the lease.
     *
     * @param factor how much of it
     * @return that long
     */
    public Duration leases(double factor) {
        return Duration.ofNanos((long) (lease().toNanos() * factor));
    }

    /**
     * Lets real time pass, for leases that must end.
     *
     * @param duration how much
     * @throws InterruptedException if the case is cancelled
     */
    public void pass(Duration duration) throws InterruptedException {
        Pause.of(duration);
    }

    /**
     * Waits until something is so; fails the case if it does not become so in time.
     *
     * @param what what is waited for, for the failure
     * @param atMost how long to wait
     * @param condition asked again and again
     * @throws InterruptedException if the case is cancelled
     */
    public void await(String what, Duration atMost, BooleanSupplier condition) throws InterruptedException {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > atMost.toNanos()) {
                throw new AssertionError("within " + atMost.toMillis() + " ms this did not become so: " + what);
            }
            Pause.of(Duration.ofMillis(2));
        }
    }

    /**
     * Waits until something is so; fails the case if it does not become so within {@link #limit()}.
     *
     * @param what what is waited for, for the failure
     * @param condition asked again and again
     * @throws InterruptedException if the case is cancelled
     */
    public void await(String what, BooleanSupplier condition) throws InterruptedException {
        await(what, limit(), condition);
    }

    /**
     * Waits until a client has asked the store for a lock and was answered.
     *
     * @param who the client
     * @throws InterruptedException if the case is cancelled
     */
    public void awaitTry(String who) throws InterruptedException {
        await(who + " has asked the store", () -> history.tries(who) > 0);
    }

    /**
     * What the author's test class can do to its store.
     *
     * @return its faults; each that is not supported skips the case
     */
    public Faults faults() {
        return tested.faults()
                .<Faults>map(faults -> new RecordedFaults(faults, history, declared.survivesLoss(), mine.routes::add))
                .orElseGet(() -> new Faults() {});
    }

    /**
     * The client of a name: always the same for the same name, independent of all others.
     *
     * @param who a short name
     * @return a client of the store at the SPI
     */
    public LockBackend backend(String who) {
        synchronized (backends) {
            return backends.computeIfAbsent(who, unused -> recorded(who, open()));
        }
    }

    /**
     * A new, independent and unrecorded client, closed with the scene.
     *
     * @return a client of the store at the SPI
     */
    public LockBackend open() {
        return open(store);
    }

    /**
     * Like {@link #open()}, by a way of its own.
     *
     * @param by what {@link Route#store()} says
     * @return a client of the store at the SPI
     */
    public LockBackend open(String by) {
        LockBackend backend = tested.open(by);
        mine.backends.add(backend);
        return backend;
    }

    /**
     * A new client of its own behind a network that can be made bad.
     *
     * @return the network; to be given to {@link #client} or {@link #recorded}
     */
    public LossyBackend lossy() {
        return new LossyBackend(open());
    }

    /**
     * Records what a backend is asked and answers.
     *
     * @param who a short name
     * @param backend closed with the scene
     * @return the same backend, recorded
     */
    public LockBackend recorded(String who, LockBackend backend) {
        RecordingBackend recording = new RecordingBackend(who, backend, history, mine.claims::add);
        mine.backends.add(recording);
        return recording;
    }

    /**
     * A claim of any backend and request, with a nudge.
     *
     * @param backend recorded or not
     * @param request what to ask for
     * @param nudge told that it is worth trying again
     * @return a claim that has not asked yet; released at the end if nobody did
     */
    public RecordingClaim claim(LockBackend backend, ClaimRequest request, Runnable nudge) {
        LockBackend recording = backend instanceof RecordingBackend ? backend : recorded("direct", backend);
        RecordingClaim claim = (RecordingClaim) recording.claim(request, nudge);
        mine.ownClaims.add(claim);
        return claim;
    }

    /**
     * A claim with the scene's lease, one token and an owner of its own, which enters no queue.
     *
     * @param who its client
     * @param lock the name of the lock
     * @return a claim that has not asked yet
     */
    public RecordingClaim claim(String who, String lock) {
        return claim(backend(who), request(lock, who));
    }

    /**
     * Like {@link #claim(String, String)}, for the lock that the case is about.
     *
     * @param who its client
     * @return a claim that has not asked yet
     */
    public RecordingClaim claim(String who) {
        return claim(who, lock());
    }

    /**
     * Like {@link #claim(String, String)}, with another lease.
     *
     * @param who its client
     * @param lock the name of the lock
     * @param lease how long a grant lasts, if the store can honour so much
     * @return a claim that has not asked yet
     */
    public RecordingClaim claim(String who, String lock, Duration lease) {
        return claim(backend(who), new ClaimRequest(lock, random(16), who, honoured(lease), false, 0, 1));
    }

    /**
     * Like {@link #claim(String, String)}, with a lease that outlasts the case, if the store can honour so much.
     *
     * @param who its client
     * @param lock the name of the lock
     * @return a claim that has not asked yet
     */
    public RecordingClaim lasting(String who, String lock) {
        return claim(backend(who), lastingRequest(lock, who));
    }

    /**
     * Like {@link #lasting(String, String)}, for the lock that the case is about.
     *
     * @param who its client
     * @return a claim that has not asked yet
     */
    public RecordingClaim lasting(String who) {
        return lasting(who, lock());
    }

    /**
     * A claim of any backend and request.
     *
     * @param backend recorded or not
     * @param request what to ask for
     * @return a claim that has not asked yet; released at the end if nobody did
     */
    public RecordingClaim claim(LockBackend backend, ClaimRequest request) {
        return claim(backend, request, () -> {});
    }

    /**
     * What {@link #claim(String, String)} asks for.
     *
     * @param lock the name of the lock
     * @param label who asks
     * @return a request with an owner of its own
     */
    public ClaimRequest request(String lock, String label) {
        return new ClaimRequest(lock, random(16), label, lease(), false, 0, 1);
    }

    /**
     * What {@link #lasting(String, String)} asks for.
     *
     * @param lock the name of the lock
     * @param label who asks
     * @return a request with an owner of its own
     */
    public ClaimRequest lastingRequest(String lock, String label) {
        return new ClaimRequest(lock, random(16), label, honoured(limit()), false, 0, 1);
    }

    /**
     * Like {@link #lastingRequest}, for the lock that the case is about and a claim that waits if it is refused.
     *
     * @param label who asks
     * @return a request with an owner of its own
     */
    public ClaimRequest waitingRequest(String label) {
        return new ClaimRequest(lock(), random(16), label, honoured(limit()), true, 0, 1);
    }

    /**
     * The options that clients of this scene have.
     *
     * @param label who asks
     * @return the defaults with the scene's lease
     */
    public LockOptions options(String label) {
        return LockOptions.defaults().lease(lease()).label(label);
    }

    /**
     * Like {@link #options}, with a lease that outlasts the case, if the store can honour so much.
     *
     * @param label who asks
     * @return the defaults with a long lease
     */
    public LockOptions lastingOptions(String label) {
        return options(label).lease(honoured(limit()));
    }

    /**
     * Runs the nudges of all claims of a client, without a reason.
     *
     * @param who the client
     */
    public void nudge(String who) {
        mine.claims.stream().filter(claim -> claim.isOf(who)).forEach(RecordingClaim::nudge);
    }

    /**
     * A client at the API with a store client of its own and the scene's lease.
     *
     * @param who a short name
     * @return a new client, closed with the scene
     */
    public LockClient client(String who) {
        return client(who, open());
    }

    /**
     * A client at the API over a given backend, with the scene's lease.
     *
     * @param who a short name
     * @param backend recorded by this call
     * @return a new client, closed with the scene
     */
    public LockClient client(String who, LockBackend backend) {
        return client(who, backend, builder -> builder);
    }

    /**
     * The lock that the case is about, as a new client sees it.
     *
     * @param who a short name for the client
     * @return the lock at the API, with the scene's lease
     */
    public DistributedLock lockOf(String who) {
        return client(who).lock(lock());
    }

    /**
     * Like {@link #lockOf(String)}, with other options.
     *
     * @param who a short name for the client
     * @param options for this lock
     * @return the lock at the API
     */
    public DistributedLock lockOf(String who, LockOptions options) {
        return client(who).lock(lock(), options);
    }

    /**
     * A client at the API over a given backend, with the scene's lease.
     *
     * @param who a short name
     * @param backend recorded by this call
     * @param more further settings
     * @return a new client, closed with the scene
     */
    public LockClient client(String who, LockBackend backend, UnaryOperator<LockClientBuilder> more) {
        LockClientBuilder builder =
                LockClient.builder(tested.seenByEngine(recorded(who, backend))).options(options(who));
        LockClient client = more.apply(builder).build();
        mine.clients.add(client);
        return client;
    }

    /**
     * Starts work that may block.
     *
     * @param what a short name
     * @param work what to do
     * @param <T> what it answers
     * @return the work; interrupted at the end if it still runs
     */
    public <T> BackgroundTask<T> start(String what, Callable<T> work) {
        BackgroundTask<T> started = new BackgroundTask<>(what, work);
        mine.background.add(started);
        return started;
    }

    /**
     * Lets a new client acquire the lock that the case is about, however long it takes.
     *
     * @param who a short name for the client
     * @return its call, which waits while others hold the lock
     */
    public BackgroundTask<Lease> acquiring(String who) {
        return start(who, lockOf(who)::acquire);
    }

    /**
     * Closes something with the scene.
     *
     * @param other what to close
     */
    public void closeAtEnd(AutoCloseable other) {
        mine.others.add(other);
    }

    /**
     * What was asked and answered so far.
     *
     * @return the history that is judged at the end
     */
    public History history() {
        return history;
    }

    /**
     * The same beginning, with more time.
     *
     * @param patience by how much leases and limits are multiplied
     * @return a new scene
     */
    public Scene again(int patience) {
        return new Scene(tested, timing.times(patience), store, declared);
    }

    /**
     * The store, as the author's test calls it.
     *
     * @return what {@link StoreUnderTest#open} understands; empty if it lives in one JVM
     */
    public String store() {
        return store;
    }

    /**
     * The author's test.
     *
     * @return what it says of its store
     */
    public StoreUnderTest tested() {
        return tested;
    }

    /**
     * How long the suite waits.
     *
     * @return the timing of the run
     */
    public Timing timing() {
        return timing;
    }

    SceneResources resources() {
        return mine;
    }

    private static String random(int bytes) {
        byte[] random = new byte[bytes];
        RANDOM.nextBytes(random);
        return HexFormat.of().formatHex(random);
    }
}
