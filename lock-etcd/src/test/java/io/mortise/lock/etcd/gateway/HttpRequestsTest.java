// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.etcd.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** Requests to a server, or a proxy before it, that answers in order and leaves connections open although it was told not to. */
class HttpRequestsTest {
    private static final String BODY = "{}";
    private static final Duration AMPLE = Duration.ofSeconds(20);

    private final List<Integer> clients = new CopyOnWriteArrayList<>();

    /** Otherwise a request meets the end of a connection, and nobody knows whether it was seen. */
    @Test
    void eachRequestHasAConnectionOfItsOwn() throws IOException {
        ExecutorService threads = Executors.newCachedThreadPool();
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            threads.execute(() -> accept(server, threads));
            URI address = URI.create("http://127.0.0.1:" + server.getLocalPort() + "/v3/kv/txn");
            HttpRequests requests = new HttpRequests(Optional.empty());

            for (int i = 0; i < 3; i++) {
                assertThat(requests.post(address, BODY, "", AMPLE).body()).isEqualTo(BODY);
            }

            assertThat(clients).hasSize(3).doesNotHaveDuplicates();
        } finally {
            threads.shutdownNow();
        }
    }

    private void accept(ServerSocket server, ExecutorService threads) {
        try {
            while (true) {
                Socket client = server.accept();
                threads.execute(() -> serve(client));
            }
        } catch (IOException closed) {
            // The test has ended.
        }
    }

    private void serve(Socket client) {
        String answer = "HTTP/1.1 200 OK\r\nContent-Length: " + BODY.length() + "\r\n\r\n" + BODY;
        try (client;
                BufferedReader request =
                        new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII))) {
            for (String line = request.readLine(); line != null; line = request.readLine()) {
                if (line.isEmpty()) {
                    assertThat(request.read(new char[BODY.length()])).isEqualTo(BODY.length());
                    clients.add(client.getPort());
                    client.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
                }
            }
        } catch (IOException cutOff) {
            throw new UncheckedIOException(cutOff);
        }
    }
}
