// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spring.boot;

import io.mortise.lock.LockConfigurationException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * The Redis of {@code spring.data.redis.*}, as a store URL. Locks have connections of their own to it, whichever client the application
 * uses: they are told of releases on one, and share another.
 */
final class SpringRedis {
    private static final String PREFIX = "spring.data.redis.";

    private final Binder binder;

    private SpringRedis(Binder binder) {
        this.binder = binder;
    }

    static SpringRedis of(Environment environment) {
        return new SpringRedis(Binder.get(environment));
    }

    @Nullable
    String password() {
        return text("url") == null ? text("password") : null;
    }

    /**
     * {@return the URL, without {@link #password()}}
     *
     * @throws LockConfigurationException if what is set has no equal in a URL
     */
    String url() {
        if (text("ssl.bundle") != null) {
            throw new LockConfigurationException(
                    PREFIX + "ssl.bundle cannot be used for locks; set mortise.store to a URL"
                            + " that begins with rediss:// (docs/tls-and-secrets.md says how it names certificates)");
        }
        String url = text("url");
        if (url != null) {
            return url;
        }
        String tls = binder.bind(PREFIX + "ssl.enabled", Boolean.class).orElse(false) ? "rediss" : "redis";
        int database = binder.bind(PREFIX + "database", Integer.class).orElse(0);
        String user = text("username");
        String access = user == null ? "" : encoded(user) + "@";
        List<String> sentinels = list("sentinel.nodes");
        List<String> cluster = list("cluster.nodes");
        if (!sentinels.isEmpty()) {
            return tls + "+sentinel://" + access + String.join(",", sentinels) + "/" + encoded(master()) + "/"
                    + database + sentinelAccess();
        } else if (!cluster.isEmpty()) {
            return tls + "+cluster://" + access + String.join(",", cluster);
        }
        String host = text("host");
        int port = binder.bind(PREFIX + "port", Integer.class).orElse(6379);
        return tls + "://" + access + bracketed(host == null ? "localhost" : host) + ":" + port + "/" + database;
    }

    private String master() {
        String master = text("sentinel.master");
        if (master == null) {
            throw new LockConfigurationException(
                    PREFIX + "sentinel.nodes is set, and " + PREFIX + "sentinel.master is not");
        }
        return master;
    }

    private String sentinelAccess() {
        String user = text("sentinel.username");
        String password = text("sentinel.password");
        if (password == null) {
            return "";
        }
        return "?sentinelPassword=" + encoded(password) + (user == null ? "" : "&sentinelUser=" + encoded(user));
    }

    private static String bracketed(String host) {
        return host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private List<String> list(String name) {
        return binder.bind(PREFIX + name, Bindable.listOf(String.class)).orElse(List.of());
    }

    private @Nullable String text(String name) {
        String text = binder.bind(PREFIX + name, String.class).orElse("");
        return text.isEmpty() ? null : text;
    }
}
