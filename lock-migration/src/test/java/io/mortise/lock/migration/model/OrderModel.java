// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.migration.model;

import io.mortise.lock.migration.model.OrderModel.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * In which order halves are taken and given back: three clients that want a lock for as long as they do not have it. Nobody crashes and
 * nothing takes time, so whoever waits is served in the end, or it is a deadlock.
 */
record OrderModel(Set<Rule> without) implements Model<State> {
    enum Rule {
        OLD_IS_TAKEN_FIRST,
        CONVERSION_NEVER_WAITS,
        NEW_IS_GIVEN_BACK_FIRST
    }

    enum Stage {
        IDLE,
        TAKES,
        HOLDS,
        /** Holds in one store, and has begun to wait for the other. */
        CONVERTS,
        GIVES_BACK
    }

    /**
     * @param wantsOld whether the lease is to have a half in OLD
     * @param wantsNew whether it is to have one in NEW
     * @param old whether it has the one in OLD
     * @param young whether it has the one in NEW
     * @param newFirst whether it takes NEW first
     */
    record Client(Stage stage, boolean wantsOld, boolean wantsNew, boolean old, boolean young, boolean newFirst) {
        static final Client IDLE = new Client(Stage.IDLE, false, false, false, false, false);

        Client having(boolean nowOld, boolean nowNew) {
            boolean whole = nowOld == wantsOld && nowNew == wantsNew;
            Stage next = stage == Stage.GIVES_BACK || !whole ? stage : Stage.HOLDS;
            boolean nothing = stage == Stage.GIVES_BACK && !nowOld && !nowNew;
            return nothing ? IDLE : new Client(next, wantsOld, wantsNew, nowOld, nowNew, newFirst);
        }

        Client at(Stage next) {
            return new Client(next, wantsOld, wantsNew, old, young, newFirst);
        }

        Client dual(Stage next, boolean nowOld, boolean nowNew) {
            return new Client(next, true, true, nowOld, nowNew, newFirst);
        }
    }

    record State(List<Client> clients) {
        boolean oldIsFree() {
            return clients.stream().noneMatch(Client::old);
        }

        boolean newIsFree() {
            return clients.stream().noneMatch(Client::young);
        }

        State with(int who, Client client) {
            List<Client> changed = new ArrayList<>(clients);
            changed.set(who, client);
            return new State(List.copyOf(changed));
        }
    }

    @Override
    public State start() {
        return new State(List.of(Client.IDLE, Client.IDLE, Client.IDLE));
    }

    private boolean has(Rule rule) {
        return !without.contains(rule);
    }

    @Override
    public boolean isAtRest(State state) {
        return state.clients.stream().allMatch(client -> client.stage == Stage.IDLE);
    }

    /** Whoever has OLD, and finds NEW taken, must have found somebody who holds the lock. */
    @Override
    public Optional<String> violation(State state) {
        boolean asks = state.clients.stream()
                .anyMatch(client -> client.stage == Stage.TAKES && client.old && client.wantsNew && !client.young);
        boolean nobodyHolds = state.clients.stream()
                .noneMatch(client -> client.stage == Stage.HOLDS || client.stage == Stage.CONVERTS);
        boolean isGivenBack = state.clients.stream()
                .anyMatch(client -> client.stage == Stage.GIVES_BACK && client.wantsOld && !client.old && client.young);
        return asks && nobodyHolds && isGivenBack
                ? Optional.of("NEW is taken, and nobody holds the lock")
                : Optional.empty();
    }

    @Override
    public void steps(State state, Steps<State> steps) {
        for (int i = 0; i < state.clients.size(); i++) {
            steps(state, i, steps);
        }
    }

    private void steps(State state, int who, Steps<State> steps) {
        Client client = state.clients.get(who);
        switch (client.stage) {
            case IDLE -> {
                steps.to(
                        who + " wants OLD", state.with(who, new Client(Stage.TAKES, true, false, false, false, false)));
                steps.to(
                        who + " wants both", state.with(who, new Client(Stage.TAKES, true, true, false, false, false)));
                steps.to(
                        who + " wants NEW", state.with(who, new Client(Stage.TAKES, false, true, false, false, false)));
                if (!has(Rule.OLD_IS_TAKEN_FIRST)) {
                    steps.to(
                            who + " wants both, NEW first",
                            state.with(who, new Client(Stage.TAKES, true, true, false, false, true)));
                }
            }
            case TAKES -> take(state, who, client, steps);
            case HOLDS -> {
                steps.to(who + " releases", state.with(who, client.at(Stage.GIVES_BACK)));
                boolean lacksOld = !client.old && state.oldIsFree();
                boolean lacksNew = !client.young && state.newIsFree();
                if (lacksOld || lacksNew) {
                    steps.to(who + " converts", state.with(who, client.dual(Stage.HOLDS, true, true)));
                } else if (!has(Rule.CONVERSION_NEVER_WAITS) && !(client.old && client.young)) {
                    steps.to(
                            who + " converts, and waits",
                            state.with(who, client.dual(Stage.CONVERTS, client.old, client.young)));
                }
            }
            case CONVERTS -> take(state, who, client, steps);
            case GIVES_BACK -> {
                boolean newFirst = has(Rule.NEW_IS_GIVEN_BACK_FIRST);
                if (client.young && (newFirst || !client.old)) {
                    steps.to(who + " gives NEW back", state.with(who, client.having(client.old, false)));
                } else if (client.old) {
                    steps.to(who + " gives OLD back", state.with(who, client.having(false, client.young)));
                }
            }
        }
    }

    private static void take(State state, int who, Client client, Steps<State> steps) {
        boolean needsOld = client.wantsOld && !client.old;
        boolean needsNew = client.wantsNew && !client.young;
        if (needsOld && state.oldIsFree() && !(client.newFirst && needsNew)) {
            steps.to(who + " takes OLD", state.with(who, client.having(true, client.young)));
        }
        if (needsNew && state.newIsFree() && !(needsOld && !client.newFirst)) {
            steps.to(who + " takes NEW", state.with(who, client.having(client.old, true)));
        }
    }
}
