// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.etcd.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Authenticator;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests by the two clients of HTTP that the JDK has. The older one asks: the newer one does not know the trailers with
 * which the gateway ends what it refuses, and takes them for the beginning of the next answer. The newer one watches: it can end a
 * stream at once. Thread-safe.
 */
final class HttpRequests {
    private static final int SUCCESS_BELOW = 400;

    /** One for all gateways of this JVM that have no certificates of their own: it has a thread, and before Java 21 no end. */
    private static @Nullable HttpClient shared;

    private final Optional<SSLContext> tls;
    private final Optional<HttpClient> own;

    HttpRequests(Optional<SSLContext> tls) {
        this.tls = tls;
        own = tls.map(known -> watching(tls));
    }

    /** Made when the first gateway watches: it loads TLS, which a process whose locks nobody else wants does without. */
    private static synchronized HttpClient shared() {
        HttpClient made = shared;
        if (made == null) {
            made = watching(Optional.empty());
            shared = made;
        }
        return made;
    }

    private static HttpClient watching(Optional<SSLContext> tls) {
        HttpClient.Builder builder =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(Duration.ofSeconds(2));
        tls.ifPresent(builder::sslContext);
        return builder.build();
    }

    /**
     * An answer.
     *
     * @param date the header of that name
     */
    record Response(int status, String body, Optional<String> date) {}

    /** Sends a request once, and waits for the answer. */
    Response post(URI address, String body, String authorization, Duration atMost) throws IOException {
        long end = System.nanoTime() + atMost.toNanos();
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        HttpURLConnection connection = (HttpURLConnection) address.toURL().openConnection(Proxy.NO_PROXY);
        if (connection instanceof HttpsURLConnection secure && tls.isPresent()) {
            secure.setSSLSocketFactory(tls.get().getSocketFactory());
        }
        connection.setRequestMethod("POST");
        connection.setRequestProperty("Content-Type", "application/json");
        // A connection that is kept may be one that the member has closed: then nobody knows whether it has seen the
        // request. The JDK keeps those whose end is not told in the answer, and uses none that had another
        // authenticator.
        connection.setRequestProperty("Connection", "close");
        connection.setAuthenticator(new Authenticator() {});
        if (!authorization.isEmpty()) {
            connection.setRequestProperty("Authorization", authorization);
        }
        connection.setInstanceFollowRedirects(false);
        connection.setDoOutput(true);
        // Otherwise a request is sent again, unnoticed, when a connection turns out to be closed.
        connection.setFixedLengthStreamingMode(bytes.length);
        connection.setConnectTimeout(millisUntil(end));
        connection.setReadTimeout(millisUntil(end));
        connection.connect();
        connection.setReadTimeout(millisUntil(end));
        try (OutputStream request = connection.getOutputStream()) {
            request.write(bytes);
        }
        int status = connection.getResponseCode();
        try (InputStream answer = status < SUCCESS_BELOW ? connection.getInputStream() : connection.getErrorStream()) {
            String text = answer == null ? "" : new String(answer.readAllBytes(), StandardCharsets.UTF_8);
            return new Response(status, text, Optional.ofNullable(connection.getHeaderField("Date")));
        }
    }

    private static int millisUntil(long end) {
        return (int) Math.max(1, Math.min(Integer.MAX_VALUE, (end - System.nanoTime()) / 1_000_000));
    }

    /** Begins a stream of answers, a line each. */
    CompletableFuture<HttpResponse<Void>> stream(
            URI address, String body, String authorization, Flow.Subscriber<String> lines) {
        HttpRequest.Builder request = HttpRequest.newBuilder(address)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body, StandardCharsets.UTF_8));
        if (!authorization.isEmpty()) {
            request.header("Authorization", authorization);
        }
        return own.orElseGet(HttpRequests::shared)
                .sendAsync(request.build(), HttpResponse.BodyHandlers.fromLineSubscriber(lines));
    }
}
