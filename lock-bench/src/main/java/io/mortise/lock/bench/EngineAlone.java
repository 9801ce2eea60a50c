// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.LockClient;
import java.util.Collection;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** What a lock costs above any store. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class EngineAlone {
    private static final int FORKS = 3;
    private static final int TURNS = 5;
    private static final String HEAD = "| Java | ns | bytes |\n| --- | --- | --- |\n";

    private final LockClient client = LockClient.connect("memory:");
    private final DistributedLock lock = client.lock("engine");

    /** Closes the client. */
    @TearDown(Level.Trial)
    public void close() {
        client.close();
    }

    /** Acquires the lock and releases it. */
    @Benchmark
    public void acquireAndRelease() throws InterruptedException {
        lock.acquire().close();
    }

    static String measure() throws RunnerException {
        StringBuilder table = new StringBuilder(HEAD);
        for (String jvm : Jvms.all()) {
            Collection<RunResult> results = new Runner(new OptionsBuilder()
                            .include(EngineAlone.class.getName())
                            .jvm(jvm)
                            .forks(FORKS)
                            .warmupIterations(TURNS)
                            .warmupTime(TimeValue.seconds(1))
                            .measurementIterations(TURNS)
                            .measurementTime(TimeValue.seconds(1))
                            .addProfiler(GCProfiler.class)
                            .verbosity(VerboseMode.SILENT)
                            .build())
                    .run();
            for (RunResult result : results) {
                table.append(String.format(
                        Locale.ROOT,
                        "| %s | %.0f | %.0f |%n",
                        result.getParams().getJdkVersion(),
                        result.getPrimaryResult().getScore(),
                        Objects.requireNonNull(result.getSecondaryResults().get("gc.alloc.rate.norm"))
                                .getScore()));
            }
        }
        return table.toString();
    }
}
