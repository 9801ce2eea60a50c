// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.history;

import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.fault.Faults;
import io.mortise.lock.tck.fault.Route;
import io.mortise.lock.tck.time.Pause;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Records in the history the faults that a case causes. Locks that were granted before a fault that makes the store
 * forget no longer count as promised.
 *
 * @param survivesLoss whether the store is to keep its promises when {@link #restartStoreEmpty} loses data
 * @param routes told each new route
 */
public record RecordedFaults(Faults faults, History history, boolean survivesLoss, Consumer<Route> routes)
        implements Faults {
    private static final String PERMISSION = "permission";

    @Override
    public void pauseStore() {
        history.silenced(faults);
        faults.pauseStore();
        history.note("suite", "the store is frozen");
    }

    @Override
    public void resumeStore() {
        faults.resumeStore();
        if (history.answersAgain(faults)) {
            history.note("suite", "the store goes on");
        }
    }

    @Override
    public void restartStore() {
        noted("the store is restarted", "the store is back", faults::restartStore);
    }

    @Override
    public void restartStoreEmpty() {
        if (survivesLoss) {
            noted("the store is restarted without its data", "the store is back", faults::restartStoreEmpty);
        } else {
            history.faultOfAll("the store is restarted without its data", faults::restartStoreEmpty);
        }
        letTheClockMoveOn();
    }

    @Override
    public void withdrawPermission() {
        history.silenced(PERMISSION);
        noted("permission is being withdrawn", "it is withdrawn", faults::withdrawPermission);
    }

    @Override
    public void givePermissionBack() {
        faults.givePermissionBack();
        if (history.answersAgain(PERMISSION)) {
            history.note("suite", "permission is given back");
        }
    }

    @Override
    public void expireNow(String lock) {
        history.fault(lock, "the lease is ended", () -> faults.expireNow(lock));
    }

    @Override
    public void deleteBehindBack(String lock) {
        history.fault(lock, "the lock is deleted", () -> faults.deleteBehindBack(lock));
        letTheClockMoveOn();
    }

    @Override
    public void writeWithoutEnd(String lock) {
        faults.writeWithoutEnd(lock);
        history.note("suite", "something without an end is written");
    }

    @Override
    public void endSession(LockBackend client) {
        history.faultOfAll("a session is ended", () -> faults.endSession(client));
    }

    @Override
    public void killConnections() {
        noted("connections are cut", "clients may connect again", faults::killConnections);
    }

    @Override
    public long operations() {
        return faults.operations();
    }

    @Override
    public Route route() {
        Route route = faults.route();
        routes.accept(route);
        return new Route(
                route.store(),
                () -> {
                    history.silenced(route);
                    noted("a route is being cut", "it is cut", route.cut());
                },
                () -> {
                    noted("a route is being healed", "it is healed", route.heal());
                    history.answersAgain(route);
                },
                delay -> {
                    history.silenced(route);
                    noted("a route becomes slow", "answers take " + delay, () -> route.delay()
                            .accept(delay));
                },
                route.close());
    }

    @Override
    public Map<String, String> environmentWithClock(Duration ahead) {
        return faults.environmentWithClock(ahead);
    }

    private void noted(String before, String after, Runnable fault) {
        history.note("suite", before);
        fault.run();
        history.note("suite", after);
    }

    /** Without its data a store has only its clock to make tokens rise by. */
    private static void letTheClockMoveOn() {
        try {
            Pause.of(Duration.ofMillis(20));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
