// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.stress;

import io.mortise.lock.engine.stress.Tally.Count;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.logging.LogManager;

/** The stress of the engine, in a JVM of its own: round after round until the time is over or something is wrong. */
public final class StressProgram {
    private StressProgram() {}

    /** How long, the seed, and whether to go on after a violation. Ends with 0 if nothing was wrong. */
    public static void main(String... arguments) {
        LogManager.getLogManager().reset();
        Thread main = Thread.currentThread();
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> {
            if (thread == main) {
                thrown.printStackTrace();
            }
        });
        Duration length = Duration.parse(arguments[0]);
        long seed = Long.parseLong(arguments[1]);
        boolean goOn = Boolean.parseBoolean(arguments[2]);
        System.out.println("JDK " + Runtime.version().feature() + ", "
                + (Runtime.getRuntime().maxMemory() >> 20) + " MB of memory, seed " + seed + ", " + length);
        Time.measure();
        Set<String> kinds = new TreeSet<>();
        long end = Time.now() + length.toNanos();
        for (int round = 0; Time.now() < end; round++) {
            long seedOfRound = round == 0 ? seed : seed + round - 1;
            Weather weather = new Weather(seedOfRound, round);
            List<String> faults = new Round(weather).run();
            Tally.add(Count.ROUNDS);
            for (String fault : faults) {
                if (kinds.add(kindOf(fault))) {
                    System.out.println(
                            "VIOLATION in the round with seed " + seedOfRound + ": " + weather + "\n" + fault);
                }
            }
            if (!faults.isEmpty() && !goOn) {
                break;
            }
        }
        System.out.println(Tally.text());
        System.out.println(kinds.isEmpty() ? "PASSED" : "FAILED: " + kinds);
        System.exit(kinds.isEmpty() ? 0 : 1);
    }

    /** Its first line up to a colon, without numbers. */
    private static String kindOf(String fault) {
        String line = fault.lines().findFirst().orElse("");
        return line.replaceFirst(":.*", "").replaceAll("[0-9]+", "N");
    }
}
