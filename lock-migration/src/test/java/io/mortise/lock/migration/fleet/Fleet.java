// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.migration.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.tck.history.RecordedHistory;
import io.mortise.lock.tck.servers.process.JvmClassPath;
import io.mortise.lock.testing.ProcessSignals;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** Some processes that work under the same locks, each a {@link FleetProgram}, and the joint history of their work. */
public final class Fleet implements AutoCloseable {
    private static final String THREADS = "3";

    /** For how many milliseconds a thread rests after its work, so that other tests can run beside a fleet. */
    private static final String REST = System.getProperty("mortise.fleet.rest", "40");

    private static final Duration LIMIT = Duration.ofSeconds(150);

    private final Path folder;
    private final List<Member> members = new ArrayList<>();
    private final List<String> said = new CopyOnWriteArrayList<>();
    private int started;

    /** One process, and what it has said. */
    private final class Member {
        private final String name = "P" + ++started;
        private final Process process;
        private final List<String> lines = new CopyOnWriteArrayList<>();
        private final Thread reader;

        Member(Class<?> program, String url) {
            try {
                process = new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-Xshare:auto",
                                "-Xmx128m",
                                "-cp",
                                JvmClassPath.own().toString(),
                                program.getName(),
                                url,
                                folder.resolve(name).toString(),
                                THREADS,
                                REST)
                        .redirectErrorStream(true)
                        .start();
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
            reader = new Thread(this::read, "fleet-" + name);
            reader.setDaemon(true);
            reader.start();
        }

        private void read() {
            try (BufferedReader reading =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                for (String line = reading.readLine(); line != null; line = reading.readLine()) {
                    lines.add(line);
                    if (line.startsWith(FleetProgram.TOLD)) {
                        said.add(name + " " + line.substring(FleetProgram.TOLD.length()));
                    }
                }
            } catch (IOException ended) {
                lines.add("ended");
            }
        }

        Member awaitReady() {
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(lines.contains(FleetProgram.READY) || !process.isAlive())
                            .as("%s says %s", name, lines)
                            .isTrue());
            assertThat(process.isAlive()).as("%s says %s", name, lines).isTrue();
            return this;
        }

        /** Gives back what it has, and ends. */
        void stop() throws IOException, InterruptedException {
            process.getOutputStream().close();
            await().atMost(LIMIT).until(() -> !process.isAlive());
            reader.join(LIMIT.toMillis());
        }
    }

    public Fleet(Path folder) {
        this.folder = folder;
    }

    /** Lets so many processes begin, and waits until each has had a lock. */
    public void start(int count, String url) {
        start(count, FleetProgram.class, url);
    }

    /** The same with another program, which takes the same arguments and says the same. */
    public void start(int count, Class<?> program, String url) {
        List<Member> beginning = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            beginning.add(new Member(program, url));
        }
        beginning.forEach(Member::awaitReady);
        members.addAll(beginning);
    }

    /** Replaces one process after the other by one with another URL, as a deployment does. */
    public void roll(String url) throws Exception {
        roll(FleetProgram.class, url);
    }

    /** The same by another program. */
    public void roll(Class<?> program, String url) throws Exception {
        for (int i = 0; i < members.size(); i++) {
            members.get(i).stop();
            members.set(i, new Member(program, url).awaitReady());
        }
    }

    /** Kills one, and starts another one instead. */
    public void kill(int which, String url) {
        ProcessSignals.send("KILL", members.get(which).process.toHandle());
        await().atMost(LIMIT).until(() -> !members.get(which).process.isAlive());
        members.set(which, new Member(FleetProgram.class, url).awaitReady());
    }

    public void freeze(int which) throws InterruptedException {
        ProcessSignals.freeze(members.get(which).process);
    }

    public void thaw(int which) {
        ProcessSignals.resume(members.get(which).process);
    }

    /** Waits until so much more work was done by all together. */
    public void awaitWork(int more) {
        long before = work();
        await().atMost(LIMIT).until(() -> work() >= before + more);
    }

    private long work() {
        return lines().size();
    }

    private record Line(String who, String text) {
        long end() {
            return Long.parseLong(text.substring(text.lastIndexOf(' ') + 1));
        }
    }

    /** How many pieces of work ended between two moments of this host's monotonic clock. */
    long workBetween(long since, long until) {
        return lines().stream()
                .filter(line -> line.end() - since >= 0 && line.end() - until < 0)
                .count();
    }

    private List<Line> lines() {
        List<Line> all = new ArrayList<>();
        for (int i = 1; i <= started; i++) {
            Path file = folder.resolve("P" + i);
            if (Files.exists(file)) {
                try {
                    String text = Files.readString(file, StandardCharsets.US_ASCII);
                    // A process that was killed may have left half a line.
                    String whole = text.substring(0, text.lastIndexOf('\n') + 1);
                    String who = "P" + i;
                    whole.lines().forEach(line -> all.add(new Line(who, line)));
                } catch (IOException failure) {
                    throw new UncheckedIOException(failure);
                }
            }
        }
        return all;
    }

    /** What the processes have said besides. */
    public List<String> said() {
        return said;
    }

    /** Nobody may have worked under a lock while another one did, and tokens rise; answers how much work was done. */
    public int check() {
        RecordedHistory history = new RecordedHistory();
        int number = 0;
        for (Line line : lines()) {
            String[] parts = line.text.split(" ");
            Map<String, Object> members = new HashMap<>(Map.of(
                    "event",
                    "work",
                    "who",
                    line.who,
                    "lock",
                    parts[0],
                    "begin_ns",
                    Long.valueOf(parts[2]),
                    "end_ns",
                    Long.valueOf(parts[3])));
            if (!parts[1].equals("0")) {
                members.put("token", Long.valueOf(parts[1]));
            }
            history.add(++number, members);
        }
        assertThat(history.findings(false, null)).isEmpty();
        return number;
    }

    @Override
    public void close() {
        members.forEach(member -> member.process.destroyForcibly());
    }
}
