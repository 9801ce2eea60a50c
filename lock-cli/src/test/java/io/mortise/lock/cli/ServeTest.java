// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import io.mortise.lock.tck.servers.RedisServer;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page of {@code mortise serve}. */
class ServeTest {
    private static final Pattern SERVING = Pattern.compile("serving (http://\\S+)\n");
    private static final String HOSTILE = "<script>alert('x')</script>\u202e\"\\";
    private static RedisServer redis;

    @TempDir
    private Path directory;

    private final HttpClient browser = HttpClient.newHttpClient();

    @BeforeAll
    static void start() {
        redis = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    private Mortise serve(String... more) {
        String[] arguments = new String[more.length + 5];
        System.arraycopy(new String[] {"serve", "--store", redis.url(), "--port", "0"}, 0, arguments, 0, 5);
        System.arraycopy(more, 0, arguments, 5, more.length);
        return Mortise.start(directory, arguments);
    }

    private static URI page(Mortise mortise) {
        Processes.until(() -> SERVING.matcher(mortise.out()).find() || !mortise.isAlive());
        Matcher told = SERVING.matcher(mortise.out());
        assertThat(told.find()).as(mortise.err()).isTrue();
        return URI.create(told.group(1));
    }

    private HttpResponse<String> get(URI page, String path) throws IOException, InterruptedException {
        return browser.send(HttpRequest.newBuilder(page.resolve(path)).build(), BodyHandlers.ofString());
    }

    @Test
    @DisplayName("the page, its files and the locks, with headers that keep all else out")
    void page() throws Exception {
        try (LockClient client = LockClient.connect(redis.url());
                Lease held = client.lock(HOSTILE, LockOptions.defaults().withLabel("<b>me</b>"))
                        .acquire();
                Mortise mortise = serve()) {
            URI page = page(mortise);

            HttpResponse<String> html = get(page, "/");
            assertThat(html.statusCode()).isEqualTo(200);
            assertThat(html.headers().firstValue("Content-Type")).contains("text/html; charset=utf-8");
            assertThat(html.headers().firstValue("Content-Security-Policy").orElse(""))
                    .startsWith("default-src 'none'")
                    .doesNotContain("unsafe");
            assertThat(html.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
            assertThat(html.headers().firstValue("X-Frame-Options")).contains("DENY");
            assertThat(html.headers().firstValue("Cache-Control")).contains("no-store");
            assertThat(html.body())
                    .doesNotContain("://")
                    .doesNotContain("<style")
                    .doesNotContain("onclick");
            assertThat(get(page, "/page.css").headers().firstValue("Content-Type"))
                    .contains("text/css; charset=utf-8");
            assertThat(get(page, "/page.js").body())
                    .contains("textContent")
                    .doesNotContain("innerHTML")
                    .doesNotContain("://");

            HttpResponse<String> locks = get(page, "/locks.json");
            assertThat(locks.headers().firstValue("Content-Type")).contains("application/json");
            assertThat(locks.body())
                    .contains("\"lock\":\"<script>alert('x')</script>\\u202e\\\"\\\\\"")
                    .contains("\"holder\":\"<b>me</b>\"")
                    .contains("\"fencing_token\":" + held.fencingToken())
                    .contains("\"failure\":null");
        }
    }

    @Test
    @DisplayName("it can only be read, and only by the names of this host")
    void refused() throws Exception {
        try (Mortise mortise = serve()) {
            URI page = page(mortise);
            HttpResponse<String> posted = browser.send(
                    HttpRequest.newBuilder(page)
                            .POST(BodyPublishers.ofString("x"))
                            .build(),
                    BodyHandlers.ofString());

            assertThat(posted.statusCode()).isEqualTo(405);
            assertThat(posted.headers().firstValue("Allow")).contains("GET, HEAD");
            assertThat(get(page, "/../page.html").statusCode()).isEqualTo(404);
            assertThat(get(page, "/page.html").statusCode()).isEqualTo(404);
            assertThat(asked(page, "attacker.example")).startsWith("HTTP/1.1 421 ");
            assertThat(asked(page, "localhost:" + page.getPort())).startsWith("HTTP/1.1 200 ");
            assertThat(mortise.signal("TERM").exitCode()).isEqualTo(143);
        }
    }

    /** The browser of the JDK does not let its user choose the host. */
    private static String asked(URI page, String host) throws IOException {
        try (Socket socket = new Socket(page.getHost(), page.getPort())) {
            socket.getOutputStream()
                    .write(("GET /locks.json HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    @DisplayName("64 where others could see the page without a password")
    void others() {
        try (Mortise mortise = serve("--address", "0.0.0.0")) {
            assertThat(mortise.exitCode()).isEqualTo(64);
            assertThat(mortise.err()).contains("give it a --password-file").hasLineCount(1);
        }
    }

    @Test
    @DisplayName("with a password only those see it who send it")
    void password() throws Exception {
        Path file = Files.writeString(directory.resolve("password"), "s3cret: ä\n");
        try (Mortise mortise = serve("--address", "0.0.0.0", "--password-file", file.toString())) {
            URI page = URI.create("http://127.0.0.1:" + page(mortise).getPort() + "/");

            assertThat(get(page, "/locks.json").statusCode()).isEqualTo(401);
            assertThat(withPassword(page, "wrong").statusCode()).isEqualTo(401);
            assertThat(withPassword(page, "wrong").body()).doesNotContain("locks\"");
            assertThat(withPassword(page, "s3cret: ä").statusCode()).isEqualTo(200);
            assertThat(mortise.out() + mortise.err()).doesNotContain("s3cret");
        }
    }

    private HttpResponse<String> withPassword(URI page, String password) throws IOException, InterruptedException {
        String access = Base64.getEncoder().encodeToString(("me:" + password).getBytes(StandardCharsets.UTF_8));
        return browser.send(
                HttpRequest.newBuilder(page.resolve("/locks.json"))
                        .header("Authorization", "Basic " + access)
                        .build(),
                BodyHandlers.ofString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"--port=70000", "--address=no.such.host.invalid", "--password-file=/no/such/file"})
    @DisplayName("64 for what cannot be served")
    void wrong(String option) {
        try (Mortise mortise = serve(option)) {
            assertThat(mortise.exitCode()).isEqualTo(64);
            assertThat(mortise.err()).contains(option.replaceFirst("=.*", "")).hasLineCount(1);
        }
    }

    @Test
    @DisplayName("64 for a port that is taken")
    void taken() {
        try (Mortise first = serve()) {
            int port = page(first).getPort();
            try (Mortise second =
                    Mortise.start(directory, "serve", "--store", redis.url(), "--port", String.valueOf(port))) {
                assertThat(second.exitCode()).isEqualTo(64);
                assertThat(second.err())
                        .contains("choose another --address or --port")
                        .hasLineCount(1);
            }
        }
    }

    @Test
    @DisplayName("a store that does not answer is told of, and what it told last stays")
    void silent() throws Exception {
        try (RedisServer own = RedisServer.start();
                LockClient client = LockClient.connect(own.url());
                Mortise mortise = Mortise.start(directory, "serve", "--store", own.url(), "--port", "0")) {
            Lease held = client.lock("kept").acquire();
            URI page = page(mortise);
            assertThat(get(page, "/locks.json").body()).contains("\"lock\":\"kept\"");
            own.close();
            Processes.until(() -> told(page).contains("\"failure\":\""));

            assertThat(told(page)).contains("\"lock\":\"kept\"");
            assertThat(held.lockName()).isEqualTo("kept");
        }
    }

    private String told(URI page) {
        try {
            return get(page, "/locks.json").body();
        } catch (IOException failure) {
            throw new AssertionError(failure);
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }
}
