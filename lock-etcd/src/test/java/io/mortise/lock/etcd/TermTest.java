// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.etcd;

import static io.mortise.lock.etcd.Claims.AMPLE;
import static io.mortise.lock.etcd.Claims.LEASE;
import static io.mortise.lock.etcd.Claims.holding;
import static io.mortise.lock.etcd.Claims.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.servers.EtcdServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A lease counts as begun anew only if the leader that said so still led afterwards: one that was stopped meanwhile says so, too,
 * while another one counts the lease. A gateway between the client and etcd tells the terms.
 */
class TermTest {
    private final AtomicInteger keptAlive = new AtomicInteger();
    private final AtomicInteger term = new AtomicInteger(2);
    private EtcdServer server;
    private HttpServer between;

    /** Whether another leader is elected while a lease is being begun anew. */
    private boolean elects;

    /** Whether the next lease is begun anew by a member of which nothing was heard. */
    private boolean isBalanced;

    @BeforeEach
    void start() throws IOException {
        server = EtcdServer.start();
        between = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        between.createContext("/", this::forward);
        between.start();
    }

    @AfterEach
    void stop() {
        between.stop(0);
        server.close();
    }

    private void forward(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath().substring("/v3/".length());
        if (path.equals("watch")) {
            // It has no end; nobody waits for it here.
            exchange.close();
            return;
        }
        String request = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String answer =
                server.post(path, request).replaceAll("\"raft_term\":\"\\d+\"", "\"raft_term\":\"" + term + "\"");
        if (path.equals("lease/keepalive")) {
            keptAlive.incrementAndGet();
            if (isBalanced) {
                isBalanced = false;
                answer = answer.replaceAll("\"member_id\":\"\\d+\"", "\"member_id\":\"18446744073709551615\"");
            }
            if (elects) {
                elects = false;
                term.incrementAndGet();
            }
        }
        byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private String url() {
        return "etcd://127.0.0.1:" + between.getAddress().getPort();
    }

    @Test
    void aRenewalIsRepeatedWhenAnotherLeaderWasElected() throws Exception {
        try (LockBackend backend = Keys.open(url())) {
            Claim holder = holding(backend, "l", 'a');
            assertThat(holder.renew(LEASE, AMPLE)).isTrue();
            assertThat(keptAlive).hasValue(1);

            elects = true;
            assertThat(holder.renew(LEASE, AMPLE)).isTrue();
            assertThat(keptAlive)
                    .as("by the leader that was, and by the one that is")
                    .hasValue(3);
        }
    }

    /** An address may be that of several members, of which one lags behind and asks a leader that was. */
    @Test
    void aMemberOfWhichNothingWasHeardProvesNothing() throws Exception {
        try (LockBackend backend = Keys.open(url())) {
            Claim holder = holding(backend, "l", 'a');

            isBalanced = true;
            assertThat(holder.renew(LEASE, AMPLE)).isTrue();
            assertThat(keptAlive).hasValue(2);
        }
    }

    @Test
    void aGrantToOneThatHasWaitedToo() throws Exception {
        try (LockBackend backend = Keys.open(url())) {
            Claim holder = holding(backend, "l", 'a');
            Claim waiter = waiting(backend, "l", 'b');
            assertThat(holder.release(AMPLE)).isTrue();

            elects = true;
            keptAlive.set(0);
            assertThat(waiter.tryAcquire(AMPLE)).isTrue();
            assertThat(keptAlive).hasValue(2);
        }
    }

    /** It costs one request: the last look of a short wait has little time. */
    @Test
    void aLookWhileWaitingLeavesTheLeaseAlone() throws Exception {
        try (LockBackend backend = Keys.open(url())) {
            Claim holder = holding(backend, "l", 'a');
            Claim waiter = waiting(backend, "l", 'b');

            assertThat(waiter.tryAcquire(AMPLE)).isFalse();
            assertThat(keptAlive).hasValue(0);

            assertThat(holder.release(AMPLE)).isTrue();
            assertThat(waiter.tryAcquire(AMPLE)).isTrue();
            assertThat(keptAlive).hasValue(1);
        }
    }
}
