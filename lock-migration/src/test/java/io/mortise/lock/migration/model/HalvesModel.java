// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.migration.model;

import io.mortise.lock.migration.model.HalvesModel.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * For how long a lease of two halves holds: a client that takes both, and one that takes either, as OLD leases do before and NEW leases
 * after it. Each store has a lease of its own. Time passes between each question, what the store does, and the answer.
 */
record HalvesModel(Set<Rule> without) implements Model<State> {
    enum Rule {
        EACH_HALF_FROM_ITS_OWN_QUESTION,
        FROM_THE_QUESTION,
        THE_SHORTER_HALF,
        A_RENEWAL_COUNTS_FOR_ITS_OWN_HALF
    }

    private static final int LEASE = 2;
    private static final int OLD = 0;
    private static final int NEW = 1;
    private static final int NOBODY = -1;
    private static final int DUAL = 0;

    /** Who has the half in a store, and for how long yet. */
    record Half(int owner, int rest) {
        static final Half FREE = new Half(NOBODY, 0);

        Half older() {
            return rest > 1 ? new Half(owner, rest - 1) : FREE;
        }
    }

    /**
     * @param asks the store that has a question of this client, or none
     * @param age how long ago it was asked
     * @param answered whether the store has said yes, and the answer is on its way
     * @param old for how long the client counts on its half in OLD
     * @param young the same for NEW
     * @param granted whether it has been granted all that it wants, and has not given up since
     */
    record Client(int asks, int age, boolean answered, int old, int young, boolean granted) {
        static final Client IDLE = new Client(NOBODY, 0, false, 0, 0, false);

        Client older() {
            int nowOld = Math.max(0, old - 1);
            int nowNew = Math.max(0, young - 1);
            return new Client(asks, Math.min(LEASE, age + 1), answered, nowOld, nowNew, granted);
        }

        Client asking(int store) {
            return new Client(store, 0, false, old, young, granted);
        }
    }

    record State(List<Half> halves, List<Client> clients) {
        State with(int who, Client client) {
            List<Client> changed = new ArrayList<>(clients);
            changed.set(who, client);
            return new State(halves, List.copyOf(changed));
        }

        State with(int store, Half half) {
            List<Half> changed = new ArrayList<>(halves);
            changed.set(store, half);
            return new State(List.copyOf(changed), clients);
        }
    }

    @Override
    public State start() {
        return new State(List.of(Half.FREE, Half.FREE), List.of(Client.IDLE, Client.IDLE));
    }

    private boolean has(Rule rule) {
        return !without.contains(rule);
    }

    private boolean believes(State state, int who) {
        Client client = state.clients.get(who);
        boolean shorter = has(Rule.THE_SHORTER_HALF) && who == DUAL;
        int rest = shorter ? Math.min(client.old, client.young) : Math.max(client.old, client.young);
        return client.granted && rest > 0;
    }

    @Override
    public Optional<String> violation(State state) {
        return believes(state, 0) && believes(state, 1) ? Optional.of("both hold the lock") : Optional.empty();
    }

    @Override
    public void steps(State state, Steps<State> steps) {
        steps.to(
                "time passes",
                new State(
                        state.halves.stream().map(Half::older).toList(),
                        state.clients.stream().map(Client::older).toList()));
        for (int i = 0; i < state.clients.size(); i++) {
            ask(state, i, steps);
            answer(state, i, steps);
        }
    }

    private void ask(State state, int who, Steps<State> steps) {
        Client client = state.clients.get(who);
        if (!client.equals(Client.IDLE)) {
            steps.to(who + " gives up", givenUp(state, who));
        }
        if (client.asks != NOBODY) {
            return;
        }
        if (client.granted) {
            for (int store = OLD; store <= NEW; store++) {
                if (believes(state, who) && (store == OLD ? client.old : client.young) > 0) {
                    steps.to(who + " renews in " + name(store), state.with(who, client.asking(store)));
                }
            }
        } else if (who != DUAL) {
            steps.to(who + " asks OLD", state.with(who, client.asking(OLD)));
            steps.to(who + " asks NEW", state.with(who, client.asking(NEW)));
        } else if (client.old == 0) {
            steps.to(who + " asks OLD", state.with(who, Client.IDLE.asking(OLD)));
        } else {
            steps.to(who + " asks NEW", state.with(who, client.asking(NEW)));
        }
    }

    private static State givenUp(State state, int who) {
        State free = state.with(who, Client.IDLE);
        for (int store = OLD; store <= NEW; store++) {
            free = free.halves.get(store).owner == who ? free.with(store, Half.FREE) : free;
        }
        return free;
    }

    private void answer(State state, int who, Steps<State> steps) {
        Client client = state.clients.get(who);
        if (client.asks == NOBODY) {
            return;
        }
        if (client.answered) {
            steps.to(who + " is told yes by " + name(client.asks), state.with(who, told(client, who == DUAL)));
            return;
        }
        int owner = state.halves.get(client.asks).owner;
        if (owner == who || owner == NOBODY && !client.granted) {
            steps.to(
                    name(client.asks) + " grants to " + who,
                    state.with(client.asks, new Half(who, LEASE))
                            .with(
                                    who,
                                    new Client(
                                            client.asks, client.age, true, client.old, client.young, client.granted)));
        }
    }

    private Client told(Client client, boolean dual) {
        int rest = has(Rule.FROM_THE_QUESTION) ? LEASE - client.age : LEASE;
        boolean all = client.granted && !has(Rule.A_RENEWAL_COUNTS_FOR_ITS_OWN_HALF)
                || !client.granted && client.asks == NEW && !has(Rule.EACH_HALF_FROM_ITS_OWN_QUESTION);
        int old = client.asks == OLD || dual && all ? rest : client.old;
        int young = client.asks == NEW || dual && all ? rest : client.young;
        boolean granted = client.granted || !dual || client.asks == NEW;
        return new Client(NOBODY, 0, false, old, young, granted);
    }

    private static String name(int store) {
        return store == OLD ? "OLD" : "NEW";
    }
}
