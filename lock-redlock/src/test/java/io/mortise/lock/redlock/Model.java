// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock;

import static io.mortise.lock.redlock.ModelState.ASKING;
import static io.mortise.lock.redlock.ModelState.ENDED;
import static io.mortise.lock.redlock.ModelState.GRANTED;
import static io.mortise.lock.redlock.ModelState.MAJORITY;
import static io.mortise.lock.redlock.ModelState.MEMBERS;
import static io.mortise.lock.redlock.ModelState.NONE;
import static io.mortise.lock.redlock.ModelState.NOT_YET;
import static io.mortise.lock.redlock.ModelState.OK;
import static io.mortise.lock.redlock.ModelState.ON_ITS_WAY;
import static io.mortise.lock.redlock.ModelState.RAISING;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A model of the protocol that visits every state that any order of events can reach: a message arrives at once, later, after its
 * round has ended, or never; a client decides, gives up or ends its lease at any moment; time passes at any moment; one member is
 * restarted without its data at any moment.
 *
 * <p>A lease lasts until the next tick. If time passes, one member's clock is a tick ahead of the others'. A clock counts
 * {@value #TICK} tokens in a tick.
 */
final class Model {
    /** A part of the protocol that is left out. */
    enum Mistake {
        NO_RAISING,
        RAISING_WITHOUT_OWNER,
        ROUNDS_SHARE_AN_OWNER,
        MINORITY_IS_ENOUGH,
        GRANTS_THAT_COME_TOO_LATE,
        NO_RESTART_DELAY,
        TOKENS_WITHOUT_CLOCK
    }

    private static final int TICK = 8;
    private static final int[] CLOCK_AHEAD = {0, 0, 1};

    /** The lease, plus the difference of the clocks, plus one. */
    private static final int DELAY = 3;

    private final Set<Mistake> mistakes = EnumSet.noneOf(Mistake.class);
    private final int rounds;
    private final int lastTick;
    private final boolean restarts;
    private final Set<String> seen = new HashSet<>();
    private final Deque<ModelState> open = new ArrayDeque<>();
    private int grants;
    private Optional<String> fault = Optional.empty();

    Model(int rounds, int lastTick, boolean restarts, Mistake... mistakes) {
        this.rounds = rounds;
        this.lastTick = lastTick;
        this.restarts = restarts;
        this.mistakes.addAll(Set.of(mistakes));
    }

    /** Visits all states until one is wrong; says what is wrong with it and which events led to it. */
    Optional<String> firstFault() {
        reach(new ModelState(rounds));
        while (!open.isEmpty() && fault.isEmpty()) {
            follow(open.remove());
        }
        return fault;
    }

    int states() {
        return seen.size();
    }

    int grants() {
        return grants;
    }

    private boolean makes(Mistake mistake) {
        return mistakes.contains(mistake);
    }

    private void reach(ModelState state) {
        for (int r = 0; r < rounds; r++) {
            forgetWhatHasNoEffect(state, r);
        }
        if (seen.add(state.content(lastTick == 0 ? MEMBERS : 2))) {
            open.add(state);
        }
    }

    /** Drops messages that can change nothing any more. */
    private void forgetWhatHasNoEffect(ModelState state, int r) {
        ModelState.Round round = state.rounds[r];
        for (int m = 0; m < MEMBERS; m++) {
            ModelState.Member member = state.members[m];
            boolean mayOwn = member.owner == owner(r) || round.tries[m] == ON_ITS_WAY;
            if (!mayOwn && !makes(Mistake.ROUNDS_SHARE_AN_OWNER)) {
                round.releases[m] = NONE;
                if (round.raises[m] == ON_ITS_WAY && !makes(Mistake.RAISING_WITHOUT_OWNER)) {
                    round.raises[m] = NONE;
                }
            }
            if (member.owner == 0) {
                member.ownToken = 0;
            }
        }
    }

    private void happen(ModelState before, String event, Consumer<ModelState> change) {
        ModelState after = new ModelState(before, event);
        change.accept(after);
        reach(after);
    }

    private void follow(ModelState state) {
        if (state.now < lastTick) {
            happen(state, "a lease's time passes", this::pass);
        }
        for (int m = 0; m < MEMBERS && restarts && state.restarted < 0 && state.now < 2; m++) {
            int member = m;
            happen(state, "member " + m + " restarts empty", after -> {
                after.members[member] = new ModelState.Member();
                after.restarted = (byte) member;
                after.restartedAt = after.now;
            });
        }
        for (int r = 0; r < rounds; r++) {
            follow(state, r);
        }
    }

    private void follow(ModelState state, int r) {
        ModelState.Round round = state.rounds[r];
        String who = "client " + ModelState.client(r) + " round " + r;
        if (round.phase == NOT_YET) {
            if (r < ModelState.CLIENTS || state.rounds[r - ModelState.CLIENTS].phase == ENDED) {
                happen(state, who + " asks", after -> start(after, r));
            }
            return;
        }
        for (int m = 0; m < MEMBERS; m++) {
            int member = m;
            if (round.tries[m] == ON_ITS_WAY && mayTake(state, r, m)) {
                happen(state, who + " tries at " + m, after -> tries(after, r, member));
            }
            if (round.raises[m] == ON_ITS_WAY && mayRaise(state, r, m)) {
                happen(state, who + " raises at " + m, after -> raises(after, r, member));
            }
            if (round.releases[m] == ON_ITS_WAY && state.members[m].owner == owner(r)) {
                happen(state, who + " releases at " + m, after -> releases(after, r, member));
            }
        }
        if (round.phase == ASKING) {
            for (int heard = 1; heard < 1 << MEMBERS; heard++) {
                decide(state, r, heard);
            }
        }
        if (round.phase == RAISING && count(round.raises, OK) >= majority() && isInTime(round)) {
            happen(state, who + " is granted " + round.token, after -> grant(after, r));
        }
        if (round.phase != ENDED) {
            happen(state, who + " ends", after -> end(after.rounds[r]));
        }
    }

    /** Ends all leases that were asked for before, at the clients and at the members. */
    private void pass(ModelState state) {
        state.now++;
        for (ModelState.Round round : state.rounds) {
            if (round.phase != NOT_YET && round.phase != ENDED && !makes(Mistake.GRANTS_THAT_COME_TOO_LATE)) {
                end(round);
            }
            round.inTime = false;
        }
        for (ModelState.Member member : state.members) {
            member.owner = 0;
        }
    }

    private static void start(ModelState state, int r) {
        ModelState.Round round = state.rounds[r];
        round.phase = ASKING;
        round.inTime = true;
        Arrays.fill(round.tries, ON_ITS_WAY);
    }

    /** To the client a refusal means the same as no answer: only a try that is granted counts. */
    private boolean mayTake(ModelState state, int r, int m) {
        byte holder = state.members[m].owner;
        return holder == 0 || holder == owner(r);
    }

    private boolean mayRaise(ModelState state, int r, int m) {
        return makes(Mistake.RAISING_WITHOUT_OWNER) || state.members[m].owner == owner(r);
    }

    private void tries(ModelState state, int r, int m) {
        ModelState.Round round = state.rounds[r];
        ModelState.Member member = state.members[m];
        if (member.owner == 0) {
            int ahead = lastTick == 0 ? 0 : CLOCK_AHEAD[m];
            int clock = makes(Mistake.TOKENS_WITHOUT_CLOCK) ? 0 : TICK * (state.now + ahead) + 1;
            member.counter = (byte) Math.max(member.counter + 1, clock);
            member.owner = owner(r);
            member.ownToken = makes(Mistake.ROUNDS_SHARE_AN_OWNER) ? member.counter : 0;
        }
        round.tries[m] = NONE;
        if (round.phase == ASKING) {
            round.tries[m] = OK;
            round.tokens[m] = makes(Mistake.ROUNDS_SHARE_AN_OWNER) ? member.ownToken : member.counter;
            round.triedAfterRestart[m] = state.restarted == m;
        }
    }

    /** The client goes on with the answers that it has got, a majority of which are yes. */
    private void decide(ModelState state, int r, int heard) {
        ModelState.Round round = state.rounds[r];
        int yes = 0;
        byte token = 0;
        for (int m = 0; m < MEMBERS; m++) {
            if ((heard & 1 << m) != 0) {
                if (round.tries[m] != OK || !counts(state, round, m)) {
                    return;
                }
                yes++;
                token = (byte) Math.max(token, round.tokens[m]);
            }
        }
        if (yes < majority() || !isInTime(round)) {
            return;
        }
        byte greatest = token;
        happen(state, "round " + r + " has heard " + Integer.toBinaryString(heard), after -> {
            ModelState.Round raising = after.rounds[r];
            raising.phase = RAISING;
            raising.token = greatest;
            for (int m = 0; m < MEMBERS; m++) {
                boolean equal = makes(Mistake.NO_RAISING) || raising.tokens[m] == greatest;
                boolean asked = (heard & 1 << m) != 0 || makes(Mistake.RAISING_WITHOUT_OWNER);
                raising.raises[m] = !asked ? NONE : equal ? OK : ON_ITS_WAY;
                raising.tokens[m] = 0;
                raising.triedAfterRestart[m] = false;
                raising.tries[m] = raising.tries[m] == ON_ITS_WAY ? ON_ITS_WAY : NONE;
            }
        });
    }

    /** Whether a vote counts: not that of a process that may have forgotten a live lease. */
    private boolean counts(ModelState state, ModelState.Round round, int m) {
        return makes(Mistake.NO_RESTART_DELAY) || !round.triedAfterRestart[m] || state.now >= state.restartedAt + DELAY;
    }

    private static void raises(ModelState state, int r, int m) {
        ModelState.Round round = state.rounds[r];
        state.members[m].counter = (byte) Math.max(state.members[m].counter, round.token);
        round.raises[m] = round.phase == RAISING ? OK : NONE;
    }

    private void grant(ModelState state, int r) {
        ModelState.Round round = state.rounds[r];
        grants++;
        for (int other = 0; other < rounds; other++) {
            ModelState.Round before = state.rounds[other];
            if (other != r && before.phase == GRANTED && isInTime(before)) {
                fault = Optional.of("two leases overlap:\n" + state.story());
            }
        }
        boolean rises = round.token > state.greatestToken || makes(Mistake.ROUNDS_SHARE_AN_OWNER);
        if (fault.isEmpty() && !rises) {
            fault = Optional.of("token " + round.token + " comes after " + state.greatestToken + ":\n" + state.story());
        }
        state.greatestToken = round.token;
        round.phase = GRANTED;
        for (int m = 0; m < MEMBERS; m++) {
            round.raises[m] = round.raises[m] == ON_ITS_WAY ? ON_ITS_WAY : NONE;
        }
    }

    private static void end(ModelState.Round round) {
        round.phase = ENDED;
        round.inTime = false;
        for (int m = 0; m < MEMBERS; m++) {
            round.tokens[m] = 0;
            round.triedAfterRestart[m] = false;
            round.tries[m] = round.tries[m] == ON_ITS_WAY ? ON_ITS_WAY : NONE;
            round.raises[m] = round.raises[m] == ON_ITS_WAY ? ON_ITS_WAY : NONE;
            round.releases[m] = ON_ITS_WAY;
        }
    }

    private void releases(ModelState state, int r, int m) {
        state.rounds[r].releases[m] = NONE;
        if (state.members[m].owner == owner(r)) {
            state.members[m].owner = 0;
        }
    }

    private boolean isInTime(ModelState.Round round) {
        return round.inTime || makes(Mistake.GRANTS_THAT_COME_TOO_LATE);
    }

    private int majority() {
        return makes(Mistake.MINORITY_IS_ENOUGH) ? MAJORITY - 1 : MAJORITY;
    }

    private byte owner(int round) {
        return (byte) (1 + (makes(Mistake.ROUNDS_SHARE_AN_OWNER) ? ModelState.client(round) : round));
    }

    private static int count(byte[] messages, byte what) {
        int count = 0;
        for (byte message : messages) {
            count += message == what ? 1 : 0;
        }
        return count;
    }
}
