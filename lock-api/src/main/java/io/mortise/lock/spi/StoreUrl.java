// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A parsed store URL, which says where a store is and how to use it:
 * {@code scheme://user:password@host1:port,host2/path?option=value&…}, or {@code scheme:path?…} for stores without
 * hosts. Has a parser of its own, because {@link java.net.URI} knows neither several hosts nor underscores in them.
 * Immutable.
 *
 * <p>Options whose names begin with {@value #OPTION_PREFIX} are ours; the others are the backend's. In a {@code jdbc:}
 * URL ours stand after {@code ?}, {@code &} or {@code ;}, and the rest, {@link #driverUrl()}, is the driver's. Percent
 * escapes are decoded in user, password, path and options.
 */
public final class StoreUrl {
    /** The prefix of our own options, as against those of a driver or of the backend. */
    public static final String OPTION_PREFIX = "mortise.";

    private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*):(.*)", Pattern.DOTALL);
    private static final Pattern AUTHORITY =
            Pattern.compile("//(?:(?<user>[^/]*)@)?(?<hosts>[^/]*)(?<path>.*)", Pattern.DOTALL);
    private static final Pattern OWN_IN_JDBC = Pattern.compile("([?&;])(mortise\\.[^=&;]*)=([^&;]*)");

    private final String scheme;
    private final Optional<String> user;
    private final Optional<String> password;
    private final List<String> hosts;
    private final String path;
    private final Map<String, String> options;
    private final String driverUrl;

    private StoreUrl(String text) {
        Matcher matcher = SCHEME.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "a store URL must begin with a scheme, as in memory:test or redis://localhost:6379");
        }
        scheme = matcher.group(1).toLowerCase(Locale.ROOT);
        Map<String, String> found = new LinkedHashMap<>();
        String rest = matcher.group(2);
        if (scheme.equals("jdbc")) {
            driverUrl = takeOwnOptions(text, found);
            rest = driverUrl.substring("jdbc:".length());
        } else {
            driverUrl = text;
            int question = rest.indexOf('?');
            if (question >= 0) {
                parseQuery(rest.substring(question + 1), found);
                rest = rest.substring(0, question);
            }
        }
        options = Collections.unmodifiableMap(found);
        Matcher authority = AUTHORITY.matcher(rest);
        boolean hasHosts = !scheme.equals("jdbc") && authority.matches();
        String userInfo = hasHosts ? authority.group("user") : null;
        String[] credentials = userInfo == null ? new String[0] : userInfo.split(":", 2);
        user = credentials.length > 0 && !credentials[0].isEmpty()
                ? Optional.of(decode(credentials[0]))
                : Optional.empty();
        password = credentials.length > 1 ? Optional.of(decode(credentials[1])) : Optional.empty();
        hosts = hasHosts && !authority.group("hosts").isEmpty()
                ? List.of(authority.group("hosts").split(",", -1))
                : List.of();
        path = scheme.equals("jdbc") ? rest : decode(hasHosts ? authority.group("path") : rest);
    }

    /**
     * {@return the parts of a store URL}
     *
     * @param text the URL
     * @throws IllegalArgumentException if it has no scheme, an option twice, an option without value, or a wrong percent
     *     escape; the message shows no secrets
     */
    public static StoreUrl parse(String text) {
        return new StoreUrl(text);
    }

    /** {@return the scheme, in lower case, without colon} */
    public String scheme() {
        return scheme;
    }

    /** {@return the user name, which stands before the colon of {@code user:password@}} */
    public Optional<String> user() {
        return user;
    }

    /** {@return the password, which stands after the colon of {@code user:password@}} A secret. */
    public Optional<String> password() {
        return password;
    }

    /** {@return the hosts as {@code host} or {@code host:port}; empty for URLs without {@code //}} */
    public List<String> hosts() {
        return hosts;
    }

    /**
     * {@return what stands between the hosts and the options, with its leading slash if there are hosts; maybe empty}
     */
    public String path() {
        return path;
    }

    /** {@return the names and decoded values of all options, in the order of the URL} */
    public Map<String, String> options() {
        return options;
    }

    /**
     * {@return the decoded value of an option, or empty if the URL does not have it}
     *
     * @param name its name
     */
    public Optional<String> option(String name) {
        return Optional.ofNullable(options.get(name));
    }

    /**
     * {@return the URL without our own options, for a JDBC driver; for other schemes than {@code jdbc}, the whole
     * URL} May hold secrets.
     */
    public String driverUrl() {
        return driverUrl;
    }

    /** The URL without secrets. */
    @Override
    public String toString() {
        return Secrets.mask(driverUrl);
    }

    private static String takeOwnOptions(String text, Map<String, String> found) {
        Matcher own = OWN_IN_JDBC.matcher(text);
        StringBuilder rest = new StringBuilder();
        while (own.find()) {
            put(found, own.group(2), own.group(3));
            own.appendReplacement(rest, own.group(1).equals("?") ? "?" : "");
        }
        own.appendTail(rest);
        return rest.toString().replace("?&", "?").replaceFirst("\\?$", "");
    }

    private static void parseQuery(String query, Map<String, String> found) {
        for (String pair : query.split("&")) {
            if (pair.isEmpty()) {
                continue;
            }
            int equals = pair.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("an option must be written name=value, but one has no value");
            }
            put(found, decode(pair.substring(0, equals)), pair.substring(equals + 1));
        }
    }

    private static void put(Map<String, String> found, String name, String value) {
        if (found.putIfAbsent(name, decode(value)) != null) {
            throw new IllegalArgumentException("the option " + name + " is given twice");
        }
    }

    private static String decode(String text) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(
                    "a percent escape in the store URL is wrong; write a percent sign as %25");
        }
    }
}
