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
import java.util.List;

/** The scripts that run inside Redis; each file says what it takes and answers. */
public enum Script {
    ACQUIRE("common", "acquire"),
    RENEW("common", "renew"),
    RELEASE("common", "release"),
    RAISE("common", "raise"),
    INSPECT("common", "inspect"),
    REVOKE("common", "revoke"),
    GUARD("guard");

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

    /** What Redis runs. */
    public String text() {
        return text;
    }

    /** What Redis knows a script by once it has run it. */
    public String digest() {
        return digest;
    }

    /** A run of this script. */
    public ScriptCall call(int slot, List<String> keys, Object... arguments) {
        return new ScriptCall(this, slot, keys, List.of(arguments));
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
