// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.guard;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the living processes of a guarded command in {@code /proc}: the descendants of the guard process, and all with
 * its mark.
 */
final class ProcessTree {
    private final long guard;
    private final String mark;

    /**
     * The processes of one command. The mark is {@code NAME=VALUE} of an environment variable that only this command has; it finds
     * those that are nobody's descendants any more because the guard was killed.
     */
    ProcessTree(long guard, String mark) {
        this.guard = guard;
        this.mark = "\0" + mark + "\0";
    }

    /** Kills all that are alive and returns how many it found. It does not find orphans of other users. */
    int kill() {
        Set<Long> living = living();
        living.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
        return living.size();
    }

    private Set<Long> living() {
        Map<Long, List<Long>> children = new HashMap<>();
        Set<Long> found = new LinkedHashSet<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : processes) {
                String stat = read(process.resolve("stat"));
                String[] fields =
                        stat.substring(stat.lastIndexOf(')') + 1).trim().split(" ", 3);
                if (fields.length < 3 || fields[0].equals("Z") || fields[0].equals("X")) {
                    continue;
                }
                long pid = Long.parseLong(process.getFileName().toString());
                children.computeIfAbsent(Long.parseLong(fields[1]), parent -> new ArrayList<>())
                        .add(pid);
                if (("\0" + read(process.resolve("environ"))).contains(mark)) {
                    found.add(pid);
                }
            }
        } catch (IOException unreadable) {
            return found;
        }
        Deque<Long> parents = new ArrayDeque<>(List.of(guard));
        while (!parents.isEmpty()) {
            for (long child : children.getOrDefault(parents.remove(), List.of())) {
                found.add(child);
                parents.add(child);
            }
        }
        return found;
    }

    /** Empty for a process that has just ended, and for a file of another user's. */
    private static String read(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        } catch (IOException gone) {
            return "";
        }
    }
}
