// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.spi.BackendSelection;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.StoreUrl;
import io.mortise.lock.spi.support.DurationText;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a URL says about the members, turned into a quorum. */
final class RedlockUrl {
    /** Go to each member's URL. */
    private static final List<String> MEMBER_OPTIONS = List.of("prefix", "timeout", "connections");

    static final Set<String> OPTIONS = Stream.concat(
                    Stream.of("memberTimeout", "longestLease", "clockBound", "restartDelay", "fencing"),
                    MEMBER_OPTIONS.stream())
            .collect(Collectors.toUnmodifiableSet());

    private static final String DEFAULT_PORT = ":6379";

    private final StoreUrl url;
    private final Map<String, StoreUrl> members = new LinkedHashMap<>();

    RedlockUrl(StoreUrl url) {
        this.url = url;
        for (String host : url.hosts()) {
            String name = host.toLowerCase(Locale.ROOT);
            name = name.matches(".*:\\d+") ? name : name + DEFAULT_PORT;
            if (members.put(name, member(host)) != null) {
                throw new LockConfigurationException(
                        "the member " + name + " stands twice: a member must not vote twice");
            }
        }
        if (members.size() < 3 || members.size() % 2 == 0) {
            throw new LockConfigurationException(
                    "a redlock: URL names 3, 5 or 7 servers, as in redlock://h1,h2,h3; this one names "
                            + members.size());
        }
    }

    RedlockBackend open() {
        RedlockBackendBuilder builder = RedlockBackend.builder();
        set("memberTimeout", builder::memberTimeout);
        set("longestLease", builder::longestLease);
        set("clockBound", builder::clockBound);
        set("restartDelay", builder::restartDelay);
        url.option("fencing").ifPresent(value -> builder.fencing(isTrue(value)));
        Map<String, LockBackend> opened = Opening.all(members, member -> BackendSelection.open(member, Set.of()));
        boolean built = false;
        try {
            opened.forEach(builder::member);
            RedlockBackend backend = builder.build();
            built = true;
            return backend;
        } finally {
            if (!built) {
                opened.values().forEach(LockBackend::close);
            }
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
        char separator = '?';
        for (String option : MEMBER_OPTIONS) {
            if (url.option(option).isPresent()) {
                text.append(separator)
                        .append(option)
                        .append('=')
                        .append(encoded(url.option(option).get()));
                separator = '&';
            }
        }
        return StoreUrl.parse(text.toString());
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

    private static boolean isTrue(String value) {
        if (value.equals("true") || value.equals("false")) {
            return value.equals("true");
        }
        throw new LockConfigurationException("the option fencing is true or false, not '" + value + "'");
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
