// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.migration.model;

import io.mortise.lock.migration.model.WindowModel.State;
import io.mortise.lock.migration.window.LeaseMode;
import io.mortise.lock.migration.window.MigrationWindow;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Phases and windows: two clients that follow the register, one that knows nothing of it in each store, and two operators. Time passes
 * in steps of a third of the wait. Stores lose nothing and messages are late or lost; who takes two halves takes them at once: other
 * models have the rest.
 */
record WindowModel(Set<Rule> without) implements Model<State> {
    /** What keeps an OLD lease from being held beside a NEW one. */
    enum Rule {
        WAIT_BEFORE_LEAVING_DUAL,
        WAIT_THE_WHOLE_BOUND,
        WAIT_IN_BOTH_DIRECTIONS,
        OPERATOR_COUNTS_FROM_THE_ANSWER,
        PROCESS_COUNTS_FROM_THE_QUESTION,
        PHASE_ENDS,
        PHASE_ENDS_FOR_LEASES_TOO,
        CLOCK_RUNS_IN_SUSPEND,
        UNREADABLE_IS_REFUSED,
        WINDOW_AND_NOT_DISTANCE,
        ONE_STEP_AT_A_TIME,
        COMPARE_THE_VERSION,
        COMPARE_AND_SET,
        LINEARIZABLE_READS,
        MODE_OF_THE_LEASE,
        HAND_OVER_KEEPS_THE_CLOCK,
        ONE_BOUND_FOR_ALL,
        WORD_ABOUT_PLAIN_OLD,
        WORD_IS_GIVEN_IN_DUAL,
        LIST_IS_NO_WORD,
        PRESENCE_IS_NO_WAIT,
        WORD_ABOUT_PLAIN_NEW
    }

    /** Two steps of time, so that one too few can be waited. */
    private static final int BOUND = 2;

    private static final int FIRST = MigrationWindow.OLD.ordinal();
    private static final int DUAL = MigrationWindow.DUAL.ordinal();
    private static final int LAST = MigrationWindow.NEW.ordinal();

    /**
     * @param window what the client last read of the register; counts while {@code rest} is positive
     * @param rest for how long it may go by that
     * @param question what the register answered to the question that is on its way; -1 if none is
     * @param age how long ago that question was asked, at least
     * @param lease the mode of the lease that it believes to hold, if {@code belief} is positive
     * @param belief for how long it believes that
     */
    record Client(int window, int rest, int question, int age, LeaseMode lease, int belief) {
        static final Client UNAWARE = new Client(0, 0, -1, 0, LeaseMode.OLD, 0);

        boolean holds() {
            return belief > 0;
        }

        /** Another number for each client that is not equal. */
        int code() {
            return ((((window * 4 + rest) * 6 + question + 1) * 4 + age) * 3 + lease.ordinal()) * 4 + belief;
        }

        Client with(LeaseMode mode, int newBelief) {
            return new Client(window, rest, question, age, newBelief > 0 ? mode : LeaseMode.OLD, newBelief);
        }

        Client knowing(int newWindow, int newRest) {
            return new Client(newRest > 0 ? newWindow : 0, newRest, question, age, lease, belief);
        }

        Client asking(int answer, int since) {
            return new Client(window, rest, answer, since, lease, belief);
        }
    }

    /** What an operator has read, how long it has still to wait, and whether the record is still that one. */
    record Operator(int window, int left, boolean current) {
        static final Operator IDLE = new Operator(-1, 0, false);

        int code() {
            return ((window + 1) * 4 + left) * 2 + (current ? 1 : 0);
        }
    }

    /** A client that knows nothing of the migration: not there, running, or holding the lock. */
    enum Plain {
        AWAY,
        RUNS,
        HOLDS
    }

    record State(
            int window,
            int windowBefore,
            List<Client> clients,
            List<Operator> operators,
            Plain plainOld,
            Plain plainNew,
            boolean wordOld,
            boolean wordNew) {
        /** The usual one gives the same number to hundreds of states. */
        @Override
        public int hashCode() {
            long code = window * 5L + windowBefore;
            for (Client client : clients) {
                code = code * 6007 + client.code();
            }
            for (Operator operator : operators) {
                code = code * 61 + operator.code();
            }
            code = (code * 3 + plainOld.ordinal()) * 3 + plainNew.ordinal();
            code = code * 4 + (wordOld ? 2 : 0) + (wordNew ? 1 : 0);
            return Long.hashCode(code * 0x9E3779B97F4A7C15L);
        }
    }

    @Override
    public State start() {
        return new State(
                FIRST,
                FIRST,
                List.of(Client.UNAWARE, Client.UNAWARE),
                Collections.nCopies(operators(), Operator.IDLE),
                Plain.AWAY,
                Plain.AWAY,
                false,
                false);
    }

    /** Where a rule about their reading, waiting or steps is left out, one operator does as much harm as two. */
    private int operators() {
        return without.isEmpty() || !has(Rule.COMPARE_THE_VERSION) || !has(Rule.COMPARE_AND_SET) ? 2 : 1;
    }

    private boolean has(Rule rule) {
        return !without.contains(rule);
    }

    private int bound(int client) {
        return client == 0 && !has(Rule.ONE_BOUND_FOR_ALL) ? BOUND + 1 : BOUND;
    }

    private int wait(int window) {
        boolean waits = window == DUAL && has(Rule.WAIT_BEFORE_LEAVING_DUAL);
        return waits ? has(Rule.WAIT_THE_WHOLE_BOUND) ? BOUND : BOUND - 1 : 0;
    }

    private boolean letsIn(int window, LeaseMode mode) {
        if (!has(Rule.WINDOW_AND_NOT_DISTANCE)) {
            LeaseMode phase = window == FIRST ? LeaseMode.OLD : window == LAST ? LeaseMode.NEW : LeaseMode.DUAL;
            return Math.abs(phase.ordinal() - mode.ordinal()) <= 1;
        }
        return MigrationWindow.values()[window].letsIn(mode);
    }

    @Override
    public Optional<String> violation(State state) {
        long holders = state.clients.stream().filter(Client::holds).count()
                + (state.plainOld == Plain.HOLDS ? 1 : 0)
                + (state.plainNew == Plain.HOLDS ? 1 : 0);
        return holders > 1 ? Optional.of(holders + " hold the lock") : Optional.empty();
    }

    @Override
    public void steps(State state, Steps<State> steps) {
        timePasses(state, steps);
        for (int i = 0; i < state.clients.size(); i++) {
            ask(state, i, steps);
            learn(state, i, steps);
            hold(state, i, steps);
        }
        plainClients(state, steps);
        for (int i = 0; i < state.operators.size(); i++) {
            operate(state, i, steps);
        }
        words(state, steps);
    }

    private void timePasses(State state, Steps<State> steps) {
        steps.to("time passes", passed(state, -1));
        if (!has(Rule.CLOCK_RUNS_IN_SUSPEND)) {
            for (int i = 0; i < state.clients.size(); i++) {
                steps.to("time passes while client " + i + " is suspended", passed(state, i));
            }
        }
    }

    private State passed(State state, int suspended) {
        List<Client> clients = new ArrayList<>();
        for (int i = 0; i < state.clients.size(); i++) {
            Client client = state.clients.get(i);
            clients.add(i == suspended ? client : older(client));
        }
        List<Operator> operators = state.operators.stream()
                .map(operator -> new Operator(operator.window, Math.max(0, operator.left - 1), operator.current))
                .toList();
        return with(state, clients, operators);
    }

    private Client older(Client client) {
        Client older = client;
        if (has(Rule.PHASE_ENDS)) {
            older = older.knowing(client.window, Math.max(0, client.rest - 1));
            if (has(Rule.PHASE_ENDS_FOR_LEASES_TOO)) {
                older = older.with(client.lease, Math.max(0, client.belief - 1));
            }
        }
        if (client.question < 0) {
            return older;
        }
        int age = Math.min(BOUND, client.age + 1);
        // An answer that comes so late tells nothing.
        return age == BOUND && has(Rule.PROCESS_COUNTS_FROM_THE_QUESTION) && has(Rule.ONE_BOUND_FOR_ALL)
                ? older.asking(-1, 0)
                : older.asking(client.question, age);
    }

    /** The register answers at once; the answer comes later, or never. */
    private void ask(State state, int who, Steps<State> steps) {
        Client client = state.clients.get(who);
        if (client.question >= 0) {
            steps.to("the answer to client " + who + " is lost", with(state, who, client.asking(-1, 0)));
            return;
        }
        steps.to("client " + who + " asks", with(state, who, client.asking(state.window, 0)));
        if (!has(Rule.LINEARIZABLE_READS)) {
            steps.to("client " + who + " asks a replica", with(state, who, client.asking(state.windowBefore, 0)));
        }
        if (!has(Rule.UNREADABLE_IS_REFUSED)) {
            for (LeaseMode mode : LeaseMode.values()) {
                int guess = mode == LeaseMode.OLD ? FIRST : mode == LeaseMode.DUAL ? DUAL : LAST;
                steps.to("client " + who + " reads nothing, and goes on", learned(state, who, guess, 0));
            }
        }
    }

    private void learn(State state, int who, Steps<State> steps) {
        Client client = state.clients.get(who);
        if (client.question >= 0) {
            int age = has(Rule.PROCESS_COUNTS_FROM_THE_QUESTION) ? client.age : 0;
            steps.to("client " + who + " learns of the window", learned(state, who, client.question, age));
        }
    }

    private State learned(State state, int who, int window, int age) {
        Client client = state.clients.get(who);
        int rest = Math.max(0, bound(who) - age);
        Client learned = client.asking(-1, 0).knowing(window, rest);
        boolean stays = client.holds() && (letsIn(window, client.lease) || !has(Rule.MODE_OF_THE_LEASE));
        return with(state, who, stays ? learned.with(client.lease, Math.max(client.belief, rest)) : learned);
    }

    private void hold(State state, int who, Steps<State> steps) {
        Client client = state.clients.get(who);
        if (client.holds()) {
            steps.to("client " + who + " releases", with(state, who, client.with(LeaseMode.OLD, 0)));
            if (client.lease == LeaseMode.OLD && isFree(state, LeaseMode.NEW) && client.rest > 0) {
                steps.to(
                        "client " + who + " takes NEW, too",
                        with(state, who, client.with(LeaseMode.DUAL, client.belief)));
            }
            if (!has(Rule.HAND_OVER_KEEPS_THE_CLOCK)) {
                steps.to(
                        "client " + who + " hands over inside",
                        with(state, who, client.with(client.lease, bound(who))));
            }
        } else if (client.rest > 0) {
            for (LeaseMode mode : LeaseMode.values()) {
                if (letsIn(client.window, mode) && isFree(state, mode)) {
                    steps.to("client " + who + " acquires " + mode, with(state, who, client.with(mode, client.rest)));
                }
            }
        }
        if (!client.equals(Client.UNAWARE)) {
            steps.to("client " + who + " crashes, and starts again", with(state, who, Client.UNAWARE));
        }
    }

    /** Whether nobody has the lock in the stores of a mode. */
    private static boolean isFree(State state, LeaseMode mode) {
        boolean oldIsTaken = state.plainOld == Plain.HOLDS;
        boolean newIsTaken = state.plainNew == Plain.HOLDS;
        for (Client client : state.clients) {
            oldIsTaken |= client.holds() && client.lease.usesOld();
            newIsTaken |= client.holds() && client.lease.usesNew();
        }
        return !(mode.usesOld() && oldIsTaken) && !(mode.usesNew() && newIsTaken);
    }

    /** They start while the operator has not said that none does: an old one before DUAL, a new one after it. */
    private static void plainClients(State state, Steps<State> steps) {
        plainClient(
                state,
                LeaseMode.OLD,
                state.plainOld,
                state.window < DUAL,
                next -> withPlain(state, next, state.plainNew),
                steps);
        plainClient(
                state,
                LeaseMode.NEW,
                state.plainNew,
                state.window > DUAL,
                next -> withPlain(state, state.plainOld, next),
                steps);
    }

    private static void plainClient(
            State state, LeaseMode store, Plain now, boolean mayStart, Function<Plain, State> to, Steps<State> steps) {
        String who = "the plain client of " + store;
        switch (now) {
            case AWAY -> {
                if (mayStart) {
                    steps.to(who + " starts", to.apply(Plain.RUNS));
                }
            }
            case RUNS -> {
                steps.to(who + " exits", to.apply(Plain.AWAY));
                if (isFree(state, store)) {
                    steps.to(who + " acquires", to.apply(Plain.HOLDS));
                }
            }
            case HOLDS -> steps.to(who + " releases", to.apply(Plain.RUNS));
        }
    }

    private void operate(State state, int who, Steps<State> steps) {
        Operator operator = state.operators.get(who);
        if (operator.window < 0) {
            int wait = wait(state.window);
            int least = has(Rule.OPERATOR_COUNTS_FROM_THE_ANSWER) ? wait : 0;
            for (int left = least; left <= wait; left++) {
                steps.to("operator " + who + " reads", with(state, who, new Operator(state.window, left, true)));
            }
            return;
        }
        steps.to("operator " + who + " gives up", with(state, who, Operator.IDLE));
        int furthest = has(Rule.ONE_STEP_AT_A_TIME) ? 1 : 2;
        for (int step = -furthest; step <= furthest; step++) {
            int to = operator.window + step;
            if (step != 0 && FIRST <= to && to <= LAST && maySend(state, operator, to) && lands(state, operator)) {
                steps.to("operator " + who + " goes to window " + to, moved(state, to));
            }
        }
    }

    private boolean maySend(State state, Operator operator, int to) {
        boolean skipsDual = (operator.window - DUAL) * (to - DUAL) < 0;
        boolean leavesForward = operator.window <= DUAL && to > DUAL;
        boolean leavesBackward = operator.window >= DUAL && to < DUAL;
        boolean haveWaited = operator.left == 0
                || operator.window != DUAL
                || to < DUAL && !has(Rule.WAIT_IN_BOTH_DIRECTIONS)
                || !has(Rule.PRESENCE_IS_NO_WAIT)
                        && noneReportsALease(state, to > DUAL ? LeaseMode.OLD : LeaseMode.NEW);
        return haveWaited
                && (!leavesForward || haveWordOld(state) || skipsDual && state.plainOld == Plain.AWAY)
                && (!leavesBackward
                        || state.wordNew
                        || !has(Rule.WORD_ABOUT_PLAIN_NEW)
                        || skipsDual && state.plainNew == Plain.AWAY);
    }

    private boolean haveWordOld(State state) {
        return state.wordOld
                || !has(Rule.WORD_ABOUT_PLAIN_OLD)
                || !has(Rule.LIST_IS_NO_WORD) && state.plainOld != Plain.HOLDS;
    }

    /** Of those that have asked since the window is what it is: who is frozen has not. */
    private static boolean noneReportsALease(State state, LeaseMode mode) {
        return state.clients.stream()
                .noneMatch(client ->
                        client.rest > 0 && client.window == state.window && client.holds() && client.lease == mode);
    }

    private boolean lands(State state, Operator operator) {
        return operator.current
                || !has(Rule.COMPARE_THE_VERSION) && operator.window == state.window
                || !has(Rule.COMPARE_AND_SET);
    }

    /** Whatever the operators had read is not the record any more. */
    private State moved(State state, int to) {
        List<Operator> operators = state.operators.stream()
                .map(operator -> operator.current && has(Rule.COMPARE_THE_VERSION) && has(Rule.COMPARE_AND_SET)
                        ? Operator.IDLE
                        : new Operator(operator.window, operator.left, false))
                .toList();
        boolean keepsWord = !has(Rule.WORD_IS_GIVEN_IN_DUAL) && state.wordOld;
        return new State(
                to,
                has(Rule.LINEARIZABLE_READS) ? FIRST : state.window,
                state.clients,
                sorted(operators, Comparator.comparingInt(Operator::code)),
                state.plainOld,
                state.plainNew,
                keepsWord,
                false);
    }

    /** The people who start and stop plain clients know whether any is there. */
    private void words(State state, Steps<State> steps) {
        boolean mayTell = state.window == DUAL || !has(Rule.WORD_IS_GIVEN_IN_DUAL);
        if (mayTell && state.plainOld == Plain.AWAY && !state.wordOld) {
            steps.to("nobody runs plain clients of OLD any more", withWords(state, true, state.wordNew));
        }
        if (state.window == DUAL && state.plainNew == Plain.AWAY && !state.wordNew) {
            steps.to("nobody runs plain clients of NEW any more", withWords(state, state.wordOld, true));
        }
    }

    private State with(State state, int who, Client client) {
        List<Client> clients = new ArrayList<>(state.clients);
        clients.set(who, client);
        return with(state, clients, state.operators);
    }

    private State with(State state, int who, Operator operator) {
        List<Operator> operators = new ArrayList<>(state.operators);
        operators.set(who, operator);
        return with(state, state.clients, operators);
    }

    /** Who of two clients, or of two operators, is in which state does not matter: so one order stands for both. */
    private State with(State state, List<Client> clients, List<Operator> operators) {
        return new State(
                state.window,
                state.windowBefore,
                has(Rule.ONE_BOUND_FOR_ALL)
                        ? sorted(clients, Comparator.comparingInt(Client::code))
                        : List.copyOf(clients),
                sorted(operators, Comparator.comparingInt(Operator::code)),
                state.plainOld,
                state.plainNew,
                state.wordOld,
                state.wordNew);
    }

    private static <T> List<T> sorted(List<T> list, Comparator<T> order) {
        return list.stream().sorted(order).toList();
    }

    private static State withPlain(State state, Plain old, Plain young) {
        return new State(
                state.window,
                state.windowBefore,
                state.clients,
                state.operators,
                old,
                young,
                state.wordOld,
                state.wordNew);
    }

    private static State withWords(State state, boolean old, boolean young) {
        return new State(
                state.window,
                state.windowBefore,
                state.clients,
                state.operators,
                state.plainOld,
                state.plainNew,
                old,
                young);
    }
}
