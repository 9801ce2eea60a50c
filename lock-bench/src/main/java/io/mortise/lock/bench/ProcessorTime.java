// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The time of processors that was taken so far, in microseconds, as Linux counts it.
 *
 * @param own of this process outside the kernel, without what compiled its code
 * @param kernel of this process within the kernel
 * @param servers of the processes that this one has started
 */
record ProcessorTime(double own, double kernel, double servers) {
    /** Linux counts in hundredths of a second. */
    private static final double TICK_MICROS = 10_000;

    static ProcessorTime now() throws IOException {
        double[] whole = ticks(Path.of("/proc/self/stat"));
        double compilers = 0;
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (Path task : tasks) {
                compilers += ofCompiler(task);
            }
        }
        double servers = ProcessHandle.current()
                .descendants()
                .mapToDouble(process -> ofProcess(process.pid()))
                .sum();
        return new ProcessorTime((whole[0] - compilers) * TICK_MICROS, whole[1] * TICK_MICROS, servers * TICK_MICROS);
    }

    ProcessorTime since(ProcessorTime before) {
        return new ProcessorTime(own - before.own, kernel - before.kernel, servers - before.servers);
    }

    ProcessorTime dividedBy(double locks) {
        return new ProcessorTime(own / locks, kernel / locks, servers / locks);
    }

    private static double ofCompiler(Path task) {
        try {
            return Files.readString(task.resolve("comm")).contains("Compiler") ? ticks(task.resolve("stat"))[0] : 0;
        } catch (IOException ended) {
            return 0;
        }
    }

    private static double ofProcess(long pid) {
        try {
            double[] ticks = ticks(Path.of("/proc/" + pid + "/stat"));
            return ticks[0] + ticks[1];
        } catch (IOException ended) {
            return 0;
        }
    }

    /** Those outside the kernel, and those within. */
    private static double[] ticks(Path stat) throws IOException {
        String line = Files.readString(stat);
        // The name before may hold spaces.
        String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
        return new double[] {Double.parseDouble(fields[11]), Double.parseDouble(fields[12])};
    }
}
