// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi.support;

import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * One call of {@link io.mortise.lock.spi.LockBackend#renewAll}: the claims, split into groups that the store takes in one
 * request each, and an answer for each claim, which is {@link Answer#UNKNOWN} until another is given. Not thread-safe.
 *
 * @param <C> the backend's own type of claim
 */
public final class RenewalBatch<C extends Claim> {
    private final List<Renewal> renewals;
    private final Class<C> type;
    private final Answer[] answers;

    /**
     * No claim has an answer yet.
     *
     * @param renewals the claims as {@link io.mortise.lock.spi.LockBackend#renewAll} was given them
     * @param type the backend's own type of claim
     */
    public RenewalBatch(List<Renewal> renewals, Class<C> type) {
        this.renewals = List.copyOf(renewals);
        this.type = type;
        answers = new Answer[renewals.size()];
        Arrays.fill(answers, Answer.UNKNOWN);
    }

    /** Some claims of a batch that go into one request. */
    public final class Group {
        private final List<Integer> places = new ArrayList<>();

        private Group() {}

        /** {@return the claims, in the order in which the batch has them} */
        public List<C> claims() {
            return places.stream().map(RenewalBatch.this::claim).toList();
        }

        /** {@return how long the lease of each of the {@link #claims()} is to last} */
        public List<Duration> leases() {
            return places.stream().map(place -> renewals.get(place).lease()).toList();
        }

        /**
         * {@return how long the lease of a claim is to last}
         *
         * @param index the claim's place in {@link #claims()}
         */
        public Duration lease(int index) {
            return renewals.get(places.get(index)).lease();
        }

        /**
         * Gives a claim its answer.
         *
         * @param index the claim's place in {@link #claims()}
         * @param answer the answer
         */
        public void answer(int index, Answer answer) {
            answers[places.get(index)] = answer;
        }
    }

    /**
     * {@return groups that together have each claim once, in the order of the claims}
     *
     * @param most how many claims a group has at most, positive
     */
    public List<Group> groups(int most) {
        return groups(claim -> true, most);
    }

    /**
     * {@return groups that together have each claim once, each of claims with the same key, such as the server that
     * they are on}
     *
     * @param key what the claims of one group share
     * @param most how many claims a group has at most, positive
     */
    public List<Group> groups(Function<? super C, ?> key, int most) {
        List<Group> groups = new ArrayList<>();
        Map<Object, Group> open = new LinkedHashMap<>();
        for (int i = 0; i < renewals.size(); i++) {
            Object group = key.apply(claim(i));
            Group last = open.get(group);
            if (last == null || last.places.size() == most) {
                last = new Group();
                groups.add(last);
                open.put(group, last);
            }
            last.places.add(i);
        }
        return groups;
    }

    /**
     * {@return the claims that have no answer yet, each in a group of its own: to be renewed alone, as when one of a
     * group made the group's request fail}
     */
    public List<Group> unanswered() {
        List<Group> groups = new ArrayList<>();
        for (int i = 0; i < answers.length; i++) {
            if (answers[i] == Answer.UNKNOWN) {
                Group alone = new Group();
                alone.places.add(i);
                groups.add(alone);
            }
        }
        return groups;
    }

    private C claim(int index) {
        return type.cast(renewals.get(index).claim());
    }

    /** {@return an answer for each claim, in the order of the claims} */
    public List<Answer> answers() {
        return List.of(answers);
    }
}
