// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.wrong;

import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/** Wrong ways to renew claims together. Alone, each is renewed as it should be. */
final class WrongBatches {
    private WrongBatches() {}

    private static TinyClaim claim(Renewal renewal) {
        return (TinyClaim) renewal.claim();
    }

    private static String lock(Renewal renewal) {
        return claim(renewal).request.lock();
    }

    /** The answers are off by one. */
    static final class Rotates extends TinyStore {
        @Override
        List<Answer> renewAll(List<Renewal> renewals, Function<List<Renewal>, List<Answer>> right) {
            List<Answer> answers = new ArrayList<>(right.apply(renewals));
            Collections.rotate(answers, 1);
            return answers;
        }
    }

    /** The answers come from the last to the first, as from a stack. */
    static final class Reverses extends TinyStore {
        @Override
        List<Answer> renewAll(List<Renewal> renewals, Function<List<Renewal>, List<Answer>> right) {
            List<Answer> answers = new ArrayList<>(right.apply(renewals));
            Collections.reverse(answers);
            return answers;
        }
    }

    /** The answers come in the order of the rows, and not in that of the questions. */
    static final class OrdersByName extends TinyStore {
        @Override
        List<Answer> renewAll(List<Renewal> renewals, Function<List<Renewal>, List<Answer>> right) {
            return right.apply(renewals.stream()
                    .sorted(Comparator.comparing(WrongBatches::lock))
                    .toList());
        }
    }

    /** All claims are renewed in one transaction, which fails if one is. */
    static final class OneLossFailsAll extends TinyStore {
        @Override
        List<Answer> renewAll(List<Renewal> renewals, Function<List<Renewal>, List<Answer>> right) {
            List<Answer> answers = right.apply(renewals);
            return answers.contains(Answer.NO) ? Collections.nCopies(answers.size(), Answer.NO) : answers;
        }
    }

    /** Reads only how many rows were changed. */
    static final class CountsRows extends TinyStore {
        @Override
        List<Answer> renewAll(List<Renewal> renewals, Function<List<Renewal>, List<Answer>> right) {
            List<Answer> answers = new ArrayList<>(right.apply(renewals));
            answers.sort(Comparator.naturalOrder());
            return answers;
        }
    }

    /** What is true of the first is told of all. */
    static final class TheFirstSpeaksForAll extends TinyStore {
        @Override
        List<Answer> renewAll(List<Renewal> renewals, Function<List<Renewal>, List<Answer>> right) {
            List<Answer> answers = right.apply(renewals);
            return answers.stream().map(answer -> answers.get(0)).toList();
        }
    }

    /** A request takes a number of claims at most, and what is beyond is not sent. */
    static final class SendsNoMoreThan extends TinyStore {
        private final int most;
        private final Answer rest;

        SendsNoMoreThan(int most, Answer rest) {
            this.most = most;
            this.rest = rest;
        }

        @Override
        List<Answer> renewAll(List<Renewal> renewals, Function<List<Renewal>, List<Answer>> right) {
            List<Answer> answers = new ArrayList<>(right.apply(renewals.subList(0, Math.min(most, renewals.size()))));
            answers.addAll(Collections.nCopies(renewals.size() - answers.size(), rest));
            return answers;
        }
    }

    /** Claims go in requests of a hundred, and of each request the answers are those of the first one. */
    static final class ReadsTheFirstReplyAgain extends TinyStore {
        private final int most;

        ReadsTheFirstReplyAgain(int most) {
            this.most = most;
        }

        @Override
        List<Answer> renewAll(List<Renewal> renewals, Function<List<Renewal>, List<Answer>> right) {
            List<Answer> answers = new ArrayList<>(right.apply(renewals));
            for (int i = most; i < answers.size(); i++) {
                answers.set(i, answers.get(i % most));
            }
            return answers;
        }
    }

    /** The last of each full request is answered, and not renewed. */
    static final class SkipsTheLastOfEachRequest extends TinyStore {
        @Override
        List<Answer> renewAll(List<Renewal> renewals, Function<List<Renewal>, List<Answer>> right) {
            List<Renewal> sent = new ArrayList<>();
            for (int i = 0; i < renewals.size(); i++) {
                if (i % 256 != 255) {
                    sent.add(renewals.get(i));
                }
            }
            List<Answer> answers = new ArrayList<>(right.apply(sent));
            for (int i = 255; i < renewals.size(); i += 256) {
                answers.add(i, Answer.YES);
            }
            return answers;
        }
    }

    /** Of the second and the later requests each has the leases of the first one. */
    static final class LaterRequestsHaveTheFirstLeases extends TinyStore {
        @Override
        List<Answer> renewAll(List<Renewal> renewals, Function<List<Renewal>, List<Answer>> right) {
            List<Renewal> sent = new ArrayList<>();
            for (int i = 0; i < renewals.size(); i++) {
                sent.add(new Renewal(
                        renewals.get(i).claim(), renewals.get(i % 500).lease()));
            }
            return right.apply(sent);
        }
    }

    /** All get the longest lease that anybody of the batch asked for. */
    static final class TheLongestLeaseForAll extends TinyStore {
        @Override
        List<Renewal> batch(List<Renewal> renewals) {
            Duration longest = renewals.stream()
                    .map(Renewal::lease)
                    .max(Comparator.naturalOrder())
                    .orElse(Duration.ofSeconds(1));
            return renewals.stream()
                    .map(renewal -> new Renewal(renewal.claim(), longest))
                    .toList();
        }
    }

    /** Sends the names only, and so asks about the last claim of each name. */
    static final class OneAnswerForAName extends TinyStore {
        @Override
        List<Answer> renewAll(List<Renewal> renewals, Function<List<Renewal>, List<Answer>> right) {
            Map<String, Answer> byName = new HashMap<>();
            List<Answer> answers = right.apply(renewals);
            for (int i = 0; i < answers.size(); i++) {
                byName.put(lock(renewals.get(i)), answers.get(i));
            }
            return renewals.stream()
                    .map(renewal -> Objects.requireNonNull(byName.get(lock(renewal))))
                    .toList();
        }
    }

    /** "IN ()" is no SQL. */
    static final class NoneIsAnError extends TinyStore {
        @Override
        List<Answer> renewAll(List<Renewal> renewals, Function<List<Renewal>, List<Answer>> right) {
            if (renewals.isEmpty()) {
                throw new BackendException("syntax error near \")\"", null);
            }
            return right.apply(renewals);
        }
    }

    /** Answers only what was renewed, one after the other. */
    static final class LeavesOutTheLost extends TinyStore {
        @Override
        List<Answer> renewAll(List<Renewal> renewals, Function<List<Renewal>, List<Answer>> right) {
            return right.apply(renewals).stream()
                    .filter(answer -> answer == Answer.YES)
                    .toList();
        }
    }

    /** Answers full requests, also when the last one is not full. */
    static final class FillsTheLastRequest extends TinyStore {
        @Override
        List<Answer> renewAll(List<Renewal> renewals, Function<List<Renewal>, List<Answer>> right) {
            List<Answer> answers = new ArrayList<>(right.apply(renewals));
            while (answers.size() % 100 != 0) {
                answers.add(Answer.NO);
            }
            return answers;
        }
    }

    /** A batch that got no answer was refused. */
    static final class SilenceIsNo extends TinyStore {
        @Override
        List<Answer> renewAll(List<Renewal> renewals, Function<List<Renewal>, List<Answer>> right) {
            return right.apply(renewals).stream()
                    .map(answer -> answer == Answer.UNKNOWN ? Answer.NO : answer)
                    .toList();
        }
    }

    /** A batch is sent, and nobody waits for its answer. */
    static final class SilenceIsYes extends TinyStore {
        @Override
        List<Answer> renewAll(List<Renewal> renewals, Function<List<Renewal>, List<Answer>> right) {
            return right.apply(renewals).stream()
                    .map(answer -> answer == Answer.UNKNOWN ? Answer.YES : answer)
                    .toList();
        }
    }

    /** Asks again if there was no answer, and takes as much time again. */
    static final class AsksAgainForAsLong extends TinyStore {
        @Override
        List<Answer> renewAll(List<Renewal> renewals, Function<List<Renewal>, List<Answer>> right) {
            List<Answer> answers = right.apply(renewals);
            for (int i = 0; i < 2 && answers.contains(Answer.UNKNOWN); i++) {
                answers = right.apply(renewals);
            }
            return answers;
        }
    }

    /** Ends at the first no, and does not know about the rest. */
    static final class EndsAtTheFirstNo extends TinyStore {
        @Override
        List<Answer> renewAll(List<Renewal> renewals, Function<List<Renewal>, List<Answer>> right) {
            List<Answer> answers = new ArrayList<>();
            for (Renewal renewal : renewals) {
                answers.add(
                        answers.contains(Answer.NO)
                                ? Answer.UNKNOWN
                                : right.apply(List.of(renewal)).get(0));
            }
            return answers;
        }
    }

    /** Fails as a whole at a lock that it does not understand. */
    static final class OneStrangeLockFailsAll extends TinyStore {
        @Override
        synchronized List<Answer> renewAll(List<Renewal> renewals, Function<List<Renewal>, List<Answer>> right) {
            for (Renewal renewal : renewals) {
                Entry entry = live(claim(renewal));
                if (entry != null && entry.until == ENDLESS) {
                    throw new BackendException("this is no lock: " + lock(renewal), null);
                }
            }
            return right.apply(renewals);
        }
    }

    /** Forgets the answers before a lock that it does not understand. */
    static final class OneStrangeLockHidesTheRest extends TinyStore {
        @Override
        synchronized List<Answer> renewAll(List<Renewal> renewals, Function<List<Renewal>, List<Answer>> right) {
            List<Answer> answers = new ArrayList<>(right.apply(renewals));
            boolean stumbled = false;
            for (int i = 0; i < answers.size(); i++) {
                Entry entry = live(claim(renewals.get(i)));
                stumbled |= entry != null && entry.until == ENDLESS;
                if (stumbled) {
                    answers.set(i, Answer.UNKNOWN);
                }
            }
            return answers;
        }
    }

    /** Looks who holds, and renews nobody. */
    static final class OnlyLooks extends TinyStore {
        @Override
        synchronized List<Answer> renewAll(List<Renewal> renewals, Function<List<Renewal>, List<Answer>> right) {
            Map<TinyClaim, Long> ends = new HashMap<>();
            for (Renewal renewal : renewals) {
                Entry entry = live(claim(renewal));
                if (entry != null) {
                    ends.put(entry.claim, entry.until);
                }
            }
            List<Answer> answers = right.apply(renewals);
            entries.values().forEach(entry -> entry.until = ends.getOrDefault(entry.claim, entry.until));
            return answers;
        }
    }

    /** A batch is one "insert or update", which takes what is free. */
    static final class TakesWhatIsFree extends TinyStore {
        @Override
        synchronized List<Answer> renewAll(List<Renewal> renewals, Function<List<Renewal>, List<Answer>> right) {
            renewals.stream()
                    .map(WrongBatches::claim)
                    .filter(claim -> live(claim) == null && claim.released)
                    .forEach(this::grant);
            return right.apply(renewals);
        }
    }

    /** A batch compares the names, and not the owners. */
    static final class RenewsWhoeverHolds extends TinyStore {
        @Override
        synchronized List<Answer> renewAll(List<Renewal> renewals, Function<List<Renewal>, List<Answer>> right) {
            List<Answer> answers = new ArrayList<>(right.apply(renewals));
            for (int i = 0; i < answers.size(); i++) {
                Entry entry = live(claim(renewals.get(i)));
                answers.set(i, entry != null && entry.revoked == null ? Answer.YES : Answer.NO);
            }
            return answers;
        }
    }

    /** A batch does not compare the ends of leases. */
    static final class ResurrectsTogether extends TinyStore {
        @Override
        synchronized List<Answer> renewAll(List<Renewal> renewals, Function<List<Renewal>, List<Answer>> right) {
            for (Renewal renewal : renewals) {
                Entry entry = entries.get(key(lock(renewal)));
                if (entry != null && entry.claim == renewal.claim() && entry.revoked == null) {
                    entry.until = Math.max(entry.until, now() + 1_000_000_000L);
                }
            }
            return right.apply(renewals);
        }
    }

    /** A batch does not look at revocations. */
    static final class RevokedAreRenewedTogether extends TinyStore {
        @Override
        synchronized List<Answer> renewAll(List<Renewal> renewals, Function<List<Renewal>, List<Answer>> right) {
            List<Answer> answers = new ArrayList<>(right.apply(renewals));
            for (int i = 0; i < answers.size(); i++) {
                Entry entry = live(claim(renewals.get(i)));
                if (entry != null && entry.claim == renewals.get(i).claim()) {
                    extend(entry, entry.claim);
                    answers.set(i, Answer.YES);
                }
            }
            return answers;
        }
    }

    /** The reason of the last no is told to all of the batch. */
    static final class OneReasonForAll extends TinyStore {
        @Override
        synchronized List<Answer> renewAll(List<Renewal> renewals, Function<List<Renewal>, List<Answer>> right) {
            List<Answer> answers = right.apply(renewals);
            TinyClaim last = null;
            for (int i = 0; i < answers.size(); i++) {
                last = answers.get(i) == Answer.NO ? claim(renewals.get(i)) : last;
            }
            for (int i = 0; i < answers.size(); i++) {
                if (last != null && answers.get(i) == Answer.NO) {
                    claim(renewals.get(i)).loss = last.loss;
                }
            }
            return answers;
        }
    }

    /** A revoked claim of a batch lends the rest of its lease to all that were refused. */
    static final class AllHoldUntilTheirLeasesEnd extends TinyStore {
        @Override
        synchronized List<Answer> renewAll(List<Renewal> renewals, Function<List<Renewal>, List<Answer>> right) {
            List<Answer> answers = right.apply(renewals);
            boolean any = renewals.stream().anyMatch(renewal -> claim(renewal).heldAtRefusal);
            for (int i = 0; i < answers.size(); i++) {
                claim(renewals.get(i)).heldAtRefusal = any && answers.get(i) == Answer.NO;
            }
            return answers;
        }
    }
}
