// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.faults.scenario;

import io.mortise.lock.tck.servers.process.TestServer;
import java.util.List;
import java.util.Random;

/** What can happen to any server. */
final class ServerFaults {
    private ServerFaults() {}

    /** What every server survives with its data. */
    static List<Fault> withData(List<? extends TestServer> servers) {
        return List.of(kill("kill", servers), stop("restart", servers), freeze("freeze", servers));
    }

    /** One of several is killed, and started again with what it had. */
    static Fault kill(String kind, List<? extends TestServer> servers) {
        return Fault.of(kind, random -> {
            TestServer server = any(servers, random);
            server.kill();
            return server::restart;
        });
    }

    /** One of several is stopped in an orderly way, and started again with what it had. */
    static Fault stop(String kind, List<? extends TestServer> servers) {
        return Fault.of(kind, random -> {
            TestServer server = any(servers, random);
            server.stop();
            return server::restart;
        });
    }

    /** One of several stands still. */
    static Fault freeze(String kind, List<? extends TestServer> servers) {
        return Fault.of(kind, random -> frozen(any(servers, random))).atMost(9_000);
    }

    /** This one stands still. */
    static Fault.Step frozen(TestServer server) {
        server.pause();
        return server::resume;
    }

    /** One of several is killed, and started again with nothing. */
    static Fault empty(String kind, List<? extends TestServer> servers) {
        return Fault.of(kind, random -> {
                    TestServer server = any(servers, random);
                    server.kill();
                    return server::restartEmpty;
                })
                .atMost(2_000);
    }

    static <T> T any(List<T> all, Random random) {
        return all.get(random.nextInt(all.size()));
    }
}
