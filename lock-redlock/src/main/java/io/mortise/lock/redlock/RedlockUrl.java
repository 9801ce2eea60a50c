// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.BackendSelection;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.StoreUrl;
import io.mortise.lock.spi.support.DaemonExecutor;
import io.mortise.lock.spi.support.DurationText;
import io.mortise.lock.spi.support.HostAndPort;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Parses a {@code redlock:} URL into the URLs of its members and the settings of the quorum. */
final class RedlockUrl {
    /** These options go to each member's URL. */
    private static final List<String> MEMBER_OPTIONS = List.of("prefix", "timeout", "connections");

    static final Set<String> OPTIONS = Stream.concat(
                    Stream.of("memberTimeout", "longestLease", "clockBound", "restartDelay", "newQuorum", "fencing"),
                    MEMBER_OPTIONS.stream())
            .collect(Collectors.toUnmodifiableSet());

    private static final int DEFAULT_PORT = 6379;

    private final StoreUrl url;
    private final Map<String, StoreUrl> members = new LinkedHashMap<>();

    RedlockUrl(StoreUrl url) {
        this.url = url;
        List<String> hosts = url.hosts();
        if (hosts.size() < 3 || hosts.size() % 2 == 0) {
            throw new LockConfigurationException(
                    "a redlock: URL names 3, 5 or 7 servers, as in redlock://h1,h2,h3; this one names " + hosts.size());
        }
        List<String> lowerCase =
                hosts.stream().map(host -> host.toLowerCase(Locale.ROOT)).toList();
        List<HostAndPort> servers = HostAndPort.parseAll(lowerCase, DEFAULT_PORT);
        for (int i = 0; i < hosts.size(); i++) {
            members.put(servers.get(i).toString(), member(hosts.get(i)));
        }
    }

    private StoreUrl member(String host) {
        StringBuilder text = new StringBuilder(url.scheme().equals("redlocks") ? "rediss://" : "redis://");
        url.user().ifPresent(user -> text.append(encoded(user)));
        url.password().ifPresent(password -> text.append(':').append(encoded(password)));
        if (url.user().isPresent() || url.password().isPresent()) {
            text.append('@');
        }
        text.append(host).append(encoded(url.path()).replace("%2F", "/"));
        // A member that is a replica has no vote; the others go on without it.
        text.append("?role=any");
        for (String option : MEMBER_OPTIONS) {
            if (url.option(option).isPresent()) {
                text.append('&')
                        .append(option)
                        .append('=')
                        .append(encoded(url.option(option).get()));
            }
        }
        return StoreUrl.parse(text.toString());
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    RedlockBackend open() {
        RedlockBackendBuilder builder = RedlockBackend.builder();
        set("memberTimeout", builder::memberTimeout);
        set("longestLease", builder::longestLease);
        set("clockBound", builder::clockBound);
        set("restartDelay", builder::restartDelay);
        url.option("fencing").ifPresent(value -> builder.fencing(isTrue("fencing", value)));
        if (url.option("newQuorum").filter(value -> isTrue("newQuorum", value)).isPresent()) {
            builder.newQuorum();
        }
        Map<String, LockBackend> opened = openMembers();
        try {
            opened.forEach(builder::member);
            return builder.build();
        } catch (RuntimeException | Error failure) {
            opened.values().forEach(LockBackend::close);
            throw failure;
        }
    }

    private void set(String option, Consumer<Duration> setter) {
        url.option(option).ifPresent(value -> {
            Duration duration;
            try {
                duration = DurationText.parse(value);
            } catch (IllegalArgumentException wrong) {
                throw new LockConfigurationException(
                        "the option " + option + " is wrong: " + wrong.getMessage(), wrong);
            }
            setter.accept(duration);
        });
    }

    private static boolean isTrue(String option, String value) {
        if (value.equals("true") || value.equals("false")) {
            return value.equals("true");
        }
        throw new LockConfigurationException("the option " + option + " is true or false, not '" + value + "'");
    }

    /**
     * Opens all members at the same time, so that one that hangs delays no other. If one cannot be opened, those that were are
     * closed again. Each member bounds its own time; an interrupt does not end the wait.
     */
    private Map<String, LockBackend> openMembers() {
        DaemonExecutor threads = new DaemonExecutor("lock-redlock opens members", members.size());
        Map<String, CompletableFuture<LockBackend>> opening = new LinkedHashMap<>();
        members.forEach(
                (name, member) -> opening.put(name, threads.supply(() -> BackendSelection.open(member, Set.of()))));
        threads.shutdown();
        Map<String, LockBackend> opened = new LinkedHashMap<>();
        RuntimeException failed = null;
        for (Map.Entry<String, CompletableFuture<LockBackend>> member : opening.entrySet()) {
            try {
                opened.put(member.getKey(), member.getValue().join());
            } catch (CompletionException failure) {
                failed = failed == null ? clear(failure) : failed;
            }
        }
        if (failed != null) {
            opened.values().forEach(LockBackend::close);
            throw failed;
        }
        return opened;
    }

    private static RuntimeException clear(CompletionException failure) {
        return failure.getCause() instanceof RuntimeException clear
                ? clear
                : new BackendException("a member cannot be opened", failure.getCause());
    }
}
