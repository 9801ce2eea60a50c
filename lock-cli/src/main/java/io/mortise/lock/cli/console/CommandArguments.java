// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.console;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads the arguments exactly as the user gave them, in UTF-8 under any locale. Under the C locale, as in cron, the
 * JVM turns every non-ASCII character into the same question mark: two locks would become one, and the command would
 * get other arguments than were written. So they are read again from {@code /proc} as UTF-8; a byte that is not UTF-8
 * becomes a lone surrogate and turns back into that byte for the command.
 */
public final class CommandArguments {
    private static final char ESCAPE = 0xDC00;

    private CommandArguments() {}

    /** What the user typed; {@code args} if the JVM read it right. */
    public static String[] reread(String[] args) {
        boolean exact = System.getProperty("sun.jnu.encoding", "").equalsIgnoreCase("UTF-8")
                && Arrays.stream(args).noneMatch(arg -> arg.indexOf('\uFFFD') >= 0);
        if (exact || Arrays.stream(args).allMatch(CommandArguments::isAscii)) {
            return args;
        }
        List<byte[]> words = new ArrayList<>();
        try {
            ByteArrayOutputStream word = new ByteArrayOutputStream();
            for (byte next : Files.readAllBytes(Path.of("/proc/self/cmdline"))) {
                if (next == 0) {
                    words.add(word.toByteArray());
                    word.reset();
                } else {
                    word.write(next);
                }
            }
        } catch (IOException notLinux) {
            return args;
        }
        return words.subList(Math.max(0, words.size() - args.length), words.size()).stream()
                .map(CommandArguments::decode)
                .toArray(String[]::new);
    }

    private static boolean isAscii(String text) {
        return text.chars().allMatch(character -> character < 0x80);
    }

    static String decode(byte[] bytes) {
        CharsetDecoder strict = StandardCharsets.UTF_8.newDecoder();
        try {
            return strict.decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException notUtf8) {
            StringBuilder escaped = new StringBuilder();
            for (byte each : bytes) {
                escaped.append((char) (each < 0 ? ESCAPE + (each & 0xFF) : each));
            }
            return escaped.toString();
        }
    }

    /** The bytes that the user typed. */
    public static byte[] encode(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        text.codePoints().forEach(point -> {
            if (point > ESCAPE + 0x7F && point <= ESCAPE + 0xFF) {
                bytes.write(point - ESCAPE);
            } else {
                bytes.writeBytes(Character.toString(point).getBytes(StandardCharsets.UTF_8));
            }
        });
        return bytes.toByteArray();
    }
}
