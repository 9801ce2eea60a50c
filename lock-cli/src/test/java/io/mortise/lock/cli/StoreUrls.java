// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;

/** Random store URLs, right and wrong ones, each with a secret at a place where a secret can stand. Nobody listens at their ports. */
final class StoreUrls {
    /**
     * A URL and its secret.
     *
     * @param url the URL
     * @param secret the secret as it was before it was put into the URL, with escapes or without
     */
    record Secretive(String url, String secret) {
        /** Whether a text shows the secret, as a whole or a part of four characters and more. */
        boolean isIn(String text) {
            String lowerCase = text.toLowerCase(Locale.ROOT);
            return Stream.concat(Stream.of(secret, encoded(secret)), Stream.of(secret.split("[^\\p{L}\\p{N}]+")))
                    .filter(part -> part.length() >= 4)
                    .anyMatch(part -> lowerCase.contains(part.toLowerCase(Locale.ROOT)));
        }
    }

    private static final List<String> FORMS = List.of(
            "redis://u:<S>@127.0.0.1:1",
            "redis://:<S>@127.0.0.1:1/0?prefix=p:",
            "rediss://u:<S>@127.0.0.1:1",
            "redis+sentinel://u:<S>@127.0.0.1:1/master",
            "redis+sentinel://127.0.0.1:1/master?sentinelUser=u&sentinelPassword=<S>",
            "redis+cluster://u:<S>@127.0.0.1:1,127.0.0.1:2",
            "redlock://u:<S>@127.0.0.1:1,127.0.0.1:2,127.0.0.1:3?longestLease=1m",
            "memcached://u:<S>@127.0.0.1:1",
            "zookeeper://u:<S>@/root",
            "zookeeper://127.0.0.1:1/root?N=<S>",
            "nosuch://u:<S>@127.0.0.1/path?mortise.lease=5s",
            "nosuch:u/<S>@127.0.0.1",
            "nosuch://127.0.0.1/path?N=<S>",
            "redis://127.0.0.1:1?N=<S>&connections=3",
            "redis://127.0.0.1:1?timeout=1s&N=<S>",
            "memory:fuzz?N=<S>",
            "memory:fuzz?mortise.password=<S>&mortise.lease=9s",
            "jdbc:postgresql://127.0.0.1:1/db?user=app&N=<S>",
            "jdbc:postgresql://127.0.0.1:1/db?password=<S>&ssl=false&mortise.table=locks",
            "jdbc:postgresql://127.0.0.1:1/db?mortise.table=locks&password=<S>",
            "jdbc:postgresql:db?sslmode=disable&password=<S>",
            "jdbc:postgresql://u:<S>@127.0.0.1:1/db",
            "jdbc:postgresql://127.0.0.1:1/a/b?password=<S>",
            "jdbc:postgresql:u/<S>@127.0.0.1",
            "jdbc:mariadb://127.0.0.1:1/db?user=app&N=<S>",
            "jdbc:mariadb://127.0.0.1:1/db?password=<S>&useSsl=false",
            "jdbc:mariadb://address=(host=127.0.0.1)(port=1)(user=app)(password=<S>)/db",
            "jdbc:mariadb://u:<S>@127.0.0.1:1/db",
            "jdbc:mysql://u:<S>@127.0.0.1:1/db",
            "jdbc:h2:mem:fuzz;USER=sa;N=<S>",
            "jdbc:h2:mem:fuzz;USER=sa;PASSWORD=<S>;MODE=MySQL",
            "jdbc:h2:tcp://127.0.0.1:1/db;USER=sa;PASSWORD=<S>",
            "jdbc:h2:tcp://u:<S>@127.0.0.1:1/db",
            "jdbc:sqlite:/dev/null/locks.db?N=<S>",
            "jdbc:oracle:thin:u/<S>@127.0.0.1:1:x",
            "jdbc:oracle:thin:u/<S>@//127.0.0.1:1/x?N=<S>",
            "jdbc:sqlserver://127.0.0.1:1;user=u;N=<S>;encrypt=true",
            "jdbc:sqlserver://127.0.0.1;databaseName=x;password={<S>}",
            "jdbc:nosuch://u:<S>@127.0.0.1/x?N=<S>",
            "u:<S>@127.0.0.1",
            "redis:u:<S>@127.0.0.1",
            "redis:/u:<S>@127.0.0.1:1",
            "redis//u:<S>@127.0.0.1:1",
            " redis://u:<S>@127.0.0.1:1",
            "redis://u:<S>",
            "redlock://u:<S>@127.0.0.1:1",
            "jdbc:postgresql//127.0.0.1/db?password=<S>",
            "JDBC:PostgreSQL://127.0.0.1:1/db?PASSWORD=<S>",
            "jdbc:u:<S>@127.0.0.1");

    private static final List<String> NAMES = List.of(
            "password",
            "PASSWORD",
            "pwd",
            "passwort",
            "token",
            "api_key",
            "authToken",
            "secret",
            "sslpassword",
            "x",
            "k-1");

    /** Four of these in a row stand in no word of a message and in no name of a class, so that none is a secret by chance. */
    private static final String LETTERS = "jqvwxz";

    private static final String SPECIAL = "/@:?#&;,=%+ \"'()[]{}|\\^~`<>!$*.-_\u00e9\u6f22\n\t";

    private final Random random;

    StoreUrls(long seed) {
        random = new Random(seed);
    }

    Secretive next() {
        String secret = secret();
        String form = FORMS.get(random.nextInt(FORMS.size()));
        if (form.endsWith(":<S>")) {
            secret = secret.replace('@', '/'); // what stands after an @ is a host
        }
        String written = random.nextInt(4) == 0 ? encoded(secret) : secret;
        String name = NAMES.get(random.nextInt(NAMES.size()));
        return new Secretive(form.replace("N=<", name + "=<").replace("<S>", written), secret);
    }

    private String secret() {
        StringBuilder text = new StringBuilder();
        int parts = 1 + random.nextInt(4);
        for (int i = 0; i < parts; i++) {
            if (i > 0 || random.nextInt(4) == 0) {
                text.append(SPECIAL.charAt(random.nextInt(SPECIAL.length())));
            }
            for (int letters = 1 + random.nextInt(7); letters > 0; letters--) {
                text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
            }
        }
        while (text.length() < 4) {
            text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return text.toString();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
