// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck;

import io.mortise.lock.LockClient;
import io.mortise.lock.LockClientBuilder;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.testing.LossyBackend;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;

/**
 * One case's clients, claims, names and history. Everything in it is recorded, is closed at the end, and is judged then.
 * Thread-safe.
 */
public final class Scene implements Pace, Requests {
    private final LockBackendTck tck;
    private final Timing timing;
    private final String store;
    private final Declared declared;
    private final String prefix = "tck-" + RandomText.hex(4) + "-";
    private final History history = new History();
    private final Map<String, LockBackend> backends = new HashMap<>();
    private final Belongings mine = new Belongings();

    Scene(LockBackendTck tck, Timing timing, String store, Declared declared) {
        this.tck = tck;
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

    @Override
    public Duration lease() {
        return honoured(timing.scaled(tck.lease()));
    }

    @Override
    public Duration honoured(Duration wanted) {
        Duration longest = declared.bounds().longest();
        return wanted.compareTo(longest) > 0 ? longest : wanted;
    }

    @Override
    public Duration afterDeath() {
        Duration session = timing.scaled(tck.session());
        return (session.compareTo(lease()) > 0 ? session : lease())
                .plusSeconds(2)
                .plus(tolerance());
    }

    @Override
    public Duration deadWaiters() {
        Duration told = declared.features().contains(Feature.PROMPT) ? Duration.ZERO : lease();
        return told.plus(timing.scaled(tck.session())).plusSeconds(1).plus(tolerance());
    }

    @Override
    public Duration tolerance() {
        return timing.tolerance();
    }

    @Override
    public Duration brief() {
        return timing.scaled(Duration.ofMillis(300));
    }

    @Override
    public Duration limit() {
        return timing.limit().plus(lease().multipliedBy(10));
    }

    @Override
    public int times(int wanted, int least) {
        return timing.times(wanted, least);
    }

    /**
     * What the author's test class can do to its store.
     *
     * @return its faults; each that is not supported skips the case
     */
    public Faults faults() {
        return tck instanceof Faults faults
                ? new RecordedFaults(faults, history, declared.survivesLoss(), mine.routes::add)
                : new Faults() {};
    }

    @Override
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
        LockBackend backend = tck.open(by);
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

    @Override
    public RecordingClaim claim(LockBackend backend, ClaimRequest request, Runnable nudge) {
        LockBackend recording = backend instanceof RecordingBackend ? backend : recorded("direct", backend);
        RecordingClaim claim = (RecordingClaim) recording.claim(request, nudge);
        mine.ownClaims.add(claim);
        return claim;
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
        return client(who, open(), builder -> builder);
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
                LockClient.builder(tck.seenByEngine(recorded(who, backend))).options(options(who));
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
    public <T> Background<T> start(String what, Callable<T> work) {
        Background<T> started = new Background<>(what, work);
        mine.background.add(started);
        return started;
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

    /** The same beginning, with so many times the leases and limits. */
    Scene again(int patience) {
        return new Scene(tck, timing.times(patience), store, declared);
    }

    String store() {
        return store;
    }

    LockBackendTck tck() {
        return tck;
    }

    Timing timing() {
        return timing;
    }

    Ending ending() {
        return new Ending(this, mine);
    }
}
