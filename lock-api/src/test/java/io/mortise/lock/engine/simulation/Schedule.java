// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.simulation;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClosedException;
import io.mortise.lock.LockException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.LockReleaseException;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.engine.Engine;
import io.mortise.lock.engine.NamedLock;
import io.mortise.lock.engine.Settings;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * One run of a few clients with a few callers each, in a network that is as bad as the seed says, while clients stand still, are closed, and
 * locks are revoked. Checks what callers are told.
 */
final class Schedule {
    private static final Duration BRIEF = Duration.ofSeconds(1);
    /** With it, what is left behind does not go by itself before the end. */
    private static final Duration LASTING = Duration.ofMinutes(5);

    private static final Duration CALL_TIMEOUT = Duration.ofMillis(400);
    private static final long SECOND = 1_000_000_000L;
    private static final long MILLI = 1_000_000L;

    private final Simulation simulation;
    private final SplittableRandom dice;
    private final Weather weather;
    private final MemoryStore store;
    private final List<String> names;
    private final Map<String, List<Grant>> grants = new HashMap<>();
    private final List<Engine> engines = new ArrayList<>();
    private final List<Boolean> closed = new ArrayList<>();
    private final StringBuilder story = new StringBuilder();
    private final List<Thread> interruptible = new ArrayList<>();
    private final Duration lease;
    /** Whether a client was kept from going on, or from the store, and so may be late. */
    private boolean hindered;

    private boolean revoked;
    private int callers;
    private int closing;

    private Schedule(long seed) {
        simulation = new Simulation(seed);
        dice = simulation.dice;
        weather = new Weather(dice);
        lease = dice.nextBoolean() ? BRIEF : LASTING;
        SimulatedEnvironment clock = new SimulatedEnvironment(simulation, -1);
        store = new MemoryStore(clock);
        names = dice.nextBoolean() ? List.of("a") : List.of("a", "b");
        int clients = 1 + dice.nextInt(3);
        for (int client = 0; client < clients; client++) {
            engines.add(engine(client));
            closed.add(false);
        }
    }

    /** A lease that a caller was given. */
    private static final class Grant {
        private final Lease lease;
        private final long token;
        private boolean toldLost;
        private boolean ended;

        Grant(Lease lease) {
            this.lease = lease;
            this.token = lease.fencingToken();
        }
    }

    /**
     * Runs it, and tells what happened.
     *
     * @throws AssertionError that names the seed, if somebody was told what is not so
     */
    static String run(long seed) {
        Schedule schedule = new Schedule(seed);
        try {
            schedule.run();
            return schedule.story.toString();
        } catch (Throwable broken) {
            throw new AssertionError(
                    "schedule " + seed + ": " + broken + "\n"
                            + schedule.story.substring(Math.max(0, schedule.story.length() - 8_000)),
                    broken);
        }
    }

    private Engine engine(int client) {
        SimulatedEnvironment environment = new SimulatedEnvironment(simulation, client);
        SimulatedNetwork network = new SimulatedNetwork(simulation, client, weather, new MemoryBackend(store));
        Settings settings = new Settings(
                "memory:",
                LockOptions.defaults().withLease(lease),
                environment,
                environment,
                null,
                CALL_TIMEOUT,
                0.01,
                List.of());
        return new Engine(network, settings);
    }

    private void run() throws Throwable {
        for (int client = 0; client < engines.size(); client++) {
            int each = 1 + dice.nextInt(3);
            callers += each;
            for (int caller = 0; caller < each; caller++) {
                int own = client;
                String who = client + "." + caller;
                Thread unused = simulation.start(client, () -> call(own, who));
            }
        }
        Thread unused = simulation.start(-1, this::disturb);
        simulation.run();
    }

    private void note(String what) {
        story.append(simulation.now() / MILLI).append(' ').append(what).append('\n');
    }

    private void call(int client, String who) {
        try {
            int calls = 2 + dice.nextInt(4);
            for (int i = 0; i < calls; i++) {
                simulation.sleep(dice.nextLong(500 * MILLI));
                once(client, who, names.get(dice.nextInt(names.size())));
            }
        } finally {
            callers--;
        }
    }

    private void once(int client, String who, String name) {
        LockOptions options = LockOptions.defaults()
                .withLease(lease)
                .withLocalHandOvers(dice.nextInt(3))
                .withRenewal(dice.nextInt(4) > 0);
        long begin = simulation.now();
        long wait = dice.nextInt(3) == 0 ? 0 : dice.nextLong(3 * SECOND);
        Optional<Lease> granted;
        try {
            granted = acquire(new NamedLock(engines.get(client), name, options), wait);
        } catch (LockClosedException end) {
            check(closed.get(client), who + " was told of a closed client that is open");
            return;
        } catch (LockStoreException unanswered) {
            check(isBadWeather(), who + " got no answer in good weather");
            note(who + " no answer for " + name);
            took(who, begin, wait);
            return;
        }
        took(who, begin, wait);
        note(who + (granted.isPresent() ? " has " : " is refused ") + name);
        granted.ifPresent(lease -> hold(client, who, lease));
    }

    private void took(String who, long begin, long wait) {
        long most = wait + 2 * CALL_TIMEOUT.toNanos() + SECOND;
        check(hindered || simulation.now() - begin <= most, who + " waited too long");
    }

    private Optional<Lease> acquire(NamedLock lock, long wait) {
        try {
            if (wait == 0) {
                return lock.tryAcquire();
            }
            if (dice.nextBoolean()) {
                return acquireInterruptibly(lock, wait);
            }
        } catch (InterruptedException given) {
            note("interrupted");
            return Optional.empty();
        }
        CompletableFuture<Optional<Lease>> future = lock.tryAcquireAsync(Duration.ofNanos(wait));
        Thread caller = Thread.currentThread();
        var unused = future.whenComplete((value, thrown) -> simulation.unpark(caller));
        long patience = dice.nextInt(5) == 0 ? dice.nextLong(wait) : Long.MAX_VALUE / 2;
        long end = simulation.now() + patience;
        while (!future.isDone() && end - simulation.now() > 0) {
            simulation.park(end);
        }
        if (future.cancel(true)) {
            note("cancelled");
            return Optional.empty();
        }
        try {
            return future.join();
        } catch (CompletionException thrown) {
            if (thrown.getCause() instanceof LockException known) {
                throw known;
            }
            throw thrown;
        }
    }

    private Optional<Lease> acquireInterruptibly(NamedLock lock, long wait) throws InterruptedException {
        Thread caller = Thread.currentThread();
        interruptible.add(caller);
        try {
            return lock.tryAcquire(Duration.ofNanos(wait));
        } finally {
            interruptible.remove(caller);
            boolean unused = Thread.interrupted();
        }
    }

    private void hold(int client, String who, Lease given) {
        Grant grant = new Grant(given);
        List<Grant> before = grants.computeIfAbsent(given.lockName(), unused -> new ArrayList<>());
        if (given.isHeld()) {
            for (Grant earlier : before) {
                check(
                        !earlier.lease.isHeld(),
                        who + " holds " + given.lockName() + ", and so does token " + earlier.token);
                check(earlier.token < grant.token, who + " got the token " + grant.token + " after " + earlier.token);
            }
        }
        before.add(grant);
        given.onLost(why -> {
            check(!grant.ended, "a loss was told after a release that said true");
            grant.toldLost = true;
        });
        long end = simulation.now() + (dice.nextInt(4) == 0 ? 3 * SECOND : 1 + dice.nextLong(300 * MILLI));
        while (end - simulation.now() > 0 && given.isHeld()) {
            simulation.sleep(Math.min(end - simulation.now(), 50 * MILLI));
        }
        boolean held = given.isHeld();
        int others = before.size() - before.indexOf(grant) - 1;
        try {
            boolean said = given.release();
            note(who + " releases " + given.lockName() + ": " + said);
            check(!said || held, who + " was told that a lost lease was held");
            check(
                    !said || others == 0 || noneHeldSince(before, grant),
                    who + " was told that it held what others were given");
            check(
                    said || !held || lease.equals(BRIEF) || revoked || closed.get(client),
                    who + " was told of a loss that was none");
            grant.ended = said;
        } catch (LockReleaseException unanswered) {
            check(isBadWeather(), who + " could not release in good weather");
        }
        check(!given.isHeld(), who + " still holds what it has released");
        if (!held) {
            long told = simulation.now() + SECOND;
            while (!grant.toldLost && (told - simulation.now() > 0 || hindered) && !closed.get(client)) {
                simulation.sleep(10 * MILLI);
            }
            check(grant.toldLost || closed.get(client), who + " was not told of its loss");
        }
    }

    /** Those that came later were lost before the caller knew of them. */
    private static boolean noneHeldSince(List<Grant> all, Grant grant) {
        return all.subList(all.indexOf(grant) + 1, all.size()).stream().noneMatch(later -> later.lease.isHeld());
    }

    private boolean isBadWeather() {
        return weather.loss > 0 || hindered || weather.delayNanos > 100 * MILLI;
    }

    private boolean isLocked(String name) {
        return new MemoryBackend(store).inspect(name, CALL_TIMEOUT).isPresent();
    }

    private void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }

    /** Stops, cuts off, closes, revokes and interrupts, then waits for the callers, and looks at what is left. */
    private void disturb() {
        boolean disturbs = dice.nextBoolean();
        while (callers > 0) {
            simulation.sleep(dice.nextLong(800 * MILLI));
            int client = dice.nextInt(engines.size());
            int what = disturbs ? dice.nextInt(12) : 12;
            if (what == 0) {
                hindered = true;
                note("client " + client + " stands still");
                simulation.freeze(client, dice.nextLong(2 * SECOND));
            } else if (what == 1 && client > 0 && !closed.get(client)) {
                closed.set(client, true);
                note("client " + client + " is closed");
                close(client);
            } else if (what == 2) {
                revoke(client);
            } else if (what == 3) {
                hindered = true;
                note("client " + client + " is cut off");
                weather.cutOff(client, simulation.now() + dice.nextLong(3 * SECOND));
            } else if (what < 7 && !interruptible.isEmpty()) {
                simulation.interrupt(interruptible.get(dice.nextInt(interruptible.size())));
            }
        }
        weather.calm = true;
        simulation.sleep(15 * SECOND);
        check(closing == 0, "a client is still not closed");
        for (String name : names) {
            check(!isLocked(name) || closed.contains(true), name + " is still locked");
        }
        Engine last = engine(100);
        for (String name : names) {
            last(last, name);
        }
        engines.forEach(Engine::close);
        last.close();
        note("all are closed");
        for (String name : names) {
            check(!isLocked(name), "the store still knows a holder of " + name);
        }
    }

    private void close(int client) {
        closing++;
        Thread unused = simulation.start(client, () -> {
            engines.get(client).close();
            closing--;
        });
    }

    private void revoke(int client) {
        String name = names.get(dice.nextInt(names.size()));
        note("client " + client + " revokes " + name);
        revoked = true;
        try {
            Engine engine = engines.get(client);
            boolean unused = new NamedLock(engine, name, engine.options()).revoke("no reason");
        } catch (LockException noAnswer) {
            note("without an answer");
        }
    }

    /** Whatever has happened, in calm weather the lock is free after two leases. */
    private void last(Engine engine, String name) {
        try {
            Optional<Lease> granted = new NamedLock(engine, name, engine.options()).tryAcquire(lease.multipliedBy(3));
            check(granted.isPresent(), name + " is never free again");
            granted.ifPresent(held -> check(held.release(), "the last release"));
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
    }
}
