// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.history;

import io.mortise.lock.tck.history.Operation.Kind;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** One event of a history as a JSON object on a line, as {@code docs/history.md} describes it. */
final class HistoryFormat {
    private static final String EVENT = "event";
    private static final String WHO = "who";
    private static final String CLAIM = "claim";
    private static final String LOCK = "lock";
    private static final String BEGIN = "begin_ns";
    private static final String END = "end_ns";
    private static final String ANSWER = "answer";
    private static final String LEASE = "lease_ns";
    private static final String SPENT = "spent_ns";
    private static final String TOKEN = "token";
    private static final String TOKENS = "tokens";
    private static final String WAITS = "waits";
    private static final String ASKED = "asked";

    private static final Set<String> MEMBERS =
            Set.of(EVENT, WHO, CLAIM, LOCK, BEGIN, END, ANSWER, LEASE, SPENT, TOKEN, TOKENS, WAITS, ASKED);
    private static final Set<Kind> OF_A_CLAIM = Set.of(Kind.TRY, Kind.RENEW, Kind.RELEASE, Kind.RAISE);

    private HistoryFormat() {}

    /** The line of an operation, without its end. */
    static String line(Operation operation) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put(EVENT, event(operation.kind()));
        members.put(WHO, operation.who());
        putUnless(members, CLAIM, operation.claim(), 0);
        putUnless(members, LOCK, operation.lock(), "");
        members.put(BEGIN, operation.begin());
        members.put(END, operation.end());
        boolean waits = operation.kind() == Kind.TRY && operation.asked().equals(Operation.WAITS);
        putUnless(members, WAITS, waits, false);
        putUnless(members, ASKED, waits ? "" : operation.asked(), "");
        putUnless(members, ANSWER, operation.answer(), "");
        putUnless(members, LEASE, operation.lease(), 0L);
        putUnless(members, SPENT, operation.mayHold() ? operation.lease() - operation.until() : 0L, 0L);
        putUnless(members, TOKEN, operation.token(), 0L);
        putUnless(members, TOKENS, operation.tokens(), operation.token() == 0 ? operation.tokens() : 1);
        return members.entrySet().stream()
                .map(member -> JsonText.quoted(member.getKey()) + ":"
                        + (member.getValue() instanceof String text ? JsonText.quoted(text) : member.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static void putUnless(Map<String, Object> members, String name, Object value, Object usual) {
        if (!value.equals(usual)) {
            members.put(name, value);
        }
    }

    /**
     * The operation of a line.
     *
     * @param members of the object: texts, {@link Long} and {@link Boolean}
     * @param spare a number of a claim, for work that names none
     * @throws IllegalArgumentException if a member is missing, unknown or wrong, with a sentence that says which
     */
    static Operation operation(Map<String, Object> members, int spare) {
        members.keySet().stream()
                .filter(name -> !MEMBERS.contains(name))
                .findFirst()
                .ifPresent(unknown -> {
                    throw new IllegalArgumentException("\"" + unknown + "\" is not known");
                });
        Kind kind = kind(text(members, EVENT, ""));
        long claim = number(members, CLAIM, 0);
        if (claim < 0 || claim > Integer.MAX_VALUE / 2 || claim == 0 && OF_A_CLAIM.contains(kind)) {
            throw new IllegalArgumentException("\"" + CLAIM + "\" must be a number from 1 on");
        }
        boolean aboutALock = OF_A_CLAIM.contains(kind) || kind == Kind.INSIDE;
        String lock = aboutALock ? text(members, LOCK) : text(members, LOCK, "");
        long begin = needed(members, BEGIN);
        long end = needed(members, END);
        if (end < begin) {
            throw new IllegalArgumentException("it must not end before it begins");
        }
        String answer = OF_A_CLAIM.contains(kind) ? text(members, ANSWER) : text(members, ANSWER, "");
        boolean mayHold = Operation.mayHold(kind, answer);
        long lease = mayHold ? needed(members, LEASE) : number(members, LEASE, 0);
        long spent = number(members, SPENT, 0);
        long token = number(members, TOKEN, 0);
        long tokens = number(members, TOKENS, 1);
        if (lease < 0 || spent < 0 || token < 0 || tokens < 1 || tokens > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("a lease, a token or a number of tokens must not be less than nothing");
        }
        boolean waits = members.get(WAITS) instanceof Boolean told && told;
        return new Operation(
                kind == Kind.FAULT ? text(members, WHO, "") : text(members, WHO),
                kind == Kind.INSIDE && claim == 0 ? spare : (int) claim,
                lock,
                kind == Kind.FAULT && lock.isEmpty() ? Kind.FAULT_OF_ALL : kind,
                begin,
                end,
                lease,
                waits ? Operation.WAITS : text(members, ASKED, ""),
                answer,
                mayHold ? lease - spent : 0,
                token,
                (int) tokens);
    }

    private static String event(Kind kind) {
        return switch (kind) {
            case INSIDE -> "work";
            case FAULT_OF_ALL -> event(Kind.FAULT);
            default -> kind.name().toLowerCase(Locale.ROOT);
        };
    }

    private static Kind kind(String event) {
        List<Kind> kinds = Arrays.stream(Kind.values())
                .filter(kind -> kind != Kind.FAULT_OF_ALL)
                .toList();
        return kinds.stream()
                .filter(kind -> event(kind).equals(event))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("\"" + EVENT + "\" must be one of "
                        + kinds.stream().map(HistoryFormat::event).collect(Collectors.joining(", "))));
    }

    private static String text(Map<String, Object> members, String name, String otherwise) {
        Object value = members.getOrDefault(name, otherwise);
        if (value instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException("\"" + name + "\" must be a text");
    }

    private static String text(Map<String, Object> members, String name) {
        mustHave(members, name);
        return text(members, name, "");
    }

    private static long needed(Map<String, Object> members, String name) {
        mustHave(members, name);
        return number(members, name, 0);
    }

    private static void mustHave(Map<String, Object> members, String name) {
        if (!members.containsKey(name)) {
            throw new IllegalArgumentException("\"" + name + "\" is missing");
        }
    }

    private static long number(Map<String, Object> members, String name, long otherwise) {
        Object value = members.getOrDefault(name, otherwise);
        if (value instanceof Long number) {
            return number;
        }
        throw new IllegalArgumentException("\"" + name + "\" must be a whole number");
    }
}
