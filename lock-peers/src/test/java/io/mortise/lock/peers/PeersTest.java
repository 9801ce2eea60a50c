// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.tck.SuiteRun;
import io.mortise.lock.tck.foreign.Promise;
import io.mortise.lock.tck.foreign.Promises;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.junit.jupiter.api.Test;
import org.redisson.api.RLock;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry;

/**
 * Runs the suite on each peer, as often as the property {@code mortise.peers.runs} says, and writes the page that the property
 * {@code mortise.peers.page} names. What a peer breaks fails nothing: it is told.
 */
class PeersTest {
    private static final Pattern HAPPENED = Pattern.compile("What happened: (.*)");
    private static final int LONGEST = 170;

    private static final List<Peer> PEERS = List.of(
            new Peer("Curator `InterProcessMutex`", "ZooKeeper", InterProcessMutex.class, CuratorMutexTck.class),
            new Peer("Redisson `RLock` with a lease", "Redis", RLock.class, RedissonLockTck.class),
            new Peer("ShedLock `JdbcTemplateLockProvider`", "PostgreSQL", SimpleLock.class, ShedLockJdbcTck.class),
            new Peer(
                    "Spring Integration `JdbcLockRegistry`",
                    "PostgreSQL",
                    JdbcLockRegistry.class,
                    SpringJdbcLockTck.class),
            new Peer(
                    "Spring Integration `RedisLockRegistry`",
                    "Redis",
                    RedisLockRegistry.class,
                    SpringRedisLockTck.class));

    /** A lock of another library, and the class that puts it to the suite. */
    private record Peer(String name, String store, Class<?> api, Class<?> suite) {
        /** As its archive is called, which has the version. */
        String library() {
            String archive =
                    api.getProtectionDomain().getCodeSource().getLocation().getPath();
            return archive.substring(archive.lastIndexOf('/') + 1)
                    .replaceFirst("\\.jar$", "")
                    .replaceFirst("-(?=\\d)", " ");
        }

        List<Promise> promises() {
            return List.of(suite.getAnnotation(Promises.class).value());
        }
    }

    /** In how many runs a case failed, and what happened in the first of them. */
    private static final class Seen {
        private int times;
        private String happened = "";
    }

    @Test
    void eachPeerIsPutToWhatItPromises() throws IOException {
        int runs = Integer.getInteger("mortise.peers.runs", 1);
        StringBuilder rows = new StringBuilder();
        for (Peer peer : PEERS) {
            rows.append(row(peer, runs));
        }
        String page = page(rows.toString(), runs);
        String file = System.getProperty("mortise.peers.page", "");
        Path target = file.isEmpty() ? Path.of("target", "peers.md") : Path.of(file);
        Files.createDirectories(target.toAbsolutePath().getParent());
        Files.writeString(target, page);

        assertThat(page).contains(PEERS.stream().map(Peer::name).toList());
    }

    private static String row(Peer peer, int runs) {
        Map<String, Seen> broken = new TreeMap<>();
        int cases = peer.promises().stream()
                .mapToInt(promise -> promise.cases().size())
                .sum();
        for (int run = 0; run < runs; run++) {
            SuiteRun result = SuiteRun.of(peer.suite());
            assertThat(result.passed().size() + result.failures().size())
                    .as("the cases of %s that ran: %s", peer.name(), result)
                    .isEqualTo(cases);
            result.failures().forEach((name, message) -> {
                Seen seen = broken.computeIfAbsent(name, unused -> new Seen());
                if (seen.times++ == 0) {
                    seen.happened = happened(message);
                }
            });
        }
        String seen = broken.entrySet().stream()
                .map(entry -> rule(entry.getKey()) + " in " + entry.getValue().times + " of " + runs + ": `"
                        + entry.getKey() + "`: " + entry.getValue().happened)
                .collect(Collectors.joining("<br>"));
        return "| " + peer.name() + " | " + peer.library() + " | " + peer.store() + " | " + (cases - broken.size())
                + " of " + cases + " | " + (seen.isEmpty() ? "nothing" : seen) + " |\n";
    }

    private static String rule(String name) {
        return name.substring(0, name.indexOf('_')).toUpperCase(Locale.ROOT);
    }

    private static String happened(String message) {
        Matcher found = HAPPENED.matcher(message);
        String text =
                found.find() ? found.group(1) : message.lines().findFirst().orElse("");
        text = text.replaceAll("(\\w+\\.)+(AssertionError|SafetyViolation): ", "")
                .replaceAll("tck-[0-9a-f]{8}-", "")
                .replace("|", "\\|");
        return text.length() > LONGEST ? text.substring(0, LONGEST) + " …" : text;
    }

    private static String page(String rows, int runs) {
        String promises = PEERS.stream()
                .map(peer -> "| " + peer.name() + " | "
                        + Stream.of(Promise.values())
                                .map(promise -> peer.promises().contains(promise) ? "yes" : "no")
                                .collect(Collectors.joining(" | "))
                        + " |\n")
                .collect(Collectors.joining());
        String head = Arrays.stream(Promise.values())
                .map(promise -> promise.name().toLowerCase(Locale.ROOT).replace('_', ' '))
                .collect(Collectors.joining(" | "));
        return """
                # Other libraries' locks and the suite

                The conformance suite runs on locks that know nothing of Mortise, too. Here it ran on those of other libraries, each as its users
                would use it, %1$s on a real server. A library is asked for what its own documentation promises, and for nothing else: a lock without
                leases breaks no rule of leases. Where its documentation leaves open what happens, the case does not apply.

                What the suite says of a lock is what was seen here, with these versions and settings. It is no verdict on a library: some of what
                it asks for nobody may need.

                    ./verify --peers%6$s

                writes this page anew.

                | lock | version | store | cases that passed | what was seen |
                | --- | --- | --- | --- | --- |
                %2$s
                ## What was asked

                | lock | %3$s |
                | --- |%4$s
                %5$s
                Each promise has its cases in [`Promise`](../lock-tck/src/main/java/io/mortise/lock/tck/foreign/Promise.java). Why a promise is not counted:

                - Curator's mutex has no leases: a lock ends with its session. Names are paths, in which not every character is allowed. The thread that a
                  closed client leaves is a daemon without work.
                - Redisson cannot renew a lease of a given length; it renews without end or not at all.
                - ShedLock's README says that what happens is unpredictable once a task takes longer than `lockAtMostFor`; so nothing is asked of an old
                  holder, nor of `extend` at the end of a lease. Its release tells nothing; its table has room for names of 64 characters.
                - The documentation of `JdbcLockRegistry` does not say what becomes of a lease that has ended while nobody else has taken the lock. A
                  release and a renewal of it succeeded here.
                - Spring Integration's registries keep a lock of the JVM beside the one in the store. It is held until the old holder's thread
                  releases it, so threads of one registry wait for that and not for the end of a lease.
                """.formatted(
                        runs == 1 ? "once" : runs + " times",
                        rows,
                        head,
                        " --- |".repeat(Promise.values().length),
                        promises,
                        runs == 1 ? "" : " " + runs);
    }
}
