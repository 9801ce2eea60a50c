// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.etcd.gateway;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * A key of etcd and what it has.
 *
 * @param created the revision in which it was made
 * @param modified the revision in which it was written last
 * @param lease the lease with which it ends, or 0
 */
public record KeyValue(String key, String value, long created, long modified, long lease) {
    static KeyValue of(Json kv) {
        return new KeyValue(
                decoded(kv.text("key")),
                decoded(kv.text("value")),
                kv.number("create_revision"),
                kv.number("mod_revision"),
                kv.number("lease"));
    }

    static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static String decoded(String code) {
        return new String(Base64.getDecoder().decode(code), StandardCharsets.ISO_8859_1);
    }
}
