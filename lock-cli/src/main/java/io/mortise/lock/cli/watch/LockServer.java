// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.watch;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.mortise.lock.cli.command.HolderText;
import io.mortise.lock.cli.console.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/**
 * Serves a page about a store's locks, and what the page shows as JSON. Read-only. However many look, the store is asked once a second at
 * most, and not at all while nobody looks.
 *
 * <p>Names of locks come from others: the page writes them as text, and its headers allow no script and no style but its own. Without a
 * password, a request that names another host is refused, so that no page from elsewhere can read this one by a name that it gives to
 * this address.
 */
final class LockServer implements AutoCloseable {
    private static final long OFTEN_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int THREADS = 4;

    /** Seconds that a client may take to send a request or to read an answer: it holds one of few threads meanwhile. */
    private static final String PATIENCE_SECONDS = "20";

    /** A file of the page. */
    private record PageFile(String name, String type) {}

    private static final Map<String, PageFile> FILES = Map.of(
            "/", new PageFile("page.html", "text/html; charset=utf-8"),
            "/page.css", new PageFile("page.css", "text/css; charset=utf-8"),
            "/page.js", new PageFile("page.js", "text/javascript; charset=utf-8"));

    private static final Map<String, String> HEADERS = Map.of(
            "Content-Security-Policy",
                    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; frame-ancestors 'none';"
                            + " base-uri 'none'; form-action 'none'",
            "X-Content-Type-Options", "nosniff",
            "X-Frame-Options", "DENY",
            "Referrer-Policy", "no-referrer",
            "Cross-Origin-Resource-Policy", "same-origin",
            "Cache-Control", "no-store");

    private final HttpServer server;
    private final ExecutorService threads;
    private final LockWatch watch;
    private final Optional<byte[]> access;
    private final ExecutorService looker = Executors.newSingleThreadExecutor();
    private Future<?> looking = CompletableFuture.completedFuture(null);
    private Json about = new Json();
    private String rows = "";
    private long lookedAt;

    private LockServer(HttpServer server, LockWatch watch, LockWatch.Look first, Optional<String> password) {
        this.server = server;
        this.watch = watch;
        tell(first);
        this.access = password.map(LockServer::digest);
        threads = Executors.newFixedThreadPool(THREADS);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
    }

    /**
     * Starts to serve.
     *
     * @param first what the store told first
     * @param password what browsers must send, if anything
     * @throws IOException if the address cannot be served
     */
    static LockServer start(InetSocketAddress address, LockWatch watch, LockWatch.Look first, Optional<String> password)
            throws IOException {
        System.setProperty("sun.net.httpserver.maxReqTime", PATIENCE_SECONDS);
        System.setProperty("sun.net.httpserver.maxRspTime", PATIENCE_SECONDS);
        LockServer server = new LockServer(HttpServer.create(address, 0), watch, first, password);
        server.server.start();
        return server;
    }

    /** Where the page is. */
    String url() {
        return "http://" + authority(server.getAddress().getAddress()) + "/";
    }

    private String authority(InetAddress address) {
        String host = address.getHostAddress();
        return (host.contains(":") ? "[" + host + "]" : host) + ":"
                + server.getAddress().getPort();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            HEADERS.forEach(exchange.getResponseHeaders()::set);
            String method = exchange.getRequestMethod();
            String path = exchange.getRequestURI().getPath();
            if (access.isEmpty() && !isForUs(exchange.getRequestHeaders())) {
                send(exchange, 421, "text/plain; charset=utf-8", "this is not the host that was asked for\n");
            } else if (!isAllowed(exchange.getRequestHeaders())) {
                exchange.getResponseHeaders().set("WWW-Authenticate", "Basic realm=\"mortise\", charset=\"UTF-8\"");
                send(exchange, 401, "text/plain; charset=utf-8", "the password is missing or wrong\n");
            } else if (!method.equals("GET") && !method.equals("HEAD")) {
                exchange.getResponseHeaders().set("Allow", "GET, HEAD");
                send(exchange, 405, "text/plain; charset=utf-8", "this page can only be read\n");
            } else if (path.equals("/locks.json")) {
                send(exchange, 200, "application/json", locks());
            } else if (FILES.containsKey(path)) {
                PageFile file = Objects.requireNonNull(FILES.get(path));
                send(exchange, 200, file.type(), resource(file.name()));
            } else {
                send(exchange, 404, "text/plain; charset=utf-8", "there is no such page\n");
            }
        }
    }

    /** By name only of this host; by address, whichever it has, for no other page can have an address as its name. */
    private boolean isForUs(Headers headers) {
        String host = Objects.requireNonNullElse(headers.getFirst("Host"), "").toLowerCase(Locale.ROOT);
        String name = host.replaceFirst(":\\d+$", "");
        return name.equals("localhost") || name.matches("[0-9.]+") || name.matches("\\[[0-9a-f:.]+]");
    }

    private boolean isAllowed(Headers headers) {
        if (access.isEmpty()) {
            return true;
        }
        String header = Objects.requireNonNullElse(headers.getFirst("Authorization"), "");
        if (!header.regionMatches(true, 0, "Basic ", 0, 6)) {
            return false;
        }
        try {
            String told =
                    new String(Base64.getDecoder().decode(header.substring(6).strip()), StandardCharsets.UTF_8);
            // Digests are of one length, so that the time to compare them tells nothing.
            return MessageDigest.isEqual(digest(told.substring(told.indexOf(':') + 1)), access.get());
        } catch (IllegalArgumentException notBase64) {
            return false;
        }
    }

    private static byte[] digest(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException everyJavaHasIt) {
            throw new AssertionError(everyJavaHasIt);
        }
    }

    /** What the store told last; asks it anew if that is old, and waits a moment for the answer. */
    private String locks() {
        Future<?> look;
        synchronized (this) {
            if (looking.isDone() && System.nanoTime() - lookedAt > OFTEN_NANOS) {
                looking = looker.submit(() -> tell(watch.look()));
            }
            look = looking;
        }
        try {
            Object unused = look.get(OFTEN_NANOS, TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException noAnswer) {
            // The page says how old this is.
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            String object = about.put("age_ms", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - lookedAt))
                    .toString();
            return object.substring(0, object.length() - 1) + ",\"locks\":" + rows + "}\n";
        }
    }

    private void tell(LockWatch.Look look) {
        String told = look.rows().stream()
                .map(row -> HolderText.json(row.holder()).put("changes_per_second", row.changesPerSecond()))
                .map(Json::toString)
                .collect(Collectors.joining(",\n", "[", "]"));
        synchronized (this) {
            rows = told;
            about = new Json()
                    .put("store", watch.store())
                    .put("took_ms", look.took().toMillis())
                    .put("more", look.more())
                    .put("failure", look.failure().orElse(null));
            if (look.failure().isEmpty()) {
                lookedAt = System.nanoTime();
            }
        }
    }

    private static String resource(String name) throws IOException {
        try (InputStream file = Objects.requireNonNull(LockServer.class.getResourceAsStream(name), name)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static void send(HttpExchange exchange, int status, String type, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.sendResponseHeaders(status, -1);
            return;
        }
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
        looker.shutdownNow();
    }
}
