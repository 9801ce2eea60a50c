// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class FreePortTest {
    @Test
    void aPortThatOneJvmHasPickedIsNotPickedByAnother() throws IOException {
        int port = FreePort.pick();

        assertThat(reservedByAnotherJvm(port)).isEqualTo("false");
        assertThat(reservedByAnotherJvm(1)).isEqualTo("true");
    }

    private static String reservedByAnotherJvm(int port) throws IOException {
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        String.valueOf(port))
                .redirectErrorStream(true)
                .start();
        return new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /** Tries to reserve a port. */
    static final class Main {
        private Main() {}

        public static void main(String[] args) {
            System.out.print(FreePort.reserve(Integer.parseInt(args[0])));
        }
    }
}
