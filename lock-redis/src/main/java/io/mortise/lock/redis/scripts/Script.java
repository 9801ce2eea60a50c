// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.scripts;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The Lua scripts that run inside Redis: acquire, renew, release, raise a token, inspect, revoke, check what the
 * user may do, guard a write, read or write the register, and lock as another library does.
 * Each file says what the script takes and answers.
 */
public enum Script {
    ACQUIRE("free", "calls", "common", "acquire"),
    PROLONG("calls", "prolong"),
    RENEW("calls", "common", "renew"),
    RELEASE("own", "calls", "common", "release"),
    RAISE("calls", "common", "holder", "raise"),
    INSPECT("calls", "common", "holder", "inspect"),
    REVOKE("calls", "common", "holder", "revoke"),
    CHECK("check"),
    GUARD("guard"),
    REGISTER("register"),
    REDISSON("redisson");

    private final String text;
    private final String digest;

    Script(String... files) {
        StringBuilder all = new StringBuilder();
        for (String file : files) {
            all.append(read(file + ".lua"));
        }
        text = all.toString();
        digest = sha1(text);
    }

    public String text() {
        return text;
    }

    /** The SHA-1 digest by which Redis knows a script that it has run before. */
    public String digest() {
        return digest;
    }

    private static String read(String file) {
        try (InputStream in = Script.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("this jar lacks " + file);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private static String sha1(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-1", impossible);
        }
    }
}
