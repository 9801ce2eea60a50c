// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.migration.model;

import io.mortise.lock.migration.model.RegisterModel.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The life of the record in the register: it is made, lost, made anew, and finished. Two clients that follow it, one that knows nothing of
 * it in NEW, and two operators, whose writes may come late. The bound is one step of time, and whoever asks is answered at once.
 */
record RegisterModel(Set<Rule> without) implements Model<State> {
    enum Rule {
        MISSING_IS_REFUSED,
        CREATED_IN_DUAL,
        REPAIRED_IN_DUAL,
        VERSION_IS_RANDOM,
        WORD_ABOUT_PLAIN_NEW
    }

    private static final int DUAL = 2;
    private static final int LAST = 4;
    private static final int FINISHED = 5;
    private static final int MISSING = -1;
    private static final int MOST_RECORDS = 4;

    /** What a client has: a lease in one of the stores, and whether it has just been let in. */
    enum Client {
        OUT,
        LETS_OLD,
        LETS_NEW,
        HOLDS_OLD,
        HOLDS_NEW
    }

    /** What an operator does. */
    enum Task {
        NOTHING,
        /** Will make a record if there is none. */
        CREATE,
        /** Will write the window after the one that it has read. */
        STEP_FORWARD,
        STEP_BACK
    }

    /** @param waited whether it has waited since it read the record */
    record Operator(Task task, int window, int version, boolean waited) {
        static final Operator IDLE = new Operator(Task.NOTHING, MISSING, 0, false);
    }

    /**
     * @param window of the record, or that there is none
     * @param version a number that is never used twice, or one that begins anew with each record
     * @param versions how many records were written
     * @param plainNew whether a client that knows nothing runs in NEW, and holds the lock there
     * @param losses how often the record may still be lost
     */
    record State(
            int window,
            int version,
            int versions,
            List<Client> clients,
            List<Operator> operators,
            boolean plainNew,
            int losses) {
        State with(int who, Client client) {
            List<Client> changed = new ArrayList<>(clients);
            changed.set(who, client);
            return new State(
                    window, version, versions, changed.stream().sorted().toList(), operators, plainNew, losses);
        }

        State with(int who, Operator operator) {
            List<Operator> changed = new ArrayList<>(operators);
            changed.set(who, operator);
            return new State(window, version, versions, clients, List.copyOf(changed), plainNew, losses);
        }

        State withPlainNew(boolean runs) {
            return new State(window, version, versions, clients, operators, runs, losses);
        }
    }

    @Override
    public State start() {
        return new State(
                MISSING, 0, 0, List.of(Client.OUT, Client.OUT), List.of(Operator.IDLE, Operator.IDLE), false, 1);
    }

    private boolean has(Rule rule) {
        return !without.contains(rule);
    }

    @Override
    public Optional<String> violation(State state) {
        boolean old = state.clients.contains(Client.HOLDS_OLD);
        boolean young = state.clients.contains(Client.HOLDS_NEW) || state.plainNew;
        return old && young ? Optional.of("the lock is held in OLD and in NEW") : Optional.empty();
    }

    @Override
    public void steps(State state, Steps<State> steps) {
        timePasses(state, steps);
        for (int i = 0; i < state.clients.size(); i++) {
            client(state, i, steps);
        }
        if (state.window > DUAL && !state.plainNew && !state.clients.contains(Client.HOLDS_NEW)) {
            steps.to("a plain client of NEW starts, and acquires", state.withPlainNew(true));
        }
        if (state.plainNew) {
            steps.to("the plain client of NEW exits", state.withPlainNew(false));
        }
        if (state.window != MISSING && state.losses > 0) {
            steps.to(
                    "the record is lost",
                    new State(
                            MISSING,
                            0,
                            state.versions,
                            state.clients,
                            state.operators,
                            state.plainNew,
                            state.losses - 1));
        }
        for (int i = 0; i < state.operators.size(); i++) {
            operate(state, i, steps);
        }
    }

    /** Whoever was let in is not any more, and a lease that was not renewed by a question has ended. */
    private static void timePasses(State state, Steps<State> steps) {
        List<Operator> operators = state.operators.stream()
                .map(operator -> operator.task == Task.NOTHING
                        ? operator
                        : new Operator(operator.task, operator.window, operator.version, true))
                .toList();
        steps.to(
                "time passes",
                new State(
                        state.window,
                        state.version,
                        state.versions,
                        List.of(Client.OUT, Client.OUT),
                        operators,
                        state.plainNew,
                        state.losses));
    }

    private void client(State state, int who, Steps<State> steps) {
        switch (state.clients.get(who)) {
            case OUT -> {
                if (letsIn(state.window, true)) {
                    steps.to("a client is let into OLD", state.with(who, Client.LETS_OLD));
                }
                if (letsIn(state.window, false)) {
                    steps.to("a client is let into NEW", state.with(who, Client.LETS_NEW));
                }
            }
            case LETS_OLD -> {
                if (!state.clients.contains(Client.HOLDS_OLD)) {
                    steps.to("a client acquires in OLD", state.with(who, Client.HOLDS_OLD));
                }
            }
            case LETS_NEW -> {
                if (!state.clients.contains(Client.HOLDS_NEW) && !state.plainNew) {
                    steps.to("a client acquires in NEW", state.with(who, Client.HOLDS_NEW));
                }
            }
            case HOLDS_OLD, HOLDS_NEW -> steps.to("a client releases", state.with(who, Client.OUT));
        }
    }

    private boolean letsIn(int window, boolean old) {
        if (window == MISSING) {
            return old && !has(Rule.MISSING_IS_REFUSED);
        }
        return old ? window < DUAL : window > DUAL;
    }

    private void operate(State state, int who, Steps<State> steps) {
        Operator operator = state.operators.get(who);
        switch (operator.task) {
            case NOTHING -> begin(state, who, steps);
            case CREATE -> {
                steps.to("operator " + who + " gives up", state.with(who, Operator.IDLE));
                if (state.window == MISSING) {
                    boolean repairs = operator.window != MISSING;
                    int window = repairs
                            ? has(Rule.REPAIRED_IN_DUAL) ? DUAL : operator.window
                            : has(Rule.CREATED_IN_DUAL) ? DUAL : 0;
                    written(state, who, window, 1, steps);
                }
            }
            case STEP_FORWARD, STEP_BACK -> {
                steps.to("operator " + who + " gives up", state.with(who, Operator.IDLE));
                int to = operator.window + (operator.task == Task.STEP_FORWARD ? 1 : -1);
                boolean mayLeave = operator.window != DUAL || operator.waited;
                boolean haveWord =
                        operator.window != DUAL || to > DUAL || !state.plainNew || !has(Rule.WORD_ABOUT_PLAIN_NEW);
                if (mayLeave && haveWord && state.window == operator.window && state.version == operator.version) {
                    written(state, who, to, operator.version + 1, steps);
                }
            }
        }
    }

    /** One that has read a record remembers its window until there is another to be made. */
    private static void begin(State state, int who, Steps<State> steps) {
        if (state.window == MISSING || state.versions == 0) {
            steps.to(
                    "operator " + who + " will make a record",
                    state.with(who, new Operator(Task.CREATE, MISSING, 0, false)));
        } else {
            steps.to(
                    "operator " + who + " will make the record anew if it is lost",
                    state.with(who, new Operator(Task.CREATE, Math.min(LAST, state.window), 0, false)));
            if (state.window < FINISHED) {
                steps.to(
                        "operator " + who + " reads, and will go forward",
                        state.with(who, new Operator(Task.STEP_FORWARD, state.window, state.version, false)));
            }
            if (0 < state.window && state.window < FINISHED) {
                steps.to(
                        "operator " + who + " reads, and will go back",
                        state.with(who, new Operator(Task.STEP_BACK, state.window, state.version, false)));
            }
        }
    }

    private void written(State state, int who, int window, int counter, Steps<State> steps) {
        if (state.versions == 2 * MOST_RECORDS) {
            return;
        }
        int version = has(Rule.VERSION_IS_RANDOM) ? state.versions + 1 : counter;
        State written = new State(
                window, version, state.versions + 1, state.clients, state.operators, state.plainNew, state.losses);
        steps.to("operator " + who + " writes window " + window, written.with(who, Operator.IDLE));
    }
}
