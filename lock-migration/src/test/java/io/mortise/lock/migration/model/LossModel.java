// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.migration.model;

import io.mortise.lock.migration.model.LossModel.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What becomes of a lease of two halves when one of them goes: a store forgets, or somebody revokes. Two clients that take both halves.
 * Never do both stores forget between two renewals of one holder: that is beyond what is promised.
 */
record LossModel(Set<Rule> without) implements Model<State> {
    enum Rule {
        HALF_IS_NO_LEASE,
        REVOCATION_COMPARES_THE_OWNER
    }

    private static final int NOBODY = -1;

    /**
     * @param old whether it counts on its half in OLD
     * @param young whether it counts on its half in NEW
     * @param holds whether it believes to hold the lock
     */
    record Client(boolean old, boolean young, boolean holds) {
        static final Client IDLE = new Client(false, false, false);
    }

    /**
     * @param old whose half OLD has
     * @param young whose half NEW has
     * @param forgets how often a store may still forget
     * @param victim whom the revoker has found; freed in NEW and not yet in OLD
     * @param wrong whose half was taken by a revocation that was not meant for it
     */
    record State(int old, int young, List<Client> clients, int forgets, int victim, boolean wrong) {
        State with(int who, Client client, int nowOld, int nowNew) {
            List<Client> changed = new ArrayList<>(clients);
            changed.set(who, client);
            return new State(nowOld, nowNew, List.copyOf(changed), forgets, victim, wrong);
        }

        State with(int nowOld, int nowNew, int nowForgets, int nowVictim, boolean nowWrong) {
            return new State(nowOld, nowNew, clients, nowForgets, nowVictim, nowWrong);
        }
    }

    @Override
    public State start() {
        return new State(NOBODY, NOBODY, List.of(Client.IDLE, Client.IDLE), 2, NOBODY, false);
    }

    private boolean has(Rule rule) {
        return !without.contains(rule);
    }

    @Override
    public Optional<String> violation(State state) {
        if (state.wrong) {
            return Optional.of("a revocation has hit the next holder");
        }
        boolean all = state.clients.stream().allMatch(Client::holds);
        // The victim of a revocation that frees at once believes until its next renewal.
        return all && state.forgets < 2 && state.victim == NOBODY
                ? Optional.of("both hold the lock")
                : Optional.empty();
    }

    @Override
    public void steps(State state, Steps<State> steps) {
        for (int i = 0; i < state.clients.size(); i++) {
            client(state, i, steps);
        }
        forget(state, steps);
        revoke(state, steps);
    }

    private void client(State state, int who, Steps<State> steps) {
        Client client = state.clients.get(who);
        if (client.holds) {
            boolean hasOld = client.old && state.old == who;
            boolean hasNew = client.young && state.young == who;
            boolean goesOn = hasOld && hasNew || !has(Rule.HALF_IS_NO_LEASE) && (hasOld || hasNew);
            steps.to(
                    who + " renews",
                    goesOn
                            ? state.with(who, new Client(hasOld, hasNew, true), state.old, state.young)
                            : freed(state, who));
            steps.to(who + " releases", freed(state, who));
        } else if (!client.old && state.old == NOBODY) {
            steps.to(who + " takes OLD", state.with(who, new Client(true, false, false), who, state.young));
        } else if (client.old && state.young == NOBODY) {
            steps.to(
                    who + " takes NEW, and holds the lock",
                    state.with(who, new Client(true, true, true), state.old, who));
        }
    }

    private static State freed(State state, int who) {
        return state.with(
                who, Client.IDLE, state.old == who ? NOBODY : state.old, state.young == who ? NOBODY : state.young);
    }

    /** Only while no holder lacks a half that it counts on: it has renewed since a store last forgot. */
    private static void forget(State state, Steps<State> steps) {
        boolean allIsThere = true;
        for (int i = 0; i < state.clients.size(); i++) {
            Client client = state.clients.get(i);
            allIsThere &= !client.old || state.old == i;
            allIsThere &= !client.young || state.young == i;
        }
        if (allIsThere && state.forgets > 0 && state.victim == NOBODY) {
            int left = state.forgets - 1;
            steps.to("OLD forgets", state.with(NOBODY, state.young, left, NOBODY, false));
            steps.to("NEW forgets", state.with(state.old, NOBODY, left, NOBODY, false));
        }
    }

    /** In NEW, which all holders have; then what the same holder has in OLD. */
    private void revoke(State state, Steps<State> steps) {
        if (state.victim == NOBODY && state.young != NOBODY && state.forgets == 2) {
            steps.to("somebody revokes in NEW", state.with(state.old, NOBODY, 2, state.young, false));
        } else if (state.victim != NOBODY) {
            boolean same = state.old == state.victim;
            boolean hits = !same && state.old != NOBODY && !has(Rule.REVOCATION_COMPARES_THE_OWNER);
            steps.to(
                    "the revocation goes on in OLD",
                    state.with(same || hits ? NOBODY : state.old, state.young, 2, NOBODY, hits));
        }
    }
}
