// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.node;

import io.mortise.lock.spi.ClaimRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The data of a claim's node as text, for people and for {@code mortise show}: lines of ASCII, each a word and a
 * value. Unknown lines are ignored. There is a token if it cannot be computed from the node's zxid, and a reason if the lock
 * is being revoked. Immutable.
 *
 * @param lease how long a grant lasts; a renewal may have changed it
 * @param waited how long after the node was made its claim was granted the lock; zero if that was soon, or did not happen yet
 */
public record NodeText(
        String lock, String label, Duration lease, Duration waited, OptionalLong token, Optional<String> revoked) {
    public static NodeText of(ClaimRequest request) {
        return new NodeText(
                request.lock(),
                request.label(),
                request.lease(),
                Duration.ZERO,
                OptionalLong.empty(),
                Optional.empty());
    }

    /** Throws {@link IllegalArgumentException} if these are not the data of a claim's node. */
    public static NodeText parse(byte @Nullable [] data) {
        Map<String, String> lines = new HashMap<>();
        for (String line : new String(data == null ? new byte[0] : data, StandardCharsets.US_ASCII).split("\n")) {
            int blank = line.indexOf(' ');
            if (blank > 0) {
                lines.put(line.substring(0, blank), line.substring(blank + 1));
            }
        }
        String token = lines.get("token");
        return new NodeText(
                AsciiText.decode(present(lines.get("lock"))),
                AsciiText.decode(present(lines.get("label"))),
                Duration.ofNanos(Long.parseLong(present(lines.get("lease")))),
                Duration.ofNanos(Long.parseLong(lines.getOrDefault("waited", "0"))),
                token == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(token)),
                Optional.ofNullable(lines.get("revoked")).map(AsciiText::decode));
    }

    /** Reads a node of a lock's queue; of foreign data, only the lock is known. */
    public static NodeText read(String lock, byte @Nullable [] data) {
        try {
            return parse(data);
        } catch (IllegalArgumentException foreign) {
            return new NodeText(lock, "", Duration.ZERO, Duration.ZERO, OptionalLong.empty(), Optional.empty());
        }
    }

    public NodeText withToken(long given) {
        return new NodeText(lock, label, lease, waited, OptionalLong.of(given), revoked);
    }

    public NodeText withWaited(Duration time) {
        return new NodeText(lock, label, lease, time, token, revoked);
    }

    public NodeText withRevocation(String reason) {
        return new NodeText(lock, label, lease, waited, token, Optional.of(reason));
    }

    public byte[] bytes() {
        StringBuilder text = new StringBuilder();
        text.append("lock " + AsciiText.encode(lock) + "\n");
        text.append("label " + AsciiText.encode(label) + "\n");
        text.append("lease " + lease.toNanos() + "\n");
        if (!waited.isZero()) {
            text.append("waited " + waited.toNanos() + "\n");
        }
        token.ifPresent(value -> text.append("token " + value + "\n"));
        revoked.ifPresent(reason -> text.append("revoked " + AsciiText.encode(reason) + "\n"));
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }

    private static String present(@Nullable String value) {
        if (value == null) {
            throw new IllegalArgumentException("no node of a claim");
        }
        return value;
    }
}
