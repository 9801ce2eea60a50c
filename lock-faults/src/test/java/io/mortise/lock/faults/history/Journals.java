// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.faults.history;

import io.mortise.lock.faults.history.Attempt.Word;
import io.mortise.lock.faults.history.WorkerHistory.Stall;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads the journal of one process. A last line that a kill cut off is left out. */
public final class Journals {
    private Journals() {}

    /**
     * What a process has told.
     *
     * @param freezes when it was frozen
     * @param ended when it had ended
     */
    public static WorkerHistory read(Path journal, long pid, List<Stall> freezes, long ended) {
        WorkerHistory worker = new WorkerHistory(pid);
        worker.ended = ended;
        worker.stalls.addAll(freezes);
        try {
            String text = Files.exists(journal) ? new String(Files.readAllBytes(journal), StandardCharsets.UTF_8) : "";
            Map<String, Attempt> attempts = new HashMap<>();
            text.substring(0, text.lastIndexOf('\n') + 1).lines().forEach(line -> read(worker, attempts, line));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        worker.stalls.sort(Comparator.comparingLong(Stall::begin));
        return worker;
    }

    private static void read(WorkerHistory worker, Map<String, Attempt> attempts, String line) {
        String[] words = line.split(" ", 7);
        Attempt attempt = words.length > 1 ? attempts.get(words[1]) : null;
        switch (words[0]) {
            case "ASK" -> {
                Attempt asked = new Attempt(
                        worker,
                        worker.pid + ":" + words[1],
                        words[2],
                        number(words[3]),
                        number(words[4]),
                        number(words[5]));
                attempts.put(words[1], asked);
                worker.attempts.add(asked);
            }
            case "STALL" -> worker.stalls.add(new Stall(number(words[1]), number(words[2])));
            case "CLOSING" -> worker.closing = number(words[1]);
            case "CLOSED" -> worker.closed = number(words[1]);
            case "LEFT" -> {
                worker.toldLeft = true;
                worker.left = words.length > 2 ? words[2] : "";
            }
            case "UNOPENED" -> worker.unopened++;
            case "ODD" -> worker.odd.add(line);
            case "CLOCK", "OPEN" -> {}
            default -> {
                if (attempt != null) {
                    read(worker, attempt, words, line);
                }
            }
        }
    }

    private static void read(WorkerHistory worker, Attempt attempt, String[] words, String line) {
        long at = number(words[2]);
        switch (words[0]) {
            case "GRANTED" -> {
                attempt.word = Word.GRANTED;
                attempt.answered = at;
                attempt.until = number(words[3]);
                attempt.token = number(words[4]);
            }
            case "NOT" -> {
                attempt.word = Word.valueOf(words[3]);
                attempt.answered = at;
                attempt.detail = line.substring(line.indexOf(words[3]));
            }
            case "UNTIL" -> attempt.until = Math.max(attempt.until, number(words[3]));
            case "LOST" -> {
                attempt.lost = at;
                attempt.cause = line.substring(line.indexOf(words[3]));
            }
            case "RELEASE" -> attempt.releasing = at;
            case "RELEASED" -> {
                attempt.released = at;
                attempt.release = words[3];
            }
            case "STALE" -> worker.staleRefused++;
            case "AGAIN" -> worker.odd.add("a lost lease was held again: " + line);
            default -> worker.odd.add("not understood: " + line);
        }
    }

    private static long number(String word) {
        return Long.parseLong(word);
    }
}
