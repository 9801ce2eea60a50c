// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.faults;

import io.mortise.lock.faults.scenario.Fault;
import io.mortise.lock.faults.scenario.Route;
import io.mortise.lock.faults.scenario.Scenario;
import io.mortise.lock.faults.scenario.SqliteScenario;
import io.mortise.lock.faults.wrong.Mistake;
import java.util.List;

/** A SQLite file that nothing happens to, used with a {@link Mistake}. */
final class WrongScenario extends Scenario {
    private final SqliteScenario right = new SqliteScenario();
    private final Mistake mistake;

    WrongScenario(Mistake mistake) {
        this.mistake = mistake;
    }

    @Override
    public List<Fault> faults() {
        return List.of(new Fault("nothing", random -> () -> {}, 500, null));
    }

    @Override
    public String url() {
        return "wrong:" + mistake + ":" + right.file();
    }

    @Override
    public Route route() {
        return new Route(url(), List.of());
    }

    @Override
    public boolean isRemote() {
        return false;
    }

    @Override
    protected void stop() {
        right.close();
    }
}
