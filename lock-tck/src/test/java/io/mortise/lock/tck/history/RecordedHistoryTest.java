// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mortise.lock.tck.history.RecordedHistory.Finding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A right history is right, each mistake in it is found, and what is no history is refused with a reason. */
class RecordedHistoryTest {
    private static final long MS = 1_000_000;
    private static final long LEASE = 1_000 * MS;
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

    /** Locks that are acquired in line, one claim after the other, by three clients; some holders die. */
    private static List<Map<String, Object>> right(Random random) {
        List<Map<String, Object>> events = new ArrayList<>();
        for (String lock : List.of("orders", "stock")) {
            long arrival = 0;
            long free = 0;
            for (int i = 0; i < 40; i++) {
                int claim = events.size() + 1;
                String who = "client" + random.nextInt(3);
                arrival += (1 + random.nextInt(20)) * MS;
                long grant = arrival;
                if (arrival < free) {
                    events.add(event("try", who, claim, lock, arrival, "no"));
                    grant = free + random.nextInt(3) * MS;
                }
                Map<String, Object> granted = event("try", who, claim, lock, grant, "yes");
                granted.put("token", (long) i + 1);
                events.add(granted);
                long renewed = grant;
                while (random.nextInt(3) == 0) {
                    renewed += LEASE / 3;
                    events.add(event("renew", who, claim, lock, renewed, "yes"));
                }
                boolean dies = random.nextInt(8) == 0;
                free = dies ? renewed + LEASE : renewed + (2 + random.nextInt(30)) * MS;
                if (!dies) {
                    events.add(event("release", who, claim, lock, free, "yes"));
                    free += MS;
                }
            }
        }
        return events;
    }

    private static Map<String, Object> event(
            String kind, String who, int claim, String lock, long begin, String answer) {
        Map<String, Object> event = new HashMap<>(Map.of(
                "event",
                kind,
                "who",
                who,
                "claim",
                (long) claim,
                "lock",
                lock,
                "begin_ns",
                begin,
                "end_ns",
                begin + MS));
        event.put("answer", answer);
        if (kind.equals("try")) {
            event.put("waits", true);
        }
        if (!kind.equals("release")) {
            event.put("lease_ns", LEASE);
        }
        return event;
    }

    private static List<Finding> findings(List<Map<String, Object>> events) {
        RecordedHistory history = new RecordedHistory();
        for (int i = 0; i < events.size(); i++) {
            history.add(i + 1, events.get(i));
        }
        return history.findings(true, LONGEST_WAIT);
    }

    private static long number(Map<String, Object> event, String member) {
        return (long) member(event, member);
    }

    private static Object member(Map<String, Object> event, String name) {
        return Objects.requireNonNull(event.get(name), name);
    }

    /** Whether an event is about the same claim as another. */
    private static boolean isOf(Map<String, Object> event, Map<String, Object> other) {
        return Objects.equals(event.get("claim"), other.get("claim"));
    }

    private static long begin(Map<String, Object> event) {
        return number(event, "begin_ns");
    }

    private static void move(Map<String, Object> event, long by) {
        event.put("begin_ns", begin(event) + by);
        event.put("end_ns", number(event, "end_ns") + by);
    }

    private static boolean is(Map<String, Object> event, String kind, String answer) {
        return Objects.equals(event.get("event"), kind) && Objects.equals(event.get("answer"), answer);
    }

    private static List<Map<String, Object>> of(List<Map<String, Object>> events, String kind, String answer) {
        return events.stream().filter(event -> is(event, kind, answer)).toList();
    }

    private static boolean isAboutOneLock(Map<String, Object> one, Map<String, Object> other) {
        return Objects.equals(one.get("lock"), other.get("lock"));
    }

    /** What goes wrong in a right history, at the place that is given, if it can go wrong there. */
    enum Mistake {
        TWO_HOLDERS("one holder at a time", (events, at) -> {
            Map<String, Object> release = of(events, "release", "yes").get(at);
            Map<String, Object> next = after(events, release);
            if (next == null) {
                return false;
            }
            move(next, begin(release) - MS - begin(next) - MS / 2);
            return true;
        }),
        A_RELEASE_THAT_NEVER_WAS("one holder at a time", (events, at) -> {
            Map<String, Object> release = of(events, "release", "yes").get(at);
            Map<String, Object> next = after(events, release);
            return next != null && begin(next) < begin(release) + LEASE / 4 && events.remove(release);
        }),
        A_TOKEN_AGAIN("tokens rise", (events, at) -> {
            Map<String, Object> grant = of(events, "try", "yes").get(at);
            long token = number(grant, "token");
            grant.put("token", token - 1);
            return token > 1;
        }),
        AFTER_CLOSE("nothing after close", (events, at) -> {
            Map<String, Object> grant = of(events, "try", "yes").get(at);
            events.add(new HashMap<>(Map.of(
                    "event",
                    "close",
                    "who",
                    member(grant, "who"),
                    "begin_ns",
                    begin(grant) - 2,
                    "end_ns",
                    begin(grant) - 1)));
            return true;
        }),
        OVERTAKEN("first come, first served", (events, at) -> {
            Map<String, Object> first = of(events, "try", "no").get(at);
            List<Map<String, Object>> later = of(events, "try", "no").stream()
                    .filter(other -> isAboutOneLock(first, other) && begin(other) > number(first, "end_ns"))
                    .filter(other -> begin(other) < begin(granted(events, first)))
                    .toList();
            if (later.isEmpty()) {
                return false;
            }
            Map<String, Object> second = later.get(0);
            events.stream()
                    .filter(event -> isOf(event, first) || isOf(event, second))
                    .filter(event -> !is(event, "try", "no"))
                    .forEach(event -> {
                        Map<String, Object> other = isOf(event, first) ? second : first;
                        event.put("claim", member(other, "claim"));
                        event.put("who", member(other, "who"));
                    });
            return true;
        }),
        A_WAIT_IN_VAIN("nobody waits for a free lock", (events, at) -> {
            Map<String, Object> waiter = of(events, "try", "no").get(at);
            long granted = begin(granted(events, waiter));
            events.stream()
                    .filter(event -> isAboutOneLock(waiter, event) && begin(event) >= granted)
                    .forEach(event -> move(event, 2 * LONGEST_WAIT.toNanos()));
            return true;
        });

        final String rule;
        final BiFunction<List<Map<String, Object>>, Integer, Boolean> make;

        Mistake(String rule, BiFunction<List<Map<String, Object>>, Integer, Boolean> make) {
            this.rule = rule;
            this.make = make;
        }

        /** The first grant of a lock after its release, or null. */
        private static @Nullable Map<String, Object> after(
                List<Map<String, Object>> events, Map<String, Object> release) {
            return of(events, "try", "yes").stream()
                    .filter(grant -> isAboutOneLock(grant, release) && begin(grant) > begin(release))
                    .findFirst()
                    .orElse(null);
        }

        private static Map<String, Object> granted(List<Map<String, Object>> events, Map<String, Object> refused) {
            return of(events, "try", "yes").stream()
                    .filter(grant -> isOf(grant, refused))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void aRightHistoryIsRight() {
        for (int seed = 0; seed < 200; seed++) {
            assertThat(findings(right(new Random(seed)))).as("seed " + seed).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void eachMistakeIsFound(Mistake mistake) {
        int made = 0;
        for (int seed = 0; seed < 200; seed++) {
            List<Map<String, Object>> events = right(new Random(seed));
            boolean wrong = mistake.make.apply(events, new Random(~seed).nextInt(5));

            assertThat(findings(events).stream().map(Finding::rule))
                    .as("seed " + seed)
                    .satisfies(found -> assertThat(found.contains(mistake.rule)).isEqualTo(wrong));
            made += wrong ? 1 : 0;
        }
        assertThat(made).as("histories in which the mistake could be made").isGreaterThan(20);
    }

    @Test
    void aFindingNamesTheLinesThatProveIt() {
        List<Map<String, Object>> events = List.of(
                event("try", "A", 1, "orders", 0, "yes"),
                event("try", "C", 3, "stock", 0, "yes"),
                event("try", "B", 2, "orders", 10 * MS, "yes"));

        assertThat(findings(events)).singleElement().satisfies(finding -> {
            assertThat(finding.rule()).isEqualTo("one holder at a time");
            assertThat(finding.lock()).isEqualTo("orders");
            assertThat(finding.lines()).containsExactly(1, 3);
            assertThat(finding.text()).contains("A#1").contains("B#2");
        });
    }

    @Test
    void overlappingWorkIsFound() {
        Map<String, Object> work =
                Map.of("event", "work", "who", "A", "lock", "orders", "begin_ns", 0L, "end_ns", 10L, "token", 1L);
        Map<String, Object> other =
                Map.of("event", "work", "who", "B", "lock", "orders", "begin_ns", 9L, "end_ns", 20L, "token", 2L);

        assertThat(findings(List.of(work, other)))
                .extracting(Finding::text)
                .containsExactly("two holders were inside at once: to A until 0.0 ms and to B from 0.0 ms on");
    }

    /** Nobody is known to have held the lock, but somebody may have. */
    @Test
    void anUnknownAnswerIsNoFreeLock() {
        Map<String, Object> unknown = event("try", "A", 1, "orders", 0, "unknown: no answer");
        unknown.put("lease_ns", 20 * LEASE);
        List<Map<String, Object>> events = new ArrayList<>(List.of(
                unknown,
                event("try", "B", 2, "orders", 10 * MS, "no"),
                event("try", "B", 2, "orders", 20 * LEASE, "yes")));

        assertThat(findings(events)).isEmpty();
        unknown.put("lease_ns", LEASE);
        assertThat(findings(events)).extracting(Finding::rule).containsExactly("nobody waits for a free lock");
        events.add(new HashMap<>(Map.of("event", "fault", "begin_ns", 2 * LEASE, "end_ns", 19 * LEASE)));
        assertThat(findings(events)).as("the store stood still").isEmpty();
    }

    @Test
    void aWaiterThatGaveUpIsNotOvertaken() {
        List<Map<String, Object>> events = List.of(
                event("try", "A", 1, "orders", 0, "yes"),
                event("try", "B", 2, "orders", 10 * MS, "no"),
                event("try", "C", 3, "orders", 20 * MS, "no"),
                event("release", "B", 2, "orders", 30 * MS, "no"),
                event("release", "A", 1, "orders", 40 * MS, "yes"),
                event("try", "C", 3, "orders", 50 * MS, "yes"));

        assertThat(findings(events)).isEmpty();
    }

    /** What is recorded of a claim that may rely on nothing is read as that. */
    @Test
    void aLeaseThatIsSpentIsWrittenAsSpent() {
        Operation spent = new Operation("A", 1, "orders", Operation.Kind.TRY, 0, 5, 100, "", "yes", -1, 7, 1);

        assertThat(HistoryFormat.line(spent)).contains("\"lease_ns\":100,\"spent_ns\":101,");
    }

    private static void refused(String sentence, String member, @Nullable Object value) {
        Map<String, Object> event = event("try", "A", 1, "orders", 0, "yes");
        if (value == null) {
            event.remove(member);
        } else {
            event.put(member, value);
        }
        assertThatThrownBy(() -> new RecordedHistory().add(1, event))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(sentence);
    }

    @Test
    void whatIsNoEventIsRefusedWithAReason() {
        refused(
                "\"event\" must be one of try, renew, release, raise, inspect, list, revoke, read, write, work, fault, close, note",
                "event",
                "grab");
        refused("\"leese_ns\" is not known", "leese_ns", 5L);
        refused("\"lease_ns\" is missing", "lease_ns", null);
        refused("\"lease_ns\" must be a whole number", "lease_ns", "5");
        refused("\"lock\" is missing", "lock", null);
        refused("\"who\" must be a text", "who", 5L);
        refused("\"answer\" is missing", "answer", null);
        refused("\"claim\" must be a number from 1 on", "claim", 0L);
        refused("\"claim\" must be a number from 1 on", "claim", null);
        refused("it must not end before it begins", "end_ns", -1L);
        refused("a lease, a token or a number of tokens must not be less than nothing", "token", -1L);
    }

    @Test
    void aClaimIsOfOneClientForOneLock() {
        RecordedHistory history = new RecordedHistory();
        history.add(1, event("try", "A", 1, "orders", 0, "yes"));

        assertThatThrownBy(() -> history.add(2, event("renew", "B", 1, "orders", 5, "yes")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("claim 1 was of A for the lock \"orders\", and is of B for the lock \"orders\" here");
    }
}
