// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.migration.model;

import io.mortise.lock.migration.model.TokenModel.State;
import java.util.Optional;
import java.util.Set;

/**
 * Tokens across the stores: one lock, which one client after the other holds. A grant takes two tokens, and the second is used if the lock
 * is handed over inside the client. Both stores give no token below a clock, and none that they have given.
 */
record TokenModel(Set<Rule> without) implements Model<State> {
    enum Rule {
        FLOOR_FOR_NEW,
        OLD_IS_RAISED,
        OLD_IS_RAISED_TO_THE_END,
        TOKEN_OF_NEW_IS_ANSWERED,
        REGISTER_FLOOR_FORWARD,
        REGISTER_FLOOR_BACK,
        FLOOR_AFTER_THE_WAIT,
        PROBE_FOR_PLAIN_OLD,
        PROBE_BEFORE_FINISH
    }

    private static final int HIGHEST = 14;
    private static final int DUAL = 2;
    private static final int FINISHED = 5;

    /** What may be granted in DUAL because somebody remembers the window before. */
    enum Remembered {
        NOTHING,
        OLD,
        NEW
    }

    /**
     * @param window 0 to 4, and 5 when the migration is finished
     * @param old the highest token that OLD has given for the lock
     * @param young the same for NEW
     * @param clock above which both stores begin
     * @param last the highest token with which anybody has worked
     * @param end the last token of the lease that is held; 0 if none is
     * @param falls whether a token was not above all before
     */
    record State(
            int window,
            Remembered remembered,
            int old,
            int young,
            int clock,
            int floorOld,
            int floorNew,
            int last,
            int end,
            boolean falls) {
        State granted(int nowOld, int nowNew, int token, int tokenEnd) {
            return new State(
                    window,
                    remembered,
                    nowOld,
                    nowNew,
                    clock,
                    floorOld,
                    floorNew,
                    Math.max(last, token),
                    tokenEnd,
                    token <= last);
        }

        State released() {
            return new State(window, remembered, old, young, clock, floorOld, floorNew, last, 0, falls);
        }

        State handedOver() {
            return new State(window, remembered, old, young, clock, floorOld, floorNew, end, end, falls);
        }

        State later() {
            return new State(window, remembered, old, young, clock + 1, floorOld, floorNew, last, end, falls);
        }

        State at(int next, Remembered nowRemembered, int nowFloorOld, int nowFloorNew) {
            return new State(next, nowRemembered, old, young, clock, nowFloorOld, nowFloorNew, last, end, falls);
        }
    }

    @Override
    public State start() {
        return new State(0, Remembered.NOTHING, 0, 0, 0, 0, 0, 0, 0, false);
    }

    private boolean has(Rule rule) {
        return !without.contains(rule);
    }

    @Override
    public Optional<String> violation(State state) {
        return state.falls ? Optional.of("a token is not above all before it") : Optional.empty();
    }

    @Override
    public void steps(State state, Steps<State> steps) {
        if (state.clock < 6) {
            steps.to("time passes", state.later());
        }
        if (state.end > 0) {
            steps.to("the holder releases", state.released());
            steps.to("the holder hands over inside its client", state.handedOver());
        } else if (Math.max(state.old, state.young) < HIGHEST) {
            grant(state, steps);
        }
        operate(state, steps);
    }

    private void grant(State state, Steps<State> steps) {
        int window = state.window;
        if (window < DUAL || state.remembered == Remembered.OLD) {
            int token = next(state, state.old, state.floorOld);
            steps.to("OLD grants", state.granted(token + 1, state.young, token, token + 1));
        }
        if (window < DUAL) {
            int token = next(state, state.old, 0);
            steps.to("OLD grants to a plain client", state.granted(token, state.young, token, token));
        }
        if (0 < window && window < 4) {
            dual(state, steps);
        }
        if (DUAL < window && window < FINISHED || state.remembered == Remembered.NEW) {
            int token = next(state, state.young, state.floorNew);
            steps.to("NEW grants", state.granted(state.old, token + 1, token, token + 1));
        }
        if (window == FINISHED) {
            int token = next(state, state.young, 0);
            steps.to("NEW grants to a plain client", state.granted(state.old, token, token, token));
        }
    }

    private void dual(State state, Steps<State> steps) {
        int first = next(state, state.old, state.floorOld);
        int floor = has(Rule.FLOOR_FOR_NEW) ? first + 1 : 0;
        int second = next(state, state.young, Math.max(floor, state.floorNew));
        int raised = has(Rule.OLD_IS_RAISED) ? has(Rule.OLD_IS_RAISED_TO_THE_END) ? second + 1 : second : 0;
        int token = has(Rule.TOKEN_OF_NEW_IS_ANSWERED) ? second : first;
        steps.to("both grant", state.granted(Math.max(first + 1, raised), second + 1, token, token + 1));
    }

    private static int next(State state, int counter, int floor) {
        return Math.max(Math.max(counter, state.clock), floor) + 1;
    }

    private void operate(State state, Steps<State> steps) {
        boolean early = !has(Rule.FLOOR_AFTER_THE_WAIT);
        switch (state.window) {
            case 0 -> steps.to("window 1 opens", state.at(1, Remembered.NOTHING, state.floorOld, state.floorNew));
            case 1 ->
                steps.to(
                        "window 2 opens",
                        state.at(DUAL, Remembered.OLD, state.floorOld, early ? forward(state) : state.floorNew));
            case DUAL -> {
                if (state.remembered != Remembered.NOTHING) {
                    steps.to("all know", state.at(DUAL, Remembered.NOTHING, state.floorOld, state.floorNew));
                    return;
                }
                steps.to(
                        "window 3 opens",
                        state.at(3, Remembered.NOTHING, state.floorOld, early ? state.floorNew : forward(state)));
                int back = early ? state.floorOld : back(state);
                if (state.clock >= back || !has(Rule.PROBE_FOR_PLAIN_OLD)) {
                    steps.to("window 1 opens again", state.at(1, Remembered.NOTHING, back, state.floorNew));
                }
            }
            case 3 -> {
                steps.to("window 4 opens", state.at(4, Remembered.NOTHING, state.floorOld, state.floorNew));
                steps.to(
                        "window 2 opens again",
                        state.at(DUAL, Remembered.NEW, early ? back(state) : state.floorOld, state.floorNew));
            }
            case 4 -> {
                steps.to("window 3 opens again", state.at(3, Remembered.NOTHING, state.floorOld, state.floorNew));
                if (state.clock >= state.floorNew || !has(Rule.PROBE_BEFORE_FINISH)) {
                    steps.to("the migration is finished", state.at(FINISHED, Remembered.NOTHING, 0, 0));
                }
            }
            default -> {}
        }
    }

    /** Above all tokens of OLD, for NEW. */
    private int forward(State state) {
        return has(Rule.REGISTER_FLOOR_FORWARD) ? Math.max(state.floorNew, state.old) : 0;
    }

    private int back(State state) {
        return has(Rule.REGISTER_FLOOR_BACK) ? Math.max(state.floorOld, state.young) : 0;
    }
}
