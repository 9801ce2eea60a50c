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
 * Immutable. A migration has the URLs of two stores in one, with blanks between them: {@code migrate:NAME?option=value from URL to URL}.
 *
 * <p>Options whose names begin with {@value #OPTION_PREFIX} are ours; the others are the backend's. In a {@code jdbc:}
 * URL ours stand after {@code ?}, {@code &} or {@code ;}, and the rest, {@link #driverUrl()}, is the driver's. Percent
 * escapes are decoded in user, password, path and options. Where a URL has hosts, an {@code @} stands before them and nowhere
 * else: another one would leave open where a password ends.
 *
 * <p><b>Secrets.</b> {@link #toString()} shows what is known to be harmless: the scheme, the user, the hosts, the path, the names of
 * options and the values of those that the client and its backends know as harmless; of a URL whose scheme or driver is not
 * known, the scheme and the hosts. Everything else in it is one of its {@link #secrets()}, and
 * {@link BackendSelection#openForClient} removes it from every exception. A backend shows a URL by {@link #toString()} alone, and what it
 * logs itself it passes through {@link Secrets#mask}.
 */
public final class StoreUrl {
    /** The prefix of our own options, as against those of a driver or of the backend. */
    public static final String OPTION_PREFIX = "mortise.";

    private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*):(.*)", Pattern.DOTALL);
    private static final Pattern OF_TWO_STORES = Pattern.compile(
            "(migrate:\\S*)\\s+from\\s+(\\S.*?)\\s+to\\s+([A-Za-z][A-Za-z0-9+.-]*:.*)",
            Pattern.DOTALL | Pattern.CASE_INSENSITIVE);
    private static final Pattern AUTHORITY =
            Pattern.compile("//(?:(?<user>[^/]*)@)?(?<hosts>[^/]*)(?<path>.*)", Pattern.DOTALL);
    private static final Pattern LATER_AT = Pattern.compile("//[^/?]*[/?][^@]*@");
    private static final Pattern PASSWORD_OF_DRIVER = Pattern.compile("(?i)[?&;](?:password|pwd)=");
    private static final Pattern OWN_IN_JDBC = Pattern.compile("([?&;])(mortise\\.[^=&;]*)=([^&;]*)");

    private final String scheme;
    private final Optional<String> user;
    private final Optional<String> password;
    private final List<String> hosts;
    private final String path;
    private final Map<String, String> options;
    private final String driverUrl;
    private final Map<String, StoreUrl> stores;
    private final String shown;
    private final Secrets secrets;

    private StoreUrl(Matcher matcher, String shown, Secrets secrets) {
        String text = matcher.group();
        this.stores = Map.of();
        this.shown = shown;
        this.secrets = secrets;
        scheme = matcher.group(1).toLowerCase(Locale.ROOT);
        Map<String, String> found = new LinkedHashMap<>();
        String rest = matcher.group(2);
        if (scheme.equals("jdbc")) {
            driverUrl = takeOwnOptions(text, found);
            rest = driverUrl.substring("jdbc:".length());
        } else {
            driverUrl = text;
            refuseLaterAt(rest);
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

    private StoreUrl(StoreUrl url, String password, Map<String, String> options) {
        this.scheme = url.scheme;
        this.user = url.user;
        this.password = Optional.of(password);
        this.hosts = url.hosts;
        this.path = url.path;
        this.options = Collections.unmodifiableMap(options);
        this.driverUrl = url.driverUrl;
        this.stores = url.stores;
        this.shown = url.shown;
        this.secrets = url.secrets.with(password);
    }

    /**
     * {@return the parts of a store URL}
     *
     * @param text the URL
     * @throws IllegalArgumentException if it has no scheme, an option twice, an option without value, an {@code @} after its
     *     hosts, or a wrong percent escape; the message shows no secrets
     */
    public static StoreUrl parse(String text) {
        Matcher two = OF_TWO_STORES.matcher(text);
        if (two.matches()) {
            Map<String, StoreUrl> stores = new LinkedHashMap<>();
            stores.put("from", parse(two.group(2)));
            stores.put("to", parse(two.group(3)));
            return new StoreUrl(parse(two.group(1)), stores);
        }
        Matcher matcher = SCHEME.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "a store URL must begin with a scheme, as in memory:test or redis://localhost:6379");
        }
        UrlDisplay display = new UrlDisplay(text);
        Secrets secrets = new Secrets(display.hidden());
        try {
            return new StoreUrl(matcher, display.shown(), secrets);
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(secrets.mask(String.valueOf(wrong.getMessage())));
        }
    }

    /** What is not to be shown of a URL, be it right or wrong. */
    static Secrets secretsOf(String text) {
        Matcher two = OF_TWO_STORES.matcher(text);
        return two.matches()
                ? secretsOf(two.group(1)).with(secretsOf(two.group(2))).with(secretsOf(two.group(3)))
                : new Secrets(new UrlDisplay(text).hidden());
    }

    private StoreUrl(StoreUrl url, Map<String, StoreUrl> stores) {
        this.scheme = url.scheme;
        this.user = url.user;
        this.password = url.password;
        this.hosts = url.hosts;
        this.path = url.path;
        this.options = url.options;
        this.driverUrl = url.driverUrl;
        this.stores = Collections.unmodifiableMap(stores);
        StringBuilder text = new StringBuilder(url.shown);
        Secrets all = url.secrets;
        for (Map.Entry<String, StoreUrl> store : stores.entrySet()) {
            text.append(' ').append(store.getKey()).append(' ').append(store.getValue().shown);
            all = all.with(store.getValue().secrets);
        }
        this.shown = text.toString();
        this.secrets = all;
    }

    /** This URL with a password that was given apart, and without options that told where. */
    StoreUrl withPassword(String given) {
        Map<String, String> others = new LinkedHashMap<>(options);
        others.keySet().removeAll(PasswordSource.OPTIONS);
        return new StoreUrl(this, given, others);
    }

    /** Whether the password stands in the URL itself. */
    boolean containsPassword() {
        return password.isPresent() || PASSWORD_OF_DRIVER.matcher(driverUrl).find() && scheme.equals("jdbc");
    }

    /**
     * {@return the URLs within {@code migrate:NAME from URL to URL}, by the words {@code from} and {@code to}; empty for all other URLs}
     */
    public Map<String, StoreUrl> stores() {
        return stores;
    }

    /** {@return the scheme, in lower case, without colon} */
    public String scheme() {
        return scheme;
    }

    /** {@return the user name, which stands before the colon of {@code user:password@}} */
    public Optional<String> user() {
        return user;
    }

    /**
     * {@return the password: what stands after the colon of {@code user:password@}, or was given apart from the URL} A secret.
     * That of a driver's own option, as in {@code jdbc:postgresql://host/db?password=…}, is none.
     */
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
     * URL} May hold secrets. A password that was given apart is not in it.
     */
    public String driverUrl() {
        return driverUrl;
    }

    /** {@return what must not be shown: everything of this URL that {@link #toString()} leaves out, and the password} */
    public Secrets secrets() {
        return secrets;
    }

    /** The URL with three asterisks for all that may be a secret. */
    @Override
    public String toString() {
        return shown;
    }

    private static void refuseLaterAt(String rest) {
        if (LATER_AT.matcher(rest).lookingAt()) {
            throw new IllegalArgumentException(
                    "an @ stands after a / or a ?; in a user name or a password write / as %2F,"
                            + " ? as %3F, # as %23 and @ as %40, and write @ as %40 in a path or an option, too");
        }
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
