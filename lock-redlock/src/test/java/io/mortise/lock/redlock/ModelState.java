// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The state of two clients, three members and the messages between them at one moment. States with the same content are the same
 * state. Fields that can have no effect any more are cleared, so that there are fewer states.
 */
final class ModelState {
    static final int MEMBERS = 3;
    static final int CLIENTS = 2;
    static final int MAJORITY = 2;

    /** Phases of a round. */
    static final byte NOT_YET = 0;

    static final byte ASKING = 1;
    static final byte RAISING = 2;
    static final byte GRANTED = 3;
    static final byte ENDED = 4;

    /** States of a message. */
    static final byte NONE = 0;

    static final byte ON_ITS_WAY = 1;
    static final byte OK = 2;

    /** One member. */
    static final class Member {
        byte owner;
        byte ownToken;
        byte counter;
    }

    /** One round of a client, and its messages to each member; a try that was granted has a token. */
    static final class Round {
        byte phase;
        boolean inTime;
        byte token;
        final byte[] tries = new byte[MEMBERS];
        final byte[] tokens = new byte[MEMBERS];
        final boolean[] triedAfterRestart = new boolean[MEMBERS];
        final byte[] raises = new byte[MEMBERS];
        final byte[] releases = new byte[MEMBERS];
    }

    final Member[] members = new Member[MEMBERS];
    final Round[] rounds;
    byte now;
    byte restarted = -1;
    byte restartedAt;
    byte greatestToken;
    private final @Nullable ModelState before;
    private final String event;

    /** The initial state. */
    ModelState(int rounds) {
        this.rounds = new Round[rounds];
        Arrays.setAll(members, i -> new Member());
        Arrays.setAll(this.rounds, i -> new Round());
        before = null;
        event = "";
    }

    /** A copy, to be changed by an event. */
    ModelState(ModelState before, String event) {
        rounds = new Round[before.rounds.length];
        for (int i = 0; i < MEMBERS; i++) {
            Member from = before.members[i];
            Member to = new Member();
            members[i] = to;
            to.owner = from.owner;
            to.ownToken = from.ownToken;
            to.counter = from.counter;
        }
        for (int i = 0; i < rounds.length; i++) {
            Round from = before.rounds[i];
            Round to = new Round();
            rounds[i] = to;
            to.phase = from.phase;
            to.inTime = from.inTime;
            to.token = from.token;
            System.arraycopy(from.tries, 0, to.tries, 0, MEMBERS);
            System.arraycopy(from.tokens, 0, to.tokens, 0, MEMBERS);
            System.arraycopy(from.triedAfterRestart, 0, to.triedAfterRestart, 0, MEMBERS);
            System.arraycopy(from.raises, 0, to.raises, 0, MEMBERS);
            System.arraycopy(from.releases, 0, to.releases, 0, MEMBERS);
        }
        now = before.now;
        restarted = before.restarted;
        restartedAt = before.restartedAt;
        greatestToken = before.greatestToken;
        this.before = before;
        this.event = event;
    }

    /** Which client a round belongs to. */
    static int client(int round) {
        return round % CLIENTS;
    }

    /** The events that led here, one on each line. */
    String story() {
        return (before == null ? "" : before.story() + event + "\n");
    }

    /** Distinguishes this state from others. The first {@code alike} members are interchangeable. */
    String content(int alike) {
        StringBuilder text = new StringBuilder(60);
        text.append((char) now).append((char) restartedAt).append((char) greatestToken);
        for (Round round : rounds) {
            text.append((char) (round.phase | (round.inTime ? 8 : 0))).append((char) round.token);
        }
        String[] each = new String[MEMBERS];
        for (int i = 0; i < MEMBERS; i++) {
            each[i] = atMember(i);
        }
        Arrays.sort(each, 0, alike);
        for (String one : each) {
            text.append(one);
        }
        return text.toString();
    }

    private String atMember(int index) {
        Member member = members[index];
        StringBuilder text = new StringBuilder(16)
                .append((char) (member.owner | (restarted == index ? 8 : 0)))
                .append((char) member.ownToken)
                .append((char) member.counter);
        for (Round round : rounds) {
            text.append((char) (round.tries[index]
                            | round.raises[index] << 2
                            | round.releases[index] << 4
                            | (round.triedAfterRestart[index] ? 64 : 0)))
                    .append((char) round.tokens[index]);
        }
        return text.toString();
    }
}
