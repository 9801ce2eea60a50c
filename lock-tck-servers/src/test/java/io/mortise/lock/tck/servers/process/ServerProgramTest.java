// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where programs come from, on machines made of links and of scripts that pretend to be apt-get and dpkg. */
class ServerProgramTest {
    @TempDir
    private Path directory;

    private BareMachine machine;

    @BeforeEach
    void installNothing() throws IOException {
        machine = new BareMachine(directory);
    }

    @Test
    void aProgramOnThePathIsTaken() throws IOException {
        Path program = machine.install("bin", "memcached");

        assertThat(machine.find("memcached")).isEqualTo(program);
        assertThat(machine.aptCalls()).isEmpty();
    }

    @Test
    void aProgramBesideThePathIsTaken() throws IOException {
        Path program = machine.install("root/usr/sbin", "memcached");

        assertThat(machine.find("memcached")).isEqualTo(program);
    }

    @Test
    void theNewestPostgresqlIsTaken() throws IOException {
        machine.install("root/usr/lib/postgresql/9.6/bin", "postgres");
        Path newest = machine.install("root/usr/lib/postgresql/15/bin", "postgres");
        machine.install("root/usr/lib/postgresql/13/bin", "postgres");

        assertThat(machine.find("postgres")).isEqualTo(newest);
    }

    @Test
    void aMissingProgramIsFetchedOnceWithItsLibraries() throws IOException {
        machine.haveApt();

        ServerProgram fetched = machine.program("memcached");
        ServerProgram again = machine.program("memcached");

        assertThat(fetched.path()).isExecutable().startsWith(machine.cache());
        assertThat(fetched.root())
                .hasValueSatisfying(root -> assertThat(fetched.path()).startsWith(root));
        assertThat(fetched.libraries()).endsWith("/memcached/usr/lib");
        assertThat(again).isEqualTo(fetched);
        assertThat(machine.aptCalls())
                .hasSize(2)
                .anyMatch(call -> call.endsWith("--download-only install libsasl2-modules memcached"));
    }

    @Test
    void theMachinesOwnStandardLibraryIsKept() throws IOException {
        machine.haveApt();

        Path root = machine.program("memcached").root().orElseThrow();

        assertThat(root.resolve("unpacked"))
                .content()
                .contains("memcached_1.deb")
                .doesNotContain("libc6");
    }

    @Test
    void aFetchLeavesNothingButTheProgramInTheCache() throws IOException {
        machine.haveApt();
        machine.find("memcached");

        try (Stream<Path> left = Files.list(machine.cache())) {
            assertThat(left.map(file -> machine.cache().relativize(file).toString())
                            .filter(name -> !name.equals("lock")))
                    .hasSize(1)
                    .allMatch(name ->
                            Files.isDirectory(machine.cache().resolve(name).resolve("memcached")));
        }
    }

    @Test
    void thoseWhoMissTheSameProgramAtOnceFetchItOnce() throws IOException {
        machine.haveApt();

        List<CompletableFuture<Path>> finders = IntStream.range(0, 4)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> machine.find("memcached")))
                .toList();

        assertThat(finders.stream().map(CompletableFuture::join).distinct()).hasSize(1);
        assertThat(machine.aptCalls()).hasSize(2);
    }

    @Test
    void anInterruptedFetchLeavesNothingBehind() throws IOException {
        machine.haveApt();
        machine.breakDpkg();
        assertThatThrownBy(() -> machine.find("memcached")).hasMessageContaining("status 137");

        machine.haveApt();

        assertThat(machine.find("memcached")).isExecutable();
        assertThat(machine.aptCalls()).hasSize(4);
    }

    @Test
    void aCachedProgramThatDoesNotStartIsFetchedAgain() throws IOException {
        machine.haveApt();
        Path program = machine.find("memcached");
        Files.writeString(program, "#!/bin/sh\nexit 127\n");

        assertThat(machine.find("memcached")).isEqualTo(program);

        assertThat(machine.aptCalls()).hasSize(4);
        assertThat(program).content().doesNotContain("127");
    }

    @Test
    void withoutAptOneLineSaysWhatToInstall() {
        assertThatThrownBy(() -> machine.find("mariadbd"))
                .isInstanceOf(ServerUnavailableException.class)
                .hasMessage("no mariadbd on the PATH, and there is no apt-get to fetch it with; install the package"
                        + " mariadb-server");
    }

    @Test
    void withoutANetworkOneLineTellsWhatAptSaid() throws IOException {
        machine.haveAptWithoutNetwork();

        assertThatThrownBy(() -> machine.find("memcached"))
                .isInstanceOf(ServerUnavailableException.class)
                .hasMessage(
                        "no memcached on the PATH, and it cannot be fetched: Failed to fetch http://mirror/InRelease;"
                                + " install the package memcached");
    }

    @Test
    void withoutAPlaceForTheCacheOneLineSaysSo() throws IOException {
        machine.haveApt();
        Files.writeString(machine.cache(), "in the way");

        assertThatThrownBy(() -> machine.find("memcached"))
                .isInstanceOf(ServerUnavailableException.class)
                .hasMessage("no memcached on the PATH, and it cannot be fetched into " + machine.cache()
                        + ", which is not writable; install the package memcached");
    }

    @Test
    void aProgramOfAnotherServerIsTakenIfItIsThere() throws IOException {
        Path program = machine.install("bin", "etcd");

        assertThat(machine.find("etcd")).isEqualTo(program);
        assertThatThrownBy(() -> machine.find("consul"))
                .isInstanceOf(ServerUnavailableException.class)
                .hasMessage("no consul on the PATH, and it is not known what package has it; install it");
    }

    @Test
    void fetchingAllTellsEachAndIsSilentAfterwards() throws IOException {
        machine.haveApt();
        machine.install("bin", "redis-server");

        CommandResult first = machine.script("fetch");
        CommandResult second = machine.script("fetch");

        assertThat(first.status()).isZero();
        assertThat(first.err()).isEmpty();
        assertThat(first.out().lines())
                .hasSize(6)
                .anyMatch(line -> line.startsWith("fetched etcd into "))
                .anyMatch(line -> line.startsWith("fetched faketime into "))
                .anyMatch(line -> line.startsWith("fetched memcached into " + machine.cache()))
                .anyMatch(line -> line.startsWith("fetched pgbouncer into "))
                .anyMatch(line -> line.startsWith("fetched mariadbd into "))
                .anyMatch(line -> line.startsWith("fetched postgres into "));
        assertThat(second).isEqualTo(new CommandResult(0, "", ""));
        assertThat(machine.aptCalls().stream().filter(call -> call.endsWith("update")))
                .hasSize(1);
    }

    @Test
    void fetchingAllTellsWhatCannotBeHad() throws IOException {
        for (String program : Set.of("etcd", "faketime", "redis-server", "memcached", "pgbouncer", "postgres")) {
            machine.install("bin", program);
        }

        CommandResult fetch = machine.script("fetch");

        assertThat(fetch)
                .isEqualTo(new CommandResult(
                        0,
                        "no mariadbd on the PATH, and there is no apt-get to fetch it with; the tests that need it will"
                                + " ask for Docker or fail\n",
                        ""));
    }
}
