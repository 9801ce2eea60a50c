// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Splits the text of a store URL into what is shown and what is hidden. Only what is known to be harmless is shown: the scheme, the place
 * of the store if it is written as its scheme prescribes, the names of options, and the values of those listed here. Everything
 * else is hidden, whatever it is. Takes any text, also one that is no URL. Used by one thread.
 */
final class UrlDisplay {
    private static final String MASK = "***";
    private static final Pattern SCHEME = Pattern.compile("(?i)(?:jdbc:[a-z][a-z0-9_+-]*|[a-z][a-z0-9+.-]*):");

    private static final String HOST = "(?:[\\p{L}\\p{N}._-]+|\\[[\\p{L}\\p{N}.:%]+])(?::\\d{1,5})?";
    private static final String HOSTS = HOST + "(?:," + HOST + ")*";
    private static final String PATH = "(?:/[^@=]*)?";
    private static final String NAME_OR_FILE = "(?!//.*@).*";
    private static final String USER = "(?<user>//(?:[^/]*@)?)";
    private static final Pattern NAMED_USER =
            Pattern.compile("//(?<name>[\\p{L}\\p{N}._-]*:)(?<password>.+)@", Pattern.DOTALL);

    /** How each scheme writes the place of a store, up to the options; for other schemes, of which only the hosts are shown. */
    private static final Map<String, Pattern> PLACES = places();

    private static final Pattern OTHER_PLACE = place(USER, HOSTS, "(?:/[^@]*)?");

    /** Options of the client and of our backends. In lower case. */
    private static final Set<String> OWN =
            names("mortise.lease mortise.renewal mortise.minHold mortise.maxHold mortise.maxWait"
                    + " mortise.lockDelay mortise.goOnWithoutAnswer mortise.label mortise.localHandOvers mortise.callTimeout"
                    + " mortise.require mortise.safety mortise.passwordFile mortise.passwordEnv mortise.table"
                    + " mortise.createSchema mortise.privateFile mortise.format format mortise.clockFree mortise.notifications mortise.connectTimeout mortise.dialect"
                    + " prefix timeout connections role replicas replicaTimeout sentinelUser memberTimeout longestLease clockBound"
                    + " restartDelay newQuorum fencing sessionTimeout register");

    /** Options of drivers that are no secrets. In lower case. */
    private static final Set<String> HARMLESS =
            names("user username ssl sslMode useSsl service currentSchema ApplicationName"
                    + " targetServerType connectTimeout socketTimeout loginTimeout cancelSignalTimeout tcpKeepAlive prepareThreshold"
                    + " mode ifexists auto_server auto_reconnect db_close_delay db_close_on_exit write_delay lock_timeout lock_mode"
                    + " database_to_upper schema journal_mode busy_timeout synchronous foreign_keys cache");

    /** Options that are secrets. In lower case. */
    private static final Set<String> SECRET = names("password pwd sslPassword sentinelPassword");

    private static final Pattern PLAIN = Pattern.compile("[\\p{L}\\p{N}_.+-]*");
    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_.]*");
    private static final Pattern OPTION = Pattern.compile("(?<separator>[?&])(?<option>[^&]*)");
    private static final Pattern DRIVER_OPTION = Pattern.compile("(?<separator>[?&;])(?<option>[^?&;]*)");

    private final StringBuilder shown = new StringBuilder();
    private final List<String> hidden = new ArrayList<>();

    /** Whether what stands before the next = is a name, and not the end of a secret with a separator in it. */
    private boolean certain = true;

    private boolean hidesLast;

    UrlDisplay(String text) {
        Matcher scheme = SCHEME.matcher(text);
        if (!scheme.lookingAt()) {
            hide("", text);
            return;
        }
        shown.append(scheme.group());
        String rest = text.substring(scheme.end());
        boolean ofDriver = scheme.group().regionMatches(true, 0, "jdbc:", 0, 5);
        Matcher end = Pattern.compile(ofDriver ? "[?;&]" : "\\?").matcher(rest);
        String place = end.find() ? rest.substring(0, end.start()) : rest;
        String options = rest.substring(place.length());
        certain = options.indexOf('@') < 0;
        if (!certain && !ofDriver && place.startsWith("//")) {
            hide("", rest); // an @ so far behind may end a password
            return;
        }
        splitPlace(place, PLACES.getOrDefault(scheme.group().toLowerCase(Locale.ROOT), OTHER_PLACE));
        splitOptions(options, ofDriver);
    }

    private void splitPlace(String place, Pattern form) {
        Matcher parts = form.matcher(place);
        if (!parts.matches()) {
            hide("", place);
            return;
        }
        Matcher user = NAMED_USER.matcher(parts.group("user"));
        if (user.matches()) {
            shown.append("//").append(user.group("name"));
            hidden.add(user.group("password"));
            shown.append(MASK).append('@');
        } else if (parts.group("user").endsWith("@")) {
            hidden.add(parts.group("user").substring(2));
            shown.append("//").append(MASK).append('@');
        } else {
            shown.append(parts.group("user"));
        }
        shown.append(parts.group("place"));
        hide("", parts.group("rest"));
    }

    private void splitOptions(String options, boolean ofDriver) {
        Matcher each = (ofDriver ? DRIVER_OPTION : OPTION).matcher(options);
        while (each.find()) {
            String option = each.group("option");
            int equals = option.indexOf('=');
            String name = option.substring(0, Math.max(0, equals)).toLowerCase(Locale.ROOT);
            String value = option.substring(equals + 1);
            boolean harmless = OWN.contains(name)
                    || HARMLESS.contains(name) && PLAIN.matcher(value).matches();
            if (harmless || option.isEmpty()) {
                shown.append(each.group());
                hidesLast = false;
            } else if (SECRET.contains(name) || certain && NAME.matcher(name).matches()) {
                shown.append(each.group("separator")).append(option, 0, equals + 1);
                hidesLast = false;
                certain = false; // also if the value is empty: it may begin with a separator
                hide("", value);
            } else {
                hide(each.group("separator"), option);
            }
        }
    }

    /** Hides a text, together with the one before if that is hidden, too: both may be one secret. */
    private void hide(String separator, String text) {
        if (text.isEmpty()) {
            return;
        }
        if (hidesLast) {
            hidden.set(hidden.size() - 1, hidden.get(hidden.size() - 1) + separator + text);
        } else {
            hidden.add(text);
        }
        shown.append(separator).append(MASK);
        hidesLast = true;
        certain = false;
    }

    /** The URL for people, with three asterisks for what is hidden. */
    String shown() {
        return shown.toString();
    }

    /** The texts that are hidden. */
    List<String> hidden() {
        return List.copyOf(hidden);
    }

    private static Map<String, Pattern> places() {
        Map<String, Pattern> forms = new HashMap<>();
        forms.put("memory:", place("(?<user>)", NAME_OR_FILE, ""));
        forms.put("migrate:", place("(?<user>)", NAME_OR_FILE, ""));
        for (String scheme :
                List.of("redis", "redis+sentinel", "redis+cluster", "redlock", "zookeeper", "memcached", "etcd")) {
            forms.put(scheme + ":", place(USER, HOSTS + PATH, ""));
            forms.put(scheme.replaceFirst("redis|redlock|etcd", "$0s") + ":", place(USER, HOSTS + PATH, ""));
        }
        forms.put("jdbc:postgresql:", place("(?<user>)", "//" + HOSTS + PATH + "|/?[\\p{L}\\p{N}._-]*", ""));
        forms.put("jdbc:mariadb:", place("(?<user>)", "(?:[a-z]+:)?//" + HOSTS + PATH, ""));
        forms.put("jdbc:mysql:", place(USER, HOSTS + PATH, ""));
        String server = "(?:tcp|ssl):(?://)?" + HOSTS + PATH;
        forms.put("jdbc:h2:", place("(?<user>)", server + "|(?!tcp:|ssl:)" + NAME_OR_FILE, ""));
        forms.put("jdbc:sqlite:", place("(?<user>)", NAME_OR_FILE, ""));
        return Map.copyOf(forms);
    }

    private static Pattern place(String user, String place, String rest) {
        return Pattern.compile(user + "(?<place>" + place + ")(?<rest>" + rest + ")", Pattern.DOTALL);
    }

    private static Set<String> names(String list) {
        return Stream.of(list.split(" "))
                .map(name -> name.toLowerCase(Locale.ROOT))
                .collect(Collectors.toUnmodifiableSet());
    }
}
